import { Slots } from '../../concurrency/slots.js';
import { AbortError } from '../../domain/errors.js';
import { type ToolCallBlock, text } from '../../domain/model/content.js';
import { NO_USAGE } from '../../domain/model/usage.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import type { EmittedEvent } from '../events.js';
import type { SessionLife } from '../hooks/session-life.js';
import { CANCELLED, resultMessage } from '../tool-call/results.js';
import { runsAside } from '../tool-call/runs-aside.js';
import { type CallContext, type EndedCall, type PlannedCall, ToolCall } from '../tool-call/tool-call.js';
import { userMessage } from '../transcript.js';
import type { TurnDeps } from './turn.js';

/** A call that a program makes, without a model. */
export interface ProgramCall {
  /** Its id is one that no other call of the session has. */
  readonly block: ToolCallBlock;
  /** Who made it, and what for: the words that stand for it in the conversation. */
  readonly words: string;
  /** What it is for, as a sentence that the prompt about it says, too. Absent: its prompt is as that of any other call. */
  readonly purpose?: string;
  /** Stops this call alone. */
  readonly signal: AbortSignal;
}

/**
 * The calls that programs make in a session. Each is planned, judged, asked about, and run as one of a model is. Those that only read run side by
 * side; all others one by one, in the order in which they came. What can have changed something is a turn of the conversation, so that it can be undone.
 */
export class ProgramCalls {
  /** For what runs alone. */
  private readonly line = new Slots(1);
  private readonly open = new Map<AbortController, Promise<unknown>>();
  /** Number of calls that have run alone. */
  private ran = 0;
  private started: Promise<void> | undefined;
  /** Aborted when no more calls are made. */
  private readonly closing = new AbortController();

  constructor(
    private readonly deps: TurnDeps & Pick<CallContext, 'emit'>,
    private readonly life: Pick<SessionLife, 'start'>,
  ) {}

  /** Whether none runs or waits. */
  get idle(): boolean {
    return this.open.size === 0;
  }

  /** Takes a call to its end. Does not reject. */
  run(call: ProgramCall): Promise<ToolResult> {
    const stop = new AbortController();
    const abort = (): void => stop.abort();
    if (call.signal.aborted) abort();
    call.signal.addEventListener('abort', abort, { once: true });
    const work = this.result({ ...call, signal: stop.signal }).finally(() => {
      call.signal.removeEventListener('abort', abort);
      this.open.delete(stop);
    });
    this.open.set(stop, work);
    return work;
  }

  /** Stops all of them. Resolves when they have ended. */
  async close(): Promise<void> {
    this.closing.abort();
    for (const stop of this.open.keys()) stop.abort();
    await Promise.all(this.open.values());
  }

  private async result(call: ProgramCall): Promise<ToolResult> {
    const stop: { reason?: string } = {};
    const entry = new Entry(call, this.deps);
    const made = new ToolCall(call.block, this.contextOf(call, entry, stop));
    const { ran } = this;
    const first = this.begun(call.signal).then(() => made.prepare());
    // It takes its place at once, so that what runs alone keeps its order, and leaves it when it turns out to need none.
    const place = new AbortController();
    const leave = (): void => place.abort();
    if (call.signal.aborted) leave();
    call.signal.addEventListener('abort', leave, { once: true });
    const alone = this.line.use(() => this.runAlone(made, entry, { first, ran }), place.signal).catch(unlessLeft);
    const prepared = await first;
    if (needsNoPlace(prepared)) {
      leave();
      await made.finish(prepared);
    } else await alone;
    call.signal.removeEventListener('abort', leave);
    if (made.result === undefined) await made.finish({ state: { status: 'cancelled' }, result: CANCELLED });
    const result = made.result ?? CANCELLED;
    if (result.spent !== undefined) this.deps.total.addSpent(result.spent);
    return stop.reason === undefined ? result : { ...result, content: [...result.content, text(`\n\n[${stop.reason}]`)] };
  }

  /** @param planned the call as it was planned when so many had run */
  private async runAlone(made: ToolCall, entry: Entry, planned: { readonly first: Promise<PlannedCall | EndedCall>; readonly ran: number }): Promise<void> {
    const prepared = await planned.first;
    if (needsNoPlace(prepared)) return;
    // What has run since may make another call of it.
    await made.finish(this.ran === planned.ran ? prepared : await made.prepare());
    this.ran += 1;
    if (made.result !== undefined) await entry.answer(made.result);
  }

  /** Runs the hooks for the start of the session before its first call; a call that is stopped does not wait for them. */
  private begun(signal: AbortSignal): Promise<void> {
    this.started ??= this.life.start(this.closing.signal);
    const { started } = this;
    return new Promise((resolve) => {
      void started.then(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  private contextOf({ signal, purpose }: ProgramCall, entry: Entry, stop: { reason?: string }): CallContext {
    const { sessionId, tools, agent, gate, hooks, approvals, purse, mode, modes, log, emit, changes } = this.deps;
    return {
      ...{ sessionId, tools, gate, hooks, approvals, purse, mode, modes, log, signal },
      emit: (event) => emit(purpose === undefined ? event : withPurpose(event, purpose)),
      agent,
      grants: [],
      stopTurn: (reason) => void (stop.reason ??= reason),
      // Each is a turn of its own.
      stopped: () => false,
      // It is answered, and not kept: a program that tries again and again would fill the disk.
      denied: () => undefined,
      messageIndex: 0,
      changes: {
        begin: async (call) => {
          const messageIndex = await entry.begin();
          return (await changes?.begin({ ...call, messageIndex })) ?? { end: () => Promise.resolve() };
        },
      },
    };
  }
}

/** An event of a call: where that asks, its prompt says what the call is for, before it says where that works. */
function withPurpose(event: EmittedEvent, purpose: string): EmittedEvent {
  if (event.type !== 'tool_call' || event.state.status !== 'awaiting_approval') return event;
  const { judgment } = event.state;
  const place = judgment.place === undefined ? purpose : `${purpose} ${judgment.place}`;
  return { ...event, state: { ...event.state, judgment: { ...judgment, place } } };
}

/** Whether a call can run beside others, or has ended. */
function needsNoPlace(prepared: PlannedCall | EndedCall): boolean {
  return runsAside(prepared) || !('judgment' in prepared);
}

/** A call that has left the line has nothing to do there. */
function unlessLeft(error: unknown): void {
  if (!(error instanceof AbortError)) throw error;
}

/** A call in the conversation, where it has a place from the moment at which it can change something. */
class Entry {
  private begun = false;

  constructor(
    private readonly call: Pick<ProgramCall, 'block' | 'words'>,
    private readonly deps: Pick<TurnDeps, 'transcript' | 'clock' | 'settings'>,
  ) {}

  /** Records the call, before it runs. @returns index of the message that it belongs to */
  async begin(): Promise<number> {
    const { transcript, clock, settings } = this.deps;
    const { block, words } = this.call;
    this.begun = true;
    const timestamp = clock.timestamp();
    const index = transcript.messages.length;
    const asked = transcript.append(userMessage([text(words)], timestamp));
    const message = { role: 'assistant', content: [block], stopReason: 'tool_use', rawStopReason: '', usage: NO_USAGE, timestamp } as const;
    await Promise.all([asked, transcript.append(message), transcript.updateMeta({ mode: settings().mode })]);
    return index;
  }

  async answer(result: ToolResult): Promise<void> {
    const { transcript, clock } = this.deps;
    if (this.begun) await transcript.append(resultMessage(this.call.block, result, clock.timestamp()));
  }
}
