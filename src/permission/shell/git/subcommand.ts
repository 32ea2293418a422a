import { type Word, literal } from '../words/word.js';

/** Options before the subcommand with a value in the next word. */
const VALUED_GLOBAL: ReadonlySet<string> = new Set([
  '-C',
  '-c',
  '--attr-source',
  '--config-env',
  '--exec-path',
  '--git-dir',
  '--namespace',
  '--super-prefix',
  '--work-tree',
]);

/** Where among the arguments of git its subcommand is; -1 when there is none. */
export function subcommandAt(words: readonly Word[]): number {
  return words.findIndex((word, index) => !(literal(word) ?? '').startsWith('-') && !VALUED_GLOBAL.has(literal(words[index - 1]) ?? ''));
}
