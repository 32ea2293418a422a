import type { ElfLimits } from '../domain/session/elf.js';
import { limit } from './settings.js';
import { TASK_KINDS, type TaskKind } from '../domain/model/task-kind.js';
import type { Settings } from '../domain/host/settings.js';
import type { SandboxChoices } from '../domain/workspace/sandbox.js';

const NOTIFICATIONS = ['off', 'needsYou', 'all'] as const;
/** Events that the user is notified about. */
export type Notifications = (typeof NOTIFICATIONS)[number];

/** Web search services: the user's own or else the model's provider, one of them in particular, or none. */
const SEARCH_PROVIDERS = ['auto', 'model', 'searxng', 'brave', 'off'] as const;
type SearchProvider = (typeof SEARCH_PROVIDERS)[number];

/** The user's web search settings. */
export interface SearchChoice {
  readonly provider: SearchProvider;
  /** Address of the user's SearXNG server; empty for none. */
  readonly searxngUrl: string;
}

/** With less, the system prompt, a summary and the last rounds would already be too much. */
const LEAST_COMPACT_TOKENS = 20_000;

/**
 * The user's settings that no file can have, read afresh at each call. All are of scope `application`: a workspace cannot set them. Those
 * that files can have, too, are in `FileSettings`.
 */
export class UserSettings {
  constructor(private readonly host: Settings) {}

  /** Attempts to get an answer again, after a failure that passes. */
  readonly maxRetries = (): number => Math.min(20, Math.max(0, Math.trunc(this.read('maxRetries', 8))));
  /** Number of tokens that triggers automatic compaction, however large the window is; 0 for any. */
  readonly autoCompactMaxTokens = (): number => {
    const tokens = Math.trunc(this.read('autoCompactMaxTokens', 0));
    return tokens <= 0 ? 0 : Math.max(LEAST_COMPACT_TOKENS, tokens);
  };
  /** The limits of the agents that work on parts of a task for one chat. */
  readonly elfLimits = (): ElfLimits => ({
    atOnce: this.within('agents.maxAtOnce', [1, 20], 4),
    inAll: this.within('agents.maxTotal', [1, 500], 50),
    depth: this.within('agents.maxDepth', [1, 3], 1),
    budget: { ...limit('costUsd', this.read('agents.maxCostUsd', 0)), ...limit('tokens', Math.trunc(this.read('agents.maxTokens', 0))) },
  });
  /** Milliseconds after which a check is ended. */
  readonly checkTimeoutMs = (): number => this.within('checks.timeout', [5, 7_200], 600) * 1_000;
  /** Whether a chat that does nothing goes on with what its agents have found in the background. */
  readonly goOnAfterAgents = (): boolean => this.read('agents.continueChat', false);
  /** Whether a message waits for the user's choice when it writes a large chat to the provider's cache again. */
  readonly warnColdCache = (): boolean => this.read('warnColdCache', true);
  /** Lifetime of prompts in Anthropic's cache. Unknown values count as the default. */
  readonly anthropicCacheDuration = (): '5m' | '1h' => (this.read<string>('anthropic.cacheDuration', '5m') === '1h' ? '1h' : '5m');
  /** Names of variables to pass to commands that would be withheld otherwise; a trailing `*` matches any ending. */
  readonly commandVariables = (): readonly string[] => this.texts('commands.environment');
  /** Sandbox settings: commands it confines beside those that run without approval, and its permissions. */
  readonly sandboxChoices = (): SandboxChoices => ({
    allowed: this.read('commands.sandboxAllowed', false),
    unasked: this.read('commands.runSandboxed', false),
    hosts: this.texts('commands.hosts'),
  });
  /** The web search service. An unknown value turns search off: the query must not go to another service. */
  readonly searchProvider = (): SearchChoice['provider'] => SEARCH_PROVIDERS.find((value) => value === this.read('webSearch.provider', 'auto')) ?? 'off';
  /** Whether MCP servers may ask for answers of models. What is not a known value counts as no. */
  readonly sampling = (): 'ask' | 'off' => (this.read<string>('mcp.sampling', 'off') === 'ask' ? 'ask' : 'off');
  /** The user's own actions, not yet checked. */
  readonly customActions = (): unknown => this.host.get('gnomon.actions');
  /** Models that Auto may choose, as `provider/model` or the name of a provider; empty: as it finds them. */
  readonly routedModels = (): readonly string[] => {
    const named = this.host.get('gnomon.routing.models') ?? [];
    const names = (Array.isArray(named) ? named : [named]).map((name) => (typeof name === 'string' ? name : ''));
    // What is no list, or no name, still limits: to what it names, which may be nothing.
    return names;
  };
  /** How good a model has to be for a kind of task, as a share of the best one: what is no share of a known kind is left out. */
  readonly floors = (): Partial<Readonly<Record<TaskKind, number>>> => {
    const set = this.host.get('gnomon.routing.floors');
    if (typeof set !== 'object' || set === null) return {};
    return Object.fromEntries(
      Object.entries(set).filter(([kind, share]) => TASK_KINDS.some((each) => each === kind) && typeof share === 'number' && share >= 0 && share <= 1),
    );
  };
  /** Whether another model that is good enough goes on where the one that Auto has chosen does not answer. */
  readonly routedFallback = (): boolean => (this.host.get('gnomon.routing.fallback') ?? true) === true;
  /** Whether it is observed, and counts, what comes of tasks that models were chosen for automatically. */
  readonly learnsOutcomes = (): boolean => (this.host.get('gnomon.routing.learn') ?? true) === true;
  /** Whether the user sees which model Auto has chosen for a message before it is sent. */
  readonly routedShownFirst = (): boolean => this.read('routing.showFirst', false);
  /** Whether changes that are neither kept nor undone are colored in editors. */
  readonly colorChanges = (): boolean => this.read('colorChanges', true);
  /** Events that the user is notified about; unknown values count as the default. */
  readonly notifications = (): Notifications => NOTIFICATIONS.find((value) => value === this.read('notifications', 'needsYou')) ?? 'needsYou';

  private read<T extends string | number | boolean>(key: string, fallback: T): T {
    const value = this.host.get(`gnomon.${key}`);
    return typeof value === typeof fallback ? (value as T) : fallback;
  }

  /** A whole number, moved between the least and the most that it may be. */
  private within(key: string, [least, most]: readonly [least: number, most: number], fallback: number): number {
    return Math.min(most, Math.max(least, Math.trunc(this.read(key, fallback))));
  }

  private texts(key: string): readonly string[] {
    const value = this.host.get(`gnomon.${key}`);
    return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
  }
}
