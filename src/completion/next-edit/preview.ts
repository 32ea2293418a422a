import { alignedLines } from '../../text/align-lines.js';
import { commonEnds } from '../../text/common-ends.js';
import type { LineReplacement } from './line-replacement.js';

/** Difference on a line, as it is shown there. */
export interface PreviewPiece {
  /** The line, as it is in the document now. */
  readonly line: number;
  /** Characters of it that go. */
  readonly from: number;
  readonly to: number;
  /** Text added behind those. */
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

/**
 * Preview of a change without extra lines: removed and added text of each line, and lines added below.
 * @param lineCount of the document now
 */
export function previewOf({ first, before, after }: LineReplacement, lineCount: number): readonly PreviewPiece[] {
  const pieces: PreviewPiece[] = [];
  let [old, next] = [0, 0];
  for (const [pairedOld, pairedNext] of [...alignedLines(before, after, likeness), [before.length, after.length] as const]) {
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

/** Minimum similarity of two lines to count as the same one, as a share of the longer one. */
const LEAST_ALIKE = 0.5;

/** Characters in common; 0 where lines are not alike. */
function likeness(old: string, next: string): number {
  const [one, other] = [old.trim(), next.trim()];
  const { head, tail } = commonEnds(one, other);
  const longer = Math.max(one.length, other.length);
  return longer === 0 ? 1 : head + tail >= longer * LEAST_ALIKE ? head + tail : 0;
}
