import type { StreamedRecord, StreamedRecorder } from '../../edits/streamed-recorder.js';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import type { UserContent } from '../../domain/model/content.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Gate, GateRequest, Judgement } from '../../domain/tool/permission.js';
import type { StreamEvent } from '../../domain/model/stream-event.js';
import type { Plan, Tool } from '../../domain/tool/tool.js';
import type { FileLocation } from '../../domain/workspace/workspace.js';
import type { SessionEvent, Turn } from '../../engine/events.js';
import { withEdit } from '../../inline-edit/line-edit.js';
import { fileAccess } from '../../tool/calls/access.js';
import type { Conversation } from '../chat/conversation/conversation.js';
import type { SessionShape } from '../chat/conversation/conversations.js';
import type { EditTarget } from './edit-tool.js';
import { createSelectionTool, EDIT_TOOL } from './edit-tool.js';
import type { LiveChange } from './document/live-change.js';

/** The tools that only read; beside them there is the one that changes the code that the person pointed at. */
const READERS: ReadonlySet<string> = new Set(['read', 'grep', 'glob', 'diagnostics', 'symbols']);

/** What an {@link EditSession} works with. */
export interface EditSessionParts {
  readonly recorder: StreamedRecorder;
  readonly log: Log;
  /** Where the file is. @throws ToolInputError when the code is not there any more. */
  readonly locate: () => Promise<FileLocation>;
  /** Begins a replacement of the code. */
  readonly replace: (record: () => Promise<StreamedRecord | undefined>) => LiveChange;
  /** The replacement is complete, and its hunks pend. */
  readonly replaced: (change: LiveChange) => void;
  /** Nothing is left of a replacement, or only what the person changed. */
  readonly reverted: (change: LiveChange) => void;
}

interface Live {
  readonly callId: string;
  readonly change: LiveChange;
}

/** The conversation behind an edit in place: few tools, and hunks that are made while the answer still streams. */
export class EditSession implements SessionShape {
  private readonly parts: EditSessionParts;
  private base: Gate | undefined;
  private conversation: Conversation | undefined;
  private messageIndex = 0;
  private live: Live | undefined;
  private undoing: Promise<void> = Promise.resolve();
  private obstacle: string | undefined;

  constructor(parts: EditSessionParts) {
    this.parts = parts;
  }

  /** The hunks that are being made now. */
  get change(): LiveChange | undefined {
    return this.live?.change;
  }

  /** What was in the way of a hunk in the last turn, for the person. */
  get problem(): string | undefined {
    return this.obstacle;
  }

  /** The conversation, as soon as there is one. */
  get current(): Conversation | undefined {
    return this.conversation;
  }

