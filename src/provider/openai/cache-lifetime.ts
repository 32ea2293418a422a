import type { PromptCache } from '../../domain/model/provider.js';
import type { PresetId } from './models/presets.js';
import type { OpenAiOptions } from './options.js';

const MINUTE_MS = 60_000;
/** OpenAI's own models keep prompts for so long at most. Source: its SDK, `prompt_cache_retention`. */
const OPENAI_MS = 24 * 60 * MINUTE_MS;
/** Source: openrouter.ai/docs, "Prompt Caching"; the marks of `cache-marks.ts` wish for no longer. */
const CLAUDE_MS = 5 * MINUTE_MS;

/** Where that is so. */
const HOSTS: Readonly<Partial<Record<PresetId, string>>> = { openai: 'api.openai.com', openrouter: 'openrouter.ai' };

/**
 * How long a server keeps prompts, where that is documented. DeepSeek keeps them for "hours to days" (api-docs.deepseek.com,
 * "Context Caching"); of Gemini's implicit cache, Mistral's and that of other servers nothing is said.
 */
export function promptCacheOf({ preset, baseUrl }: Pick<OpenAiOptions, 'preset' | 'baseUrl'>, model: string): PromptCache | undefined {
  const address = (baseUrl() ?? '').trim();
  // Another server under the same name may keep them for any time.
  if (address !== '' && (!URL.canParse(address) || new URL(address).host !== HOSTS[preset.id])) return undefined;
  if (preset.id === 'openai') return { lifetimeMs: OPENAI_MS };
  return preset.id === 'openrouter' && model.includes('claude') ? { lifetimeMs: CLAUDE_MS } : undefined;
}
