import { type Place, PREFIX_CHARACTERS, SUFFIX_CHARACTERS } from './place.js';

/** Characters that may have been typed between two places. */
const MAX_TYPED = 500;
/** What editors close on their own, as far as that goes behind the cursor. */
const CLOSED = /^[)\]}>"'`]{0,3}/;

/** What happened to the text around the cursor between two places. */
export interface Typed {
  /** What was typed before the cursor. */
  readonly typed: string;
  /** What the editor closed on its own behind it. */
  readonly closed: string;
}

/** What was typed from one place to a later one, when nothing else has changed; `undefined` when something else has. */
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
