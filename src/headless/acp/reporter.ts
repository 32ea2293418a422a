import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import { errorMessage } from '../../domain/errors.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { ToolCallBlock } from '../../domain/model/content.js';
import { toolCalls } from '../../domain/model/message.js';
import type { StreamEvent } from '../../domain/model/stream-event.js';
import type { ContextUse } from '../../domain/session/context.js';
import type { SessionEvent, ToolCallState } from '../../engine/events.js';
import { type CallLook, lookOf } from './call-look.js';
import type { EditorPaths } from './editor-paths.js';
import { callBegun, callChanged, terminalEnded, terminalPrinted } from './v1-calls.js';
import { chunk, compactionUpdate, type EditorAbilities, noticeUpdate, planUpdate, usageUpdate } from './v1.js';

/** Milliseconds between two updates of what a command prints. Each has all of it, but for a terminal, which has what came before. */
const OUTPUT_MS = 200;

/** Characters of it that are kept. */
const MAX_PRINTED = 100_000;

/** A call of the turn, as it was told last. */
interface KnownCall {
  block: ToolCallBlock;
  state: ToolCallState;
  output: string;
  /** What its terminal was not told yet of that. */
  untold: string;
  told: CallLook | undefined;
  later: NodeJS.Timeout | undefined;
}

/** Tells an editor what a session does. */
export class Reporter {
  private messageId: string = randomUUID();
  private compactionId = '';
  private context: ContextUse | undefined;
  private costUsd: number | undefined;
  private toldUsage: SessionUpdate | undefined;
  private readonly calls = new Map<string, KnownCall>();

  /** @param clean takes keys out of what servers say */
  constructor(
    private readonly add: (update: SessionUpdate) => void,
    private readonly paths: EditorPaths,
    private readonly abilities: Pick<EditorAbilities, 'notices' | 'compactions' | 'terminals'>,
    private readonly clean: (text: string) => string,
  ) {}

  /** Takes what happened next. */
  event(event: SessionEvent): void {
    switch (event.type) {
      case 'round_started':
        this.messageId = randomUUID();
        return;
      case 'stream':
        return this.streamed(event.event);
      case 'answer':
        for (const call of toolCalls(event.message)) this.begin(call);
        return;
      case 'commands_started':
        for (const call of event.calls) this.begin(call);
        return;
      case 'tool_call':
        return this.changed(event.callId, event.state);
      case 'tool_output':
        return this.printed(event.callId, event.chunk);
      case 'context':
        this.context = event.context;
        return this.usage();
      case 'usage':
        this.costUsd = event.costUsd;
        return this.usage();
      case 'retry_scheduled':
        this.abandon();
        return this.told(event);
      case 'turn_ended':
        return this.abandon();
      default:
        return this.told(event);
    }
  }

  /** Tells the user a sentence beside what the agent says: where the editor shows none, among that. */
  tell(text: string, severity: 'info' | 'warning' | 'error' = 'warning'): void {
    this.add(this.abilities.notices ? noticeUpdate(text, severity) : chunk('agent_message_chunk', `\n\n${text}\n\n`, randomUUID()));
  }

  /** What is told where the editor has a place for it, and is not worth a message of its own. */
  private told(event: SessionEvent): void {
    const notice = (text: string): void => {
      if (this.abilities.notices) this.tell(text);
    };
    switch (event.type) {
      case 'compaction_started':
        this.compactionId = randomUUID();
        return this.compaction('in_progress');
      case 'compacted': {
        const { trigger, tokensBefore, tokensAfter } = event.compaction;
        if (trigger === 'manual' && !this.abilities.compactions)
          this.tell(`The conversation is summarized: ${tokensBefore} tokens became ${tokensAfter}.`, 'info');
        return this.compaction('completed');
      }
      case 'compaction_failed':
        return this.compaction('failed', this.clean(errorMessage(event.error)));
      case 'retry_scheduled':
        return notice(
          `${this.clean(errorMessage(event.error))} Trying again in ${Math.ceil(event.delayMs / 1_000)} s (${event.attempt}/${event.maxAttempts}).`,
        );
      case 'storage_failed':
        return this.tell(`The session could not be saved: ${this.clean(errorMessage(event.error))}`);
      case 'context_cut':
        return notice(`The server read only the last ${event.tokens} tokens of the conversation. ${event.advice ?? ''}`.trim());
      default:
    }
  }

  private compaction(status: 'in_progress' | 'completed' | 'failed', error?: string): void {
    if (this.abilities.compactions && this.compactionId !== '') this.add(compactionUpdate(this.compactionId, status, error));
  }

  private streamed(event: StreamEvent): void {
    switch (event.type) {
      case 'text_delta':
        return this.add(chunk('agent_message_chunk', event.delta, this.messageId));
      case 'thinking_delta':
        if (event.delta !== '') this.add(chunk('agent_thought_chunk', event.delta, this.messageId));
        return;
      case 'tool_call_begin':
        return this.begin({ type: 'tool_call', id: event.id, name: event.name, arguments: '' });
      case 'tool_call_end':
        return this.begin(event.call);
      default:
        // Arguments are shown when they are whole.
        return;
    }
  }

  private begin(block: ToolCallBlock): void {
    const known = this.calls.get(block.id);
    if (known === undefined) this.calls.set(block.id, { block, state: { status: 'pending' }, output: '', untold: '', told: undefined, later: undefined });
    else known.block = block;
    this.show(block.id);
  }

  private changed(id: string, state: ToolCallState): void {
    const known = this.calls.get(id);
    if (known === undefined) return;
    known.state = state;
    this.show(id);
    if (state.status === 'done' && state.plan.preview.kind === 'todos') this.add(planUpdate(state.plan.preview.items));
  }

  private printed(id: string, text: string): void {
    const known = this.calls.get(id);
    if (known === undefined) return;
    known.output = (known.output + text).slice(-MAX_PRINTED);
    known.untold = (known.untold + text).slice(-MAX_PRINTED);
    known.later ??= setTimeout(() => this.show(id), OUTPUT_MS).unref();
  }

  /** Nothing more comes of the calls that have not ended: their answer broke off, or the turn is over. */
  private abandon(): void {
    for (const [id, known] of this.calls) {
      if (known.told !== undefined && !isOver(known.told)) this.changed(id, { status: 'cancelled' });
      clearTimeout(known.later);
    }
    this.calls.clear();
  }

  private show(id: string): void {
    const known = this.calls.get(id);
    if (known === undefined) return;
    clearTimeout(known.later);
    known.later = undefined;
    const { paths, abilities } = this;
    const { block, state, output, untold, told } = known;
    const look = lookOf(block, state, { output, short: paths.short, terminals: abilities.terminals });
    const update = told === undefined ? callBegun(look, paths) : callChanged(look, told, paths);
    known.told = look;
    if (update !== undefined) this.add(update);
    if (look.hasTerminal !== true) return;
    known.untold = '';
    if (untold !== '') this.add(terminalPrinted(id, showUnseen(untold)));
    if (isOver(look) && told !== undefined && !isOver(told)) this.add(terminalEnded(id, 'result' in state ? state.result.printed?.exitCode : undefined));
  }

  private usage(): void {
    if (this.context === undefined) return;
    const update = usageUpdate(this.context, this.costUsd);
    if (isDeepStrictEqual(update, this.toldUsage)) return;
    this.toldUsage = update;
    this.add(update);
  }
}

function isOver({ progress }: CallLook): boolean {
  return progress === 'completed' || progress === 'failed';
}
