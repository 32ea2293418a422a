import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { Messages } from '@anthropic-ai/sdk/resources/messages/messages';

export { APIConnectionError, APIError } from '@anthropic-ai/sdk/core/error';

/**
 * The SDK's client with the one resource that is used, put together as the SDK's own clients for other platforms are.
 * The ready-made `Anthropic` class holds every resource and makes the bundle three times as large.
 */
export class MessagesClient extends BaseAnthropic {
  /** `POST /v1/messages`. */
  readonly messages = new Messages(this);
}
