import { FILE_LAYERS, type FileLayer } from '../domain/config/origin.js';
import { PERMISSION_MODES, type PermissionMode } from '../domain/tool/permission.js';
import type { JsonSchema } from '../domain/tool/tool.js';
import { THINKING_EFFORTS, type ThinkingEffort } from '../domain/model/effort.js';
import { FLAGS, NEUTRAL, OUTPUT_FORMATS, STORAGES } from './flag-table.js';
import { Given, Refused } from './given.js';

/** One of {@link OUTPUT_FORMATS}. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** One of {@link STORAGES}. */
export type StorageKind = (typeof STORAGES)[number];

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
  /** Whether the first request is waited for before anything is read or started, as it can bring servers. */
  readonly awaitsInitialize: boolean;
  /** Whether permission is asked for by the protocol. */
  readonly asksByProtocol: boolean;
  /** `provider/model`, or a name that a file could have, such as `opus`. */
  readonly model?: string;
  readonly effort?: ThinkingEffort;
  /** Tokens that a model may think for at most; 0: it does not think. */
  readonly maxThinkingTokens?: number;
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
  /** Whether a window that has the session open is asked to release it. */
  readonly takesOver: boolean;
  /** The id of a new session. */
  readonly sessionId?: string;
  /** Whether the session is stored. */
  readonly persists: boolean;
  readonly storage: StorageKind;
  /** The form of the answer. */
  readonly schema?: JsonSchema;
  /** Rules, as they are written. */
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
  /** The tools that there are; absent: all. */
  readonly tools?: readonly string[];
  readonly agent?: string;
  /** Takes the place of the whole system prompt. */
  readonly systemPrompt?: string;
  readonly appendedPrompt?: string;
  readonly trustsProject: boolean;
  readonly configuration: WantedConfiguration;
}

/** What the command line says about configuration. */
export interface WantedConfiguration {
  /** A file, or JSON. */
  readonly settings?: string;
  /** The layers whose files are read; absent: all. */
  readonly layers?: readonly FileLayer[];
  /** Files with servers, or JSON. */
  readonly servers: readonly string[];
  readonly onlyTheseServers: boolean;
}

/** What a command line says. */
export type CommandLine =
  | { readonly kind: 'run'; readonly options: RunOptions; readonly warnings: readonly string[] }
  | { readonly kind: 'command'; readonly name: Subcommand; readonly args: readonly string[] }
  | { readonly kind: 'version' | 'help' }
  /** It cannot be followed; `why` is a sentence for the user. */
  | { readonly kind: 'refused'; readonly why: string };

/** What the program does beside running a prompt. */
export const SUBCOMMANDS = ['acp', 'mcp', 'sessions'] as const;
/** One of {@link SUBCOMMANDS}. */
export type Subcommand = (typeof SUBCOMMANDS)[number];

/** Modes of other products, and the one of ours that is no looser (decision of the owner): of `dontAsk`, every prompt is a denial. */
const FOREIGN_MODES: Readonly<Record<string, StartMode>> = {
  auto: { mode: 'default', neverAsks: false },
  manual: { mode: 'default', neverAsks: false },
  dontAsk: { mode: 'default', neverAsks: true },
};

/** Tokens of thinking at most; more is a mistake. */
const MOST_THINKING = 10_000_000;
/** Turns that a run may have at most when it says so; more is a mistake. */
const MOST_TURNS = 10_000;

/** Reads a command line, without the program’s own name. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const [first, ...rest] = args;
  const name = SUBCOMMANDS.find((each) => each === first);
  if (name !== undefined) return { kind: 'command', name, args: rest };
  const meant = meantBy(first, rest);
  if (meant !== undefined) return meant;
  try {
    const given = Given.in(args, { flags: FLAGS, neutral: NEUTRAL, refusal: ', so nothing was run: it could be one that restricts what may be done' });
    if (given.has('help')) return { kind: 'help' };
    if (given.has('version')) return { kind: 'version' };
    return { kind: 'run', options: optionsOf(given), warnings: given.warnings };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', why: error.message };
    throw error;
  }
}

/** What a word means that is a command of other programs; `undefined` where it begins a prompt, as it does with more words behind it. */
function meantBy(first: string | undefined, rest: readonly string[]): CommandLine | undefined {
  const [about] = rest;
  if (rest.length === 0 && (first === 'help' || first === 'version')) return { kind: first };
  const meant = first === undefined ? undefined : SUBCOMMANDS.find((each) => each.length > 3 && isNear(first, each));
  if (meant !== undefined)
    return { kind: 'refused', why: `There is no command “${first}”. Did you mean gnomon ${meant}? To send the word as a prompt, write -p before it.` };
  const name = SUBCOMMANDS.find((each) => each === about);
  return first === 'help' && name !== undefined && rest.length === 1 ? { kind: 'command', name, args: ['--help'] } : undefined;
}

/** Whether a word is another one with a letter too many, too few, or another one. */
function isNear(word: string, other: string): boolean {
  let at = 0;
  while (at < other.length && word[at] === other[at]) at += 1;
  return [word.slice(at + 1) === other.slice(at + 1), word.slice(at) === other.slice(at + 1), word.slice(at + 1) === other.slice(at)].includes(true);
}

