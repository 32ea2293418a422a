import type { ViewItem } from '../../../protocol/view-state.js';
import { messageIndexOf } from './item-ids.js';

/** Where a message of the transcript stands in the conversation. */
export interface ItemPlace {
  /** Index of the person's message: the item itself, or the one that it answers. */
  readonly question: number;
  /** How many messages the conversation has up to the end of the item. */
  readonly end: number;
}

/**
 * Finds a message of the person or an answer; `undefined` for other items and for ones that are not there.
 * @param count how many messages the conversation has.
 */
export function placeOfItem(items: readonly ViewItem[], id: string, count: number): ItemPlace | undefined {
  const at = items.findIndex((item) => item.id === id);
  const item = items[at];
  if (item?.kind !== 'user' && item?.kind !== 'answer') return undefined;
  const question = questionAt(items.slice(0, at + 1).findLast(({ kind }) => kind === 'user'));
  if (question === undefined) return undefined;
  if (item.kind === 'user') return { question, end: question + 1 };
  return { question, end: questionAt(items.slice(at + 1).find(({ kind }) => kind === 'user')) ?? count };
}

function questionAt(item: ViewItem | undefined): number | undefined {
  return item === undefined ? undefined : messageIndexOf(item.id);
}
