import { present } from '../../domain/present.js';
import { isAbsolute, posix, resolve, win32 } from 'node:path';
import { t } from '../../domain/l10n.js';
import { type Environment, environmentValue, isBasic } from '../../domain/mcp/environment.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { McpConfig, McpEntry, McpInput, McpRemoteConfig, McpStdioConfig } from '../../domain/mcp/config.js';
import { isHeaderValue, urlProblem } from './addresses.js';
import { keyPath, shownName } from '../../text/key-path.js';
import { commandProblem } from './read-entry.js';
import { looksSecret } from './secret-words.js';
import { type Place, type Variable, parseTemplate } from './template.js';
import { valuesOf } from './used-inputs.js';

/** Values of variables. */
export interface VariableValues {
  /** Gnomon's own environment. */
  readonly environment: Environment;
  readonly platform: NodeJS.Platform;
  /** The open workspace folders. */
  readonly folders: readonly { readonly path: string; readonly name: string }[];
  /** Absolute path of the home folder. */
  readonly home: string;
  /** Values that the user has entered, by input id of the entry's file. */
  readonly inputs: ReadonlyMap<string, string>;
}

/** A configuration in which all variables are replaced. */
export interface ResolvedConfig {
  readonly config: McpConfig;
  /** Texts that must not get into logs, messages, and transcripts: what came from inputs and the environment, and what looks secret. */
  readonly secrets: readonly string[];
}

/** Why a configuration could not be resolved. */
export interface UnresolvedConfig {
  readonly problems: readonly ConfigProblem[];
  /** Inputs without a value. */
  readonly missing: readonly McpInput[];
}

/**
 * Replaces the variables of an entry. A value that was put in is not looked at again, so nothing in the environment can name
 * another variable. To be called for an entry that the user has approved, right before its server is started: the environment contains
 * secrets, which no server may get without approval.
 * @param inputs those that the entry uses
 */
export function resolveConfig(entry: McpEntry, inputs: readonly McpInput[], values: VariableValues): ResolvedConfig | UnresolvedConfig {
  const run = new Replacement(entry, values);
  const config = run.config();
  const missing = inputs.filter(({ id }) => run.missing.has(id));
  if (run.problems.length > 0 || missing.length > 0) return { problems: run.problems, missing };
  run.check(config);
  return run.problems.length > 0 ? { problems: run.problems, missing } : { config, secrets: [...run.secrets] };
}

/** The variables of a file in addition to those of an entry, which win, as in VS Code. */
export function withEnvFile({ config, secrets }: ResolvedConfig, variables: Readonly<Record<string, string>>): ResolvedConfig {
  if (config.type !== 'stdio') return { config, secrets };
  const { type, command, args, env, cwd } = config;
  const secret = Object.entries(variables).flatMap(([name, value]) => (looksSecret(name, value) ? [value] : []));
  return { config: { type, command, args, env: { ...variables, ...env }, ...present({ cwd }) }, secrets: [...new Set([...secrets, ...secret])] };
}

/** Value of a variable of an entry; `undefined` when it is not set, or not known. */
export function valueOf(variable: Variable, entry: Pick<McpEntry, 'source'>, values: VariableValues): string | undefined {
  switch (variable.kind) {
    case 'environment':
      return environmentValue(values.environment, variable.name, values.platform) ?? variable.fallback;
    case 'input':
      return values.inputs.get(variable.id);
    case 'place':
      return placeOf(variable.place, variable.folder, { entry, values });
  }
}

/** The folder that an entry is for: that of its file, or the first. */
export function folderOf(
  { source }: Pick<McpEntry, 'source'>,
  { folders }: Pick<VariableValues, 'folders'>,
): { readonly path: string; readonly name: string } | undefined {
  return folders.find(({ path }) => path === source.folder) ?? folders[0];
}

function placeOf(
  place: Place,
  named: string | undefined,
  { entry, values }: { readonly entry: Pick<McpEntry, 'source'>; readonly values: VariableValues },
): string | undefined {
  const paths = values.platform === 'win32' ? win32 : posix;
  const folder = named === undefined ? folderOf(entry, values) : values.folders.find(({ name }) => name === named);
  switch (place) {
    case 'workspaceFolder':
      return folder?.path;
    case 'workspaceFolderBasename':
      return folder === undefined ? undefined : paths.basename(folder.path);
    case 'userHome':
      return values.home;
    case 'pathSeparator':
      return paths.sep;
  }
}

/** One replacement of the variables of an entry. */
class Replacement {
  readonly problems: ConfigProblem[] = [];
  readonly secrets = new Set<string>();
  /** Ids of inputs without a value. */
  readonly missing = new Set<string>();

