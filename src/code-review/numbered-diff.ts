/** Characters of one line of a comparison. */
const MAX_LINE = 1_000;
/** Digits that numbers of lines are written with at least. */
const DIGITS = 5;

/**
 * The hunks of git's diff of one file. Each line is prefixed with its number in the file after the change, so that a model
 * need not count lines. A diff without lines, such as one of binary files, has no hunks.
 */
export function numberedHunks(diff: string): readonly string[] {
  const hunks: string[][] = [];
  let next = 0;
  for (const line of diff.split('\n')) {
    const begins = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line);
    const hunk = hunks.at(-1);
    if (begins !== null) {
      next = Number(begins[1]);
      hunks.push([cut(line)]);
    } else if (/^[ +-]/.test(line) && hunk !== undefined) {
      hunk.push(numbered(line.startsWith('-') ? undefined : next, line));
      if (!line.startsWith('-')) next += 1;
    }
  }
  return hunks.map((lines) => lines.join('\n'));
}

/** A new file as one hunk. */
export function newFileHunk(text: string): string {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines.at(-1) === '') lines.pop();
  return [`@@ -0,0 +1,${lines.length} @@`, ...lines.map((line, index) => numbered(index + 1, `+${line}`))].join('\n');
}

function numbered(number: number | undefined, line: string): string {
  return `${String(number ?? '').padStart(DIGITS)} ${cut(line.replace(/\r$/, ''))}`;
}

function cut(line: string): string {
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}… [${line.length - MAX_LINE} more characters in this line]`.toWellFormed() : line;
}
