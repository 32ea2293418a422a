import { basename } from 'node:path';
import { escapeHidden } from '../../domain/hidden-characters.js';
import type { TakenAway } from '../../domain/workspace/processes.js';
import { count } from '../../text/show.js';

/** How many are named; of more, the first. */
const MAX_NAMED = 20;

/** Says what a command made in the sandbox that it may not make, for the model and the user. */
export function takenAwayLines(taken: readonly TakenAway[] = []): readonly string[] {
  const named = taken.slice(0, MAX_NAMED).map(({ path, kept }) => {
    const what = `[${escapeHidden(path)}: programs outside of the sandbox follow files named ${escapeHidden(basename(path))}, so a command may not create it.`;
    return kept === undefined ? `${what} It could NOT be removed: remove it.]` : `${what} It was removed; a copy is kept at ${escapeHidden(kept)}.]`;
  });
  const left = taken.length - named.length;
  return left === 0 ? named : [...named, `[${count(left, 'more such file')}]`];
}
