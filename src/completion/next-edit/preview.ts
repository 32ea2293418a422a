import type { LineReplacement } from './line-replacement.js';
import { common } from './text-edit.js';

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

/** How a change is shown without a line of its own: what goes of each line, what comes there, and which lines come below. @param lineCount of the document now */
export function previewOf({ first, before, after }: LineReplacement, lineCount: number): readonly PreviewPiece[] {
  const paired = Math.min(before.length, after.length);
  const more = after.slice(paired);
  const anchor = Math.min(Math.max(0, first + before.length - 1), lineCount - 1);
  if (before.length === 0) return [{ line: anchor, from: 0, to: 0, added: '', lines: more, above: first === 0 }];
  const pieces = before.map((line, index) => pieceOf(line, after[index], first + index));
  const last = pieces.at(-1);
  const all = last === undefined || more.length === 0 ? pieces : [...pieces.slice(0, -1), { ...last, lines: more }];
  return all.filter(({ from, to, added, lines }) => to > from || added !== '' || lines.length > 0);
}

/** A line that goes as a whole may be empty: its mark is the place where it ends then. */
function pieceOf(old: string, next: string | undefined, line: number): PreviewPiece {
  if (next === undefined) return { line, from: 0, to: Math.max(1, old.length), added: '', lines: [], above: false };
  const { head, tail } = common(old, next);
  return { line, from: head, to: old.length - tail, added: next.slice(head, next.length - tail), lines: [], above: false };
}
