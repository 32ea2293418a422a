import type { Binding, EarlierPaths } from '../../domain/workspace/binding.js';
import { CommandWalk } from './walk.js';
import { readLine, type Variables } from './read-line.js';
import { SETTERS, isSteering } from './programs.js';
import { knownWord, type SimpleCommand, type Word } from './word.js';

/** Something that is started, before it runs. */
export interface Start {
  /** A line for a POSIX shell or Bash; a line for another shell is not read. */
  readonly line?: { readonly text: string; readonly shell: 'posix' | 'other' };
  /** In place of a line: a program and its arguments; `undefined` for words not known yet. */
  readonly words?: readonly (string | undefined)[];
  /** The working directory: absolute, or relative to {@link folder}. */
  readonly cwd?: string;
  /** Absolute path of the workspace folder that it is for. */
  readonly folder: string;
  readonly home: string;
  /** Environment variables set for it, beside those of every program; `undefined` for unknown values. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Variables that stand for folders, by their names. */
  readonly places: Readonly<Record<string, string>>;
}

/**
 * Computes what an approval of a command is bound to: the scripts and the files that decide what they load, wherever in the line the
 * working directory changes; of what is only known when it runs, the folders that it names; and what cannot be bound, to warn the user. All that is
 * not known to be harmless is among the latter.
 */
export function bindingOf(start: Start, earlier: EarlierPaths): Binding {
  const walk = new CommandWalk(start.folder, start.cwd ?? '', start.home);
  const variables = variablesOf(start);
  const { line } = start;
  const read = line?.shell === 'posix' ? commandsIn(line.text, variables, start.home) : undefined;
  const commands = line === undefined ? [commandOf(start.words ?? [])] : read;
  for (const [name, value] of Object.entries(start.env)) if (isSteering(name)) walk.steer(name, value === undefined ? unknownWord(name) : knownWord(value));
  if (commands === undefined) walk.unread();
  else walk.run(commands, (text) => commandsIn(text, variables, start.home));
  return { ...walk.result(), earlier };
}

function variablesOf({ home, places, env }: Start): Variables {
  const variables = new Map([['HOME', home], ['PWD', '.'], ...Object.entries(places)]);
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) variables.delete(name);
    else variables.set(name, value);
  }
  return variables;
}

function unknownWord(written: string): Word {
  return { written, value: '', known: false };
}

/** The commands of a line. A variable that the line itself sets may stand for anything. */
function commandsIn(text: string, variables: Variables, home: string): readonly SimpleCommand[] | undefined {
  const commands = readLine(text, variables, home);
  return commands === undefined || !setsOne(commands, variables) ? commands : readLine(text, new Map());
}

function commandOf(words: readonly (string | undefined)[]): SimpleCommand {
  return { assignments: [], words: words.map((word) => (word === undefined ? unknownWord('?') : knownWord(word))), inputs: [], outputs: [] };
}

/** Whether a line may give another value to one of the variables. */
function setsOne(commands: readonly SimpleCommand[], variables: Variables): boolean {
  return commands.some(({ assignments, words }) => {
    const at = words.findIndex(({ value, known }) => known && (SETTERS.has(value) || value === 'eval'));
    const behind = at === -1 ? [] : words.slice(at + 1);
    const isPrinting = words[at]?.value === 'printf' && behind[0]?.known === true && !behind[0].value.startsWith('-v');
    if (words[at]?.value === 'eval' || (!isPrinting && behind.some(({ value, known }) => !known && !ASSIGNS.test(value)))) return true;
    const names = words.flatMap(({ value }, index) => ((index > at && at !== -1 && !isPrinting) || ASSIGNS.test(value) ? [/^\w+/.exec(value)?.[0] ?? ''] : []));
    return [...assignments.map(({ name }) => name), ...names].some((name) => variables.has(name));
  });
}

const ASSIGNS = /^[A-Za-z_]\w*\+?=/;
