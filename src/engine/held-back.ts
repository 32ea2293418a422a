import { text } from '../domain/model/content.js';
import type { Message } from '../domain/model/message.js';
import type { HeldBack } from '../domain/session/session-store.js';

/** Stands for a refused message after which work was done: else the model would find files changed and not know by whom. */
const NOTE = text('[A message of the user, and the work on it, are left out here: the provider of the model refuses them. Files may have been changed meanwhile.]');

/**
 * A conversation as it may be sent: what is held back has no content, so that it takes no part in requests, summaries, and
 * sizes, and every message keeps its index.
 */
export function withoutHeldBack(messages: readonly Message[], heldBack: readonly HeldBack[]): readonly Message[] {
  if (heldBack.length === 0) return messages;
  const emptied = [...messages];
  for (const range of heldBack) {
    for (const [offset, message] of messages.slice(range.from, range.to).entries()) {
      const worked = offset === 0 && messages.slice(range.from, range.to).some(({ role }) => role === 'tool_result');
      emptied[range.from + offset] = message.role === 'user' && worked ? { ...message, content: [NOTE] } : { ...message, content: [] };
    }
  }
  return emptied;
}

/**
 * The turn that a refusal ended: from the user's message to the end. Where the server refuses turn after turn, what it
 * objects to must be further back: from the third on, each takes one more turn with it.
 */
export function refusedTurn(messages: readonly Message[], first: number, heldBack: readonly HeldBack[]): HeldBack {
  const inARow = rangesBefore(first, heldBack);
  let from = first;
  for (let more = inARow.length - 1; more > 0; more -= 1) from = turnBefore(messages, Math.min(from, ...inARow.map((range) => range.from)));
  return { from, to: messages.length };
}

/** The ranges that lie directly before an index, one behind the other. */
function rangesBefore(index: number, heldBack: readonly HeldBack[]): readonly HeldBack[] {
  const before = heldBack.find(({ to }) => to === index);
  return before === undefined ? [] : [before, ...rangesBefore(before.from, heldBack)];
}

function turnBefore(messages: readonly Message[], index: number): number {
  return Math.max(0, messages.slice(0, index).findLastIndex(({ role }) => role === 'user'));
}
