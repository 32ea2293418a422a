import type { ToolCallBlock } from '../../domain/model/content.js';
import type { ToolResult } from '../../domain/tool/tool.js';

/** Times in a row that the same calls may fail before the turn ends, and before the model gets a warning that it repeats itself. */
const FAILING_LIMIT = 8;
const FAILING_WARNING = 3;
/** The same where what they say differs in a number: it may be another one each time, and still lead nowhere. */
const NUMBERED_LIMIT = 16;
const NUMBERED_WARNING = 6;
/** Times in a row that the same calls may bring nothing new, where some of them only read, and before the model gets a warning. */
const READING_LIMIT = 10;
const READING_WARNING = 5;
/** Times in a row that files may be changed to and fro. */
const TO_AND_FRO_LIMIT = 5;
const TO_AND_FRO_WARNING = 3;
/** The longest pattern of calls that is recognized when it repeats. */
const LONGEST_PATTERN = 4;

/** Kind of a call, for loop detection. */
export type CallKind =
  /** It changes nothing. */
  | 'reads'
  /** It changes files, as its arguments say. */
  | 'edits'
  | 'other';

/** A call and how it came out. */
interface SeenCall {
  readonly tool: string;
  /** Equal for calls that are the same and came out the same. */
  readonly key: string;
  /** Equal also where only numbers differ in what they said. */
  readonly numbered: string;
  readonly failed: boolean;
  readonly kind: CallKind;
}

/** Loop that was detected. */
export interface Loop {
  /** Names of the tools of the pattern, such as `read, edit`. */
  readonly tools: string;
  readonly times: number;
  /** Whether all of the calls failed. */
  readonly failing: boolean;
}

/** A kind of loop: which calls may be in its pattern, when they are the same, and how often it may be repeated. */
interface LoopRule {
  readonly fits: (pattern: readonly SeenCall[]) => boolean;
  readonly same: 'key' | 'numbered';
  readonly limit: number;
  readonly warning: number;
}

const allFailed = (pattern: readonly SeenCall[]): boolean => pattern.every(({ failed }) => failed);
/** A call that changes something and succeeds is progress. */
const allIdle = (pattern: readonly SeenCall[]): boolean => pattern.every(({ failed, kind }) => failed || kind === 'reads');
/** Changes that succeed are no progress when they undo each other; a command may have a reason to run again. */
const toAndFro = (pattern: readonly SeenCall[]): boolean => {
  const edits = pattern.filter(({ kind, failed }) => kind === 'edits' && !failed);
  return new Set(edits.map(({ key }) => key)).size > 1;
};

const RULES: readonly LoopRule[] = [
  { fits: allFailed, same: 'key', limit: FAILING_LIMIT, warning: FAILING_WARNING },
  { fits: allFailed, same: 'numbered', limit: NUMBERED_LIMIT, warning: NUMBERED_WARNING },
  { fits: allIdle, same: 'key', limit: READING_LIMIT, warning: READING_WARNING },
  { fits: toAndFro, same: 'key', limit: TO_AND_FRO_LIMIT, warning: TO_AND_FRO_WARNING },
];

/** The most calls that a rule looks at. */
const MOST_CALLS = Math.max(...RULES.map(({ limit }) => limit)) * LONGEST_PATTERN;

/** Characters of a result to compare: differences are usually at its beginning or end. */
const COMPARED = 4_000;

/** Patterns of values that differ each time without meaning, such as times, in this order. */
const TIMES: readonly RegExp[] = [
  // 2026-11-27T06:09:50.123Z, 27/Nov/2026:06:09:50 +0000
  /\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g,
  /\b\d\d\/\w{3}\/\d{4}(?::\d\d){3}/g,
  /\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b(?:\s?[ap]m\b)?/gi,
  // 3.2 s, 120ms, 2 minutes
  /\b\d+(?:[.,]\d+)?\s?(?:ns|[µu]s|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b/g,
  // Seconds or milliseconds since 1970, addresses in memory, ids
  /\b1\d{9}(?:\d{3}){0,3}\b/g,
  /\b0x[\da-f]+\b/gi,
  /\b[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}\b/gi,
  /(?<=\b(?:pid|process|port|request[ _-]?id)[\s:=#]{1,3})\w+/gi,
];

/** Pattern of progress numbers: when such a number changes, that is progress. */
const PROGRESS = /\d+(?:\.\d+)?\s?(?:%|of\s+\d+|\/\s?\d+)/g;

/** A text without the times and ids in it. */
function withoutTimes(text: string): string {
  return TIMES.reduce((left, pattern) => left.replace(pattern, '#'), ends(text));
}

/** A text without any numbers but those of progress. */
function withoutNumbers(text: string): string {
  const kept = withoutTimes(text).split(PROGRESS);
  const progress = withoutTimes(text).match(PROGRESS) ?? [];
  return kept.map((part, index) => part.replace(/\d+(?:[.,]\d+)*/g, '#') + (progress[index] ?? '')).join('');
}

function ends(text: string): string {
  return text.length <= 2 * COMPARED ? text : `${text.slice(0, COMPARED)}\n${text.length}\n${text.slice(-COMPARED)}`;
}

/** Notices a model that repeats calls, one by one or in turns, without getting anywhere. */
export class LoopGuard {
  /** The last calls, oldest first. */
  private readonly seen: SeenCall[] = [];

  /** Takes the outcome of the next call, in call order. */
  note(call: ToolCallBlock, result: ToolResult, kind: CallKind): void {
    const outcome = (same: (text: string) => string): string =>
      JSON.stringify([
        call.name,
        call.arguments,
        result.isError,
        result.content.map((block) => (block.type === 'text' ? same(block.text) : block.data.length)),
      ]);
    this.seen.push({ tool: call.name, key: outcome(withoutTimes), numbered: outcome(withoutNumbers), failed: result.isError, kind });
    if (this.seen.length > MOST_CALLS) this.seen.shift();
  }

  /** The loop that the last calls make, if any. */
  get loop(): Loop | undefined {
    const found = this.found(({ limit }) => limit);
    return found && { tools: found.pattern.map(({ tool }) => tool).join(', '), times: found.rule.limit, failing: allFailed(found.pattern) };
  }

  /** The warning that the model should get: the last calls have failed in the same way, or brought the same, several times. */
  get warning(): 'failing' | 'same' | undefined {
    const found = this.found(({ warning }) => warning);
    return found && (allFailed(found.pattern) ? 'failing' : 'same');
  }

  private found(times: (rule: LoopRule) => number): { readonly rule: LoopRule; readonly pattern: readonly SeenCall[] } | undefined {
    for (let length = 1; length <= LONGEST_PATTERN; length += 1) {
      const pattern = this.seen.slice(-length);
      const rule = RULES.find((each) => each.fits(pattern) && this.repeats(length, times(each), each.same));
      if (rule !== undefined) return { rule, pattern };
    }
    return undefined;
  }

  /** Whether the last calls are a pattern of `length` calls, repeated `times` times. */
  private repeats(length: number, times: number, same: LoopRule['same']): boolean {
    const last = this.seen.slice(-length * times);
    return last.length === length * times && last.every((call, index) => call[same] === last[index % length]?.[same]);
  }
}
