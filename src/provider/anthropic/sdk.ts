import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Models } from '@anthropic-ai/sdk/resources/models';

export { APIConnectionError, APIError } from '@anthropic-ai/sdk/core/error';
export { Stream } from '@anthropic-ai/sdk/core/streaming';
export type { ServerSentEvent } from '@anthropic-ai/sdk/core/streaming';

/**
 * The SDK's client with the resource that is used, put together as the SDK's own clients for other platforms are. The
 * ready-made `Anthropic` class includes every resource and makes the bundle three times as large.
 */
export class MessagesClient extends BaseAnthropic {
  /** `GET /v1/models`. */
  readonly models = new Models(this);
}
