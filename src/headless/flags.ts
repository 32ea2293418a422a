import { parseArgs } from 'node:util';
import { PERMISSION_MODES, type PermissionMode } from '../domain/tool/permission.js';
import { type JsonSchema } from '../domain/tool/tool.js';
import { THINKING_EFFORTS, type ThinkingEffort } from '../domain/model/effort.js';

/** How what the program says is written: sentences, one JSON object at the end, or one object a line. */
export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
/** One of {@link OUTPUT_FORMATS}. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** Layers of configuration files that can be left out. */
export const SETTING_SOURCES = ['user', 'project', 'local'] as const;
/** One of {@link SETTING_SOURCES}. */
export type SettingSource = (typeof SETTING_SOURCES)[number];

/** The mode that a run begins in. */
export interface StartMode {
  /** As it was asked for; absent where it was not. */
  readonly asked?: string;
  /** Absent: that of the settings. */
  readonly mode?: PermissionMode;
  /** Whether every prompt is a denial. */
  readonly neverAsks: boolean;
}

/** Which conversation a run goes on with. */
export type Continued = { readonly kind: 'new' } | { readonly kind: 'newest' } | { readonly kind: 'named'; readonly id: string };

/** What a run is asked to do, from the command line. */
export interface RunOptions {
  /** What stands on the command line; absent: it comes from standard input. */
  readonly prompt?: string;
  readonly output: OutputFormat;
  /** Whether standard input is one JSON object a line, in the protocol of the Agent SDKs. */
  readonly inputIsProtocol: boolean;
  /** Whether an answer is reported while it comes. */
  readonly partialMessages: boolean;
  /** Whether the messages of the user are written, too. */
  readonly replaysUserMessages: boolean;
  /** Whether permission is asked for by the protocol. */
  readonly asksByProtocol: boolean;
  /** `provider/model`, or a name that a file could have, such as `opus`. */
  readonly model?: string;
  readonly effort?: ThinkingEffort;
  readonly mode: StartMode;
  /** Whether the mode may become one that asks for nothing. */
  readonly mayBypass: boolean;
  /** Requests to the model for one message at most; at least 1. */
  readonly maxTurns?: number;
  /** US dollars for the whole run. */
  readonly maxBudgetUsd?: number;
  /** Absolute or relative paths of folders beside the current one. */
  readonly addedFolders: readonly string[];
  readonly continued: Continued;
  readonly fork: boolean;
  /** The id of a new session. */
  readonly sessionId?: string;
  /** Whether the session is stored. */
  readonly persists: boolean;
  readonly storage: 'own' | 'vscode';
  /** The form of the answer. */
  readonly schema?: JsonSchema;
  /** Rules, as they are written. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  /** The tools that there are; absent: all. */
  readonly tools?: readonly string[];
  /** Files, or JSON, with servers. */
  readonly mcpConfigs: readonly string[];
  /** Whether there are no other servers than these. */
  readonly onlyTheseServers: boolean;
  /** A file, or JSON, with settings. */
  readonly settings?: string;
  /** Absent: all. */
  readonly sources?: readonly SettingSource[];
  readonly agent?: string;
  /** Takes the place of the whole system prompt. */
  readonly systemPrompt?: string;
  readonly appendedPrompt?: string;
  readonly trustsProject: boolean;
}

/** What a command line says. */
export type CommandLine =
  | { readonly kind: 'run'; readonly options: RunOptions; readonly warnings: readonly string[] }
  | { readonly kind: 'command'; readonly name: Subcommand; readonly args: readonly string[] }
  | { readonly kind: 'version' | 'help' }
  /** It cannot be followed; `why` is a sentence for the user. */
  | { readonly kind: 'refused'; readonly why: string };

/** What the program does beside running a prompt. */
export const SUBCOMMANDS = ['sessions'] as const;
/** One of {@link SUBCOMMANDS}. */
export type Subcommand = (typeof SUBCOMMANDS)[number];

