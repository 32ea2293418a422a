import type { ToolCallBlock } from '../../domain/model/content.js';
import type { ToolResult } from '../../domain/tool/tool.js';

/** Times in a row that the same calls may fail before the turn ends, and before the model is told that it repeats itself. */
const FAILING_LIMIT = 8;
const FAILING_WARNING = 3;
/** Times in a row that the same calls may bring nothing new, where some of them only read. */
const READING_LIMIT = 10;
/** The longest pattern of calls that is recognized when it repeats. */
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

/** Notices a model that repeats calls, one by one or in turns, without getting anywhere. */
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
    const outcome = result.content.map((block) => (block.type === 'text' ? untimed(block.text) : block.data.length));
    this.idle.push({ tool: call.name, key: JSON.stringify([call.name, call.arguments, result.isError, outcome]), failed: result.isError });
    if (this.idle.length > READING_LIMIT * LONGEST_PATTERN) this.idle.shift();
  }

  /** The loop that the last calls make, if any. */
  get loop(): Loop | undefined {
    for (const length of lengths()) {
      const pattern = this.idle.slice(-length);
      const failing = pattern.every(({ failed }) => failed);
      const times = failing ? FAILING_LIMIT : READING_LIMIT;
      if (this.repeats(length, times)) return { tools: pattern.map(({ tool }) => tool).join(', '), times, failing };
    }
    return undefined;
  }

  /** Whether the last calls have failed in the same way so often that the model should be told. */
  get isFailingAgain(): boolean {
    return lengths().some((length) => this.idle.slice(-length).every(({ failed }) => failed) && this.repeats(length, FAILING_WARNING));
  }

  /** Whether the last calls are a pattern of `length` calls, repeated `times` times. */
  private repeats(length: number, times: number): boolean {
    const last = this.idle.slice(-length * times);
    return last.length === length * times && last.every(({ key }, index) => key === last[index % length]?.key);
  }
}

/** The lengths that a pattern may have. */
function lengths(): readonly number[] {
  return Array.from({ length: LONGEST_PATTERN }, (_, index) => index + 1);
}

/** A result without how long it took, which says nothing about whether something is different now. */
function untimed(text: string): string {
  return text.replaceAll(/\bafter \d+(?:\.\d+)? s\b/g, '');
}
