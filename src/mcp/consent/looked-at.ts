import { present } from '../../domain/present.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { isBasic } from '../../domain/mcp/environment.js';
import { type VariableValues, folderOf, valueOf } from '../config/resolve-config.js';
import type { Binding, UsedFolder } from '../../domain/workspace/binding.js';
import { bindingOf } from '../../text/command-line/bind.js';
import { isSteering } from '../../text/command-line/programs.js';
import { DATA_FILE, pathsThatMayRun } from '../../text/command-paths.js';
import { type Variable, parseTemplate } from '../config/template.js';

/** Files and variables that decide what a server does, beside its entry. */
export interface LookedAt {
  /** Files in the workspace that it runs or that decide what it loads. */
  readonly files: readonly UsedFile[];
  /** Those of the files that earlier versions did not look at; absent: none. */
  readonly added?: readonly UsedFile[];
  /** Folders of which all is bound; absent: none. */
  readonly folders?: readonly UsedFolder[];
  /** Variables in the values of those by which programs find what they load; absent: none. */
  readonly steering?: readonly DecidingVariable[];
  /** Its file with variables. */
  readonly envFile?: UsedFile;
  /** Variables of the environment in its command line or address. */
  readonly variables: readonly DecidingVariable[];
  /** Absolute path of the workspace folder that it is for. */
  readonly folder?: string;
}

/** A variable of the environment that decides what is started or reached. */
export interface DecidingVariable {
  readonly name: string;
  /** `undefined` while it is not set. */
  readonly value: string | undefined;
  /** Whether every program has it, so that it may be shown. */
  readonly plain: boolean;
}

/** Paths to look at on behalf of an entry; what is not there, or no file in the workspace, does not count. */
export interface PathsToLookAt {
  /** Base folder of relative paths: absolute, or relative to the workspace folder. */
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly envFile?: string;
}

/**
 * The variables of the environment that decide what an entry’s server is: those in `command`, `args`, `cwd`, `envFile`, and `url`. Those in
 * `env` and `headers` are not among them, for they are credentials that change by themselves. Their values are for the
 * fingerprint of the entry alone, which is made and compared on this machine; they are never shown, and no server gets them before the
 * entry is approved.
 */
export function decidingVariables(entry: McpEntry, values: VariableValues): readonly DecidingVariable[] {
  return variablesIn(decisiveTexts(entry), entry, values);
}

/** The variables in the values of those of `env` by which programs find what they load, such as `PATH`: they decide what the server is, too. */
export function steeringVariables(entry: McpEntry, values: VariableValues): readonly DecidingVariable[] {
  const { config } = entry;
  return config.type === 'stdio'
    ? variablesIn(
        Object.entries(config.env).flatMap(([name, value]) => (isSteering(name) ? [value] : [])),
        entry,
        values,
      )
    : [];
}

function variablesIn(texts: readonly string[], entry: McpEntry, values: VariableValues): readonly DecidingVariable[] {
  const found = new Map<string, DecidingVariable>();
  for (const variable of texts.flatMap((text) => variablesOfText(text, entry))) {
    if (variable.kind !== 'environment') continue;
    const value = valueOf({ kind: 'environment', name: variable.name }, entry, values);
    found.set(variable.name, { name: variable.name, value, plain: isBasic(variable.name, values.platform) });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * The paths that the command line of an entry may name: the command, if it is a path, each argument and what is behind the `=` of an option, the
 * words of an argument that is a command line itself, and what programs find for less than a name (see below). Which program is
 * started in the end is not asked, as `env`, `uv run`, and others start any. Arguments with inputs are left out, as the user has not entered them yet.
 *
 * It is only about files that are named. What a script loads in turn is not followed, as that takes running it; and neither are files of data
 * that are named beside a script, as a server may write them.
 */
export function pathsToLookAt(entry: McpEntry, values: VariableValues): PathsToLookAt | undefined {
  const { config } = entry;
  if (config.type !== 'stdio') return undefined;
  const text = (value: string): string | undefined => replaced(value, entry, values);
  const command = text(config.command) ?? '';
  const args = config.args.flatMap((arg) => text(arg) ?? []);
  const script = args.find((arg) => !arg.startsWith('-'));
  const deciding = args.filter((arg) => arg === script || !DATA_FILE.test(arg));
  const named = [...(/[\\/]/.test(command) ? [command] : []), ...deciding.flatMap(pathsOfArgument), ...wordsIn(deciding)];
  const paths = pathsThatMayRun(named, [command, ...args, ...wordsIn(args)]);
  const cwd = (config.cwd === undefined ? undefined : text(config.cwd)) ?? folderOf(entry, values)?.path ?? values.home;
  const envFile = config.envFile === undefined ? undefined : text(config.envFile);
  return { cwd, paths, ...present({ envFile }) };
}

/**
 * Files that an approval of an entry is bound to, beside the entry; `undefined` for one that starts nothing here.
 * @param more variables of its `envFile`
 */
export function bindingOfEntry(entry: McpEntry, values: VariableValues, more: Readonly<Record<string, string>>): Binding | undefined {
  const { config } = entry;
  const earlier = pathsToLookAt(entry, values);
  if (config.type !== 'stdio' || earlier === undefined) return undefined;
  const env = Object.entries(config.env).map(([name, value]): readonly [string, string | undefined] => [name, replaced(value, entry, values)]);
  const words = [config.command, ...config.args].map((text) => replaced(text, entry, values));
  const folder = folderOf(entry, values)?.path ?? values.home;
  return bindingOf(
    { words, cwd: earlier.cwd, folder, home: values.home, env: { ...more, ...Object.fromEntries(env) }, places: {} },
    { cwd: earlier.cwd, paths: earlier.paths },
  );
}

/** Words of arguments that are command lines, altogether. */
const MAX_WORDS = 500;

function pathsOfArgument(arg: string): readonly string[] {
  const [, value] = /^-[^=]*=(.+)$/s.exec(arg) ?? [];
  return [arg, value ?? ''].filter((path) => path !== '');
}

/** The words of arguments such as that of `sh -c`. */
function wordsIn(args: readonly string[]): readonly string[] {
  return args
    .flatMap((arg) => (/\s/.test(arg) ? arg.split(/[\s;|&()<>"'`=]+/) : []))
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
}

function decisiveTexts({ config }: McpEntry): readonly string[] {
  switch (config.type) {
    case 'stdio':
      return [config.command, ...config.args, ...(config.cwd === undefined ? [] : [config.cwd]), ...(config.envFile === undefined ? [] : [config.envFile])];
    case 'http':
    case 'sse':
      return [config.url];
    case 'sdk':
      return [];
  }
}

function variablesOfText(text: string, { source }: McpEntry): readonly Variable[] {
  const template = parseTemplate(text, source.format);
  return 'problem' in template ? [] : template.filter((part) => typeof part !== 'string');
}

/** A text with the values of its variables; `undefined` where one is not known. */
function replaced(text: string, entry: McpEntry, values: VariableValues): string | undefined {
  const template = parseTemplate(text, entry.source.format);
  if ('problem' in template) return undefined;
  const parts = template.map((part) => (typeof part === 'string' ? part : part.kind === 'input' ? undefined : valueOf(part, entry, values)));
  return parts.includes(undefined) ? undefined : parts.join('');
}
