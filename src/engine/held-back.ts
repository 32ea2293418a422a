import { type UserContent, text } from '../domain/model/content.js';
import type { Message, UserMessage } from '../domain/model/message.js';
import { lastingNotes } from '../domain/session/attached.js';
import type { HeldBack } from '../domain/session/session-store.js';

/** Stands for a refused message after which work was done: else the model would find files changed and not know by whom. */
const NOTE = text('[A message of the user, and the work on it, are left out here: the provider of the model refuses them. Files may have been changed meanwhile.]');
/** Stands for one that came with notes, which go on applying. */
const NO_WORDS = text('[A message of the user is left out here: the provider of the model refuses it.]');

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
      emptied[range.from + offset] = message.role === 'user' ? { ...message, content: standIn(message, worked) } : { ...message, content: [] };
    }
  }
  return emptied;
}

function standIn(message: UserMessage, worked: boolean): readonly UserContent[] {
  const notes = lastingNotes(message.content);
  if (notes.length > 0) return [...notes, worked ? NOTE : NO_WORDS];
  return worked ? [NOTE] : [];
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

/** What of a conversation is sent: from which message on, and what not. */
interface Sent {
  readonly earliest: number;
  readonly heldBack: readonly HeldBack[];
}

/**
 * Messages that may be why a conversation is refused in words that say nothing: the turns directly before the one that runs which got no
 * answer. Where a server refuses turn after turn, what it objects to must be further back, so each takes more turns with it.
 * @param begun the first message of the turn that runs
 * @param earliest the first message that is sent at all
 * @returns `undefined` where there are none, or where this turn had an answer: then the server takes what is before it
 */
export function suspectsBefore(messages: readonly Message[], begun: number, { earliest, heldBack }: Sent): HeldBack | undefined {
  if (messages.slice(begun).some(({ role }) => role === 'assistant')) return undefined;
  const starts = turnStarts(messages.slice(0, begun), earliest);
  const answered = starts.findLastIndex((start, index) => messages[(starts[index + 1] ?? begun) - 1]?.role === 'assistant' && !isHeld(start, heldBack));
  const unanswered = starts.slice(answered + 1).filter((start) => !isHeld(start, heldBack)).length;
  if (unanswered === 0) return undefined;
  const from = starts[Math.max(0, answered + 1 - (2 ** (unanswered - 1) - 1))];
  return from === undefined ? undefined : { from, to: begun };
}

function turnStarts(messages: readonly Message[], earliest: number): readonly number[] {
  return messages.flatMap(({ role }, index) => (role === 'user' && index >= earliest ? [index] : []));
}

/** Whether a message is held back. */
export function isHeld(index: number, heldBack: readonly HeldBack[]): boolean {
  return heldBack.some(({ from, to }) => index >= from && index < to);
}

/** The ranges that lie directly before an index, one behind the other. */
function rangesBefore(index: number, heldBack: readonly HeldBack[]): readonly HeldBack[] {
  const before = heldBack.find(({ to }) => to === index);
  return before === undefined ? [] : [before, ...rangesBefore(before.from, heldBack)];
}

function turnBefore(messages: readonly Message[], index: number): number {
  return Math.max(0, messages.slice(0, index).findLastIndex(({ role }) => role === 'user'));
}
