import type { LineReplacement } from './line-replacement.js';

/** Characters of changed lines that are looked at. */
const MAX_CHARACTERS = 4_000;
/** Words that are searched for elsewhere. */
const MAX_WORDS = 8;

/** The names that an edit is about, most telling first: removed names, added names, other names in its lines. */
export function changedWords({ before, after }: Pick<LineReplacement, 'before' | 'after'>): readonly string[] {
  const [old, next] = [wordsOf(before), wordsOf(after)];
  const gone = [...old].filter((word) => !next.has(word));
  const come = [...next].filter((word) => !old.has(word));
  return [...new Set([...gone, ...come, ...old])].slice(0, MAX_WORDS);
}

function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join('\n').slice(0, MAX_CHARACTERS).match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []);
}
