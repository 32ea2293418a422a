import type { Check } from '../domain/check.js';
import { readLine } from '../text/command-line/read-line.js';
import { programOf } from '../text/command-paths.js';
import { scriptCall } from './package-scripts.js';

/** Variables that change only how output looks, or say that nobody watches (no-color.org; force-color.org; `CI` by convention). */
const HARMLESS: ReadonlySet<string> = new Set(['CI', 'NO_COLOR', 'FORCE_COLOR', 'TERM']);
/** Redirections of one output to the other, which change no exit code. */
const JOINED = /(?:^|\s)2>&1(?=\s|$)/g;
/** What combines commands, so that the exit code is not that of one: POSIX.1-2017, 2.4 and 2.9. */
const COMBINED = /[;&|\n`(){}]|\$\(|^\s*!/;

/** The first part of a line that goes to another folder. */
const GOES = /^\s*cd\s+([\w./-]+)\s*&&\s*/;

/**
 * The check that a command line is that somebody else has run, so that its exit code says what came of that. A line that narrows it, combines it with
 * others, or steers what it runs is none.
 * @param folder in which the line ran: relative to the folder of the checks, with slashes; empty for that folder itself
 */
export function checkOf(line: string, checks: readonly Check[], folder = ''): Check | undefined {
  const [goes, target] = GOES.exec(line) ?? [];
  const place = target === undefined ? folder : resolved(folder, target);
  const words = wordsOf(line.slice(goes?.length ?? 0));
  if (words === undefined || place === undefined) return undefined;
  return checks.find((check) => check.folder === place && isSame(words, wordsOf(check.line)));
}

function isSame(one: readonly string[], other: readonly string[] | undefined): boolean {
  return one.length === other?.length && one.every((word, index) => word === other[index]);
}

/** The words of a line that is one command; those of a call of one script in one form. */
function wordsOf(line: string): readonly string[] | undefined {
  const text = line.replace(JOINED, ' ').trim();
  const [command, ...others] = COMBINED.test(text) ? [] : (readLine(text, new Map()) ?? []);
  if (command === undefined || others.length > 0 || command.inputs.length > 0) return undefined;
  if (command.words.some(({ known }) => !known) || command.assignments.some(({ name }) => !HARMLESS.has(name))) return undefined;
  const values = command.words.map(({ value }) => value);
  const [program = ''] = values;
  // The scripts that there are need not be known: whether the name is one is found out by the check that has it.
  const call = /[\\/]/.test(program) ? undefined : scriptCall(command, { [values[1] ?? '']: '' });
  if (call === undefined || call.names.length !== 1) return values;
  // A `--` with nothing behind it hands nothing on.
  if (!call.complete || call.rest.some((word) => word !== '--')) return undefined;
  return [programOf(program), 'run', ...call.names];
}

/** Where a path leads from a folder, both within the folder of the checks; `undefined` outside. */
function resolved(folder: string, path: string): string | undefined {
  if (path.startsWith('/')) return undefined;
  const names = folder.split('/').filter((name) => name !== '');
  for (const name of path.split('/')) {
    if (name === '..' && names.length === 0) return undefined;
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return names.join('/');
}