/** A flag. Names and meanings are those of Claude Code where it has the same (code.claude.com/docs, “CLI reference”), so that scripts and Agent SDKs can use either. */
interface Flag {
  readonly name: string;
  readonly short?: string;
  /** Other spellings. */
  readonly also?: readonly string[];
  /** What stands for its value in the help; absent for a switch. */
  readonly value?: string;
  /** Whether it may be given more than once. */
  readonly many?: true;
  /** What it does, for the help; absent for one that the Agent SDKs give and users need not know. */
  readonly help?: string;
}

const FLAGS: readonly Flag[] = [
  { name: 'print', short: 'p', help: 'Run the prompt and exit. This is what happens without it, too.' },
  { name: 'output-format', value: 'FORMAT', help: 'text (default), json (one object at the end), or stream-json (one object a line)' },
  { name: 'input-format', value: 'FORMAT', help: 'text (default), or stream-json (the protocol of the Agent SDKs)' },
  { name: 'model', value: 'MODEL', help: 'provider/model, such as anthropic/claude-sonnet-5-5 or demo/demo' },
  { name: 'effort', value: 'EFFORT', help: `How much the model thinks: ${THINKING_EFFORTS.join(', ')}` },
  { name: 'permission-mode', value: 'MODE', help: `What may be done without a question: ${PERMISSION_MODES.join(', ')}` },
  { name: 'allowedTools', also: ['allowed-tools'], value: 'RULES', many: true, help: 'Rules of what needs no question, such as "Bash(npm test:*),Edit"' },
  { name: 'disallowedTools', also: ['disallowed-tools'], value: 'RULES', many: true, help: 'Rules of what is denied' },
  { name: 'tools', value: 'NAMES', many: true, help: 'The only tools that there are; "" for none, "default" for all' },
  { name: 'max-turns', value: 'N', help: 'Requests to the model for one message at most' },
  { name: 'max-budget-usd', value: 'USD', help: 'What the run may cost at most' },
  { name: 'add-dir', value: 'PATH', many: true, help: 'Another folder to work in' },
  { name: 'continue', short: 'c', help: 'Go on with the newest session of this folder' },
  { name: 'resume', short: 'r', value: 'ID', help: 'Go on with a session' },
  { name: 'fork-session', help: 'Leave the session that is gone on with as it is, and go on in a copy' },
  { name: 'session-id', value: 'ID', help: 'The id of a new session' },
  { name: 'no-session-persistence', help: 'Do not store the session' },
  { name: 'session-storage', value: 'PLACE', help: 'own (default), or vscode: where the chats of this folder are in VS Code' },
  { name: 'json-schema', value: 'SCHEMA', help: 'JSON Schema of the answer, which is in structured_output then' },
  { name: 'mcp-config', value: 'FILE', many: true, help: 'A file, or JSON, with MCP servers' },
  { name: 'strict-mcp-config', help: 'No other MCP servers than those of --mcp-config' },
  { name: 'settings', value: 'FILE', help: 'A file, or JSON, with settings, which go before all others' },
  { name: 'setting-sources', value: 'SOURCES', help: `Layers of configuration files to read: ${SETTING_SOURCES.join(', ')}` },
  { name: 'agent', value: 'NAME', help: 'The agent that works' },
  { name: 'system-prompt', value: 'TEXT', help: 'Takes the place of the system prompt' },
  { name: 'append-system-prompt', value: 'TEXT', help: 'Is added to the system prompt' },
  { name: 'trust-project', help: 'Use what the repository brings: hooks, servers, allow rules, instructions. Only for code that you trust' },
  { name: 'dangerously-skip-permissions', help: 'The same as --permission-mode bypassPermissions; only in a container or virtual machine' },
  { name: 'include-partial-messages', help: 'With stream-json: report answers while they come' },
  { name: 'help', short: 'h', help: 'Show this' },
  { name: 'version', short: 'v', help: 'Show the version' },
  { name: 'verbose' },
  { name: 'replay-user-messages' },
  { name: 'permission-prompt-tool', value: 'NAME' },
  { name: 'allow-dangerously-skip-permissions' },
];

/**
 * Flags of Claude Code that Gnomon has no use for, and that neither restrict nor loosen what may be done: they are ignored with a warning.
 * Any other that is not known is refused, as it could be one that restricts.
 */
