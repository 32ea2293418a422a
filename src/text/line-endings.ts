/** Line endings of a text; `none` for a single line, `mixed` for more than one kind. */
export type LineEndings = 'none' | '\n' | '\r\n' | '\r' | 'mixed';

/** Detects the line endings of a text. */
export function lineEndingsOf(text: string): LineEndings {
  let found: LineEndings = 'none';
  for (const [ending] of text.matchAll(/\r\n|\n|\r/g)) {
    if (found !== 'none' && ending !== found) return 'mixed';
    found = ending === '\n' || ending === '\r\n' ? ending : '\r';
  }
  return found;
}

/** The text with every line ending turned into the given one. */
export function withLineEndings(text: string, ending: '\n' | '\r\n'): string {
  return text.replace(/\r\n|\n|\r/g, ending);
}
