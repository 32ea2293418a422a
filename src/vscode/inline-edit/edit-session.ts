import * as z from 'zod/mini';
import { errorMessage, ToolInputError } from '../../domain/errors.js';
import { type UserContent, text as textBlock } from '../../domain/model/content.js';
import { attachedBlock } from '../../domain/session/attached.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Gate, GateRequest, Judgment } from '../../domain/tool/permission.js';
import type { StreamEvent } from '../../domain/model/stream-event.js';
import type { Plan, Tool } from '../../domain/tool/tool.js';
import type { SessionEvent, Turn } from '../../engine/events.js';
import { NEW_TEXT } from '../../inline-edit/change-stream.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';
import { showName } from '../../text/show.js';
import { unifiedDiff } from '../../text/unified-diff.js';
import { fileAccess } from '../../tool/calls/places.js';
import { defineTool, textResult } from '../../tool/calls/define.js';
import type { Conversation } from '../../chat/conversation/conversation.js';
import type { SessionShape } from '../../agent-host/session-factory.js';
import type { EditDocument } from './edit-document.js';

/** The tools that an inline edit has beside its own: those that only read. */
const READERS: ReadonlySet<string> = new Set(['read', 'grep', 'glob', 'list', 'diagnostics', 'symbols']);

/** Name of the tool that replaces the lines of the edit. */
const EDIT_TOOL = 'edit_selection';

const schema = z.strictObject({ [NEW_TEXT]: z.string() });

const spec = {
  name: EDIT_TOOL,
  description:
    'Replace the lines that the user pointed at. new_text takes the place of all of them: ' +
    'whole lines with their indentation, unchanged ones included, nothing around them.',
  parameters: { type: 'object', properties: { [NEW_TEXT]: { type: 'string' } }, required: [NEW_TEXT], additionalProperties: false },
  streamed: true,
} as const;

/** The conversation behind an inline edit: few tools, and changes that are made while the answer still streams. */
export class EditSession implements SessionShape {
  private base: Gate | undefined;
  private conversation: Conversation | undefined;
  private messageIndex = 0;
  /** Whether the user stopped the turn. */
  private stopped = false;

  /** @param edit the document that the answers change. */
  constructor(
    private readonly edit: EditDocument,
    private readonly log: Log,
  ) {}

  /** The conversation, as soon as there is one. */
  get current(): Conversation | undefined {
    return this.conversation;
  }

  readonly tools = (all: readonly Tool[]): readonly Tool[] => [
    ...all.filter(({ spec }) => READERS.has(spec.name)),
    selectionTool(this.edit, (text, callId) => this.replace(text, callId)),
  ];

  readonly gate = (base: Gate): Gate => {
    this.base = base;
    return {
      judge: (request, signal) => judgeAsked(base, request, signal),
      remember: (request, rules, scope) => base.remember(request, rules, scope),
      update: (request, updates) => base.update(request, updates),
    };
  };

  /** Follows a conversation that was made in this shape. */
  follow(conversation: Conversation): void {
    this.conversation = conversation;
    conversation.session.onEvent((event) => this.handle(event));
  }

  /** Permission to change the file now, decided without asking the user. */
  async judge(signal: AbortSignal): Promise<Judgment> {
    const { base, conversation } = this;
    if (base === undefined || conversation === undefined) throw new Error('There is no conversation to judge for.');
    const location = await this.edit.locate();
    const plan: Plan = {
      tool: EDIT_TOOL,
      subject: location.display,
      args: {},
      accesses: fileAccess('write', location),
      preview: { kind: 'none' },
      changes: [],
    };
    return judgeAsked(base, { sessionId: conversation.id, callId: '', mode: conversation.session.mode, plan }, signal);
  }

  /** Sends a message. Resolves when the turn has ended and changes that are not complete are taken back. */
  async ask(content: readonly UserContent[]): Promise<Turn> {
    if (this.conversation === undefined) throw new Error('There is no conversation to ask in.');
    this.stopped = false;
    const turn = await this.conversation.send(content).turn;
    await this.edit.settled();
    return turn;
  }

  /** Stops the turn, if any; changes that are not complete are taken back. @param byUser the user wants that */
  stop(byUser: boolean): void {
    this.stopped = byUser;
    this.conversation?.session.cancel();
  }

  /** Resolves when nothing runs any more, and nothing is being taken back. */
  async idle(): Promise<void> {
    await this.conversation?.untilIdle();
    await this.edit.settled();
  }

