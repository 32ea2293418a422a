import { type LineEdit, type LineRegion, type LineShift, growthOf, movedLine, movedRegion, withEdit } from './line-edit.js';

/** Changed lines that the user has neither kept nor undone. */
export interface PendingHunk {
  readonly id: number;
  /** Number of its first line in the document as it is now, from 0. */
  readonly line: number;
  /** Number of its lines in the current document. */
  readonly count: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Whether the user has typed in its lines: Gnomon does not change those any more. */
  readonly touched: boolean;
}

/** The user's decision on a hunk. */
export type Decision = 'keep' | 'undo';

/** Lines of a document that are replaced hunk by hunk, while the user may type in it. A value: each step makes a new one. */
export interface Replacement {
  /** Whether the document contains the new lines of the hunks; otherwise it still has the old ones, and the hunks are only shown. */
  readonly inPlace: boolean;
  /** The lines as they were at the beginning. */
  readonly old: readonly string[];
  /** Where each of the old lines is now. */
  readonly places: readonly number[];
  /** Indexes of the old lines that the user has changed. */
  readonly touched: ReadonlySet<number>;
  /** The lines of the document that are replaced, as it is now. */
  readonly region: LineRegion;
  /** In the order of the document. */
  readonly hunks: readonly PendingHunk[];
  /** Id of the next hunk. */
  readonly next: number;
}

/** A replacement without any hunk yet. @param start number of the first of the old lines in the document. */
export function newReplacement(start: number, old: readonly string[], inPlace: boolean): Replacement {
  return { inPlace, old, places: old.map((_, index) => start + index), touched: new Set(), region: { start, end: start + old.length }, hunks: [], next: 0 };
}

/** Maps a change of the old lines to the current document; `undefined` when the user has changed one of those lines. */
export function located({ touched, places, region }: Replacement, { start, end, lines }: LineEdit): LineEdit | undefined {
  for (let index = start; index < end; index += 1) if (touched.has(index)) return undefined;
  const from = places[start] ?? region.end;
  return { start: from, end: from + (end - start), lines };
}

/** The replacement once a change of the old lines is in the document, or is shown there. */
export function withChange(replacement: Replacement, change: LineEdit): Replacement {
  const edit = located(replacement, change);
  if (edit === undefined) return replacement;
  const { inPlace, old, places, region, next } = replacement;
  const hunks = withHunk(replacement, edit.start, { removed: old.slice(change.start, change.end), added: change.lines });
  if (!inPlace) return { ...replacement, hunks, next: next + 1 };
  const growth = growthOf(edit);
  return {
    ...replacement,
    hunks,
    next: next + 1,
    places: places.map((place, index) => (index >= change.end ? place + growth : Math.min(place, edit.start))),
    region: { ...region, end: region.end + growth },
  };
}

/** The replacement after a change that the user made. */
export function withTyped(replacement: Replacement, shift: LineShift): Replacement {
  const { places, region, hunks } = replacement;
  const touched = new Set(replacement.touched);
  for (const [index, place] of places.entries()) if (place >= shift.start && place < shift.end) touched.add(index);
  return {
    ...replacement,
    touched,
    places: places.map((place) => movedLine(place, shift)),
    hunks: hunks.map((hunk) => moved(hunk, shift)),
    region: movedRegion(region, shift),
  };
}

/** The edits that bring the document what the user decided about some hunks. Lines that the user has changed are left alone. */
export function editsFor(replacement: Replacement, ids: ReadonlySet<number>, decision: Decision): readonly LineEdit[] {
  if (!changesText(replacement, decision)) return [];
  return replacement.hunks.filter(({ id, touched }) => ids.has(id) && !touched).map((hunk) => editOf(hunk, decision));
}

/** The replacement once {@link editsFor} a decision are in the document. Hunks that it could not be carried out for stay. */
export function withDecision(replacement: Replacement, ids: ReadonlySet<number>, decision: Decision): Replacement {
  const changes = changesText(replacement, decision);
  let growth = 0;
  const hunks: PendingHunk[] = [];
  for (const hunk of replacement.hunks) {
    if (!ids.has(hunk.id) || (changes && hunk.touched)) hunks.push({ ...hunk, line: hunk.line + growth });
    else if (changes) growth += growthOf(editOf(hunk, decision));
  }
  const { start, end } = replacement.region;
  return { ...replacement, hunks, region: { start, end: end + growth } };
}

/** The ids of all hunks. */
export function allIds({ hunks }: Replacement): ReadonlySet<number> {
  return new Set(hunks.map(({ id }) => id));
}

/** The document without the hunks where it contains them, otherwise with them. Lines that the user changed stay as they are. */
export function otherText({ inPlace, hunks }: Pick<Replacement, 'inPlace' | 'hunks'>, text: readonly string[]): readonly string[] {
  const decision = inPlace ? 'undo' : 'keep';
  return hunks.toReversed().reduce((lines, hunk) => (hunk.touched ? lines : withEdit(lines, editOf(hunk, decision))), text);
}

function changesText({ inPlace }: Replacement, decision: Decision): boolean {
  return (decision === 'undo') === inPlace;
}

function editOf({ line, count, added, removed }: PendingHunk, decision: Decision): LineEdit {
  return { start: line, end: line + count, lines: decision === 'keep' ? added : removed };
}

/** The hunks with one more; one that begins where the last one ends becomes part of it. */
function withHunk({ inPlace, hunks, next }: Replacement, line: number, { removed, added }: Pick<PendingHunk, 'removed' | 'added'>): readonly PendingHunk[] {
  const count = (inPlace ? added : removed).length;
  const growth = inPlace ? added.length - removed.length : 0;
  const before = hunks.filter((hunk) => hunk.line + hunk.count <= line);
  const after = hunks.slice(before.length).map((hunk) => ({ ...hunk, line: hunk.line + growth }));
  const last = before.at(-1);
  if (last === undefined || last.touched || last.line + last.count !== line)
    return [...before, { id: next, line, count, removed, added, touched: false }, ...after];
  const joined = { ...last, count: last.count + count, removed: [...last.removed, ...removed], added: [...last.added, ...added] };
  return [...before.slice(0, -1), joined, ...after];
}

function moved(hunk: PendingHunk, shift: LineShift): PendingHunk {
  const end = hunk.line + hunk.count;
  // What is added where lines were only removed comes after them.
  if (shift.start >= end && shift.end === shift.start && hunk.count === 0) return hunk;
  if (shift.end <= hunk.line) return { ...hunk, line: hunk.line + shift.count - (shift.end - shift.start) };
  if (shift.start >= end) return hunk;
  const line = Math.min(hunk.line, shift.start);
  return { ...hunk, line, count: movedLine(Math.max(end, shift.end), shift) - line, touched: true };
}
