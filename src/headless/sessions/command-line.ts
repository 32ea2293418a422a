import { present } from '../../domain/present.js';
import { type Flag, STORAGE_FLAG, STORAGES, flagLines } from '../flag-table.js';
import type { StorageKind } from '../flags.js';
import { Given, Refused } from '../given.js';

/** What can be done with the stored sessions of a folder. */
export type SessionsCommand =
  | { readonly kind: 'list'; readonly json: boolean; readonly trash: boolean }
  | { readonly kind: 'show' | 'restore'; readonly id: string }
  | { readonly kind: 'fork'; readonly id: string; readonly json: boolean }
  /** An empty title brings that of the first message back. */
  | { readonly kind: 'rename'; readonly id: string; readonly title: string }
  | { readonly kind: 'export'; readonly id: string; readonly wish: ExportWish }
  | { readonly kind: 'delete'; readonly id: string; readonly permanently: boolean };

/** How a session is exported. */
export interface ExportWish {
  /** Whether it is the v1 file, and not Markdown. */
  readonly json: boolean;
  /** Path of the file that is written; absent: standard output. */
  readonly file?: string;
  /** Whether a file may be overwritten. */
  readonly force: boolean;
  /** Whether what looks like a secret stays. */
  readonly secrets: boolean;
}

/** What a command line says. */
export type SessionsLine =
  | { readonly kind: 'command'; readonly command: SessionsCommand; readonly storage: StorageKind }
  | { readonly kind: 'help' }
  /** It cannot be followed; `why` is a sentence for the user. */
  | { readonly kind: 'refused'; readonly why: string };

type Name = SessionsCommand['kind'];

interface Action {
  /** What stands for its words in the help. */
  readonly words: string;
  readonly help: string;
  readonly flags: readonly Flag[];
}

const ACTIONS: Readonly<Record<Name, Action>> = {
  list: {
    words: '',
    help: 'The sessions of this folder, the newest first (the default)',
    flags: [
      { name: 'json', help: 'list, fork: one JSON object a line; export: the v1 file, for other programs' },
      { name: 'trash', help: 'list: those in the trash' },
    ],
  },
  show: { words: 'ID', help: 'What was said, as text', flags: [] },
  rename: { words: 'ID TITLE', help: 'Give a session a title; "" brings that of its first message back', flags: [] },
  fork: { words: 'ID', help: 'Copy a session, which stays as it is', flags: [{ name: 'json' }] },
  export: {
    words: 'ID',
    help: 'Write a session as Markdown, without what looks like a secret',
    flags: [
      { name: 'json' },
      { name: 'output', short: 'o', value: 'FILE', help: 'export: write to a file' },
      { name: 'force', help: 'export: overwrite the file' },
      { name: 'with-secrets', help: 'export: leave what looks like a secret' },
    ],
  },
  delete: { words: 'ID', help: 'Move a session to the trash', flags: [{ name: 'permanently', help: 'delete: for good, also what is in the trash' }] },
  restore: { words: 'ID', help: 'Take a session back out of the trash', flags: [] },
};

const ALL_FLAGS: readonly Flag[] = [STORAGE_FLAG, { name: 'help', short: 'h', help: 'Show this' }];

/** Reads what stands behind `gnomon sessions`. */
export function readSessionsLine(args: readonly string[]): SessionsLine {
  try {
    // Which flags there are depends on the command, which may stand behind some.
    const every = [...ALL_FLAGS, ...Object.values(ACTIONS).flatMap(({ flags }) => flags)];
    const [word = 'list', ...words] = Given.in(args, { flags: every }).words;
    const name = nameOf(word);
    const given = Given.in(args, { flags: [...ALL_FLAGS, ...ACTIONS[name].flags], refusal: ` for gnomon sessions ${name}` });
    if (given.has('help')) return { kind: 'help' };
    return { kind: 'command', command: commandOf(name, words, given), storage: given.choice('session-storage', STORAGES) ?? 'own' };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', why: error.message };
    throw error;
  }
}

/** The help about `gnomon sessions`. */
export function sessionsHelp(program: string): string {
  const actions = Object.entries(ACTIONS).map(([name, { words, help }]) => `  ${`${name} ${words}`.padEnd(32)}${help}`);
  const flags = [...Object.values(ACTIONS).flatMap((action) => action.flags), ...ALL_FLAGS];
  return [
    `Usage: ${program} sessions [COMMAND] [OPTION …]`,
    '',
    'What was said in a folder before. An ID can be given by its beginning.',
    '',
    ...actions,
    '',
    ...flagLines(flags),
    '',
  ].join('\n');
}

function nameOf(word: string): Name {
  const names = Object.keys(ACTIONS) as readonly Name[];
  const found = names.find((name) => name === word);
  if (found === undefined) throw new Refused(`There is no command “${word}” of gnomon sessions. There are ${names.join(', ')}.`);
  return found;
}

function commandOf(name: Name, [id, ...rest]: readonly string[], given: Given): SessionsCommand {
  if (name === 'list') {
    if (id !== undefined) throw new Refused(`gnomon sessions list takes no “${id}”.`);
    return { kind: 'list', json: given.has('json'), trash: given.has('trash') };
  }
  if (id === undefined || id === '') throw new Refused(`gnomon sessions ${name} needs the id of a session, which gnomon sessions list shows.`);
  if (name === 'rename') {
    if (rest.length === 0) throw new Refused('gnomon sessions rename needs a title behind the id.');
    return { kind: 'rename', id, title: rest.join(' ') };
  }
  if (rest.length > 0) throw new Refused(`gnomon sessions ${name} takes one id, and no “${rest.join(' ')}” behind it.`);
  switch (name) {
    case 'export':
      return { kind: 'export', id, wish: exportWish(given) };
    case 'delete':
      return { kind: 'delete', id, permanently: given.has('permanently') };
    case 'fork':
      return { kind: 'fork', id, json: given.has('json') };
    case 'show':
    case 'restore':
      return { kind: name, id };
  }
}

function exportWish(given: Given): ExportWish {
  const file = given.one('output');
  if (file === '') throw new Refused('--output needs the path of a file.');
  // What looks like an option is one whose file was forgotten.
  if (file?.startsWith('-') === true) throw new Refused(`--output needs the path of a file, and not “${file}”.`);
  if (file === undefined && given.has('force')) throw new Refused('--force needs --output.');
  return { json: given.has('json'), ...present({ file }), force: given.has('force'), secrets: given.has('with-secrets') };
}
