import { endsLinesWithCrlf } from '../../text/lines.js';

/** Characters up to which a text is given as a whole; of a longer one, only what differs. */
const MAX_WHOLE = 200_000;

/** Two versions of a file, or of a part of it; `before` is `undefined` where there is no file yet. */
export interface TextPair {
  readonly before: string | undefined;
  readonly after: string;
}

/** What a hunk begins with. */
const HEAD = /^@@ -\d+,\d+ \+(\d+),\d+ @@$/;

/** A part of a unified diff. */
interface Hunk {
  /** Number of its first line in the new text, from 1; of one without lines there, of the line before it. */
  readonly line: number;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/**
 * The texts that a unified diff is about, for programs that make a diff of their own: both as a whole where the new one is known and not
 * long, else those of each hunk.
 * @param diff as `unifiedDiff` writes it
 * @param after the whole new text, where there is one
 */
export function textsOf(diff: string, after: string | undefined, created: boolean): readonly TextPair[] {
  if (created) return [{ before: undefined, after: after ?? '' }];
  const hunks = hunksOf(diff);
  if (after === undefined || after.length > MAX_WHOLE) return hunks.map((hunk) => ({ before: hunk.before.join(''), after: hunk.after.join('') }));
  // The diff does not show carriage returns that all lines have.
  const lines = (endsLinesWithCrlf(after) && !diff.includes('\r') ? after.replaceAll('\r\n', '\n') : after).split(/(?<=\n)/);
  const before = [...lines];
  for (const hunk of hunks.toReversed()) {
    const at = hunk.after.length === 0 ? hunk.line : hunk.line - 1;
    before.splice(at, hunk.after.length, ...hunk.before);
  }
  return [{ before: before.join(''), after: lines.join('') }];
}

/** The first line that a unified diff changes, in the new text; `undefined` where it changes none. */
export function firstChangedLine(diff: string): number | undefined {
  const [hunk] = hunksOf(diff);
  if (hunk === undefined) return undefined;
  const same = hunk.after.findIndex((text, index) => text !== hunk.before[index]);
  return Math.max(1, hunk.line + Math.max(0, same));
}

function hunksOf(diff: string): readonly Hunk[] {
  const hunks: { readonly line: number; readonly before: string[]; readonly after: string[] }[] = [];
  // The texts that the last line is a part of.
  let texts: readonly string[][] = [];
  for (const line of diff.split('\n')) {
    const [, number] = HEAD.exec(line) ?? [];
    if (number !== undefined) hunks.push({ line: Number(number), before: [], after: [] });
    const hunk = hunks.at(-1);
    if (hunk === undefined || number !== undefined) continue;
    if (line.startsWith('\\')) {
      // No line break at its end.
      for (const text of texts) text.push((text.pop() ?? '').slice(0, -1));
      continue;
    }
    texts = { ' ': [hunk.before, hunk.after], '-': [hunk.before], '+': [hunk.after] }[line.charAt(0)] ?? [];
    for (const text of texts) text.push(`${line.slice(1)}\n`);
  }
  return hunks;
}
