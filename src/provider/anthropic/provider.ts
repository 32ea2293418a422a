import type { ModelInfo, PromptCache, Provider, Request } from '../../domain/model/provider.js';
import { searchEstimate } from '../model-search.js';
import { type PartBatch, type Parts, PartStream } from '../part-stream.js';
import { askingAgain, RefusalMemory } from '../refusal/asking-again.js';
import type { LeftOut } from '../refusal/left-out.js';
import { shownAddress } from '../http/base-address.js';
import { recorded, withEnd } from '../http/recorded.js';
import type { WebSearch } from '../../domain/workspace/web-search.js';
import { ANTHROPIC, isClaude, loadsFoundTools } from './models.js';
import { type AnthropicOptions, type CacheDuration, isAnthropicItself, KEY_VARIABLE } from './endpoint.js';

export type { AnthropicOptions } from './endpoint.js';

const MINUTE_MS = 60_000;
/** How long prompts are kept after each use. Source: Anthropic, "Prompt caching". */
const CACHES: Readonly<Record<CacheDuration, PromptCache>> = { '5m': { lifetimeMs: 5 * MINUTE_MS }, '1h': { lifetimeMs: 60 * MINUTE_MS, forHour: true } };

/**
 * Claude through Anthropic's Messages API, or through any endpoint that speaks it. The SDK and all that works with it is
 * loaded with the first pull of the first stream, and a stream that is never pulled makes no request.
 */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const memory = new RefusalMemory();
  const load = async (noted: AnthropicOptions, asked: { readonly request: Request; readonly leftOut: LeftOut }, signal: AbortSignal): Promise<Parts> => {
    const { MessageParts } = await import('./message-parts.js');
    return new MessageParts(noted, asked, signal);
  };
  const server = async (model: string): Promise<string> => JSON.stringify([options.baseUrl() ?? '', await options.keyName?.(model)]);
  return {
    name: ANTHROPIC,
    stream: (request, signal) => {
      const { options: noted, ...requests } = recorded(options, {
        provider: ANTHROPIC,
        model: request.model,
        session: request.cacheKey,
        reason: request.reason,
        keyVariable: KEY_VARIABLE,
      });
      const parts = (inner: AbortSignal): AsyncIterable<PartBatch> =>
        askingAgain({ request, memory, server: () => server(request.model), parts: (asked, leftOut) => load(noted, { request: asked, leftOut }, inner) });
      return new PartStream(parts, signal, options.now, requests);
    },
    webSearch: (model) => webSearchOf(options, model),
    loadsFoundTools: (model) => isAnthropicItself(options.baseUrl()) && loadsFoundTools(model),
    promptCache: () => CACHES[options.cacheDuration?.() ?? '5m'],
  };
}

/** The search on Anthropic's servers, or those of a gateway; models of others behind one have none. */
function webSearchOf(options: AnthropicOptions, model: ModelInfo): WebSearch | undefined {
  const gateway = options.baseUrl();
  // Its query may have a key in it.
  const address = shownAddress(gateway ?? 'https://api.anthropic.com');
  if (!isClaude(model.id) || !/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const name = gateway === undefined ? 'Anthropic' : new URL(address).host;
  return {
    name,
    address,
    estimate: searchEstimate(model),
    async search(query, signal) {
      const { searchWithClaude } = await import('./search.js');
      const { options: noted, ended } = recorded(options, { provider: ANTHROPIC, model: model.id, keyVariable: KEY_VARIABLE });
      return withEnd(searchWithClaude(noted, { name, model, query, signal }), ended);
    },
  };
}

/**
 * The models that the endpoint offers to the holder of the key, in its order, with sizes and prices from our table where it
 * has them. Takes 5 seconds at most.
 * @throws ProviderError, or AbortError when the signal fired.
 */
export async function listAnthropicModels(options: AnthropicOptions, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const { listModels } = await import('./list-models.js');
  return listModels(options, signal);
}
