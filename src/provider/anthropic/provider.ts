import type { Provider } from '../../domain/provider.js';
import { PartStream } from '../part-stream.js';
import type { AnthropicOptions } from './client.js';
import { MessageParts } from './message-parts.js';
import { ANTHROPIC } from './models.js';
import { requestParams } from './request.js';

export type { AnthropicOptions } from './client.js';

/**
 * Claude through Anthropic's Messages API, or through any endpoint that speaks it. The SDK is loaded with the first
 * pull of the first stream, and a stream that is never pulled makes no request.
 */
export function createAnthropicProvider(options: AnthropicOptions): Provider {
  return {
    name: ANTHROPIC,
    stream: (request, signal) =>
      new PartStream((inner) => new MessageParts(options, () => requestParams(request), inner), signal, options.now),
  };
}
