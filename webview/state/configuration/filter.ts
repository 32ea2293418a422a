import type { ConfigurationProblem, ConfigurationRow } from '../../../src/protocol/configuration.js';

/** The words of a query; all of them have to be in what is looked for, in any order. */
export function wordsOf(query: string): readonly string[] {
  return query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Whether a row has all words in its name, value, state, place, or description. */
export function rowMatches({ name, value = '', state, text = '', place }: ConfigurationRow, words: readonly string[]): boolean {
  return hasAll([name, value, state, text, place?.display ?? '', place?.layer ?? ''], words);
}

/** Whether a problem has all words in its message, key, or place. */
export function problemMatches({ key, message, place }: ConfigurationProblem, words: readonly string[]): boolean {
  return hasAll([key, message, place?.display ?? ''], words);
}

/** Whether texts have all words in them. */
export function hasAll(texts: readonly string[], words: readonly string[]): boolean {
  const whole = texts.join('\n').toLowerCase();
  return words.every((word) => whole.includes(word));
}
