import { type ThinkingEffort, USUAL_EFFORTS } from '../../../domain/model/effort.js';
import type { ModelInfo } from '../../../domain/model/provider.js';
import type { Pricing } from '../../../domain/model/usage.js';
import { type OpenAiApi, openAiTraits } from './openai-family.js';
import type { Preset, PresetId } from './presets.js';

/** Sizes in tokens: of input and output together, and of an answer. */
type Sizes = readonly [context: number, output: number];
/** What a model can do beside talking. */
type Ability = 'thinking' | 'images' | 'tools';
/** Prices in US dollars per million tokens: input, output, cache read. */
type Prices = readonly [input: number, output: number, cacheRead: number];

/** A row of the model table. */
interface Row {
  readonly id: string;
  readonly label: string;
  readonly sizes: Sizes;
  readonly can: readonly Ability[];
  readonly prices?: Prices;
}

const MILLION = 1_048_576;
const ALL: readonly Ability[] = ['thinking', 'images', 'tools'];
const NO_THINKING: readonly Ability[] = ['images', 'tools'];

/** A model of which nothing is known: what nearly every one has that is used for work on code. */
const UNKNOWN_SIZES: Sizes = [32_768, 4_096];
/** The least that OpenAI's reasoning models have, those called o1 to o4 and all others. */
const O_SIZES: Sizes = [200_000, 100_000];
const GPT_SIZES: Sizes = [400_000, 128_000];

/**
 * The main models of the servers whose lists name nothing but ids, the default of each first. Sources, November 2026:
 * the page of each model on developers.openai.com; docs.mistral.ai, "Models"; api-docs.deepseek.com, "Models & Pricing";
 * ai.google.dev, "Models". Models with more than one price (by the length of the prompt, the hour or the date) have none
 * here, because one number would be wrong. Mistral publishes no price for cached tokens. How much OpenAI's models can think
 * is known by their ids (`openai-family.ts`).
 */
const MODELS: Readonly<Partial<Record<PresetId, readonly Row[]>>> = {
  openai: [
    row('gpt-5.6-terra', 'GPT-5.6 Terra', [1_050_000, 128_000], ALL),
    row('gpt-5.6-sol', 'GPT-5.6 Sol', [1_050_000, 128_000], ALL),
    row('gpt-5.6-luna', 'GPT-5.6 Luna', [1_050_000, 128_000], ALL),
    priced(row('gpt-5.2', 'GPT-5.2', [400_000, 128_000], ALL), [1.75, 14, 0.175]),
    priced(row('gpt-5.1', 'GPT-5.1', [400_000, 128_000], ALL), [1.25, 10, 0.125]),
    priced(row('gpt-5', 'GPT-5', [400_000, 128_000], ALL), [1.25, 10, 0.125]),
    priced(row('gpt-5-mini', 'GPT-5 mini', [400_000, 128_000], ALL), [0.25, 2, 0.025]),
    priced(row('gpt-4.1', 'GPT-4.1', [1_047_576, 32_768], NO_THINKING), [2, 8, 0.5]),
    priced(row('gpt-4.1-mini', 'GPT-4.1 mini', [1_047_576, 32_768], NO_THINKING), [0.4, 1.6, 0.1]),
  ],
  mistral: [
    priced(row('mistral-medium-3-5', 'Mistral Medium 3.5', [262_144, 32_768], ALL), [1.5, 7.5, 1.5]),
    row('mistral-large-4-0', 'Mistral Large 4', [MILLION, 32_768], ALL),
    row('mistral-small-latest', 'Mistral Small', [262_144, 32_768], ALL),
  ],
  deepseek: [
    row('deepseek-flash', 'DeepSeek Flash', [1_000_000, 384_000], ALL),
    row('deepseek-v4-pro', 'DeepSeek V4 Pro', [1_000_000, 384_000], ['thinking', 'tools']),
  ],
  gemini: [
    row('gemini-3.8-flash', 'Gemini 3.8 Flash', [MILLION, 65_536], ALL),
    priced(row('gemini-2.5-flash', 'Gemini 2.5 Flash', [MILLION, 65_536], ALL), [0.3, 2.5, 0.03]),
    row('gemini-2.5-pro', 'Gemini 2.5 Pro', [MILLION, 65_536], ALL),
  ],
};

/** The models of a server that are known without asking it, for the provider of that name. */
export function knownModels(name: string, preset: Preset): readonly ModelInfo[] {
  return (MODELS[preset.id] ?? []).map((known) => infoOf(name, known, preset));
}

/**
 * What is known of a model without asking the server. `''` is the preset's default. An unknown id is taken as it is,
 * with sizes that nearly every model has: the server decides whether it exists.
 */
export function openAiModelInfo(name: string, preset: Preset, id: string): ModelInfo {
  const wanted = id === '' ? (preset.defaultModel ?? '') : id;
  const known = (MODELS[preset.id] ?? []).find((candidate) => candidate.id === undated(wanted));
  return { ...infoOf(name, known ?? unlisted(wanted, preset), preset), id: wanted };
}

/** The API that a model is asked over; `''` is the preset's default. */
export function apiOf(preset: Preset, id: string): OpenAiApi {
  if (preset.api !== undefined) return preset.api;
  return preset.dialect.effort === 'openai' ? openAiTraits(id === '' ? (preset.defaultModel ?? '') : id).api : 'chat';
}

function unlisted(id: string, preset: Preset): Row {
  const reasons = preset.dialect.effort === 'openai' && openAiTraits(id).efforts.length > 0;
  return reasons ? row(id, id, /^o\d/.test(id) ? O_SIZES : GPT_SIZES, ALL) : row(id, id, UNKNOWN_SIZES, ['tools']);
}

/** The id without a release date or the prefix of Google's list: `gpt-5-2025-08-07` is `gpt-5`. */
function undated(id: string): string {
  return id.replace(/^models\//, '').replace(/-20\d\d-\d\d-\d\d$/, '');
}

function row(id: string, label: string, sizes: Sizes, can: readonly Ability[]): Row {
  return { id, label, sizes, can };
}

function priced(known: Row, prices: Prices): Row {
  return { ...known, prices };
}

function infoOf(provider: string, { id, label, sizes, can, prices }: Row, preset: Preset): ModelInfo {
  return {
    provider,
    id,
    label,
    contextWindow: sizes[0],
    maxOutputTokens: sizes[1],
    ...(prices === undefined ? {} : { pricing: pricingOf(prices) }),
    efforts: can.includes('thinking') ? effortsOf(id, preset) : [],
    supportsImages: can.includes('images'),
    supportsTools: can.includes('tools'),
  };
}

/** Over chat completions, OpenAI's models that take tools only without thinking do not think. */
function effortsOf(id: string, preset: Preset): readonly ThinkingEffort[] {
  if (preset.dialect.effort !== 'openai') return USUAL_EFFORTS;
  const { efforts, toolsOnlyWithoutReasoning } = openAiTraits(id);
  return apiOf(preset, id) === 'chat' && toolsOnlyWithoutReasoning ? [] : efforts;
}

/** These servers ask nothing for writing to the cache beyond the input itself. */
function pricingOf([input, output, cacheRead]: Prices): Pricing {
  return { input, output, cacheRead, cacheWrite: input };
}
