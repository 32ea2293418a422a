import type { ThinkingEffort } from '../../../domain/model/effort.js';

/** The APIs over which a server of this kind can be asked: chat completions, or Responses. */
export const OPENAI_APIS = ['chat', 'responses'] as const;
/** One of {@link OPENAI_APIS}. */
export type OpenAiApi = (typeof OPENAI_APIS)[number];

/** What OpenAI's own models take in a request. */
export interface OpenAiTraits {
  /** The API over which the model can do all that it can do. */
  readonly api: OpenAiApi;
  /**
   * Its reasoning efforts, ascending; `off` is the API's `none`. Empty when it does not reason: only then it
   * takes a temperature, and `system` messages instead of `developer` ones.
   */
  readonly efforts: readonly ThinkingEffort[];
  /** Whether chat completions refuses tools while it reasons. */
  readonly toolsOnlyWithoutReasoning: boolean;
  /** Whether it takes `parallel_tool_calls`. */
  readonly parallelCalls: boolean;
}

const PLAIN: OpenAiTraits = { api: 'chat', efforts: [], toolsOnlyWithoutReasoning: false, parallelCalls: true };

/** What every model takes that reasons, but for the `-pro` ones. */
const BASE: readonly ThinkingEffort[] = ['low', 'medium', 'high'];

/** `gpt-5.1` brought the effort `none`; some of `gpt-6` refuse it again. */
const FIRST_WITH_NONE = 5.1;
const FIRST_REFUSING_NONE = 6;
/** `gpt-5.1-codex-max` brought `xhigh`, for all that came after it; `gpt-5.6` brought `max`. */
const FIRST_WITH_XHIGH = 5.2;
const FIRST_WITH_MAX = 5.6;
/** From here on chat completions takes tools only without reasoning. */
const FIRST_WITHOUT_TOOLS = 5.4;

/**
 * The traits of a model by its id. Sources: developers.openai.com, "Reasoning models" and the page of each model;
 * openai/openai-openapi#541 and BerriAI/litellm#34569 for tools beside reasoning; openai/codex#6647, anomalyco/opencode#26268
 * and anomalyco/models.dev#2351 for efforts, as the API names them in its refusals; run-llama/llama_index#20865 for parallel
 * calls. November 2026.
 */
export function openAiTraits(id: string): OpenAiTraits {
  if (/^o\d/.test(id)) return { api: 'responses', efforts: BASE, toolsOnlyWithoutReasoning: false, parallelCalls: false };
  if (id.startsWith('codex')) return { ...PLAIN, api: 'responses', efforts: BASE };
  const version = Number(/^gpt-(\d+(\.\d+)?)/.exec(id)?.[1] ?? 0);
  if (version < 5 || id.includes('-chat')) return PLAIN;
  return { api: 'responses', efforts: effortsOf(id, version), toolsOnlyWithoutReasoning: version >= FIRST_WITHOUT_TOOLS, parallelCalls: true };
}

function effortsOf(id: string, version: number): readonly ThinkingEffort[] {
  const most: readonly ThinkingEffort[] = [
    ...(version >= FIRST_WITH_XHIGH || id.includes('-codex-max') ? (['xhigh'] as const) : []),
    ...(version >= FIRST_WITH_MAX ? (['max'] as const) : []),
  ];
  if (id.includes('-pro')) return version === 5 ? ['high'] : ['medium', 'high', ...most];
  if (id.includes('codex') || version >= FIRST_REFUSING_NONE) return [...BASE, ...most];
  return [version >= FIRST_WITH_NONE ? 'off' : 'minimal', ...BASE, ...most];
}
