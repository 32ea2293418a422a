import { type ThinkingEffort, USUAL_EFFORTS } from '../../domain/model/effort.js';
import type { ModelInfo } from '../../domain/model/provider.js';

/** Name of the provider, also the first half of its models' names. */
export const ANTHROPIC = 'anthropic';

/** The model for new sessions when the user chose none. */
export const DEFAULT_MODEL = 'claude-sonnet-5-5';

/** Prices in US dollars per million tokens: input, output, cache read, cache write that lives 5 minutes. */
type Prices = readonly [input: number, output: number, cacheRead: number, cacheWrite: number];

const MILLION = 1_000_000;
const OPUS: Prices = [5, 25, 0.5, 6.25];
const SONNET_4: Prices = [3, 15, 0.3, 3.75];

const ALL_EFFORTS: readonly ThinkingEffort[] = ['off', 'low', 'medium', 'high', 'xhigh', 'max'];

/** What the older models take: `xhigh` came with Opus 4.7, `max` with 4.6. Source: platform.claude.com, "Effort". */
const EFFORTS: Readonly<Record<string, readonly ThinkingEffort[]>> = {
  'claude-opus-4-6': ['off', 'low', 'medium', 'high', 'max'],
  'claude-sonnet-4-6': ['off', 'low', 'medium', 'high', 'max'],
  'claude-opus-4-5': USUAL_EFFORTS,
  'claude-sonnet-4-5': USUAL_EFFORTS,
  'claude-haiku-4-5': USUAL_EFFORTS,
};

/**
 * The models that are offered, the newest of each line first.
 *
 * Sizes and prices as Anthropic publishes them (platform.claude.com, "Models overview" and "Pricing", October 2026).
 * Haiku 5.5 has no price here: it has two, by the length of the prompt, and one number would be wrong.
 */
export const anthropicModels: readonly ModelInfo[] = [
  model('claude-sonnet-5-5', 'Claude Sonnet 5.5', [MILLION, 128_000], [2, 10, 0.1, 2.5]),
  model('claude-opus-5-5', 'Claude Opus 5.5', [MILLION, 128_000], [4, 20, 0.2, 5]),
  model('claude-haiku-5-5', 'Claude Haiku 5.5', [MILLION, 128_000]),
  model('claude-fable-5-1', 'Claude Fable 5.1', [MILLION, 128_000], [10, 50, 0.25, 12.5]),
  model('claude-fable-5', 'Claude Fable 5', [MILLION, 128_000], [10, 50, 1, 12.5]),
  model('claude-opus-5', 'Claude Opus 5', [MILLION, 128_000], OPUS),
  model('claude-sonnet-5', 'Claude Sonnet 5', [MILLION, 128_000], [2, 10, 0.2, 2.5]),
  model('claude-opus-4-8', 'Claude Opus 4.8', [MILLION, 128_000], OPUS),
  model('claude-opus-4-7', 'Claude Opus 4.7', [MILLION, 128_000], OPUS),
  model('claude-opus-4-6', 'Claude Opus 4.6', [MILLION, 128_000], OPUS),
  model('claude-sonnet-4-6', 'Claude Sonnet 4.6', [MILLION, 64_000], SONNET_4),
  model('claude-opus-4-5', 'Claude Opus 4.5', [200_000, 64_000], OPUS),
  model('claude-sonnet-4-5', 'Claude Sonnet 4.5', [200_000, 64_000], SONNET_4),
  model('claude-haiku-4-5', 'Claude Haiku 4.5', [200_000, 64_000], [1, 5, 0.1, 1.25]),
];

/**
 * What is known of a model. `''` is the default model; a dated id is the same model as the id without its date.
 * An unknown id is taken as it is, with sizes that every model of its kind has: the server decides whether it exists.
 */
export function anthropicModelInfo(id: string): ModelInfo {
  const wanted = id === '' ? DEFAULT_MODEL : id;
  const known = anthropicModels.find((candidate) => candidate.id === undated(wanted));
  if (known !== undefined) return known.id === wanted ? known : { ...known, id: wanted };
  const claude = isClaude(wanted);
  return {
    ...model(wanted, wanted, claude ? [200_000, 32_000] : [128_000, 8_192]),
    efforts: claude ? ALL_EFFORTS : [],
    supportsImages: claude,
  };
}

/** The id of a model without its release date: `claude-opus-4-5-20251101` is `claude-opus-4-5`. */
export function undated(id: string): string {
  return id.replace(/-20\d{6}$/, '');
}

/** Whether an id that is not in the table names one of Anthropic's models, such as one behind a gateway. */
export function isClaude(id: string): boolean {
  return id.includes('claude');
}

function model(id: string, label: string, [contextWindow, maxOutputTokens]: readonly [number, number], prices?: Prices): ModelInfo {
  const info = { provider: ANTHROPIC, id, label, contextWindow, maxOutputTokens, efforts: EFFORTS[id] ?? ALL_EFFORTS, supportsImages: true, supportsTools: true };
  if (prices === undefined) return info;
  const [input, output, cacheRead, cacheWrite] = prices;
  return { ...info, pricing: { input, output, cacheRead, cacheWrite } };
}
