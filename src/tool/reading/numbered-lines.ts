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
