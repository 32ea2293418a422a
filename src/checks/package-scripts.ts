import * as z from 'zod/mini';
import { t } from '../domain/l10n.js';
import { readLine } from '../text/command-line/read-line.js';
import type { SimpleCommand } from '../text/command-line/word.js';
import { programOf } from '../text/command-paths.js';
import { compileName, nameFits } from '../text/wildcards.js';

/** The part of a `package.json` that says what can be run (docs.npmjs.com, package.json, “scripts”). */
export interface PackageFile {
  readonly scripts: Readonly<Record<string, string>>;
  /** Name and version of a package manager (nodejs.org/api/corepack.html). */
  readonly packageManager?: string;
}

/** A line that one of another file has run. */
export interface FollowedScript {
  readonly name: string;
  readonly line: string;
}

/** The scripts that a line runs, one from another. */
export interface FollowedScripts {
  readonly scripts: readonly FollowedScript[];
  /** Whether each call of a script was understood, so that there are no others. */
  readonly complete: boolean;
}

/** Scripts that are followed. */
const MAX_SCRIPTS = 50;

const file = z.object({ scripts: z.optional(z.record(z.string(), z.unknown())), packageManager: z.optional(z.unknown()) });

/** Reads a `package.json`. */
export function readPackage(text: string): PackageFile | { readonly problem: string } {
  const json = readJson(text);
  if ('problem' in json) return json;
  const { data } = file.safeParse(json.value);
  if (data === undefined) return { problem: t('It is not an object with scripts.') };
  return { scripts: textsIn(data.scripts ?? {}), ...(typeof data.packageManager === 'string' ? { packageManager: data.packageManager } : {}) };
}

