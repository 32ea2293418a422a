import { type UserContent, text } from '../domain/model/content.js';
import type { Message, UserMessage } from '../domain/model/message.js';
import { lastingNotes } from '../domain/session/attached.js';
import type { HeldBack } from '../domain/session/session-store.js';
import { isRefusal } from './refusal.js';

/** Stands for a refused message after which work was done: else the model would find files changed and not know by whom. */
const NOTE = text(
  '[A message of the user, and the work on it, are left out here: the provider of the model refuses them. Files may have been changed meanwhile.]',
);
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

/** Messages of a conversation that are sent, and how its turns ended. */
interface Sent {
  /** The first message that is sent at all. */
  readonly earliest: number;
  readonly heldBack: readonly HeldBack[];
  /** First messages of turns that ended without an answer, and not because they were refused. */
  readonly cleared: ReadonlySet<number>;
}

/**
 * Possible cause of a refusal: anything, and first the messages without an answer; something further back, as leaving that out was no help; or what the
 * message says that it was made for.
 */
export type Refused = 'anything' | 'further' | 'message';

/**
 * Messages that may be why a conversation is refused: the turns directly before the one that runs which got no answer. Where a server
 * refuses turn after turn, what it objects to must be further back, so each takes more turns with it. Where it refuses what a message
 * says, that one is to blame, and only from the third in a row on one before.
 * @param begun the first message of the turn that runs
 * @returns `undefined` where there are none, or where this turn had an answer: then the server takes what is before it
 */
export function suspectsBefore(messages: readonly Message[], begun: number, refused: Refused, { earliest, heldBack, cleared }: Sent): HeldBack | undefined {
  if (messages.slice(begun).some(isAnswer)) return undefined;
  const starts = turnStarts(messages.slice(0, begun), earliest);
  const answered = starts.findLastIndex((start, index) => isAnswer(messages[(starts[index + 1] ?? begun) - 1]) && !isHeld(start, heldBack));
  const unanswered = starts.slice(answered + 1).filter((start) => refused === 'message' || !isHeld(start, heldBack));
  if (refused === 'message' ? unanswered.length < 2 : unanswered.every((start) => cleared.has(start))) return undefined;
  if (refused === 'further' && unanswered.length < 2) return undefined;
  const first = answered + 1 - (refused === 'anything' ? 0 : 2 ** (unanswered.length - 1) - 1);
  // What a summary stands for is further back than all that is sent.
  const from = first < 0 ? 0 : starts[first];
  return from === undefined ? undefined : { from, to: begun };
}

/** Whether a model answered: of an answer that an error ended, the server may have refused the rest. */
function isAnswer(message: Message | undefined): boolean {
  return message?.role === 'assistant' && message.stopReason !== 'error' && !isRefusal(message.rawStopReason);
}

/** Whether all messages before an index are held back: then no summary of them is sent either. */
export function isAllHeld(before: number, heldBack: readonly HeldBack[]): boolean {
  return heldBack.toSorted((a, b) => a.from - b.from).reduce((end, { from, to }) => (from <= end ? Math.max(end, to) : end), 0) >= before;
}

function turnStarts(messages: readonly Message[], earliest: number): readonly number[] {
  return messages.flatMap(({ role }, index) => (role === 'user' && index >= earliest ? [index] : []));
}

/** Whether a message is held back. */
export function isHeld(index: number, heldBack: readonly HeldBack[]): boolean {
  return heldBack.some(({ from, to }) => index >= from && index < to);
}
