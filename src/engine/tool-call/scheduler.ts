import type { ToolCallBlock } from '../../domain/model/content.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import { type CallContext, runsAside, ToolCall } from './tool-call.js';

/** Takes the result of a call, and whether it ran and changed nothing; called in call order, one after another. */
export type RecordResult = (call: ToolCallBlock, result: ToolResult, readOnly: boolean) => Promise<void>;

/**
 * Runs the calls of one answer: those that only read and need no question side by side, all others one by one in call
 * order, each planned and judged when it is its turn, so that it sees what the calls before it did.
 * Every call gets exactly one result, also when the turn is stopped; a result is recorded as soon as all before it are.
 */
export async function runToolCalls(blocks: readonly ToolCallBlock[], context: CallContext, record: RecordResult): Promise<void> {
  const calls = blocks.map((block) => new ToolCall(block, context));
  const results = new ResultsInOrder(calls, record);
  let aside: Promise<void>[] = [];
  for (const call of calls) {
    let prepared = await call.prepare();
    if (runsAside(prepared)) {
      aside.push(call.finish(prepared).then(() => results.flush()));
      continue;
    }
    if (aside.length > 0) {
      await Promise.all(aside);
      aside = [];
      prepared = await call.prepare();
    }
    await call.finish(prepared);
    await results.flush();
  }
  await Promise.all(aside);
  await results.flush();
}

/** Records results in call order, whatever order they come in. */
class ResultsInOrder {
  private readonly waiting: ToolCall[];
  private readonly record: RecordResult;
  private tail: Promise<void> = Promise.resolve();

  constructor(calls: readonly ToolCall[], record: RecordResult) {
    this.waiting = [...calls];
    this.record = record;
  }

  /** Records all results that have none missing before them. */
  flush(): Promise<void> {
    this.tail = this.tail.then(() => this.recordReady());
    return this.tail;
  }

  private async recordReady(): Promise<void> {
    for (let first = this.waiting[0]; first?.result !== undefined; first = this.waiting[0]) {
      this.waiting.shift();
      await this.record(first.block, first.result, first.readOnly);
    }
  }
}
