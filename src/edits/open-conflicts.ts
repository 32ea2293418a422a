import type { MergeRequest } from '../domain/host/dialogs.js';
import type { Difference, DiffArrays } from '../text/line-diff.js';
import { contentOf, eachLine } from '../text/lines.js';
import { differencesOf } from './differing-lines.js';

/** With what Git begins the line before a conflict. */
const MARK = '<<<<<<<';

/**
 * Whether a result of a merge leaves a conflict open: it has a mark of Git, or still has the base where the user has changed that. A merge editor
 * begins with the base where both have changed the same lines, so that lines of the user would be lost which were never decided upon.
 */
export function hasOpenConflicts({ base, here, marked }: Pick<MergeRequest, 'base' | 'here' | 'marked'>, result: string, diff: DiffArrays): boolean {
  const [old, mine, merged] = [linesOf(base), linesOf(here), linesOf(result)];
  const own = new Set(mine);
  const marks = new Set(linesOf(marked).filter((line) => line.startsWith(MARK) && !own.has(line)));
  if (merged.some((line) => marks.has(line))) return true;
  // What an editor adds to ends of lines, or removes there, when it saves decides nothing.
  const ofResult = differencesOf(old.map(withoutEnd), withoutLastEmpty(merged.map(withoutEnd), old.length), diff);
  const missing = differencesOf(mine, merged, diff);
  return differencesOf(old, mine, diff).some(
    ({ start, end, newStart, newEnd }) =>
      !ofResult.some((other) => touches({ start, end }, other)) && missing.some((other) => touches({ start: newStart, end: newEnd }, other)),
  );
}

/** Whether one of two ranges begins within the other, or right after it: a merge editor takes changes without a line between them as one. */
function touches(range: Pick<Difference, 'start' | 'end'>, other: Pick<Difference, 'start' | 'end'>): boolean {
  return range.start <= other.end && other.start <= range.end;
}

/** The lines of a text without their endings, which an editor can have changed. */
function linesOf(text: string): readonly string[] {
  return [...eachLine(text)].map((line) => contentOf(text, line));
}

function withoutEnd(line: string): string {
  return line.trimEnd();
}

/** Lines without empty ones at their end, as far as there are more than `least`. */
function withoutLastEmpty(lines: readonly string[], least: number): readonly string[] {
  let count = lines.length;
  while (count > least && lines[count - 1] === '') count -= 1;
  return lines.slice(0, count);
}
