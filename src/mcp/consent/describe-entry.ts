import { present } from '../../domain/present.js';
import { escapeHidden, hiddenCharacters } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { McpConfig, McpEntry, McpTransport } from '../../domain/mcp/config.js';
import { isLoopback } from '../config/addresses.js';
import { serverId } from '../../domain/mcp/tool-name.js';
import { parseTemplate } from '../config/template.js';
import { valuesOf, variablesOf } from '../config/used-inputs.js';
import { quoted } from '../../text/approved-text.js';
import { isSteering } from '../../text/command-line/programs.js';
import { programOf } from '../../text/command-paths.js';

/**
 * An entry as the user sees it before they approve it: as it is written, nothing left out and nothing invisible, and without any value of the
 * environment. Of what can be a credential, only the names are there.
 */
export interface EntryDescription {
  readonly id: string;
  readonly name: string;
  readonly type: McpTransport;
  /** Absolute path of the file, or the key of the setting. */
  readonly file: string;
  readonly line?: number;
  /** In quotes where spaces or an empty text would not be seen otherwise; so are arguments. */
  readonly command?: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly envFile?: string;
  readonly env: readonly string[];
  readonly url?: string;
  readonly headers: readonly string[];
  /** As what Gnomon signs in, and for what, where the entry says so. */
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  /** Variables that are read from the environment of VS Code. */
  readonly reads: readonly string[];
  /** Ids of what the user is asked for. */
  readonly inputs: readonly string[];
  /** Warnings for the user, as sentences. */
  readonly warnings: readonly string[];
}

/** Describes an entry for the question whether its server may start. @param beside with `binding`, what approvals are not bound to is said beside it */
export function describeEntry(entry: McpEntry, beside?: 'binding'): EntryDescription {
  const { name, source, config } = entry;
  const variables = variablesOf(entry);
  const reads = unique(variables.flatMap((variable) => (variable.kind === 'environment' ? [escapeHidden(variable.name)] : [])));
  return {
    id: serverId(name),
    name: escapeHidden(name),
    type: config.type,
    file: escapeHidden(source.file),
    ...present({ line: source.line }),
    ...fieldsOf(config),
    reads,
    inputs: unique(variables.flatMap((variable) => (variable.kind === 'input' ? [escapeHidden(variable.id)] : []))),
    warnings: warningsOf(entry, reads, beside),
  };
}

/** Command line or URL of an entry, on one line. */
export function startLine({ config }: Pick<McpEntry, 'config'>): string {
  switch (config.type) {
    case 'stdio':
      return [config.command, ...config.args].map(argument).join(' ');
    case 'http':
    case 'sse':
      return escapeHidden(config.url);
    case 'sdk':
      return escapeHidden(config.name);
  }
}

type Fields = Pick<EntryDescription, 'command' | 'args' | 'cwd' | 'envFile' | 'env' | 'url' | 'headers' | 'clientId' | 'scopes'>;

function fieldsOf(config: McpConfig): Fields {
  switch (config.type) {
    case 'stdio': {
      const paths = {
        ...(config.cwd === undefined ? {} : { cwd: argument(config.cwd) }),
        ...(config.envFile === undefined ? {} : { envFile: argument(config.envFile) }),
      };
      return { command: argument(config.command), args: config.args.map(argument), ...paths, env: Object.keys(config.env).map(escapeHidden), headers: [] };
    }
    case 'http':
    case 'sse': {
      const { clientId, scopes } = config.oauth ?? {};
      const client = {
        ...(clientId === undefined ? {} : { clientId: escapeHidden(clientId) }),
        ...(scopes === undefined ? {} : { scopes: scopes.map(escapeHidden) }),
      };
      return { args: [], env: [], url: escapeHidden(config.url), headers: Object.keys(config.headers).map(escapeHidden), ...client };
    }
    case 'sdk':
      return { args: [], env: [], headers: [] };
  }
}

/** An argument, in quotes unless it is plainly one word. */
function argument(text: string): string {
  return /^[\w@%+=:,./\\${}~^-]+$/.test(text) ? text : quoted(text);
}

function warningsOf(entry: McpEntry, reads: readonly string[], beside: 'binding' | undefined): readonly string[] {
  const { config } = entry;
  const hidden = hiddenCharacters([entry.name, ...valuesOf(config).flatMap(({ path, value }) => [...path.map(String), value])].join('\n'));
  const lineBreaks = valuesOf(config).some(({ value }) => /[\n\t]/.test(value));
  return [
    ...(hidden === undefined
      ? []
      : [t('The entry contains characters that cannot be seen or that look like a space: {0}. They are shown as escapes.', hidden)]),
    ...(lineBreaks ? [t('A value contains a line break or a tab. They are shown as escapes.')] : []),
    ...(config.type === 'stdio' ? processWarnings(config, beside) : []),
    ...(config.type === 'http' || config.type === 'sse' ? remoteWarnings(entry, config.url) : []),
    ...(reads.length === 0 ? [] : [t('The server is given the values of these variables of your environment: {0}.', reads.join(', '))]),
  ];
}

