import { CHAT_AUTHOR } from '../domain/workspace/change-author.js';
import type { ReviewEvent } from '../domain/workspace/changes.js';
import type { ChangeChoice, FileReview } from './ledger-entry.js';
import type { Hunk } from './text-review.js';

/** How many hunks of the chat itself a file has, see {@link ReviewEvent}. */
export function ownHunks(review: FileReview | undefined): number {
  if (review === undefined) return 0;
  return isWhole(review) ? Number(isOwn(review)) : textHunks(review).length;
}

/**
 * What the user has decided about a file by keeping or undoing; `undefined` where nothing of the chat itself was decided.
 * @param now the file after that
 */
export function decisionOn(
  before: FileReview,
  now: FileReview | undefined,
  { how, chosen }: { readonly how: 'kept' | 'undone'; readonly chosen: ChangeChoice },
): Extract<ReviewEvent, { type: 'decided' }> | undefined {
  const pending = ownHunks(now);
  if (pending >= ownHunks(before)) return undefined;
  const hunks = isWhole(before) ? [] : textHunks(before).filter((hunk) => typeof chosen !== 'function' || chosen(hunk));
  const edited = hunks.filter((hunk) => hunk.edited).length;
  const all = isWhole(before) ? 1 : hunks.length - edited;
  const decided = how === 'kept' ? { kept: all, edited, undone: 0 } : { kept: 0, edited: 0, undone: all };
  return { type: 'decided', path: before.path, ...decided, pending };
}

/** Whether it has no hunks that could be decided about one by one. */
function isWhole({ hunks }: FileReview): boolean {
  return hunks.length === 0;
}

function isOwn({ authors }: FileReview): boolean {
  return authors === undefined || authors.every(({ id }) => id === CHAT_AUTHOR.id);
}

function textHunks({ hunks }: FileReview): readonly Hunk[] {
  return hunks.filter(({ by = CHAT_AUTHOR }) => by.id === CHAT_AUTHOR.id);
}
