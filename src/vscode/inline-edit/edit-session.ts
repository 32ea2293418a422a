import { errorMessage, ToolInputError } from '../../domain/errors.js';
import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Gate, GateRequest, Judgement } from '../../domain/tool/permission.js';
import type { StreamEvent } from '../../domain/model/stream-event.js';
import type { Plan, Tool } from '../../domain/tool/tool.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import type { SessionEvent, Turn } from '../../engine/events.js';
import { fileAccess } from '../../tool/calls/access.js';
import type { Conversation } from '../chat/conversation/conversation.js';
import type { SessionShape } from '../chat/conversation/conversations.js';
import type { EditTarget } from './edit-tool.js';
import { createSelectionTool, EDIT_TOOL } from './edit-tool.js';
import type { EditDocument } from './edit-document.js';

/** The tools that only read; beside them there is the one that changes the code that the person pointed at. */
const READERS: ReadonlySet<string> = new Set(['read', 'grep', 'glob', 'diagnostics', 'symbols']);

/** The conversation behind an inline edit: few tools, and changes that are made while the answer still streams. */
export class EditSession implements SessionShape, EditTarget {
  private readonly edit: EditDocument;
  private readonly log: Log;
  private base: Gate | undefined;
  private conversation: Conversation | undefined;
  private messageIndex = 0;

  /** @param edit the document that the answers change. */
  constructor(edit: EditDocument, log: Log) {
    this.edit = edit;
    this.log = log;
  }

  /** The conversation, as soon as there is one. */
  get current(): Conversation | undefined {
    return this.conversation;
  }

  readonly tools = (all: readonly Tool[]): readonly Tool[] => [...all.filter(({ spec }) => READERS.has(spec.name)), createSelectionTool(this)];

  readonly gate = (base: Gate): Gate => {
    this.base = base;
    return { judge: (request, signal) => judgeAsked(base, request, signal), remember: (request, rules, scope) => base.remember(request, rules, scope) };
  };

  /** Follows a conversation that was made in this shape. */
  follow(conversation: Conversation): void {
    this.conversation = conversation;
    conversation.session.onEvent((event) => this.handle(event));
  }

  /** What permission says of changing the file now; nothing is asked for. */
  async judge(signal: AbortSignal): Promise<Judgement> {
    const { base, conversation } = this;
    if (base === undefined || conversation === undefined) throw new Error('There is no conversation to judge for.');
    const location = await this.locate();
    const plan: Plan = { tool: EDIT_TOOL, subject: location.display, args: {}, accesses: fileAccess('write', location), preview: { kind: 'none' }, changes: [] };
    return judgeAsked(base, { sessionId: conversation.id, callId: '', mode: conversation.session.mode, plan }, signal);
  }

  /** Says something and waits for the end of the turn, and until what did not come to its end is taken back. */
  async ask(content: readonly UserContent[]): Promise<Turn> {
    if (this.conversation === undefined) throw new Error('There is no conversation to ask in.');
    const turn = await this.conversation.send(content).turn;
    await this.edit.settled();
    return turn;
  }

  /** Stops the turn, if any; changes that are not complete are taken back. */
  stop(): void {
    this.conversation?.session.cancel();
  }

  /** Resolves when nothing runs any more, and nothing is being taken back. */
  async idle(): Promise<void> {
    if (this.conversation?.running === true) await this.conversation.nextEnd();
    await this.edit.settled();
  }

  locate(): Promise<FileLocation> {
    return this.edit.locate();
  }

  versions(text: string): { readonly before: string; readonly after: string } {
    return this.edit.versions(text);
  }

  async replace(text: string, callId: string): Promise<string> {
    await this.edit.settled();
    if (this.edit.callId !== callId) this.begin(callId);
    try {
      await this.edit.finish(text);
    } catch (error) {
      this.edit.takeBack();
      await this.edit.settled();
      throw new ToolInputError(t('The edit could not be made: {0}', errorMessage(error)));
    }
    return 'Done. The person sees the change and decides whether to keep it.';
  }

  private handle(event: SessionEvent): void {
    if (event.type === 'turn_started') this.messageIndex = event.index;
    else if (event.type === 'stream') this.streamed(event.event);
    else if (event.type === 'retry_scheduled' || event.type === 'turn_ended') this.edit.takeBack();
    else if (event.type === 'tool_call' && event.callId === this.edit.callId && ['failed', 'denied', 'cancelled'].includes(event.state.status)) this.edit.takeBack();
  }

  private streamed(event: StreamEvent): void {
    if (event.type === 'tool_call_begin' && event.name === EDIT_TOOL && this.edit.isFree) this.begin(event.id);
    else if (event.type === 'tool_call_delta' && event.id === this.edit.callId) this.edit.push(event.delta);
  }

  /** Changes are made as soon as it is known that they may. Where the user has to be asked first, they are made after that. */
  private begin(callId: string): void {
    this.edit.begin(callId, { sessionId: this.conversation?.id ?? '', messageIndex: this.messageIndex });
    this.judge(new AbortController().signal).then(
      ({ type }) => {
        if (type === 'allow') this.edit.allow(callId);
      },
      (error: unknown) => this.log.warn(`It could not be told before the answer whether an edit is allowed: ${errorMessage(error)}`),
    );
  }
}

/** The person asked for exactly this edit, and decides about its hunks: it counts as one that they accepted beforehand. */
async function judgeAsked(base: Gate, request: GateRequest, signal: AbortSignal): Promise<Judgement> {
  if (request.plan.tool !== EDIT_TOOL || request.mode !== 'default') return base.judge(request, signal);
  const judgement = await base.judge({ ...request, mode: 'acceptEdits' }, signal);
  return judgement.type === 'allow' ? { ...judgement, reason: t('You asked for this edit.') } : judgement;
}
