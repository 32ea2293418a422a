import type { Clock } from '../domain/clock.js';
import type { ModelInfo, Provider } from '../domain/model/provider.js';
import { chatRequest, CURSOR } from './chat-request.js';
import type { CompletionInput } from './completion-input.js';
import type { Place } from './place.js';
import { indentationOf, lineBefore } from './place.js';

/** Characters after which an answer is not read on. */
const MAX_CHARACTERS = 3_000;

/** Dependencies of {@link askChat}. */
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

/** A fence that models put around code although they were asked not to. */
const OPENING = /^\s*```[^\n]*(?:\n|$)/;
const CLOSING = /\n?```\s*$/;
/** Tags of the prompt that models copy. */
const TAGS = /^<file[^>\n]*>\n|\n?<\/file>\s*$/g;
/** Minimum length, in characters, of a line that counts as repeated. */
const LEAST_AGAIN = 2;

/** Cleans the answer of a chat model for a place: removes code fences and repeated text. Also works for a partial answer. */
export function cleanChatAnswer(written: string, place: Place): string {
  const bare = unfenced(written).replace(TAGS, '');
  return withoutLineBefore(behindCursor(bare), place);
}

function unfenced(written: string): string {
  return OPENING.test(written) ? written.replace(OPENING, '').replace(CLOSING, '') : written;
}

/** A model that copied the text before the cursor marks where it continues. */
function behindCursor(text: string): string {
  return text.slice(text.indexOf(CURSOR) < 0 ? 0 : text.indexOf(CURSOR) + CURSOR.length).replaceAll(CURSOR, '');
}

/** Models say the line again that has been begun, or indent it although it is indented. */
function withoutLineBefore(text: string, place: Place): string {
  const before = lineBefore(place);
  if (before === '') return text;
  if (text.startsWith(before) && (before.trim() === '' || before.trim().length >= LEAST_AGAIN)) return text.slice(before.length);
  if (before.trim() === '') return text.replace(/^[ \t]+/, '');
  const begun = before.slice(indentationOf(before).length);
  return begun.length >= LEAST_AGAIN && text.startsWith(begun) ? text.slice(begun.length) : text;
}