const NEUTRAL: readonly Flag[] = [
  { name: 'betas', value: '' },
  { name: 'debug', value: '' },
  { name: 'debug-file', value: '' },
  { name: 'fallback-model', value: '' },
  { name: 'include-hook-events' },
  { name: 'max-thinking-tokens', value: '' },
  { name: 'thinking', value: '' },
  { name: 'plugin-dir', value: '', many: true },
  { name: 'await-initialize' },
  { name: 'ide' },
];

/** What a flag can be given for its value by a program that leaves it out. */
const ANY_VALUE: readonly string[] = ['debug'];

/** Modes of other products, and the one of ours that is no looser (decision of the owner): of `dontAsk`, every prompt is a denial. */
const FOREIGN_MODES: Readonly<Record<string, StartMode>> = {
  auto: { mode: 'default', neverAsks: false },
  manual: { mode: 'default', neverAsks: false },
  dontAsk: { mode: 'default', neverAsks: true },
};

/** Turns that a run may have at most when it says so; more is a mistake. */
const MOST_TURNS = 10_000;

class Refused extends Error {}

/** Reads a command line, without the program’s own name. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const [first, ...rest] = args;
  const name = SUBCOMMANDS.find((each) => each === first);
  if (name !== undefined) return { kind: 'command', name, args: rest };
  try {
    const given = Given.in(args);
    if (given.has('help')) return { kind: 'help' };
    if (given.has('version')) return { kind: 'version' };
    return { kind: 'run', options: optionsOf(given), warnings: given.warnings };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', why: error.message };
    throw error;
  }
}

/** The help, in lines of at most 100 characters. */
export function helpText(program: string): string {
  const shown = FLAGS.flatMap(({ name, short, value, help }) => {
    if (help === undefined) return [];
    const names = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
    return [names.length < 32 ? `  ${names.padEnd(32)}${help}` : `  ${names}\n${' '.repeat(34)}${help}`];
  });
  return [
    `Usage: ${program} [OPTION …] [-p] PROMPT`,
    `       ${program} sessions [list | show ID | rename ID TITLE | export ID | delete ID]`,
    '',
    'Gnomon works on the folder it is started in. What stands in a pipe goes with the prompt.',
    '',
    ...shown,
    '',
    'Exit codes: 0 done, 1 it failed or was stopped, 2 the command line is wrong, 130 interrupted, 143 terminated.',
    '',
  ].join('\n');
}

/** The flags that were given. */
class Given {
  private constructor(
    private readonly values: ReadonlyMap<string, readonly string[]>,
    readonly words: readonly string[],
    readonly warnings: readonly string[],
  ) {}

  /** @throws Refused for a flag that is not known, or has no value */
  static in(args: readonly string[]): Given {
    const names = new Map([...FLAGS, ...NEUTRAL].flatMap((flag) => [flag.name, ...(flag.also ?? [])].map((name) => [name, flag] as const)));
    const options = Object.fromEntries(
      [...names].map(([name, { short, value }]) => [name, { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short !== undefined && name === names.get(name)?.name ? { short } : {}) }]),
    );
    const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
    const [values, words, warnings]: [Map<string, string[]>, string[], string[]] = [new Map(), [], []];
    for (const token of tokens) {
      if (token.kind === 'positional') words.push(token.value);
      if (token.kind !== 'option') continue;
      const flag = names.get(token.name);
      if (flag === undefined) throw new Refused(unknownFlag(token.rawName, [...names.keys()]));
      const value = token.value ?? '';
      if (flag.value !== undefined && token.value === undefined && !ANY_VALUE.includes(flag.name)) throw new Refused(`${token.rawName} needs a value.`);
      if (flag.value === undefined && token.value !== undefined) throw new Refused(`${token.rawName} takes no value.`);
      if (NEUTRAL.includes(flag)) warnings.push(`${token.rawName} has no effect in Gnomon.`);
      const known = values.get(flag.name);
      if (known !== undefined && flag.value !== undefined && flag.many !== true && known.at(-1) !== value) throw new Refused(`${token.rawName} is there twice.`);
      values.set(flag.name, [...(known ?? []), value]);
    }
    return new Given(values, words, warnings);
  }

  has(name: string): boolean {
    return this.values.has(name);
  }

  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  one(name: string): string | undefined {
    return this.all(name).at(-1);
  }

  /** @throws Refused for any other than one of these */
  choice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    const value = this.one(name);
    const found = choices.find((each) => each === value);
    if (value !== undefined && found === undefined) throw new Refused(`--${name} cannot be “${value}”. It can be ${choices.join(', ')}.`);
    return found;
  }

  /** @throws Refused for what is no number, or not within these limits */
  number(name: string, { least, most, whole }: { readonly least: number; readonly most: number; readonly whole: boolean }): number | undefined {
    const text = this.one(name);
    if (text === undefined) return undefined;
    const value = text.trim() === '' ? Number.NaN : Number(text);
    if (!Number.isFinite(value) || value < least || value > most || (whole && !Number.isInteger(value)))
      throw new Refused(`--${name} must be ${whole ? 'a whole number' : 'a number'} from ${least} to ${most}, and not “${text}”.`);
    return value;
  }
}