  /** Applies the change of a call. @returns the result for the model. */
  private async replace(text: string, callId: string): Promise<string> {
    await this.edit.settled();
    if (this.edit.callId !== callId) this.begin(callId);
    try {
      await this.edit.finish(text);
    } catch (error) {
      this.edit.takeBack(this.stopped);
      await this.edit.settled();
      throw new ToolInputError(t('The edit could not be applied: {0}', errorMessage(error)));
    }
    return 'Done. The user sees the change and decides whether to keep it.';
  }

  private handle(event: SessionEvent): void {
    if (event.type === 'turn_started') this.messageIndex = event.index;
    else if (event.type === 'stream') this.streamed(event.event);
    else if (event.type === 'retry_scheduled' || event.type === 'turn_ended') this.edit.takeBack(this.stopped);
    else if (event.type === 'tool_call' && event.callId === this.edit.callId && ['failed', 'denied', 'cancelled'].includes(event.state.status))
      this.edit.takeBack(this.stopped);
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

/** The user asked for exactly this edit and reviews its hunks, so it is judged as in the mode that accepts edits. */
async function judgeAsked(base: Gate, request: GateRequest, signal: AbortSignal): Promise<Judgment> {
  if (request.plan.tool !== EDIT_TOOL || request.mode !== 'default') return base.judge(request, signal);
  const judgment = await base.judge({ ...request, mode: 'acceptEdits' }, signal);
  return judgment.type === 'allow' ? { ...judgment, reason: t('You requested this edit.') } : judgment;
}

/** The tool that replaces the lines. Its plan names no file to be written: what it changes is recorded while it comes bit by bit. */
function selectionTool(edit: EditDocument, replace: (text: string, callId: string) => Promise<string>): Tool {
  return defineTool<z.infer<typeof schema>, { readonly text: string }>({
    spec,
    schema,
    async plan({ [NEW_TEXT]: text }, context) {
      const location = await edit.locate();
      const name = showName(location.display);
      const versions = edit.versions(text);
      if (versions.before === versions.after) throw new ToolInputError('The new text is the same as the old one; nothing was changed.');
      const diff = await unifiedDiff(name, versions, context.signal);
      return { subject: name, accesses: fileAccess('write', location), preview: { kind: 'diff', path: location.path, diff, created: false }, state: { text } };
    },
    async execute({ text }, _plan, { callId }) {
      return textResult(await replace(text, callId));
    },
  });
}

/** Lines of the file before and after the code that go with it. */
const CONTEXT_LINES = 150;
/** Characters of them at most, on each side. */
const MAX_CONTEXT = 12_000;

/** The code that a message is about. */
export interface CodeInFile {
  /** Path relative to the workspace. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly region: LineRegion;
}

/** The first message to the model: the code, the lines around it, and the user's instruction. */
export function editMessage({ path, lines, region }: CodeInFile, words: string): readonly UserContent[] {
  const code = lines.slice(region.start, region.end);
  const before = lines
    .slice(Math.max(0, region.start - CONTEXT_LINES), region.start)
    .join('\n')
    .slice(-MAX_CONTEXT);
  const after = lines
    .slice(region.end, region.end + CONTEXT_LINES)
    .join('\n')
    .slice(0, MAX_CONTEXT);
  const place = `${path}:${region.start + 1}-${region.end}`;
  return [
    attachedBlock({ name: `edit of ${place}`, text: `${taskOf(place, code)}\n\nBefore it:\n${before}\n\nBehind it:\n${after}` }),
    attachedBlock({ name: place, text: code.join('\n') }),
    textBlock(words),
  ];
}

/** The message to the model when the user wants another change. */
export function followUpMessage({ path, lines, region }: CodeInFile, words: string): readonly UserContent[] {
  const place = `${path}:${region.start + 1}-${region.end}`;
  return [attachedBlock({ name: place, text: lines.slice(region.start, region.end).join('\n') }), textBlock(words)];
}

function taskOf(place: string, code: readonly string[]): string {
  const what = code.every((line) => line.trim() === '')
    ? `The user wants code written at ${place}, which is blank now.`
    : `The user wants the code at ${place} changed; it is attached whole.`;
  return (
    `${what} Call edit_selection once with the whole new text of those lines, and say nothing beside it. ` +
    'Lines that stay must stay as they are, character by character. Read other files only where the change depends on them.'
  );
}
