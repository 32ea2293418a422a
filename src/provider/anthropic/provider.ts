import type { ModelInfo, PromptCache, Provider, Request } from '../../domain/model/provider.js';
import { type Parts, lazyParts, PartStream } from '../part-stream.js';
import { ANTHROPIC } from './models.js';
import type { AnthropicOptions, CacheDuration } from './endpoint.js';

export type { AnthropicOptions } from './endpoint.js';

const MINUTE_MS = 60_000;
/** How long prompts are kept after each use. Source: Anthropic, "Prompt caching". */
const CACHES: Readonly<Record<CacheDuration, PromptCache>> = { '5m': { lifetimeMs: 5 * MINUTE_MS }, '1h': { lifetimeMs: 60 * MINUTE_MS, forHour: true } };

/**
 * Claude through Anthropic's Messages API, or through any endpoint that speaks it. The SDK and all that works with it is
 * loaded with the first pull of the first stream, and a stream that is never pulled makes no request.
 */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const load = async (request: Request, signal: AbortSignal): Promise<Parts> => {
    const { MessageParts } = await import('./message-parts.js');
    return new MessageParts(options, request, signal);
  };
  return {
    name: ANTHROPIC,
    stream: (request, signal) => new PartStream((inner) => lazyParts(() => load(request, inner)), signal, options.now),
    promptCache: () => CACHES[options.cacheDuration?.() ?? '5m'],
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
