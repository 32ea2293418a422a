import type { CutLine, LineWindow, LineStretch } from '../../domain/workspace/documents.js';
import type { Line } from '../../text/lines.js';
import { eachLine } from '../../text/lines.js';
import { headOf } from '../../text/show.js';
import type { Steps } from '../../concurrency/steps.js';
import { LINES_PER_STEP } from '../../concurrency/steps.js';

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
