import type { ModelInfo, Provider, Request } from '../../domain/model/provider.js';
import { type Parts, lazyParts, PartStream } from '../part-stream.js';
import { recorded } from '../http/recorded.js';
import { ANTHROPIC } from './models.js';
import { type AnthropicOptions, KEY_VARIABLE } from './endpoint.js';

export type { AnthropicOptions } from './endpoint.js';

/**
 * Claude through Anthropic's Messages API, or through any endpoint that speaks it. The SDK and all that works with it is
 * loaded with the first pull of the first stream, and a stream that is never pulled makes no request.
 */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  const load = async (noted: AnthropicOptions, request: Request, signal: AbortSignal): Promise<Parts> => {
    const { MessageParts } = await import('./message-parts.js');
    return new MessageParts(noted, request, signal);
  };
  return {
    name: ANTHROPIC,
    stream: (request, signal) => {
      const { options: noted, ended } = recorded(options, { provider: ANTHROPIC, model: request.model, session: request.cacheKey, keyVariable: KEY_VARIABLE });
      return new PartStream((inner) => lazyParts(() => load(noted, request, inner)), signal, options.now, ended);
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
