import { type Dialect, COMMON_DIALECT } from '../dialect.js';
import type { OpenAiApi } from './openai-family.js';

/** A server that speaks chat completions or Responses, with all that is known of it beforehand. */
export interface Preset {
  /** Name of the provider that is made from it. */
  readonly id: PresetId;
  /** Display name. */
  readonly label: string;
  readonly baseUrl: string;
  /** The environment variable for its key; absent when it takes none. */
  readonly keyVariable?: string;
  readonly needsKey: boolean;
  /** Whether it usually runs on the user's own machine. */
  readonly local: boolean;
  /** The model for `''`; absent where only the user can know. */
  readonly defaultModel?: string;
  readonly dialect: Dialect;
  /** The API that every model is asked over. Absent: OpenAI's own models have theirs, all others chat completions. */
  readonly api?: OpenAiApi;
}

/** Names of the presets. */
export const PRESET_IDS = ['openai', 'mistral', 'ollama', 'openrouter', 'lmstudio', 'vllm', 'deepseek', 'gemini'] as const;
/** One of {@link PRESET_IDS}. */
export type PresetId = (typeof PRESET_IDS)[number];

/**
 * The servers that Gnomon knows. Sources, November 2026:
 * OpenAI: developers.openai.com, "Chat Completions"; `max_tokens` is refused by its reasoning models.
 * Mistral: docs.mistral.ai, "Reasoning" and "Chat"; ids of nine characters and the order of roles as its API enforces
 * them (errors 3280 and 3230; anomalyco/opencode#1680, zed-industries/zed#37021).
 * Ollama: docs.ollama.com, "OpenAI compatibility".
 * OpenRouter: openrouter.ai/docs, "Reasoning tokens"; its reasoning blocks go back unchanged in a loop of tools.
 * DeepSeek: api-docs.deepseek.com, "Thinking Mode"; without `reasoning_content` in messages with calls it answers 400. "JSON Output": of the
 * forms of answers only `json_object`, beside which the API may return nothing; `json_schema` is refused (BerriAI/litellm#31466).
 * Gemini: ai.google.dev, "OpenAI compatibility" and "Thought Signatures"; without the signature of a call it answers 400.
 */
const PRESETS: Readonly<Record<PresetId, Preset>> = {
  openai: remote('openai', 'OpenAI', 'https://api.openai.com/v1', {
    keyVariable: 'OPENAI_API_KEY',
    defaultModel: 'gpt-5.6-terra',
    dialect: { maxTokensField: 'max_completion_tokens', effort: 'openai' },
  }),
  mistral: remote('mistral', 'Mistral', 'https://api.mistral.ai/v1', {
    keyVariable: 'MISTRAL_API_KEY',
    defaultModel: 'mistral-medium-3-5',
    // Usage comes with the last chunk anyway, and `stream_options` is not among its fields.
    dialect: { streamUsage: false, effort: 'mistral', maxTemperature: 1.5, callIds: 'nine', bridgesUserAfterTool: true },
  }),
  ollama: local('ollama', 'Ollama', 'http://localhost:11434/v1', { dialect: { effort: 'plain' } }),
  openrouter: remote('openrouter', 'OpenRouter', 'https://openrouter.ai/api/v1', {
    keyVariable: 'OPENROUTER_API_KEY',
    defaultModel: 'openrouter/auto',
    dialect: { effort: 'nested', replay: 'reasoning_details', cacheMarks: true },
  }),
  lmstudio: local('lmstudio', 'LM Studio', 'http://localhost:1234/v1', {}),
  vllm: local('vllm', 'vLLM', 'http://localhost:8000/v1', { keyVariable: 'VLLM_API_KEY' }),
  deepseek: remote('deepseek', 'DeepSeek', 'https://api.deepseek.com', {
    keyVariable: 'DEEPSEEK_API_KEY',
    defaultModel: 'deepseek-flash',
    dialect: { effort: 'deepseek', replay: 'reasoning_content', outputSchema: false },
  }),
  gemini: remote('gemini', 'Gemini', 'https://generativelanguage.googleapis.com/v1beta/openai', {
    keyVariable: 'GEMINI_API_KEY',
    defaultModel: 'gemini-3.8-flash',
    dialect: { effort: 'plain', replay: 'extra_content' },
  }),
};

/** The preset of a name. */
export function presetOf(id: PresetId): Preset {
  return PRESETS[id];
}

/** What a preset says beside name and address. */
interface Particulars {
  readonly keyVariable?: string;
  readonly defaultModel?: string;
  readonly dialect?: Partial<Dialect>;
}

function remote(id: PresetId, label: string, baseUrl: string, particulars: Particulars): Preset {
  return { id, label, baseUrl, needsKey: true, local: false, ...particulars, dialect: { ...COMMON_DIALECT, ...particulars.dialect } };
}

function local(id: PresetId, label: string, baseUrl: string, particulars: Particulars): Preset {
  return { id, label, baseUrl, needsKey: false, local: true, ...particulars, dialect: { ...COMMON_DIALECT, ...particulars.dialect } };
}