/** Shells, which run a text that can do anything. */
const SHELL = /^(?:sh|bash|zsh|dash|ash|ksh|csh|tcsh|fish|nu|elvish|cmd|powershell|pwsh|wsl|busybox)$/;
/** Programs that start the program that is named behind them. */
const WRAPPER = /^(?:env|nohup|nice|setsid|stdbuf|timeout|time|sudo|doas|exec|command|xargs|start)$/;
/** Programs that take code as an argument, and the options for that. */
const INLINE_CODE: readonly { readonly programs: RegExp; readonly options: RegExp }[] = [
  { programs: /^(?:node|nodejs|bun|deno|tsx|perl|ruby|lua)$/, options: /^(?:-[a-z]*[eEp]|--eval(?:=.*)?|--print(?:=.*)?|eval)$/s },
  { programs: /^(?:python[\d.]*w?|pypy[\d.]*|py)$/, options: /^-[a-zA-Z]*c/s },
  { programs: /^php[\d.]*$/, options: /^(?:-r|--run)/s },
];
/** Programs that get another one from the network and run it. */
const RUNNER = /^(?:npx|bunx|uvx|pipx|pnpx|docker|podman|nix)$/;
/** The same as a command of a package manager. */
const RUNNER_COMMANDS: Readonly<Record<string, RegExp>> = {
  npm: /^(?:exec|x|create|init)$/,
  pnpm: /^(?:dlx|exec)$/,
  yarn: /^dlx$/,
  bun: /^x$/,
  uv: /^(?:run|tool|x)$/,
  go: /^run$/,
  deno: /^run$/,
};

function processWarnings({ command, args, env }: Extract<McpConfig, { readonly type: 'stdio' }>, beside: 'binding' | undefined): readonly string[] {
  const { program, rest } = startedProgram(command, args);
  const steering = Object.keys(env).filter(isSteering).map(escapeHidden);
  const downloads = RUNNER.test(program) || RUNNER_COMMANDS[program]?.test(rest[0] ?? '') === true;
  const takesCode = INLINE_CODE.some(({ programs, options }) => programs.test(program) && rest.some((arg) => options.test(arg)));
  return [
    ...(SHELL.test(program) ? [t('The command is a shell, which can do anything that its arguments say. Read all of them.')] : []),
    ...(takesCode ? [t('The program runs code that is in its arguments. Read all of them.')] : []),
    ...(beside !== 'binding' && downloads
      ? [t('The program may download what it runs. Gnomon cannot notice when that changes, unless its version is part of the arguments.')]
      : []),
    ...(beside === 'binding' || steering.length === 0 ? [] : [t('These variables can change what code runs, or whom it trusts: {0}.', steering.join(', '))]),
  ];
}

/** The program that a command line starts in the end, behind those that only start another. */
function startedProgram(command: string, args: readonly string[]): { readonly program: string; readonly rest: readonly string[] } {
  let program = programOf(command);
  let rest = args;
  while (WRAPPER.test(program) && rest.length > 0) {
    const index = rest.findIndex((arg) => !/^-|=|^\d+[smhd]?$/.test(arg));
    // With `env -S`, all of it is in one argument.
    const [first = '', ...more] = (rest[index] ?? '').split(/\s+/);
    program = programOf(first);
    rest = index === -1 ? [] : [...more, ...rest.slice(index + 1)];
  }
  return { program, rest };
}

function remoteWarnings(entry: McpEntry, url: string): readonly string[] {
  const template = parseTemplate(url, entry.source.format);
  const parts = 'problem' in template ? [url] : template;
  // A number in place of each variable, which can be a port but no machine of ours.
  const sample = parts.map((part) => (typeof part === 'string' ? part : '1')).join('');
  const [first = ''] = parts;
  const [, host] = (typeof first === 'string' ? /^https?:\/\/(.*)$/is.exec(first) : null) ?? [];
  const isOpen = parts.length > 1 || typeof first !== 'string' ? host === undefined || !/[/:?#]/.test(host) : false;
  return [
    ...(isOpen ? [t('Where the server is depends on a variable: {0}', escapeHidden(url))] : []),
    ...(/^http:/i.test(sample) && !isLoopback(sample)
      ? [t('The connection is not encrypted: everyone on the way to the server can read and change what is sent.')]
      : []),
  ];
}

function unique(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}
