import { commentPath } from '../../protocol/code-path.js';
import { lineEndingsOf, withLineEndings } from '../../text/line-endings.js';
import type { LineRange } from '../../text/text-edit.js';

/** A file with code put into it. */
export interface PlacedCode {
  readonly text: string;
  /** The lines that the code takes the place of; absent when it is the whole file. */
  readonly lines?: LineRange;
}

/** The part of a file, in lines, that code needs to replace to count as the whole file. */
const MOST = 0.9;

/**
 * Puts code where it belongs in a file. When its first and its last line are each there exactly once, and in that order,
 * it takes the place of what is between them; otherwise it is the whole file. Line endings and the end of the file stay.
 * @param named whether the first line of the code may be nothing but the path of the file.
 */
export function placeCode(file: string, code: string, named: boolean): PlacedCode {
  const own = withoutPath(file, code, named);
  const fileLines = linesOf(file);
  const lines = linesOf(own.replace(/\n+$/, ''));
  const place = placeOf(fileLines, lines);
  if (place === undefined) return { text: ended(withEndings(own, file), file) };
  const [first, last] = place;
  const fresh = withEndings(lines.join('\n'), file);
  const start = offsetOf(file, first);
  const end = offsetOf(file, last) + (fileLines[last]?.length ?? 0);
  return { text: file.slice(0, start) + fresh + file.slice(end), lines: { first: first + 1, last: last + 1 } };
}

/** A comment with nothing but the path belongs to the answer, not to the file, unless the file begins with one. */
function withoutPath(file: string, code: string, named: boolean): string {
  if (!named || commentPath(code) === undefined || commentPath(file) !== undefined) return code;
  const end = code.indexOf('\n');
  return end < 0 ? code : code.slice(end + 1).replace(/^\n/, '');
}

function placeOf(file: readonly string[], code: readonly string[]): readonly [number, number] | undefined {
  const words = code.filter((line) => line.trim() !== '');
  if (words.length < 2) return undefined;
  const first = onlyIndex(file, words[0] ?? '');
  const last = onlyIndex(file, words.at(-1) ?? '');
  if (first === undefined || last === undefined || last < first) return undefined;
  return last - first + 1 >= file.length * MOST ? undefined : [first, last];
}

function onlyIndex(lines: readonly string[], line: string): number | undefined {
  const at = lines.indexOf(line);
  return at >= 0 && !lines.includes(line, at + 1) ? at : undefined;
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}

/** Where a line begins. */
function offsetOf(text: string, line: number): number {
  const endings = [...text.matchAll(/\r\n|\n|\r/g)];
  const before = line === 0 ? undefined : endings[line - 1];
  return before === undefined ? 0 : before.index + before[0].length;
}

function withEndings(code: string, file: string): string {
  return withLineEndings(code, lineEndingsOf(file) === '\r\n' ? '\r\n' : '\n');
}

/** A whole file ends with a line ending, unless the one that was there did not. */
function ended(code: string, file: string): string {
  const wants = file === '' || /[\r\n]$/.test(file);
  const ending = lineEndingsOf(file) === '\r\n' ? '\r\n' : '\n';
  const bare = code.replace(/[\r\n]+$/, '');
  return wants ? bare + ending : bare;
}
