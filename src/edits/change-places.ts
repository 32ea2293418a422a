import { t } from '../domain/l10n.js';
import { type ChangeAuthor, CHAT_AUTHOR } from '../domain/workspace/change-author.js';
import type { FileReview, HunkChoice } from './ledger-entry.js';
import type { Hunk } from './text-review.js';

/** A place in a file under review. */
export interface ChangePlace {
  readonly path: string;
  /** From 0. */
  readonly line: number;
}

/** Places for Next and Previous Change: the hunks of files by path; the beginning of a file without hunks; none for a deleted file. */
export function changePlaces(files: readonly FileReview[]): readonly ChangePlace[] {
  return files.flatMap(({ path, hunks, deleted }) => (deleted ? [] : hunks.length === 0 ? [{ path, line: 0 }] : hunks.map(({ line }) => ({ path, line }))));
}

/** The files in which an author has changed something. @param author see {@link ChangeAuthor}; absent: all files */
export function changedBy(files: readonly FileReview[], author: string | undefined): readonly FileReview[] {
  return author === undefined ? files : files.filter(({ authors = [CHAT_AUTHOR] }) => authors.some(({ id }) => id === author));
}

/** The agents that have made changes in some files. The chat itself is none of them. */
export function agentsIn(files: readonly FileReview[]): readonly ChangeAuthor[] {
  const all = new Map(files.flatMap(({ authors = [] }) => authors.map((author) => [author.id, author] as const)));
  all.delete(CHAT_AUTHOR.id);
  return [...all.values()];
}

/** Who has changed a file, in words; empty where that is the chat alone. */
export function authorsText({ authors = [] }: Pick<FileReview, 'authors'>): string {
  return authors.map(authorText).join(', ');
}

/** An author, in words. */
export function authorText({ id, name }: ChangeAuthor): string {
  return id === CHAT_AUTHOR.id ? t('This chat') : name;
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

/** The hunk at a line; for removed lines, the hunk before or after their place. */
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

/** A change in the form of VS Code's quick diff: lines from 1, and an end of 0 for nothing on that side. */
export interface LineChange {
  readonly originalStartLineNumber: number;
  readonly originalEndLineNumber: number;
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

/** Identifies a hunk in the arguments of a command. */
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
