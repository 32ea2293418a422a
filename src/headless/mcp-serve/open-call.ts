import { randomUUID } from 'node:crypto';
import { Signal } from '../../concurrency/signal.js';
import { showUnseen } from '../../domain/hidden-characters.js';
import type { AskedPermission } from '../../domain/tool/asks.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import type { SessionEvent } from '../../engine/events.js';
import { headOf } from '../../text/show.js';

/** Characters of an output that tell how far a call is. */
const MAX_NEWS = 200;

/** A call of a client, from its request to its result, over as many requests as it takes. */
export class OpenCall {
  readonly id = `mcp_${randomUUID()}`;
  private readonly told = new Signal<string>();
  /** Calls back with how far it is, in a line. Returns how to stop that. */
  readonly onNews = this.told.subscribe;
  private readonly stopping = new AbortController();
  private readonly ending = new AbortController();
  private ask: AskedPermission | undefined;
  /** The last prompt that its client has, by its revision. */
  private shown = 0;
  private result: ToolResult | undefined;
  private waiting: ((next: AskedPermission | ToolResult) => void) | undefined;

  /** Aborted when nobody wants its result any more. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** Aborted when it has its result. */
  get over(): AbortSignal {
    return this.ending.signal;
  }

  stop(): void {
    this.stopping.abort();
  }

  /** Takes its result. */
  end(result: ToolResult): void {
    this.result = result;
    this.ending.abort();
    this.settle();
  }

  /** Takes the prompt that is open for it; `undefined` for none. One that its client has already is passed over. */
  asked(ask: AskedPermission | undefined): void {
    this.ask = ask !== undefined && ask.revision > this.shown ? ask : undefined;
    this.settle();
  }

  /** Notes that its client has a prompt, and need not get it again. */
  showed({ revision }: AskedPermission): void {
    this.shown = revision;
    this.ask = undefined;
  }

  /** Takes what happens in the session about it. */
  heard(event: SessionEvent): void {
    if (event.type === 'tool_call' && event.state.status === 'awaiting_approval') this.told.emit('Waits for permission.');
    if (event.type === 'tool_call' && event.state.status === 'running') this.told.emit('Runs.');
    if (event.type !== 'tool_output') return;
    const line = event.chunk.trimEnd().split('\n').at(-1)?.trim() ?? '';
    if (line !== '') this.told.emit(showUnseen(headOf(line, MAX_NEWS)));
  }

  /** What its client has to get next: a question, or the result. */
  next(): Promise<AskedPermission | ToolResult> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.settle();
    });
  }

  private settle(): void {
    const next = this.result ?? this.ask;
    if (next === undefined) return;
    this.waiting?.(next);
    this.waiting = undefined;
  }
}
