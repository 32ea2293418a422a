import type { HeldBack } from '../../domain/session/session-store.js';

/** Id of the item of a user's message, given its index in the conversation. */
export function userItemId(index: number): string {
  return `u${index}`;
}

/** Ids of the user's messages among those that are held back; others have no item of such an id. */
export function heldBackItems(heldBack: readonly HeldBack[]): readonly string[] {
  return heldBack.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, offset) => userItemId(from + offset)));
}

/** Index in the conversation of the user's message that an item shows; `undefined` for other items. */
export function messageIndexOf(item: string): number | undefined {
  const digits = /^u(\d{1,9})$/.exec(item)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Id of the item that shows the message at an index: an answer also shows the rounds and results after its first message. */
export function itemOfMessage(items: readonly { readonly id: string }[], index: number): string | undefined {
  return items.findLast(({ id }) => Number(/^[ua](\d{1,9})$/.exec(id)?.[1] ?? Infinity) <= index)?.id;
}
