import type { Message } from '../../../domain/model/message.js';
import { noteOf } from '../replay.js';

/** What a server has refused of what a request can do without. */
export interface Refused {
  /** Whether it gives no summaries of reasoning: OpenAI gives them to verified organizations only. */
  readonly summaries: boolean;
  /** Ids of reasoning items that it cannot read: made for another account, by another server, or expired. */
  readonly reasoning: ReadonlySet<string>;
}

/** `Your organization must be verified to generate reasoning summaries`, param `reasoning.summary`. */
const SUMMARY = /reasoning[._]summary|reasoning summaries/i;

/**
 * `The encrypted content … could not be verified` (openai/codex#8119, #17541), `Item … of type 'reasoning' was provided
 * without its required following item` (vercel/ai#7099), `Items are not persisted when store is set to false`
 * (earendil-works/pi#5059).
 */
const REASONING = /invalid_encrypted_content|encrypted[ _]content|required following item|items are not persisted/i;

/**
 * What a server refuses from now on, after one refusal: a session must not end because its reasoning cannot be read any
 * more, and none because its summaries cannot be shown.
 * @param body what the server said
 * @returns `undefined` when it was about something else, or about what was not sent
 */
export function refusedIn(body: unknown, messages: readonly Message[], before: Refused): Refused | undefined {
  const words = JSON.stringify(body ?? '');
  if (SUMMARY.test(words)) return before.summaries ? undefined : { ...before, summaries: true };
  if (!REASONING.test(words)) return undefined;
  const sent = reasoningIn(messages).filter((id) => !before.reasoning.has(id));
  return sent.length === 0 ? undefined : { ...before, reasoning: new Set([...before.reasoning, ...sent]) };
}

function reasoningIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role !== 'assistant') return [];
    return message.content.flatMap((block) => {
      const note = noteOf(block);
      return note?.kind === 'reasoning' ? [note.id] : [];
    });
  });
}