/** Reads JSON that must have no comments. */
export function readJson(text: string): { readonly value: unknown } | { readonly problem: string } {
  try {
    return { value: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
  } catch {
    return { problem: t('It is not valid JSON.') };
  }
}

/** The entries of an object that are texts. */
export function textsIn(values: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The scripts that a line runs, with those before and after each (docs.npmjs.com, scripts, “Pre & Post Scripts”), and those that they run in turn. */
export function followScripts(line: string, scripts: PackageFile['scripts']): FollowedScripts {
  const found = new Map<string, string>();
  let complete = true;
  const open = [line];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const calls = callsIn(next, scripts);
    complete &&= calls.complete;
    for (const name of calls.names.flatMap((each) => [`pre${each}`, each, `post${each}`])) {
      const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
      if (script === undefined || found.has(name)) continue;
      if (found.size >= MAX_SCRIPTS) return { scripts: entriesOf(found), complete: false };
      found.set(name, script);
      open.push(script);
    }
  }
  return { scripts: entriesOf(found), complete };
}

function entriesOf(found: ReadonlyMap<string, string>): readonly FollowedScript[] {
  return [...found].map(([name, line]) => ({ name, line }));
}

/** The scripts that a line calls by their names. */
function callsIn(line: string, scripts: PackageFile['scripts']): { readonly names: readonly string[]; readonly complete: boolean } {
  const commands = readLine(line, new Map());
  if (commands === undefined) return { names: [], complete: false };
  const calls = commands.map((command) => scriptCall(command, scripts) ?? wrappedCall(command, scripts));
  // Behind a change of the folder, a name is one of another package.
  if (commands.some(changesFolder) && calls.some((call) => call !== undefined)) return { names: [], complete: false };
  return { names: calls.flatMap((call) => call?.names ?? []), complete: calls.every((call) => call === undefined || call.complete) };
}

const CHANGES_FOLDER: ReadonlySet<string> = new Set(['cd', 'chdir', 'pushd', 'popd']);

function changesFolder({ words }: SimpleCommand): boolean {
  return words.some(({ value }) => CHANGES_FOLDER.has(value));
}

/** A call behind a program that starts another one, such as `cross-env CI=1 npm run unit`, or in an argument that is a line itself. */
function wrappedCall(command: SimpleCommand, scripts: PackageFile['scripts']): ScriptCall | undefined {
  const { words } = command;
  if (!words.some(({ written }) => /\b(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all)\b/.test(written))) return undefined;
  const at = words.findIndex(({ value }) => Object.hasOwn(MANAGERS, programOf(value)) || SEVERAL.test(programOf(value)));
  const call = at === -1 ? undefined : scriptCall({ ...command, words: words.slice(at) }, scripts);
  return { names: call?.names ?? [], complete: false, rest: [] };
}

/** A call of scripts. */
interface ScriptCall {
  readonly names: readonly string[];
  /** Whether the names are all that it runs, here and in this package. */
  readonly complete: boolean;
  /** What stands behind the name. */
  readonly rest: readonly string[];
}

/**
 * Commands of package managers that no script can have the name of, where they run a script by its name alone. Source: pnpm.io/cli/run; yarnpkg.com/cli;
 * bun.sh/docs/cli/run.
 */
const OWN: ReadonlySet<string> = new Set([
  'install',
  'i',
  'add',
  'remove',
  'rm',
  'update',
  'up',
  'init',
  'create',
  'exec',
  'dlx',
  'x',
  'link',
  'publish',
  'pack',
  'why',
]);
/** “Bun’s built-in commands take precedence.” */
const BUN_OWN: ReadonlySet<string> = new Set([...OWN, 'test', 'build', 'repl', 'pm', 'upgrade', 'outdated', 'audit', 'patch', 'info', 'completions']);

/** Options that change nothing about what runs (docs.npmjs.com, pnpm.io, and bun.sh, `run`). */
const QUIET: ReadonlySet<string> = new Set(['-s', '--silent', '-q', '--quiet', '--if-present', '--no-color', '--color']);
/**
 * Words by which package managers run a script: those before its name, and those that are a name.
 * Source: docs.npmjs.com, `npm run` and `npm test`, “Aliases”; pnpm.io/cli/run; yarnpkg.com/cli/run; bun.sh/docs/cli/run.
 */
const MANAGERS: Readonly<
  Record<string, { readonly run: readonly string[]; readonly names: Readonly<Record<string, string>>; readonly bare?: ReadonlySet<string> }>
> = {
  npm: { run: ['run', 'run-script', 'rum', 'urn'], names: { test: 'test', t: 'test', tst: 'test', start: 'start', stop: 'stop' } },
  pnpm: { run: ['run', 'run-script'], names: { test: 'test', t: 'test', tst: 'test', start: 'start' }, bare: OWN },
  yarn: { run: ['run'], names: { test: 'test' }, bare: OWN },
  bun: { run: ['run'], names: {}, bare: BUN_OWN },
};
/** Programs that run several scripts, whose names are their operands: npm-run-all2 and concurrently, README. */
const SEVERAL = /^(?:npm-run-all2?|run-s|run-p)$/;

/** The scripts that a command calls by their names; `undefined` for one that calls none. */
export function scriptCall({ words, assignments }: SimpleCommand, scripts: PackageFile['scripts']): ScriptCall | undefined {
  const [first, ...others] = words;
  if (first?.known !== true) return undefined;
  const program = programOf(first.value);
  const args = others.map(({ value, known }) => (known ? value : undefined));
  // A pattern of names that no file has is handed on as it is.
  const patterns = others.map(({ value, known, written }) => (known ? value : /^[\w:*-]+$/.test(written) ? written : undefined));
  if (SEVERAL.test(program)) return matching(patterns, scripts, '');
  if (program === 'concurrently') return matching(patterns, scripts, 'npm:');
  if (program === 'node') return nodeRun(args);
  const manager = Object.hasOwn(MANAGERS, program) ? MANAGERS[program] : undefined;
  if (manager === undefined) return undefined;
  const from = args.findIndex((word) => word === undefined || !QUIET.has(word));
  const [command, ...rest] = from === -1 ? [] : args.slice(from);
  const call = managerCall(manager, [command, ...rest], scripts);
  // A variable of the package manager may change what it runs.
  return call !== undefined && assignments.some(({ name }) => /^npm_config_/i.test(name)) ? { ...call, complete: false } : call;
}

/** Of a call whose name is not known, or that may be of another package. */
const UNCLEAR: ScriptCall = { names: [], complete: false, rest: [] };

function managerCall(
  { run, names, bare }: (typeof MANAGERS)[string],
  [command, ...rest]: readonly (string | undefined)[],
  scripts: PackageFile['scripts'],
): ScriptCall | undefined {
  if (command === undefined || command.startsWith('-')) return UNCLEAR;
  if (Object.hasOwn(names, command)) return behindName(names[command] ?? command, rest);
  if (run.includes(command)) {
    const at = rest.findIndex((word) => word === undefined || !QUIET.has(word));
    const name = rest[at];
    return name === undefined || name.startsWith('-') ? UNCLEAR : behindName(name, rest.slice(at + 1));
  }
  return bare?.has(command) === false && Object.hasOwn(scripts, command) ? behindName(command, rest) : undefined;
}

/** Behind the name, options can still be those of the package manager, such as the folder that it works in. */
function behindName(name: string, rest: readonly (string | undefined)[]): ScriptCall {
  const words = rest.filter((word) => word === undefined || !QUIET.has(word)).map((word) => word ?? '');
  const end = words.indexOf('--');
  const own = end === -1 ? words : words.slice(0, end);
  return { names: [name], complete: !own.some((word) => /^-|^$/.test(word)), rest: words };
}

/** nodejs.org/api/cli.html, `--run`. */
function nodeRun(args: readonly (string | undefined)[]): ScriptCall | undefined {
  const at = args.findIndex((word) => word === '--run' || word?.startsWith('--run=') === true);
  if (at === -1) return undefined;
  const [, attached] = /^--run=(.+)$/s.exec(args[at] ?? '') ?? [];
  const name = attached ?? args[at + 1];
  const rest = args.slice(attached === undefined ? at + 2 : at + 1).map((word) => word ?? '');
  return name === undefined ? { ...UNCLEAR, rest } : { names: [name], complete: at === 0, rest };
}

/** Names with `*`, of those scripts that there are. */
function matching(args: readonly (string | undefined)[], scripts: PackageFile['scripts'], before: string): ScriptCall {
  const named = args.filter((word): word is string => word?.startsWith(before) === true && !word.startsWith('-')).map((word) => word.slice(before.length));
  const [patterns, commands] = [named.map((word) => word.split(/\s/)[0] ?? ''), args.filter((word) => word === undefined)];
  const names = patterns.flatMap((pattern) => {
    const steps = compileName(pattern.replaceAll('**', '*'));
    return Object.keys(scripts).filter((name) => nameFits(steps, name));
  });
  return { names, complete: commands.length === 0, rest: [] };
}
