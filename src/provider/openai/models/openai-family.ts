/** What OpenAI's own models take in a request. */
export interface OpenAiTraits {
  /** Whether it reasons: then it takes `developer` messages, and no temperature. */
  readonly reasons: boolean;
  /** The value for the least reasoning; absent when there is none. */
  readonly least?: 'none' | 'minimal';
  /** Whether tools are refused while it reasons. Its other API, Responses, has no such rule. */
  readonly toolsOnlyWithoutReasoning: boolean;
}

const PLAIN: OpenAiTraits = { reasons: false, toolsOnlyWithoutReasoning: false };

/** `gpt-5.4` and what came after it. */
const FIRST_WITHOUT_TOOLS = 5.4;
/** `gpt-5.1` brought the effort `none`; some of `gpt-6` refuse it again. */
const FIRST_WITH_NONE = 5.1;
const FIRST_REFUSING_NONE = 6;

/**
 * The traits of a model by its id. Sources: developers.openai.com, "Reasoning models" and the page of each model;
 * openai/openai-openapi#541 and BerriAI/litellm#34569 for tools beside reasoning. November 2026.
 */
export function openAiTraits(id: string): OpenAiTraits {
  if (/^o\d/.test(id)) return { reasons: true, toolsOnlyWithoutReasoning: false };
  const version = Number(/^gpt-(\d+(\.\d+)?)/.exec(id)?.[1] ?? 0);
  if (version < 5 || id.includes('-chat')) return PLAIN;
  const toolsOnlyWithoutReasoning = version >= FIRST_WITHOUT_TOOLS;
  if (version >= FIRST_REFUSING_NONE) return { reasons: true, toolsOnlyWithoutReasoning };
  return { reasons: true, least: version >= FIRST_WITH_NONE ? 'none' : 'minimal', toolsOnlyWithoutReasoning };
}
