import type { Clock } from '../domain/clock.js';
import type { ModelInfo, Provider } from '../domain/model/provider.js';
import { chatRequest } from './chat-request.js';
import { cleanChatAnswer } from './clean-chat-answer.js';
import type { CompletionInput } from './completion-input.js';

/** Characters after which an answer is not read on. */
const MAX_CHARACTERS = 3_000;

/** What {@link askChat} works with. */
export interface ChatModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly clock: Pick<Clock, 'timestamp'>;
}

/**
 * Asks a model that talks for a suggestion; its answer is read only as far as it is used.
 * @throws ProviderError, or AbortError when the signal fired.
 */
export async function askChat(input: CompletionInput, { provider, model, clock }: ChatModel, signal: AbortSignal): Promise<string> {
  const stream = provider.stream(chatRequest(input, model, clock.timestamp()), signal);
  let written = '';
  // Leaving the loop closes the connection.
  for await (const event of stream) {
    if (event.type !== 'text_delta') continue;
    written += event.delta;
    if (isEnough(cleanChatAnswer(written, input.place), input)) break;
  }
  return cleanChatAnswer(written, input.place);
}

function isEnough(answer: string, { extent }: CompletionInput): boolean {
  return answer.length > MAX_CHARACTERS || (extent === 'line' && /\S[^\n]*\n/.test(answer));
}
