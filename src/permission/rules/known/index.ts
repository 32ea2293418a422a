import { COMPILED_COMMANDS } from './compiled-commands.js';
import { GIT_COMMANDS } from './git-commands.js';
import { JAVASCRIPT_COMMANDS } from './javascript-commands.js';
import type { KnownCommand } from './known-command.js';
import { type Knowledge, isNamed, matchKnown, namesOf } from './match-known.js';
import { OTHER_COMMANDS } from './other-commands.js';
import { PYTHON_COMMANDS } from './python-commands.js';

/** All that a rule with a prefix or a `*` may let pass beside what only reads. */
export const KNOWN_COMMANDS: readonly KnownCommand[] = [...GIT_COMMANDS, ...JAVASCRIPT_COMMANDS, ...PYTHON_COMMANDS, ...COMPILED_COMMANDS, ...OTHER_COMMANDS];

const BY_PROGRAM: ReadonlyMap<string, readonly KnownCommand[]> = byProgram();

function byProgram(): ReadonlyMap<string, readonly KnownCommand[]> {
  const groups = new Map<string, KnownCommand[]>();
  for (const known of KNOWN_COMMANDS) {
    const [program = ''] = namesOf(known);
    groups.set(program, [...(groups.get(program) ?? []), known]);
  }
  return groups;
}

/** Finds a command in the lists of known commands by its words, of which `undefined` is one known only at run time. */
export function knowledgeOf(words: readonly (string | undefined)[]): Knowledge {
  const known = words.filter((word) => word !== undefined);
  return known.length === words.length ? matchKnown(known, entriesFor(known[0] ?? '')) : { type: 'unknown' };
}

/** Whether a rule whose text begins with these words can be about a known command. */
export function isPrefixKnown(words: readonly string[]): boolean {
  return entriesFor(words[0] ?? '').some((known) => {
    const names = namesOf(known);
    return names.slice(0, words.length).every((name, index) => isNamed(name, words[index]));
  });
}

/** Whether words are all that names a known command, so that only its arguments are left open. */
export function isWholeCommand(words: readonly string[]): boolean {
  return entriesFor(words[0] ?? '').some((known) => {
    const names = namesOf(known);
    return names.length <= words.length && names.every((name, index) => isNamed(name, words[index]));
  });
}

function entriesFor(program: string): readonly KnownCommand[] {
  return [...(BY_PROGRAM.get(program) ?? []), ...(isNamed('<python>', program) ? (BY_PROGRAM.get('<python>') ?? []) : [])];
}
