import type { CutLine, LineWindow, LineStretch } from '../../domain/workspace/documents.js';
import { type Line, eachLine } from '../../text/lines.js';
import { headOf } from '../../text/show.js';
import { type Steps, LINES_PER_STEP } from '../../concurrency/steps.js';

/** A line and its number. */
export interface NumberedLine {
  readonly number: number;
  readonly text: string;
}

/**
 * Lines with their numbers before them.
 *
 * The mark between is a tab, which costs models the fewest tokens, and an arrow where any line begins with a tab
 * itself, so that its indentation is not mistaken.
 */
export function numberedLines(lines: readonly NumberedLine[]): readonly string[] {
  const mark = lines.some(({ text }) => text.startsWith('\t')) ? '→' : '\t';
  return lines.map(({ number, text }) => `${number}${mark}${text}`);
}

/** Lines that one call of `read` returns when the model sets no limit. */
export const READ_LINES = 2_000;
/** Characters of one line; the rest is cut with a notice. */
export const READ_LINE_CHARACTERS = 2_000;
/** Characters that one call returns at most, some 20,000 tokens. */
export const READ_CHARACTERS = 80_000;

/** Some lines of a text, as `Documents.readLines` gives those of a file. */
export function* stretchOf(text: string, range: LineWindow): Steps<LineStretch & { readonly total: number }> {
  const lines: CutLine[] = [];
  let number = 0;
  let characters = 0;
  let full = false;
  for (const line of eachLine(text)) {
    number += 1;
    if (number >= range.first && lines.length < range.lines && !full) {
      const cut = cutTo(text, line, range.lineCharacters);
      characters += cut.text.length + 1;
      full = characters > range.characters && lines.length > 0;
      if (!full) lines.push(cut);
    }
    if (number % LINES_PER_STEP === 0) yield;
  }
  return { lines, total: number };
}

function cutTo(text: string, { start, end }: Line, limit: number): CutLine {
  const head = end - start <= limit ? text.slice(start, end) : headOf(text.slice(start, start + limit + 1), limit);
  return { text: head, omitted: end - start - head.length };
}