  constructor(
    private readonly entry: McpEntry,
    private readonly values: VariableValues,
  ) {}

  /** The configuration with values in place of variables; empty texts where there is a problem. */
  config(): McpConfig {
    const { config } = this.entry;
    const replaced = new Map(valuesOf(config).map(({ path, value }) => [JSON.stringify(path), this.text(value, path)]));
    const text = (path: readonly (string | number)[]): string => replaced.get(JSON.stringify(path)) ?? '';
    const record = (key: string, of: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.keys(of).map((name) => [name, text([key, name])]));
    switch (config.type) {
      case 'stdio': {
        const args = config.args.map((_, index) => text(['args', index]));
        const paths = {
          ...(config.cwd === undefined ? {} : { cwd: this.path(text(['cwd'])) }),
          ...(config.envFile === undefined ? {} : { envFile: this.path(text(['envFile'])) }),
        };
        return { type: 'stdio', command: text(['command']), args, env: record('env', config.env), ...paths };
      }
      case 'http':
      case 'sse': {
        const { clientId, clientSecret } = config.oauth ?? {};
        const client = {
          ...(clientId === undefined ? {} : { clientId: text(['oauth', 'clientId']) }),
          ...(clientSecret === undefined ? {} : { clientSecret: text(['oauth', 'clientSecret']) }),
        };
        return {
          type: config.type,
          url: text(['url']),
          headers: record('headers', config.headers),
          ...(config.oauth === undefined ? {} : { oauth: { ...config.oauth, ...client } }),
        };
      }
      case 'sdk':
        return config;
    }
  }

  /** Looks at what came out: values from outside can be anything. */
  check(config: McpConfig): void {
    for (const { path, value } of valuesOf(config)) if (value.includes('\0')) this.add(path, t('The value contains a null character.'));
    if (config.type === 'stdio') this.checkProcess(config);
    if (config.type === 'http' || config.type === 'sse') this.checkRemote(config);
  }

  private checkProcess({ command, env }: McpStdioConfig): void {
    const problem = commandProblem(command);
    if (problem !== undefined) this.add(['command'], problem);
    for (const [name, value] of Object.entries(env)) if (looksSecret(name, value)) this.secrets.add(value);
  }

  private checkRemote({ url, headers, oauth }: McpRemoteConfig): void {
    const problem = urlProblem(url);
    if (problem !== undefined) this.add(['url'], problem);
    for (const [name, value] of Object.entries(headers)) {
      if (!isHeaderValue(value)) this.add(['headers', name], t('The value contains characters that no header can have.'));
      this.secrets.add(value);
      // Messages of servers repeat the credential without its scheme.
      const [, credential] = /^\S+ +(\S+)$/.exec(value) ?? [];
      if (credential !== undefined) this.secrets.add(credential);
    }
    if (oauth?.clientSecret !== undefined) this.secrets.add(oauth.clientSecret);
  }

  private text(value: string, path: readonly (string | number)[]): string {
    const template = parseTemplate(value, this.entry.source.format);
    if ('problem' in template) {
      this.add(path, template.problem);
      return '';
    }
    return template.map((part) => (typeof part === 'string' ? part : this.value(part, path))).join('');
  }

  private value(variable: Variable, path: readonly (string | number)[]): string {
    const value = valueOf(variable, this.entry, this.values);
    if (value !== undefined) {
      if (this.isSecret(variable, value)) this.secrets.add(value);
      return value;
    }
    if (variable.kind === 'input') this.missing.add(variable.id);
    else this.add(path, missingValue(variable));
    return '';
  }

  /** Paths and what every program knows are no secrets; hiding them would make logs useless. */
  private isSecret(variable: Variable, value: string): boolean {
    if (variable.kind === 'input') return true;
    if (variable.kind === 'place' || isBasic(variable.name, this.values.platform)) return false;
    return !isAbsolute(value) || looksSecret(variable.name, value);
  }

  /** A path in an entry is relative to its workspace folder. */
  private path(path: string): string {
    return resolve(folderOf(this.entry, this.values)?.path ?? this.values.home, path);
  }

  private add(path: readonly (string | number)[], message: string): void {
    const { name, source } = this.entry;
    this.problems.push({ file: source.file, key: keyPath([name, ...path]), ...present({ line: source.line }), message });
  }
}

function missingValue(variable: Exclude<Variable, { readonly kind: 'input' }>): string {
  if (variable.kind === 'environment')
    return t('The variable {0} is not set in the environment of VS Code. Set it, and restart VS Code.', shownName(variable.name));
  return variable.folder === undefined
    ? t('The entry needs a workspace folder, and none is open.')
    : t('There is no workspace folder called “{0}”.', shownName(variable.folder));
}
