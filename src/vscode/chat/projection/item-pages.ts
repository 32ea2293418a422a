import type { ViewWindow } from '../../../protocol/host/view-messages.js';
import { itemSize } from '../../../protocol/item-size.js';
import type { ViewItem, ViewState } from '../../../protocol/view-state.js';
import { waitsForUser } from '../../../protocol/waits-for-user.js';

/** Items of the end of a transcript that a page gets at once. */
const END_ITEMS = 40;
/** Characters that items sent together may have; one that has more goes alone. */
const MAX_LENGTH = 500_000;

/** A conversation with the end of its transcript only, and which part that is. What waits for the user is always in it. */
export function endOf(state: ViewState): { readonly state: ViewState; readonly window: ViewWindow } {
  const total = state.items.length;
  const waiting = state.activity === 'waiting' ? state.items.findIndex(waitsForUser) : -1;
  const fitting = endStart(state.items);
  const start = waiting < 0 ? fitting : Math.min(fitting, waiting);
  return { state: { ...state, items: state.items.slice(start) }, window: { start, total } };
}

/** Some items from an index on: at least one where there is one, and no more than may be sent together. */
export function pageOf(items: readonly ViewItem[], start: number, count: number): readonly ViewItem[] {
  const wanted = items.slice(start, start + count);
  let length = 0;
  const end = wanted.findIndex((item, index) => (length += itemSize(item)) > MAX_LENGTH && index > 0);
  return end < 0 ? wanted : wanted.slice(0, end);
}

function endStart(items: readonly ViewItem[]): number {
  const first = Math.max(0, items.length - END_ITEMS);
  let length = 0;
  for (let index = items.length - 1; index >= first; index -= 1) {
    const item = items[index];
    length += item === undefined ? 0 : itemSize(item);
    if (length > MAX_LENGTH) return Math.min(index + 1, items.length - 1);
  }
  return first;
}
