import * as vscode from 'vscode';
import type { SandboxChoices } from '../../domain/workspace/sandbox.js';
import { SEARCH_PROVIDERS, type SearchChoice } from '../../agent-host/web-search.js';
import type { CacheDuration } from '../../provider/anthropic/endpoint.js';

const NOTIFICATIONS = ['off', 'needsYou', 'all'] as const;
/** What the user is notified of in notifications. */
export type Notifications = (typeof NOTIFICATIONS)[number];

/** With less, the system prompt, a summary and the last rounds would already be too much. */
const LEAST_COMPACT_TOKENS = 20_000;

/**
 * The user's settings that only VS Code has, read afresh at each call. All are of scope `application`: a workspace cannot set them. Those
 * that files can have, too, are in `WindowSettings`.
 */
export const settings = {
  /** Attempts to get an answer again, after a failure that passes. */
  maxRetries: (): number => Math.min(20, Math.max(0, Math.trunc(read('maxRetries', 8)))),
  /** How many tokens the context may have before that, however large the window is; 0 for any. */
  autoCompactMaxTokens: (): number => {
    const tokens = Math.trunc(read('autoCompactMaxTokens', 0));
    return tokens <= 0 ? 0 : Math.max(LEAST_COMPACT_TOKENS, tokens);
  },
  /** Whether a message waits for the user's choice when it writes a large chat to the provider's cache again. */
  warnColdCache: (): boolean => read('warnColdCache', true),
  /** How long Anthropic keeps prompts in its cache. What is not a known value counts as the default. */
  anthropicCacheDuration: (): CacheDuration => (read<string>('anthropic.cacheDuration', '5m') === '1h' ? '1h' : '5m'),
  /** Names of variables to pass to commands that would be withheld otherwise; a trailing `*` matches any ending. */
  commandVariables: (): readonly string[] => texts('commands.environment'),
  /** What the sandbox confines beside what runs without approval, and what it permits. */
  sandboxChoices: (): SandboxChoices => ({
    allowed: read('commands.sandboxAllowed', false),
    unasked: read('commands.runSandboxed', false),
    hosts: texts('commands.hosts'),
  }),
  /** Who searches the web. What is not a known value counts as nobody: the query must not go to anyone else. */
  searchProvider: (): SearchChoice['provider'] => SEARCH_PROVIDERS.find((value) => value === read('webSearch.provider', 'auto')) ?? 'off',
  /** Whether MCP servers may ask for answers of models. What is not a known value counts as no. */
  sampling: (): 'ask' | 'off' => (read<string>('mcp.sampling', 'off') === 'ask' ? 'ask' : 'off'),
  /** The user's own actions, not yet checked. */
  customActions: (): unknown => vscode.workspace.getConfiguration('gnomon').get('actions'),
  /** Whether changes that are neither kept nor undone are colored in editors. */
  colorChanges: (): boolean => read('colorChanges', true),
  /** What the user is notified of in notifications; what is not a known value counts as the default. */
  notifications: (): Notifications => NOTIFICATIONS.find((value) => value === read('notifications', 'needsYou')) ?? 'needsYou',
};

function read<T extends string | number | boolean>(key: string, fallback: T): T {
  const value: unknown = vscode.workspace.getConfiguration('gnomon').get(key);
  return typeof value === typeof fallback ? (value as T) : fallback;
}

function texts(key: string): readonly string[] {
  const value: unknown = vscode.workspace.getConfiguration('gnomon').get(key);
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}
