import type { Context, Scope } from '../context.js';
import { judgeExpansions } from './expansions.js';
import { shapeWord } from './shape-word.js';
import type { RawWord, Word } from './word.js';

/** Judges the commands in the expansions of a word, and makes the word as the shell would. */
export function judgeWord(raw: RawWord, scope: Scope, context: Context): Word {
  judgeExpansions(raw.expansions, context, scope);
  return shapeWord(raw, context.source, { home: context.home, folders: scope.folders });
}
