import type { ModelInfo, PromptCache, Provider } from '../../domain/model/provider.js';
import type { WebSearch } from '../../domain/workspace/web-search.js';
import { searchEstimate } from '../model-search.js';
import { type PartBatch, type Parts, PartStream } from '../part-stream.js';
import { askingAgain, RefusalMemory } from '../refusal/asking-again.js';
import { recorded, withEnd } from '../http/recorded.js';
import { apiOf } from './models/models.js';
import type { AskedOver } from './answer-parts.js';
import type { PresetId } from './models/presets.js';
import type { OpenAiOptions } from './options.js';

export type { OpenAiOptions } from './options.js';

const MINUTE_MS = 60_000;
/** OpenAI's own models keep prompts for so long at most. Source: its SDK, `prompt_cache_retention`. */
const OPENAI_MS = 24 * 60 * MINUTE_MS;
/** Source: openrouter.ai/docs, "Prompt Caching"; the marks in a request ask for no longer time. */
const CLAUDE_MS = 5 * MINUTE_MS;

/** Where that is so. */
const HOSTS: Readonly<Partial<Record<PresetId, string>>> = { openai: 'api.openai.com', openrouter: 'openrouter.ai' };

/**
 * How long a server keeps prompts, where that is documented. DeepSeek keeps them for "hours to days" (api-docs.deepseek.com,
 * "Context Caching"); of Gemini's implicit cache, Mistral's and that of other servers nothing is said.
 */
function promptCacheOf({ preset, baseUrl }: Pick<OpenAiOptions, 'preset' | 'baseUrl'>, model: string): PromptCache | undefined {
  const address = (baseUrl() ?? '').trim();
  // Another server under the same name may keep them for any time.
  if (address !== '' && (!URL.canParse(address) || new URL(address).host !== HOSTS[preset.id])) return undefined;
  if (preset.id === 'openai') return { lifetimeMs: OPENAI_MS };
  return preset.id === 'openrouter' && model.includes('claude') ? { lifetimeMs: CLAUDE_MS } : undefined;
}

/**
 * Any server that speaks chat completions or Responses, under the name of its own that the user knows it by. The SDK and
 * all that works with it is loaded with the first pull of the first stream, and a stream that is never pulled makes no request.
 */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const memory = new RefusalMemory();
  const load = async (noted: OpenAiOptions, asked: AskedOver, signal: AbortSignal): Promise<Parts> => {
    if (apiOf(noted.preset, asked.request.model) === 'responses') {
      const { responseParts } = await import('./responses/response-parts.js');
      return responseParts(noted, asked, signal);
    }
    const { chatParts } = await import('./chat-parts.js');
    return chatParts(noted, asked, signal);
  };
  const server = async (model: string): Promise<string> => JSON.stringify([options.baseUrl() ?? '', await options.keyName?.(model)]);
  return {
    name: options.name,
    stream: (request, signal) => {
      const { options: noted, ...requests } = recorded(options, {
        provider: options.name,
        model: request.model,
        session: request.cacheKey,
        reason: request.reason,
        keyVariable: options.preset.keyVariable,
      });
      const parts = (inner: AbortSignal): AsyncIterable<PartBatch> =>
        askingAgain({ request, memory, server: () => server(request.model), parts: (asked, leftOut) => load(noted, { request: asked, leftOut }, inner) });
      return new PartStream(parts, signal, options.now, requests);
    },
    webSearch: (model) => webSearchOf(options, model),
    promptCache: (model) => promptCacheOf(options, model),
  };
}

/** OpenAI's own servers; of those that resemble them none is known to search. */
const OPENAI = 'https://api.openai.com';

function webSearchOf(options: OpenAiOptions, model: ModelInfo): WebSearch | undefined {
  const address = options.baseUrl() ?? options.preset.baseUrl;
  if (!URL.canParse(address) || new URL(address).origin !== OPENAI) return undefined;
  const name = 'OpenAI';
  return {
    name,
    address: OPENAI,
    estimate: searchEstimate(model),
    async search(query, signal) {
      const { searchWithOpenAi } = await import('./responses/search.js');
      const { options: noted, ended } = recorded(options, { provider: options.name, model: model.id, keyVariable: options.preset.keyVariable });
      return withEnd(searchWithOpenAi(noted, { name, model, query, signal }), ended);
    },
  };
}
