import type { Place } from './place.js';
import { typedSince } from './typed-since.js';

/** A text that is suggested at a place. */
export interface Suggestion {
  /** The text before the cursor when it is accepted. Line endings are `\n`. */
  readonly text: string;
  /** Characters behind the cursor, on its line, that the text takes the place of. */
  readonly replaces: number;
}

/**
 * What is left of a suggestion at a later place, where nothing but a part of it was typed since.
 * @returns `undefined` when something else was typed, or nothing is left.
 */
export function leftOf({ text, replaces }: Suggestion, from: Place, now: Place): Suggestion | undefined {
  const since = typedSince(from, now);
  if (since === undefined || !text.startsWith(since.typed)) return undefined;
  const left = { text: text.slice(since.typed.length), replaces: replaces + since.closed.length };
  return left.text !== '' && isInsertion(left, now) ? left : undefined;
}

/** Whether taking it only adds characters: an editor shows nothing else as ghost text. */
export function isInsertion({ text, replaces }: Suggestion, { suffix }: Pick<Place, 'suffix'>): boolean {
  const [first = ''] = text.split('\n', 1);
  let at = 0;
  for (const character of suffix.slice(0, replaces)) {
    at = first.indexOf(character, at) + 1;
    if (at === 0) return isInLast(text, suffix.slice(0, replaces));
  }
  return true;
}

/** What closes a bracket may be on the last line of a multi-line text. */
function isInLast(text: string, replaced: string): boolean {
  const last = text.slice(text.lastIndexOf('\n') + 1);
  return last !== text && last.trimStart().startsWith(replaced);
}
