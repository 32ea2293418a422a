import type { ToolCallBlock } from '../../domain/model/content.js';
import type { ToolResult } from '../../domain/tool/tool.js';
import { pathsOfChange } from '../../domain/workspace/documents.js';
import { runsAside } from './runs-aside.js';
import { type CallContext, type EndedCall, type PlannedCall, ToolCall } from './tool-call.js';

/** Takes the result of a call, and whether it ran and changed nothing; called in call order, one after another. */
export type RecordResult = (call: ToolCallBlock, result: ToolResult, readOnly: boolean) => Promise<void>;

/**
 * Runs the calls of one answer: those that only read and need no question side by side, also commands that the sandbox
 * keeps to reading, and pages of the web; all others one by one in call order, each planned and judged when it is its turn, so that it sees what the calls
 * before it did. Edits of several files that follow each other are asked about together, and planned again at their turn. Every call gets exactly one result,
 * also when the turn is stopped; a result is recorded as soon as all before it are.
 */
export async function runToolCalls(blocks: readonly ToolCallBlock[], context: CallContext, record: RecordResult): Promise<void> {
  const calls = blocks.map((block) => new ToolCall(block, context));
  const results = new ResultsInOrder(calls, record);
  let aside: Promise<void>[] = [];
  const ahead = new EditsAhead(calls);
  for (const [index, call] of calls.entries()) {
    if (call.isAsked) {
      await call.finishAsked();
      await results.flush();
      continue;
    }
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
    await ahead.askWith(index, prepared);
    await call.finish(prepared);
    await results.flush();
  }
  await Promise.all(aside);
  await results.flush();
}

/**
 * Asks about edits that follow each other all at once, so that the user sees them together. They are ordinary edits of
 * different files: what a call does may change what a later one would do to the same file, and what is sensitive asks alone.
 */
class EditsAhead {
  constructor(private readonly calls: readonly ToolCall[]) {}

  /** Asks about the edits that follow a prepared one which asks. */
  async askWith(index: number, first: PlannedCall | EndedCall): Promise<void> {
    if (!asksForEdit(first)) return;
    const files = new Set(filesOf(first));
    for (const call of this.calls.slice(index + 1)) {
      const next = await call.prepare();
      if (!asksForEdit(next) || filesOf(next).some((file) => files.has(file))) return;
      for (const file of filesOf(next)) files.add(file);
      call.askAhead(next);
    }
  }
}

/** Whether a call asks to write a file. One that deletes or moves a file is asked about alone: its name and its count of lines do not show that. */
function asksForEdit(prepared: PlannedCall | EndedCall): prepared is PlannedCall {
  if (!('judgment' in prepared) || prepared.judgment.type !== 'ask' || prepared.judgment.strict === true) return false;
  return prepared.plan.preview.kind === 'diff' && !prepared.plan.accesses.some(({ removal }) => removal !== undefined);
}

function filesOf({ plan }: PlannedCall): readonly string[] {
  return plan.changes.flatMap(pathsOfChange);
}

/** Records results in call order, whatever order they come in. */
class ResultsInOrder {
  private readonly waiting: ToolCall[];
  private tail: Promise<void> = Promise.resolve();

  constructor(
    calls: readonly ToolCall[],
    private readonly record: RecordResult,
  ) {
    this.waiting = [...calls];
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