  readonly tools = (all: readonly Tool[]): readonly Tool[] => [...all.filter(({ spec }) => READERS.has(spec.name)), createSelectionTool(this.target())];

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
    const location = await this.parts.locate();
    const plan: Plan = { tool: EDIT_TOOL, subject: location.display, args: {}, accesses: fileAccess('write', location), preview: { kind: 'none' }, changes: [] };
    return judgeAsked(base, { sessionId: conversation.id, callId: '', mode: conversation.session.mode, plan }, signal);
  }

  /** Says something and waits for the end of the turn, and until what did not come to its end is taken back. */
  async ask(content: readonly UserContent[]): Promise<Turn> {
    const { conversation } = this;
    if (conversation === undefined) throw new Error('There is no conversation to ask in.');
    this.obstacle = undefined;
    let end = (): void => undefined;
    const ended = new Promise<Turn>((resolve) => {
      end = conversation.session.onEvent((event) => {
        if (event.type === 'turn_ended') resolve(event.turn);
      });
    });
    try {
      await conversation.send(content).recorded;
      const turn = await ended;
      await this.undoing;
      return turn;
    } finally {
      end();
    }
  }

  /** Stops the turn, if any; hunks that are not complete are taken back. */
  stop(): void {
    this.conversation?.session.cancel();
  }

  /** Resolves when nothing runs any more, and nothing is being taken back. */
  async idle(): Promise<void> {
    if (this.conversation?.running === true) await this.conversation.nextEnd();
    await this.undoing;
  }

  /** Ends the turn, as hunks cannot be made. */
  fail(error: unknown): void {
    this.parts.log.warn(`A hunk could not be made: ${errorMessage(error)}`);
    this.obstacle = errorMessage(error);
    this.stop();
  }

  private handle(event: SessionEvent): void {
    if (event.type === 'turn_started') this.messageIndex = event.index;
    else if (event.type === 'stream') this.streamed(event.event);
    else if (event.type === 'retry_scheduled' || event.type === 'turn_ended') this.takeBack();
    else if (event.type === 'tool_call' && event.callId === this.live?.callId && ['failed', 'denied', 'cancelled'].includes(event.state.status)) this.takeBack();
  }

  private streamed(event: StreamEvent): void {
    if (event.type === 'tool_call_begin' && event.name === EDIT_TOOL && this.live === undefined) this.begin(event.id);
    else if (event.type === 'tool_call_delta' && event.id === this.live?.callId) this.live.change.push(event.delta);
  }

  /** Hunks come as soon as it is known that they may. Where the person has to be asked first, they come after that. */
  private begin(callId: string): Live {
    const change = this.parts.replace(() => this.record());
    const live = { callId, change };
    this.live = live;
    const allowed = this.undoing.then(() => this.judge(new AbortController().signal));
    allowed.then(
      ({ type }) => {
        if (type === 'allow' && this.live === live) change.start();
      },
      (error: unknown) => this.parts.log.warn(`It could not be told before the answer whether an edit is allowed: ${errorMessage(error)}`),
    );
    return live;
  }

  private async record(): Promise<StreamedRecord | undefined> {
    const { real } = await this.parts.locate();
    return this.parts.recorder.begin({ sessionId: this.conversation?.id ?? '', messageIndex: this.messageIndex }, real);
  }

  private takeBack(): void {
    const { live } = this;
    if (live === undefined) return;
    this.live = undefined;
    this.undoing = this.undoing.then(() => live.change.revert()).then(
      () => this.parts.reverted(live.change),
      (error: unknown) => this.parts.log.error('Hunks of an edit could not be taken back', error),
    );
  }

  private target(): EditTarget {
    return {
      locate: () => this.parts.locate(),
      versions: (text) => this.versions(text),
      replace: (text, callId) => this.finish(text, callId),
    };
  }

  private versions(text: string): { readonly before: string; readonly after: string } {
    const change = this.live?.change ?? this.parts.replace(() => Promise.resolve(undefined));
    const before = change.textWithout();
    const { start, end } = change.region;
    const fresh = text.split(/\r\n|\r|\n/);
    if (fresh.at(-1) === '') fresh.pop();
    const after = withEdit(before, { start, end: end + before.length - change.lineCount, lines: fresh });
    return { before: before.join(change.ending), after: after.join(change.ending) };
  }

  private async finish(text: string, callId: string): Promise<string> {
    const { change } = this.live?.callId === callId ? this.live : this.begin(callId);
    try {
      await change.finish(text);
    } catch (error) {
      this.takeBack();
      await this.undoing;
      throw new ToolInputError(t('The edit could not be made: {0}', errorMessage(error)));
    }
    this.live = undefined;
    this.parts.replaced(change);
    return 'Done. The person sees the change and decides whether to keep it.';
  }
}

/** The person asked for exactly this edit, and decides about its hunks: it counts as one that they accepted beforehand. */
async function judgeAsked(base: Gate, request: GateRequest, signal: AbortSignal): Promise<Judgement> {
  if (request.plan.tool !== EDIT_TOOL || request.mode !== 'default') return base.judge(request, signal);
  const judgement = await base.judge({ ...request, mode: 'acceptEdits' }, signal);
  return judgement.type === 'allow' ? { ...judgement, reason: t('You asked for this edit.') } : judgement;
}
