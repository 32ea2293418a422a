/** Characters and lines of an output that are looked at. */
const MAX_TEXT = 1024 * 1024;
const MAX_LINES = 30_000;
/** Characters of one line that are looked at: no tool says more in one that counts here. */
const MAX_LINE = 2_000;
/** Characters and lines of the end of an output that are kept. */
const TAIL = { characters: 8_000, lines: 100 };

/** The lines of an output, within limits, without the line endings of Windows. Of a longer output, those at its end. */
export function outputLines(output: string): readonly string[] {
  return output
    .slice(-MAX_TEXT)
    .split('\n')
    .slice(-MAX_LINES)
    .map((line) => (line.length > MAX_LINE ? line.slice(0, MAX_LINE) : line).replace(/\r$/, ''));
}

/** The end of an output, for people and models to read. */
export function tailOf(output: string): string {
  return output.trimEnd().slice(-TAIL.characters).split('\n').slice(-TAIL.lines).join('\n');
}