/** What the flags say. @throws Refused where they cannot be followed */
export function optionsOf(given: Given): RunOptions {
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
    awaitsInitialize: inputIsProtocol && given.has('await-initialize'),
    asksByProtocol: asksByProtocol(given, inputIsProtocol),
    ...optional('model', given.one('model')),
    ...optional('effort', given.choice('effort', THINKING_EFFORTS)),
    ...optional('maxThinkingTokens', thinkingIn(given)),
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
    ...optional('agent', given.one('agent')),
    ...optional('systemPrompt', given.one('system-prompt') === '' ? undefined : given.one('system-prompt')),
    ...optional('appendedPrompt', given.one('append-system-prompt')),
    trustsProject: given.has('trust-project'),
    configuration: configurationIn(given),
  };
}

function optional<K extends string, V>(key: K, value: V | undefined): { readonly [Key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [Key in K]?: V });
}

function thinkingIn(given: Given): number | undefined {
  const most = given.number('max-thinking-tokens', { least: 0, most: MOST_THINKING, whole: true });
  return given.choice('thinking', ['adaptive', 'enabled', 'disabled']) === 'disabled' ? 0 : most;
}

function modeIn(given: Given): StartMode {
  const asked = given.one('permission-mode');
  const neverAsks = given.choice('permission-prompts', PROMPTS) === 'none';
  if (given.has('dangerously-skip-permissions')) {
    if (asked !== undefined && asked !== 'bypassPermissions')
      throw new Refused(`--dangerously-skip-permissions and --permission-mode ${asked} contradict each other.`);
    return { asked: 'bypassPermissions', mode: 'bypassPermissions', neverAsks: false };
  }
  if (asked === undefined) return { neverAsks };
  const found = readMode(asked);
  if (found === undefined) throw new Refused(`The permission mode “${asked}” is not known. It can be ${PERMISSION_MODES.join(', ')}.`);
  return { ...found, neverAsks: neverAsks || found.neverAsks };
}

/** The mode that a name means; `undefined` where it means none. */
export function readMode(asked: string): StartMode | undefined {
  const own = PERMISSION_MODES.find((mode) => mode === asked);
  const foreign = Object.hasOwn(FOREIGN_MODES, asked) ? FOREIGN_MODES[asked] : undefined;
  return own === undefined ? foreign && { ...foreign, asked } : { asked, mode: own, neverAsks: false };
}

/** Who answers what would be asked about: the program that started this one, or nobody, so that it is denied. */
const PROMPTS = ['host', 'none'] as const;

/** Only the protocol itself can be asked: the tool of a server that decides for the user is none of Gnomon’s. */
function asksByProtocol(given: Given, inputIsProtocol: boolean): boolean {
  const tool = given.one('permission-prompt-tool');
  if (tool === undefined) return false;
  if (tool !== 'stdio') throw new Refused(`--permission-prompt-tool can only be stdio, and not “${tool}”.`);
  if (!inputIsProtocol) throw new Refused('--permission-prompt-tool stdio needs --input-format stream-json.');
  return given.choice('permission-prompts', PROMPTS) !== 'none';
}

function sessionIn(given: Given): Pick<RunOptions, 'continued' | 'fork' | 'takesOver' | 'sessionId' | 'persists' | 'storage'> {
  const named = given.one('resume');
  if (named !== undefined && given.has('continue')) throw new Refused('--resume and --continue contradict each other.');
  const continued: Continued = named !== undefined ? { kind: 'named', id: named } : { kind: given.has('continue') ? 'newest' : 'new' };
  const fork = given.has('fork-session');
  if (fork && continued.kind === 'new') throw new Refused('--fork-session needs --resume or --continue.');
  const takesOver = given.has('take-over');
  if (takesOver && (fork || continued.kind === 'new')) throw new Refused('--take-over needs --resume or --continue, and goes without --fork-session.');
  const id = given.one('session-id');
  if (id !== undefined && continued.kind !== 'new' && !fork)
    throw new Refused('--session-id is for a new session: use it without --resume and --continue, or with --fork-session.');
  const persists = !given.has('no-session-persistence');
  if (!persists && continued.kind !== 'new') throw new Refused('--no-session-persistence is for a new session: use it without --resume and --continue.');
  return { continued, fork, takesOver, ...optional('sessionId', id), persists, storage: given.choice('session-storage', STORAGES) ?? 'own' };
}

function configurationIn(given: Given): WantedConfiguration {
  return {
    ...optional('settings', given.one('settings')),
    ...optional('layers', layersIn(given.one('setting-sources'))),
    servers: given.all('mcp-config'),
    onlyTheseServers: given.has('strict-mcp-config'),
  };
}

/** An empty list names no layer; an empty name in a list is a mistake. */
function layersIn(list: string | undefined): readonly FileLayer[] | undefined {
  if (list === undefined || list.trim() === '') return list === undefined ? undefined : [];
  return list.split(',').map((each) => {
    const layer = FILE_LAYERS.find((name) => name === each.trim());
    if (layer === undefined) throw new Refused(`--setting-sources cannot have “${each.trim()}”. It is a list of ${FILE_LAYERS.join(', ')}, with commas.`);
    return layer;
  });
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
