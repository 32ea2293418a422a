import type { ModelInfo, Provider, Request } from '../../domain/provider.js';
import type { PartBatch } from '../part-stream.js';
import { PartStream } from '../part-stream.js';
import { ANTHROPIC } from './models.js';
import type { AnthropicOptions } from './options.js';

export type { AnthropicOptions } from './options.js';

type Parts = AsyncIterator<PartBatch, undefined>;

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
    stream: (request, signal) => new PartStream((inner) => lazily(() => load(request, inner)), signal, options.now),
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

/** The parts of an iterator that is made with the first pull. */
function lazily(make: () => Promise<Parts>): AsyncIterable<PartBatch, undefined> {
  let made: Parts | undefined;
  const first = async (): Promise<IteratorResult<PartBatch, undefined>> => {
    made = await make();
    return made.next();
  };
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => made?.next() ?? first(),
      return: () => made?.return?.() ?? Promise.resolve({ done: true, value: undefined }),
    }),
  };
}
