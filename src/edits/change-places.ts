import type { FileReview } from './ledger-entry.js';
import type { Hunk } from './text-review.js';

/** A place in a file under review. */
export interface ChangePlace {
  readonly path: string;
  /** From 0. */
  readonly line: number;
}

/** What is gone through: the hunks of files by path; of a file without hunks its beginning, of a deleted one nothing. */
export function changePlaces(files: readonly FileReview[]): readonly ChangePlace[] {
  return files.flatMap(({ path, hunks, deleted }) => (deleted ? [] : hunks.length === 0 ? [{ path, line: 0 }] : hunks.map(({ line }) => ({ path, line }))));
}

/** The change after or before a place: in its file, then in the following one, and around. */
export function nextChange(files: readonly FileReview[], here: ChangePlace | undefined, step: 1 | -1): ChangePlace | undefined {
  const places = changePlaces(files);
  if (step === 1) return places.find((place) => here !== undefined && compare(place, here) > 0) ?? places[0];
  return places.findLast((place) => here !== undefined && compare(place, here) < 0) ?? places.at(-1);
}

/** The first change of the file after a path, and around. */
export function nextFile(files: readonly FileReview[], path: string | undefined): ChangePlace | undefined {
  const places = changePlaces(files);
  return places.find((place) => path !== undefined && place.path > path) ?? places[0];
}

/** Which hunk a line belongs to; for lines that were removed, the one before or after their place. */
export function hunkAt(hunks: readonly Hunk[], line: number): Hunk | undefined {
  return hunks.find((hunk) => isAt(hunk, line));
}

/** Whether a line belongs to a hunk. */
export function isAt({ line: first, count }: Pick<Hunk, 'line' | 'count'>, line: number): boolean {
  return count === 0 ? line === first || line === first - 1 : line >= first && line < first + count;
}

function compare(a: ChangePlace, b: ChangePlace): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}
