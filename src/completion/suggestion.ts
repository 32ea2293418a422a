import { type Place, PREFIX_CHARACTERS, SUFFIX_CHARACTERS } from './place.js';

/** A text that is suggested at a place. */
export interface Suggestion {
  /** The text before the cursor when it is accepted. Line endings are `\n`. */
  readonly text: string;
  /** Characters behind the cursor, on its line, that the text takes the place of. */
  readonly replaces: number;
}

/**
 * The rest of a suggestion at a later place, if only a part of it was typed since.
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

/** Characters that may have been typed between two places. */
const MAX_TYPED = 500;
/** Closing characters behind the cursor that editors insert automatically. */
const CLOSED = /^[)\]}>"'`]{0,3}/;

/** Change of the text around the cursor between two places. */
interface Typed {
  /** Text typed before the cursor. */
  readonly typed: string;
  /** Closing characters that the editor inserted behind it. */
  readonly closed: string;
}

/** Text typed from one place to a later one, if nothing else has changed; `undefined` when something else has. */
export function typedSince(before: Place, now: Place): Typed | undefined {
  const count = now.offset - before.offset;
  if (before.document !== now.document || count < 0 || count > MAX_TYPED || count > now.prefix.length) return undefined;
  const kept = now.prefix.slice(0, now.prefix.length - count);
  // The window of a later place begins further down by what was typed.
  const moved = now.prefix.length === PREFIX_CHARACTERS;
  if (!before.prefix.endsWith(kept) || (kept.length !== before.prefix.length && !moved)) return undefined;
  const closed = closedSince(before.suffix, now.suffix);
  return closed === undefined ? undefined : { typed: now.prefix.slice(kept.length), closed };
}

function closedSince(before: string, now: string): string | undefined {
  if (before === now) return '';
  const most = CLOSED.exec(now)?.[0].length ?? 0;
  const count = Array.from({ length: most }, (_, index) => index + 1).find((length) => now === (now.slice(0, length) + before).slice(0, SUFFIX_CHARACTERS));
  return count === undefined ? undefined : now.slice(0, count);
}
