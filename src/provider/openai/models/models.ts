import { t } from '../../../domain/l10n.js';
import { type ThinkingEffort, USUAL_EFFORTS } from '../../../domain/model/effort.js';
import type { ModelInfo, Provider } from '../../../domain/model/provider.js';
import { type Ability, type CatalogModel, catalogModels, pricingOf } from '../../catalog/catalog.js';
import type { OpenAiOptions } from '../options.js';
import { type OpenAiApi, openAiTraits } from './openai-family.js';
import type { Preset } from './presets.js';

/** Sizes in tokens: of input and output together, and of an answer. */
type Sizes = readonly [context: number, output: number];
/** What is known of a model. */
type Known = Pick<CatalogModel, 'id' | 'label' | 'window' | 'output' | 'can' | 'price'>;

const ALL: readonly Ability[] = ['thinking', 'images', 'tools'];

/** A model of which nothing is known: what nearly every one has that is used for work on code. */
const UNKNOWN_SIZES: Sizes = [32_768, 4_096];
/** The least that OpenAI's reasoning models have, those called o1 to o4 and all others. */
const O_SIZES: Sizes = [200_000, 100_000];
const GPT_SIZES: Sizes = [400_000, 128_000];

/**
 * The models of a server that are known without asking it, for the provider of that name: those of the catalog, which the
 * servers need whose lists name nothing but ids.
 */
export function knownModels(name: string, preset: Preset): readonly ModelInfo[] {
  return catalogModels(preset.id).map((known) => infoOf(name, known, preset));
}

/**
 * What is known of a model without asking the server. `''` is the preset's default. An unknown id is taken as it is,
 * with sizes that nearly every model has: the server decides whether it exists.
 */
export function openAiModelInfo(name: string, preset: Preset, id: string): ModelInfo {
  const wanted = id === '' ? (preset.defaultModel ?? '') : id;
  const known = catalogModels(preset.id).find((candidate) => candidate.id === undated(wanted));
  return { ...infoOf(name, known ?? unlisted(wanted, preset), preset), id: wanted, ...(known === undefined ? { windowAssumed: true } : {}) };
}

/** The API that a model is asked over; `''` is the preset's default. */
export function apiOf(preset: Preset, id: string): OpenAiApi {
  if (preset.api !== undefined) return preset.api;
  return preset.dialect.effort === 'openai' ? openAiTraits(id === '' ? (preset.defaultModel ?? '') : id).api : 'chat';
}

function unlisted(id: string, preset: Preset): Known {
  const reasons = preset.dialect.effort === 'openai' && openAiTraits(id).efforts.length > 0;
  const [window, output] = reasons ? (/^o\d/.test(id) ? O_SIZES : GPT_SIZES) : UNKNOWN_SIZES;
  return { id, label: id, window, output, can: reasons ? ALL : ['tools'] };
}

/** The id without a release date or the prefix of Google's list: `gpt-5-2025-08-07` is `gpt-5`. */
function undated(id: string): string {
  return id.replace(/^models\//, '').replace(/-20\d\d-\d\d-\d\d$/, '');
}

function infoOf(provider: string, known: Known, preset: Preset): ModelInfo {
  const { id, label, window, output, can } = known;
  return {
    provider,
    id,
    label,
    contextWindow: window,
    maxOutputTokens: output,
    ...pricingOf(known),
    efforts: can.includes('thinking') ? effortsOf(id, preset) : [],
    supportsImages: can.includes('images'),
    supportsTools: can.includes('tools'),
    ...(preset.dialect.outputSchema ? {} : { supportsOutputSchema: false }),
  };
}

/** Over chat completions, OpenAI's models that take tools only without thinking do not think. */
function effortsOf(id: string, preset: Preset): readonly ThinkingEffort[] {
  if (preset.dialect.effort !== 'openai') return USUAL_EFFORTS;
  const { efforts, toolsOnlyWithoutReasoning } = openAiTraits(id);
  return apiOf(preset, id) === 'chat' && toolsOnlyWithoutReasoning ? [] : efforts;
}

/**
 * Lets a provider tell the context window that its server gives a model. Only Ollama decides on it when it loads the
 * model, and its endpoint for chat completions has no option for it (`num_ctx`). Its native API would, but each other
 * value makes it load the model anew, perhaps into less memory than that takes; so the size stays the choice of whoever
 * runs the server. Sources: docs.ollama.com, "Context length"; Kilo-Org/kilocode#2170.
 */
export function withServedWindow(provider: Provider, options: OpenAiOptions): Provider {
  if (options.preset.id !== 'ollama') return provider;
  return {
    ...provider,
    servedWindow: {
      async read(model, signal) {
        const { runningContext } = await import('./ollama.js');
        return runningContext(options, model, signal);
      },
      get advice() {
        return t(
          'To get a larger one, set OLLAMA_CONTEXT_LENGTH (such as to 64000) for the Ollama server, or num_ctx in the model’s Modelfile, then restart Ollama.',
        );
      },
    },
  };
}
