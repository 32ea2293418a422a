import { isAt } from './change-places.js';
import type { HunkChoice } from './ledger-entry.js';
import type { Hunk } from './text-review.js';

/** A change as VS Code's quick diff tells it: lines from 1, and an end of 0 for nothing on that side. */
export interface LineChange {
  readonly originalStartLineNumber: number;
  readonly originalEndLineNumber: number;
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

/** What names a hunk in the arguments of a command. */
export interface HunkName {
  readonly line: number;
  readonly count: number;
  readonly baselineLine: number;
  readonly removed: number;
}

/** The name of a hunk. */
export function nameOf({ line, count, baselineLine, removed }: Hunk): HunkName {
  return { line, count, baselineLine, removed: removed.length };
}

/** The hunk of a name, as long as nothing moved since. */
export function named(name: HunkName): HunkChoice {
  return (hunk) => {
    const own = nameOf(hunk);
    return own.line === name.line && own.count === name.count && own.baselineLine === name.baselineLine && own.removed === name.removed;
  };
}

/** The hunks that a change of the quick diff covers: it may show several of ours as one. */
export function within(change: LineChange): HunkChoice {
  const now = rangeOf(change.modifiedStartLineNumber, change.modifiedEndLineNumber);
  const before = rangeOf(change.originalStartLineNumber, change.originalEndLineNumber);
  return ({ line, count, baselineLine, removed }) =>
    meets(now, { start: line, end: line + count }) && meets(before, { start: baselineLine, end: baselineLine + removed.length });
}

/** The hunk at a line, from 0; for lines that were removed the one before or after their place. */
export function at(line: number): HunkChoice {
  return (hunk) => isAt(hunk, line);
}

interface Range {
  readonly start: number;
  readonly end: number;
}

function rangeOf(first: number, last: number): Range {
  return last === 0 ? { start: first, end: first } : { start: first - 1, end: last };
}

/** Whether ranges share lines; an empty one is met where it lies, at the borders too. */
function meets(a: Range, b: Range): boolean {
  return a.start === a.end || b.start === b.end ? a.start <= b.end && b.start <= a.end : a.start < b.end && b.start < a.end;
}
