import { type Steps, LINES_PER_STEP } from '../concurrency/steps.js';

/** One line of a text: where it begins, where its content ends, and where the next line begins. */
export interface Line {
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/**
 * The lines of a text as an editor counts them: CRLF, LF and CR end a line, and after the last ending there is no
 * further, empty line.
 */
export function* eachLine(text: string): Generator<Line, void, undefined> {
  let start = 0;
  let lf = text.indexOf('\n');
  let cr = text.indexOf('\r');
  while (lf !== -1 || cr !== -1) {
    const atCr = cr !== -1 && (lf === -1 || cr < lf);
    const end = atCr ? cr : lf;
    const next = atCr && lf === cr + 1 ? end + 2 : end + 1;
    yield { start, end, next };
    start = next;
    if (lf !== -1 && lf < next) lf = text.indexOf('\n', next);
    if (cr !== -1 && cr < next) cr = text.indexOf('\r', next);
  }
  if (start < text.length) yield { start, end: text.length, next: text.length };
}

/** All of {@link eachLine}, in steps. */
export function* linesOf(text: string): Steps<readonly Line[]> {
  const lines: Line[] = [];
  for (const line of eachLine(text)) {
    lines.push(line);
    if (lines.length % LINES_PER_STEP === 0) yield;
  }
  return lines;
}

/** Number of lines in a text. */
export function countLines(text: string): number {
  const lines = eachLine(text);
  let count = 0;
  while (lines.next().done !== true) count += 1;
  return count;
}

/** Number of line feeds in a part of a text. */
export function countLineFeeds(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/** Whether a text has line endings, and all of them are CRLF. */
export function endsLinesWithCrlf(text: string): boolean {
  if (!text.includes('\r\n')) return false;
  for (const line of eachLine(text)) if (line.next - line.end === 1) return false;
  return true;
}

/** The content of a line without its ending. */
export function contentOf(text: string, line: Line): string {
  return text.slice(line.start, line.end);
}

/** The ending of a line; empty for a last line without one. */
export function endingOf(text: string, line: Line): string {
  return text.slice(line.end, line.next);
}

/** The numbers, from 1, of the lines at some offsets, which must be ascending. */
export function* lineNumbersAt(text: string, offsets: readonly number[]): Steps<readonly number[]> {
  const numbers: number[] = [];
  let number = 0;
  for (const line of eachLine(text)) {
    number += 1;
    while (numbers.length < offsets.length && (offsets[numbers.length] ?? 0) < line.next) numbers.push(number);
    if (numbers.length === offsets.length) return numbers;
    if (number % LINES_PER_STEP === 0) yield;
  }
  // After the last line ending a further line begins.
  const last = /[\r\n]$/.test(text) || number === 0 ? number + 1 : number;
  return [...numbers, ...offsets.slice(numbers.length).map(() => last)];
}
