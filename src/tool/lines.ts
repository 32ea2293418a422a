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
export function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const match of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: match.index, next: match.index + match[0].length });
    start = match.index + match[0].length;
  }
  if (start < text.length) lines.push({ start, end: text.length, next: text.length });
  return lines;
}

/** The content of a line without its ending. */
export function contentOf(text: string, line: Line): string {
  return text.slice(line.start, line.end);
}

/** The ending of a line; empty for a last line without one. */
export function endingOf(text: string, line: Line): string {
  return text.slice(line.end, line.next);
}

/** The number, from 1, of the line that holds an offset. */
export function lineNumberAt(text: string, offset: number): number {
  let number = 1;
  for (const match of text.slice(0, offset).matchAll(/\r\n|\n|\r/g)) {
    if (match.index + match[0].length <= offset) number += 1;
  }
  return number;
}
