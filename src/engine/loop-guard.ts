import type { ToolCallBlock } from '../domain/content.js';

/** Times that one call may fail in a row in the same way before the turn ends. */
export const REPEAT_LIMIT = 5;

/** Notices a model that repeats a failing call without learning from it (tool-21). */
export class LoopGuard {
  private last = '';
  private times = 0;

  /** Takes the outcome of the next call, in call order. */
  note(call: ToolCallBlock, failed: boolean): void {
    const key = JSON.stringify([call.name, call.arguments]);
    if (!failed) this.times = 0;
    else this.times = key === this.last ? this.times + 1 : 1;
    this.last = key;
  }

  /** Whether the limit is reached. */
  get tripped(): boolean {
    return this.times >= REPEAT_LIMIT;
  }
}