/** Says what could have been meant. */
function unknownFlag(raw: string, known: readonly string[]): string {
  const plain = (name: string): string => name.toLowerCase().replaceAll('-', '');
  const near = known.find((name) => plain(name) === plain(raw)) ?? known.find((name) => plain(name).startsWith(plain(raw)) && plain(raw).length > 2);
  return `The option ${raw} is not known, so nothing was run: it could be one that restricts what may be done.${near === undefined ? ' --help lists all options.' : ` Did you mean --${near}?`}`;
}

function optionsOf(given: Given): RunOptions {
  const output = given.choice('output-format', OUTPUT_FORMATS) ?? 'text';
  const inputIsProtocol = given.choice('input-format', ['text', 'stream-json']) === 'stream-json';
  if (inputIsProtocol && output !== 'stream-json') throw new Refused('--input-format stream-json needs --output-format stream-json.');
  // Programs give an empty one where they have none.
  const words = given.words.filter((word) => word !== '');
  if (inputIsProtocol && words.length > 0) throw new Refused('With --input-format stream-json, prompts come on standard input only.');
  const partialMessages = given.has('include-partial-messages');
  if (partialMessages && output !== 'stream-json') throw new Refused('--include-partial-messages needs --output-format stream-json.');
  const mode = modeIn(given);
  return {
    ...(words.length === 0 ? {} : { prompt: words.join(' ') }),
    output,
    inputIsProtocol,
    partialMessages,
    replaysUserMessages: given.has('replay-user-messages'),
    asksByProtocol: asksByProtocol(given, inputIsProtocol),
    ...optional('model', given.one('model')),
    ...optional('effort', given.choice('effort', THINKING_EFFORTS)),
    mode,
    mayBypass: mode.mode === 'bypassPermissions' || given.has('allow-dangerously-skip-permissions'),
    ...optional('maxTurns', given.number('max-turns', { least: 1, most: MOST_TURNS, whole: true })),
    ...optional('maxBudgetUsd', given.number('max-budget-usd', { least: 0, most: 1_000_000, whole: false })),
    addedFolders: given.all('add-dir').filter((path) => path !== ''),
    ...sessionIn(given),
    ...optional('schema', schemaIn(given)),
    allowed: given.all('allowedTools').flatMap(rulesIn),
    denied: given.all('disallowedTools').flatMap(rulesIn),
    ...optional('tools', toolsIn(given)),
    mcpConfigs: given.all('mcp-config').filter((each) => each !== ''),
    onlyTheseServers: given.has('strict-mcp-config'),
    ...optional('settings', given.one('settings')),
    ...optional('sources', sourcesIn(given)),
    ...optional('agent', given.one('agent')),
    ...optional('systemPrompt', given.one('system-prompt') === '' ? undefined : given.one('system-prompt')),
    ...optional('appendedPrompt', given.one('append-system-prompt')),
    trustsProject: given.has('trust-project'),
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [Key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [Key in K]?: V });
}

