import { present } from '../../../domain/present.js';
import { USUAL_EFFORTS } from '../../../domain/model/effort.js';
import type { ModelInfo } from '../../../domain/model/provider.js';
import type { Pricing } from '../../../domain/model/usage.js';
import { anyOf } from '../../../text/any-of.js';
import { type JsonRecord, count, list, record, text } from '../json.js';
import type { Preset } from './presets.js';

/** Names under which servers give the size of the context: OpenRouter, Groq, Mistral and LM Studio, vLLM, LiteLLM. */
const CONTEXT_FIELDS = ['loaded_context_length', 'context_length', 'context_window', 'max_context_length', 'max_model_len', 'max_input_tokens'];

/** Names of entries that are not chat models, for entries that do not say so. */
const NOT_CHAT = new RegExp(
  anyOf(
    /embed|whisper|\btts|-tts|audio|realtime|transcribe|speech|image|dall-?e|moderation|-ocr|ocr-/,
    /sora|\bveo|imagen|lyria|\baqa|rerank|davinci|babbage|turbo-instruct/,
    /computer-use|deep-research|-live|search-(api|preview)/,
  ),
  'i',
);

/** What OpenAI serves over Responses only. */
const NOT_COMPLETIONS = /^(?:gpt-\S*-pro|o\d-pro|.*codex)/;

/** An answer of a quarter of the context, up to this many tokens, where the server does not say how long one may be. */
const USUAL_OUTPUT = 8_192;

/**
 * One entry of a server's list, over what was known of the model before.
 * @returns `undefined` for what is no model to talk with.
 */
export function modelOfEntry(entry: JsonRecord, known: ModelInfo, preset: Preset): ModelInfo | undefined {
  if (!talks(entry, known.id, preset)) return undefined;
  const told = CONTEXT_FIELDS.map((field) => count(entry[field])).find((size) => size !== undefined && size > 0);
  const output = count(record(entry['top_provider'])?.['max_completion_tokens']) ?? 0;
  const pricing = pricingOf(record(entry['pricing']));
  const label = text(entry['name']);
  return {
    ...known,
    ...(label === '' ? {} : { label }),
    ...(told === undefined ? {} : sizes(told, output > 0 ? output : undefined, known)),
    ...present({ pricing }),
    ...abilities(entry),
  };
}

/** The sizes of a model whose context is reported. */
export function sizes(context: number, output: number | undefined, known: ModelInfo): Pick<ModelInfo, 'contextWindow' | 'maxOutputTokens' | 'windowAssumed'> {
  const listed = known.contextWindow === context ? known.maxOutputTokens : Math.min(USUAL_OUTPUT, Math.floor(context / 4));
  return {
    contextWindow: context,
    ...(known.windowAssumed === true ? { windowAssumed: false } : {}),
    maxOutputTokens: Math.max(1, Math.min(output ?? listed, context)),
  };
}

function talks(entry: JsonRecord, id: string, preset: Preset): boolean {
  if (record(entry['capabilities'])?.['completion_chat'] === false || text(entry['type']).startsWith('embedding')) return false;
  const written = list(record(entry['architecture'])?.['output_modalities']);
  if (written.length > 0) return written.includes('text');
  return !NOT_CHAT.test(id) && !(preset.id === 'openai' && preset.api === 'chat' && NOT_COMPLETIONS.test(id));
}

type Abilities = Partial<Pick<ModelInfo, 'supportsTools' | 'supportsImages' | 'supportsOutputSchema' | 'efforts'>>;

/** What the entry says that the model can do: OpenRouter in two lists, Mistral in flags, LM Studio in type and list. */
function abilities(entry: JsonRecord): Abilities {
  const parameters = entry['supported_parameters'];
  const inputs = record(entry['architecture'])?.['input_modalities'];
  const flags = record(entry['capabilities']);
  return {
    ...(Array.isArray(parameters) ? listed(parameters) : {}),
    ...(Array.isArray(inputs) ? { supportsImages: inputs.includes('image') } : {}),
    ...flagged('supportsTools', flags?.['function_calling']),
    ...flagged('supportsImages', flags?.['vision']),
    ...thinking(flags?.['reasoning']),
    ...(text(entry['type']) === 'vlm' ? { supportsImages: true } : {}),
    ...(Array.isArray(entry['capabilities']) ? { supportsTools: entry['capabilities'].includes('tool_use') } : {}),
  };
}

/** OpenRouter's list of parameters; of other models it ignores a schema, without a word (openrouter.ai/docs, "Structured Outputs"). */
function listed(parameters: readonly unknown[]): Abilities {
  return {
    supportsTools: parameters.includes('tools'),
    supportsOutputSchema: parameters.includes('structured_outputs'),
    ...thinking(parameters.includes('reasoning')),
  };
}

function thinking(value: unknown): Pick<Abilities, 'efforts'> {
  return typeof value === 'boolean' ? { efforts: value ? USUAL_EFFORTS : [] } : {};
}

function flagged<K extends 'supportsTools' | 'supportsImages'>(key: K, value: unknown): Partial<Record<K, boolean>> {
  return typeof value === 'boolean' ? ({ [key]: value } as Record<K, boolean>) : {};
}

/** OpenRouter's prices: text, in US dollars per token; negative for its routers, whose price depends on the model. */
function pricingOf(prices: JsonRecord | undefined): Pricing | undefined {
  const perMillion = (field: string): number | undefined => {
    const price = text(prices?.[field]) === '' ? Number.NaN : Number(prices?.[field]);
    return price >= 0 && Number.isFinite(price) ? price * 1_000_000 : undefined;
  };
  const [input, output] = [perMillion('prompt'), perMillion('completion')];
  if (input === undefined || output === undefined) return undefined;
  return { input, output, cacheRead: perMillion('input_cache_read') ?? input, cacheWrite: perMillion('input_cache_write') ?? input };
}
