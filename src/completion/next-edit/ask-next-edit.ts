import type { ChatModel } from '../ask-chat.js';
import type { NextEditInput } from './next-edit-input.js';
import { nextEditRequest } from './next-edit-request.js';
import { isWhole } from './read-answer.js';

/**
 * Asks a model that talks for the next edit; its answer is read only as far as it is used.
 * @throws ProviderError, or AbortError when the signal fired.
 */
export async function askNextEdit(input: NextEditInput, { provider, model, clock }: ChatModel, signal: AbortSignal): Promise<string> {
  let written = '';
  // Leaving the loop closes the connection.
  for await (const event of provider.stream(nextEditRequest(input, model, clock.timestamp()), signal)) {
    if (event.type !== 'text_delta') continue;
    written += event.delta;
    if (isWhole(written)) break;
  }
  return written;
}