function modeIn(given: Given): StartMode {
  const asked = given.one('permission-mode');
  if (given.has('dangerously-skip-permissions')) {
    if (asked !== undefined && asked !== 'bypassPermissions') throw new Refused(`--dangerously-skip-permissions and --permission-mode ${asked} contradict each other.`);
    return { asked: 'bypassPermissions', mode: 'bypassPermissions', neverAsks: false };
  }
  if (asked === undefined) return { neverAsks: false };
  const found = readMode(asked);
  if (found === undefined) throw new Refused(`The permission mode “${asked}” is not known. It can be ${PERMISSION_MODES.join(', ')}.`);
  return found;
}

/** The mode that a name means; `undefined` where it means none. */
export function readMode(asked: string): StartMode | undefined {
  const own = PERMISSION_MODES.find((mode) => mode === asked);
  const foreign = Object.hasOwn(FOREIGN_MODES, asked) ? FOREIGN_MODES[asked] : undefined;
  return own === undefined ? foreign && { ...foreign, asked } : { asked, mode: own, neverAsks: false };
}

/** Only the protocol itself can be asked: the tool of a server that decides for the user is none of Gnomon’s. */
function asksByProtocol(given: Given, inputIsProtocol: boolean): boolean {
  const tool = given.one('permission-prompt-tool');
  if (tool === undefined) return false;
  if (tool !== 'stdio') throw new Refused(`--permission-prompt-tool can only be stdio, and not “${tool}”.`);
  if (!inputIsProtocol) throw new Refused('--permission-prompt-tool stdio needs --input-format stream-json.');
  return true;
}

function sessionIn(given: Given): Pick<RunOptions, 'continued' | 'fork' | 'sessionId' | 'persists' | 'storage'> {
  const named = given.one('resume');
  if (named !== undefined && given.has('continue')) throw new Refused('--resume and --continue contradict each other.');
  const continued: Continued = named !== undefined ? { kind: 'named', id: named } : { kind: given.has('continue') ? 'newest' : 'new' };
  const fork = given.has('fork-session');
  if (fork && continued.kind === 'new') throw new Refused('--fork-session needs --resume or --continue.');
  const id = given.one('session-id');
  if (id !== undefined && continued.kind !== 'new' && !fork) throw new Refused('--session-id is for a new session: use it without --resume and --continue, or with --fork-session.');
  return {
    continued,
    fork,
    ...optional('sessionId', id),
    persists: !given.has('no-session-persistence'),
    storage: given.choice('session-storage', ['own', 'vscode']) ?? 'own',
  };
}

function schemaIn(given: Given): JsonSchema | undefined {
  const text = given.one('json-schema');
  if (text === undefined) return undefined;
  const schema = json(text);
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) throw new Refused('--json-schema must be a JSON Schema: an object in braces.');
  return schema as JsonSchema;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function toolsIn(given: Given): readonly string[] | undefined {
  if (!given.has('tools')) return undefined;
  const names = given.all('tools').flatMap(rulesIn);
  return names.includes('default') ? undefined : names;
}

function sourcesIn(given: Given): readonly SettingSource[] | undefined {
  const text = given.one('setting-sources');
  if (text === undefined) return undefined;
  return rulesIn(text).map((name) => {
    const found = SETTING_SOURCES.find((each) => each === name);
    if (found === undefined) throw new Refused(`--setting-sources cannot have “${name}”. It can have ${SETTING_SOURCES.join(', ')}.`);
    return found;
  });
}

/** Splits a list at commas and spaces that stand in no parentheses: `Bash(git log:*), Edit`. */
export function rulesIn(list: string): readonly string[] {
  const rules: string[] = [];
  let [depth, current] = [0, ''];
  for (const character of list) {
    if (depth === 0 && (character === ',' || /\s/.test(character))) {
      rules.push(current);
      current = '';
      continue;
    }
    if (character === '(') depth += 1;
    if (character === ')') depth = Math.max(0, depth - 1);
    current += character;
  }
  return [...rules, current].filter((rule) => rule !== '');
}
