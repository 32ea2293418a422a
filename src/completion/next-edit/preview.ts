import type { LineReplacement } from './line-replacement.js';
import { commonEnds } from '../../text/common-ends.js';

/** What is different on a line, as it is shown there. */
export interface PreviewPiece {
  /** The line, as it is in the document now. */
  readonly line: number;
  /** Characters of it that go. */
  readonly from: number;
  readonly to: number;
  /** What comes behind those. */
  readonly added: string;
  /** Lines that come below this one; above it where {@link above} says so. */
  readonly lines: readonly string[];
  readonly above: boolean;
}

/** Lines that go and lines that come at one place. */
interface Gap {
  readonly line: number;
  readonly old: readonly string[];
  readonly next: readonly string[];
}

/** How a change is shown without a line of its own: what goes of each line, what comes there, and which lines come below. @param lineCount of the document now */
export function previewOf({ first, before, after }: LineReplacement, lineCount: number): readonly PreviewPiece[] {
  const pieces: PreviewPiece[] = [];
  let [old, next] = [0, 0];
  for (const [pairedOld, pairedNext] of [...alignedLines(before, after), [before.length, after.length] as const]) {
    pieces.push(...gapPieces({ line: first + old, old: before.slice(old, pairedOld), next: after.slice(next, pairedNext) }, lineCount));
    if (pairedOld < before.length) pieces.push(pieceOf(before[pairedOld] ?? '', after[pairedNext] ?? '', first + pairedOld));
    [old, next] = [pairedOld + 1, pairedNext + 1];
  }
  return pieces.filter(({ from, to, added, lines }) => to > from || added !== '' || lines.length > 0);
}

/** Lines that are not alike: as many as go are shown beside those that come in their place. */
function gapPieces({ line, old, next }: Gap, lineCount: number): readonly PreviewPiece[] {
  const pieces = old.map((each, index) => (next[index] === undefined ? wholly(each, line + index) : pieceOf(each, next[index], line + index)));
  const more = next.slice(old.length);
  if (more.length === 0) return pieces;
  const beside = Math.min(Math.max(0, line + old.length - 1), lineCount - 1);
  return [...pieces, { line: beside, from: 0, to: 0, added: '', lines: more, above: line + old.length === 0 }];
}

function pieceOf(old: string, next: string, line: number): PreviewPiece {
  const { head, tail } = commonEnds(old, next);
  return { line, from: head, to: old.length - tail, added: next.slice(head, next.length - tail), lines: [], above: false };
}

/** A line that goes may be empty: its mark is the place where it ends then. */
function wholly(old: string, line: number): PreviewPiece {
  return { line, from: 0, to: Math.max(1, old.length), added: '', lines: [], above: false };
}

/** How much two lines must have in common to be the same one, of the longer of them. */
const LEAST_ALIKE = 0.5;

/** Which lines became which, in order, as pairs of places in the two lists: those that are alike as much as can be. */
function alignedLines(before: readonly string[], after: readonly string[]): readonly (readonly [old: number, next: number])[] {
  const scores = before.map((old) => after.map((next) => likeness(old, next)));
  // What the lines from these places on have in common at best.
  const best = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  const at = (old: number, next: number): number => best[old]?.[next] ?? 0;
  const paired = (old: number, next: number): number => (scores[old]?.[next] ?? 0) + at(old + 1, next + 1);
  for (let old = before.length - 1; old >= 0; old -= 1) {
    for (let next = after.length - 1; next >= 0; next -= 1) best[old]?.splice(next, 1, Math.max(at(old + 1, next), at(old, next + 1), paired(old, next)));
  }
  const pairs: (readonly [number, number])[] = [];
  for (let [old, next] = [0, 0]; old < before.length && next < after.length; ) {
    const score = at(old, next);
    if ((scores[old]?.[next] ?? 0) > 0 && score === paired(old, next)) pairs.push([old++, next++]);
    else if (score === at(old + 1, next)) old += 1;
    else next += 1;
  }
  return pairs;
}

/** Characters in common; 0 where lines are not alike. */
function likeness(old: string, next: string): number {
  const [one, other] = [old.trim(), next.trim()];
  const { head, tail } = commonEnds(one, other);
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 1 : head + tail >= longer * LEAST_ALIKE ? head + tail : 0;
}
