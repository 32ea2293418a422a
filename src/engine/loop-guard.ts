import type { ToolCallBlock } from '../domain/content.js';
import type { ToolResult } from '../domain/tool.js';

/** Times in a row that the same calls may fail before the turn ends. */
const FAILING_LIMIT = 5;
/** Times in a row that the same calls may bring nothing new, where some of them only read. */
const READING_LIMIT = 10;
/** The longest pattern of calls that is recognised when it repeats. */
const LONGEST_PATTERN = 3;

/** A call that brought nothing new: it failed, or it only read. */
interface IdleCall {
  readonly tool: string;
  /** Equal for calls that are the same and came out the same. */
  readonly key: string;
  readonly failed: boolean;
}

/** What a model does again and again. */
export interface Loop {
  /** Names of the tools of the pattern, such as `read, edit`. */
  readonly tools: string;
  readonly times: number;
  /** Whether all of the calls failed. */
  readonly failing: boolean;
}

/** Notices a model that repeats calls, one by one or in turns, without getting anywhere (tool-21). */
export class LoopGuard {
  /** The last calls that brought nothing new, oldest first, none that did in between. */
  private readonly idle: IdleCall[] = [];

  /**
   * Takes the outcome of the next call, in call order.
   * @param readOnly whether the call changes nothing. One that changes something and succeeds is progress.
   */
  note(call: ToolCallBlock, result: ToolResult, readOnly: boolean): void {
    if (!result.isError && !readOnly) {
      this.idle.length = 0;
      return;
    }
    // A failure counts as the same whatever its words; a reading only when it reads the same.
    const outcome = result.isError ? 'failed' : result.content.map((block) => (block.type === 'text' ? block.text : block.data.length));
    this.idle.push({ tool: call.name, key: JSON.stringify([call.name, call.arguments, outcome]), failed: result.isError });
    if (this.idle.length > READING_LIMIT * LONGEST_PATTERN) this.idle.shift();
  }

  /** The loop that the last calls make, if any. */
  get loop(): Loop | undefined {
    for (let length = 1; length <= LONGEST_PATTERN; length += 1) {
      const pattern = this.idle.slice(-length);
      const failing = pattern.every(({ failed }) => failed);
      const times = failing ? FAILING_LIMIT : READING_LIMIT;
      if (this.repeats(length, times)) return { tools: pattern.map(({ tool }) => tool).join(', '), times, failing };
    }
    return undefined;
  }

  /** Whether the last calls are one pattern of a length, so many times. */
  private repeats(length: number, times: number): boolean {
    const last = this.idle.slice(-length * times);
    return last.length === length * times && last.every(({ key }, index) => key === last[index % length]?.key);
  }
}
