import * as vscode from 'vscode';
import { type PermissionMode, parsePermissionMode } from '../../domain/tool/permission.js';
import type { SandboxChoices } from '../../domain/workspace/sandbox.js';
import { type ThinkingEffort, parseThinkingEffort } from '../../domain/model/effort.js';
import type { CacheDuration } from '../../provider/anthropic/endpoint.js';
import type { Caps } from '../../engine/turn/caps.js';
import type { InstructionChoices } from '../../node/instructions/instructions.js';

const NOTIFICATIONS = ['off', 'needsYou', 'all'] as const;
/** What the user is notified of in notifications. */
export type Notifications = (typeof NOTIFICATIONS)[number];

/** Who can search the web: the user's own service or else the model's provider, one of them in particular, or nobody. */
const SEARCH_PROVIDERS = ['auto', 'model', 'searxng', 'brave', 'off'] as const;
type SearchProvider = (typeof SEARCH_PROVIDERS)[number];

/** What the user set about searches of the web. */
export interface SearchChoice {
  readonly provider: SearchProvider;
  /** Address of the user's SearXNG server; empty for none. */
  readonly searxngUrl: string;
}

/** With less, the system prompt, a summary and the last rounds would already be too much. */
const LEAST_COMPACT_TOKENS = 20_000;

/** The user's settings, read afresh at each call. All are of scope `application`: a workspace cannot set them. */
export const settings = {
  /** `provider/model`, or empty. */
  model: (): string => read('model', ''),
  /** The mode for new sessions. What is not a known mode counts as the strictest that asks. */
  permissionMode: (): PermissionMode => parsePermissionMode(read('permissionMode', 'default')) ?? 'ask',
  /** The name of the output style; empty for none. */
  outputStyle: (): string => read('outputStyle', ''),
  /** What the user adds to the system prompt of all chats; empty for nothing. */
  promptAddition: (): string => read('systemPromptAddition', ''),
  /** Requests to the model for one message at most. */
  maxRounds: (): number => Math.max(1, Math.trunc(read('maxRounds', 200))),
  /** Attempts to get an answer again, after a failure that passes. */
  maxRetries: (): number => Math.min(20, Math.max(0, Math.trunc(read('maxRetries', 8)))),
  /** What one session may use at most; 0 and less is no limit. */
  caps: (): Caps => ({ ...limit('maxTurns', Math.trunc(read('maxTurns', 0))), ...limit('maxCostUsd', read('maxCostUsd', 0)) }),
  /** How full, in percent, the context may get before a session is summarized on its own; 0 for never. */
  autoCompactThreshold: (): number => {
    const percent = Math.trunc(read('autoCompactThreshold', 85));
    return percent <= 0 ? 0 : Math.min(95, Math.max(50, percent));
  },
  /** How many tokens the context may have before that, however large the window is; 0 for any. */
  autoCompactMaxTokens: (): number => {
    const tokens = Math.trunc(read('autoCompactMaxTokens', 0));
    return tokens <= 0 ? 0 : Math.max(LEAST_COMPACT_TOKENS, tokens);
  },
  /** Whether a message waits for the user's choice when it writes a large chat to the provider's cache again. */
  warnColdCache: (): boolean => read('warnColdCache', true),
  /** Address of the Anthropic endpoint, from the setting or the environment; `undefined` for Anthropic itself. */
  anthropicBaseUrl: (): string | undefined => nonEmpty(read('anthropic.baseUrl', '')) ?? nonEmpty(process.env['ANTHROPIC_BASE_URL']),
  /** How long Anthropic keeps prompts in its cache. What is not a known value counts as the default. */
  anthropicCacheDuration: (): CacheDuration => (read<string>('anthropic.cacheDuration', '5m') === '1h' ? '1h' : '5m'),
  /** What the user says of models and endpoints, not yet checked. */
  customModels: (): unknown => vscode.workspace.getConfiguration('gnomon').get('models'),
  customProviders: (): unknown => vscode.workspace.getConfiguration('gnomon').get('providers'),
  /** Names of variables to pass to commands that would be withheld otherwise; a trailing `*` matches any ending. */
  commandVariables: (): readonly string[] => texts('commands.environment'),
  /** What the sandbox confines beside what runs without approval, and what it permits. */
  sandboxChoices: (): SandboxChoices => ({
    allowed: read('commands.sandboxAllowed', false),
    unasked: read('commands.runSandboxed', false),
    hosts: texts('commands.hosts'),
  }),
  /** Who searches the web. What is not a known value counts as nobody: the query must not go to anyone else. */
  webSearch: (): SearchChoice => ({
    provider: SEARCH_PROVIDERS.find((value) => value === read('webSearch.provider', 'auto')) ?? 'off',
    searxngUrl: read('webSearch.searxngUrl', '').trim(),
  }),
  /** Whether MCP servers may ask for answers of models. What is not a known value counts as no. */
  sampling: (): 'ask' | 'off' => (read<string>('mcp.sampling', 'off') === 'ask' ? 'ask' : 'off'),
  /** The user's own actions, not yet checked. */
  customActions: (): unknown => vscode.workspace.getConfiguration('gnomon').get('actions'),
  /** Which instruction files count beside those of the project. */
  instructionChoices: (): InstructionChoices => ({ own: read('instructions.user', true), otherTools: read('instructions.otherTools', true) }),
  /** Whether what is selected in the editor goes with messages, until the user says otherwise in the window. */
  includeSelection: (): boolean => read('includeSelection', true),
  /** Whether changes that are neither kept nor undone are colored in editors. */
  colorChanges: (): boolean => read('colorChanges', true),
  /** Whether a model improves the titles of sessions. */
  improveTitles: (): boolean => read('improveTitles', true),
  /** What the user is notified of in notifications; what is not a known value counts as the default. */
  notifications: (): Notifications => NOTIFICATIONS.find((value) => value === read('notifications', 'needsYou')) ?? 'needsYou',
  /** How much models think in new sessions. What is not a known effort counts as the default. */
  thinkingEffort: (): ThinkingEffort => parseThinkingEffort(read('thinkingEffort', 'medium')) ?? 'medium',
};

function read<T extends string | number | boolean>(key: string, fallback: T): T {
  const value: unknown = vscode.workspace.getConfiguration('gnomon').get(key);
  return typeof value === typeof fallback ? (value as T) : fallback;
}

function texts(key: string): readonly string[] {
  const value: unknown = vscode.workspace.getConfiguration('gnomon').get(key);
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

function limit(key: keyof Caps, value: number): Caps {
  return value > 0 ? { [key]: value } : {};
}

function nonEmpty(value: string | undefined): string | undefined {
  return value === undefined || value.trim() === '' ? undefined : value.trim();
}
