import type { Context, Scope } from '../context.js';
import type { Flow, Folders } from '../folders.js';
import { absolutePaths, staysIn } from '../folders.js';
import { parseOptions } from './options.js';
import type { Word } from '../words/word.js';
import { literal } from '../words/word.js';

const UNKNOWN: Flow = staysIn(undefined);

/** The folders after `cd`, `pushd` and `popd`; `undefined` for any other command. */
export function changeFolder([name, ...words]: readonly Word[], scope: Scope, context: Context): Flow | undefined {
  switch (literal(name)) {
    case 'cd':
      return changeTo(folderOfCd(words, context.home), scope.folders, scope);
    case 'pushd':
      return changeTo(folderOfCd(words, undefined), scope.folders, scope);
    case 'popd':
      return UNKNOWN;
    default:
      return undefined;
  }
}

/** The folder that `cd` is given; `undefined` when it is not known from the text. */
export function folderOfCd(words: readonly Word[], home: string | undefined): string | undefined {
  // Not `-P`: it goes up from where a link leads, which the text does not tell.
  const parsed = parseOptions(words, { letters: 'L' });
  if (parsed === undefined || parsed.operands.length > 1) return undefined;
  const [operand] = parsed.operands;
  if (operand === undefined) return home;
  const path = literal(operand);
  return path === undefined || /^(?:-|[+-]\d+|)$/.test(path) ? undefined : path;
}

function changeTo(path: string | undefined, folders: Folders, { folders: before }: Scope): Flow {
  if (path === undefined) return UNKNOWN;
  const found = absolutePaths(path, folders);
  return { worked: found.length === 0 ? undefined : found, failed: before };
}
