import { type Difference, type DiffArrays, shortestDifferences, trimmed } from '../text/line-diff.js';

/** Added and removed lines at which the search for the shortest diff stops; all between is one change then. */
const MAX_EDITS = 600;

/** The lines of a text, each with its ending. An empty text has none. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Where two lists of lines differ, in rising order and apart from each other. */
export function differencesOf(old: readonly string[], fresh: readonly string[], diff: DiffArrays): readonly Difference[] {
  const whole = trimmed(old, fresh, { start: 0, end: old.length, newStart: 0, newEnd: fresh.length });
  const [removes, adds] = [whole.start < whole.end, whole.newStart < whole.newEnd];
  if (!removes && !adds) return [];
  return (removes && adds ? shortestDifferences(old, fresh, whole, diff, MAX_EDITS) : undefined) ?? [whole];
}
