import type { ModelInfo, Provider, Request } from '../../domain/model/provider.js';
import { type Parts, lazyParts, PartStream } from '../part-stream.js';
import { promptCacheOf } from './cache-lifetime.js';
import { apiOf } from './models/models.js';
import type { OpenAiOptions } from './options.js';

export type { OpenAiOptions } from './options.js';

/**
 * Any server that speaks chat completions or Responses, under the name of its own that the user knows it by. The SDK and
 * all that works with it is loaded with the first pull of the first stream, and a stream that is never pulled makes no request.
 */
export function createOpenAiProvider(options: OpenAiOptions): Provider {
  const load = async (request: Request, signal: AbortSignal): Promise<Parts> => {
    if (apiOf(options.preset, request.model) === 'responses') {
      const { responseParts } = await import('./responses/response-parts.js');
      return responseParts(options, request, signal);
    }
    const { chatParts } = await import('./chat-parts.js');
    return chatParts(options, request, signal);
  };
  return {
    name: options.name,
    stream: (request, signal) => new PartStream((inner) => lazyParts(() => load(request, inner)), signal, options.now),
    promptCache: (model) => promptCacheOf(options, model),
  };
}

/**
 * The models that the server offers and that one can talk with. Takes 5 seconds at most.
 * @throws ProviderError.
 */
export async function listOpenAiModels(options: OpenAiOptions, signal: AbortSignal): Promise<readonly ModelInfo[]> {
  const { listModels } = await import('./models/list-models.js');
  return listModels(options, signal);
}
