import { itemSize } from '../../../src/protocol/item-size.js';
import { type ViewEvent, applyViewEvent } from '../../../src/protocol/view-event.js';
import { type ViewItem, type ViewState, emptyViewState } from '../../../src/protocol/view-state.js';
import { waitsForUser } from '../../../src/protocol/waits-for-user.js';
import { type Range, isIn } from './row-range.js';

/** Items asked for at once. */
const PAGE_ITEMS = 40;
/** Items of the live end from which on the older ones of them are treated like other old items. */
const MAX_END = 100;
/** Number of them that then stay. */
const END_ITEMS = 40;
/** Old items that are kept, and how many characters they may have. */
const MAX_EARLY = 240;
const MAX_EARLY_LENGTH = 8_000_000;

/** Storage of {@link HeldItems}; given by the page, so that components follow every change. */
export interface HeldStore {
  /** The conversation. Its items are the live end of the transcript. */
  view: ViewState;
  /** Index of the first item of the live end. */
  start: number;
  /** Items before the live end, by index. */
  readonly early: Map<number, ViewItem>;
  /** An item whose changes components follow. */
  readonly reactive: (item: ViewItem) => ViewItem;
}

/**
 * The items of a transcript that a page has loaded: its live end, which grows by events, and ranges before it that were
 * requested. Every item is stored once, at its index, and every event is applied to the one that it is about.
 */
export class HeldItems {
  /** Indexes of items that missed events, because a new snapshot came: shown until they are there anew. */
  private readonly stale = new Set<number>();

  constructor(private readonly store: HeldStore) {}

  /** Number of items in the transcript. */
  get total(): number {
    return this.store.start + this.store.view.items.length;
  }

  /** The item at an index, if it is held. */
  at(index: number): ViewItem | undefined {
    const { start, view, early } = this.store;
    return index >= start ? view.items[index - start] : early.get(index);
  }

  /** Where an item is, if it is held. */
  indexOf(id: string): number | undefined {
    const { start, view, early } = this.store;
    const inEnd = view.items.findLastIndex((item) => item.id === id);
    if (inEnd >= 0) return start + inEnd;
    for (const [index, item] of early) if (item.id === id) return index;
    return undefined;
  }

  /** Where items are that wait for the user. */
  waiting(): readonly number[] {
    const { start, view, early } = this.store;
    if (view.activity !== 'waiting' && !view.elves.some(({ state }) => state === 'waiting')) return [];
    const old = [...early].flatMap(([index, item]) => (waitsForUser(item) ? [index] : []));
    return [...old, ...view.items.flatMap((item, index) => (waitsForUser(item) ? [start + index] : []))];
  }

  /** Takes a snapshot. Of the same conversation, what was held before its end stays until it was loaded anew. */
  show(state: ViewState, start: number, same: boolean): void {
    const { store, stale } = this;
    if (same) store.view.items.forEach((item, index) => store.early.set(store.start + index, item));
    else store.early.clear();
    stale.clear();
    for (const index of [...store.early.keys()]) {
      if (index < start) stale.add(index);
      else store.early.delete(index);
    }
    store.view = state;
    store.start = start;
  }

  /** Applies an event, to an item at the live end or before it. */
  apply(event: ViewEvent): void {
    const { view, early } = this.store;
    const concerned = this.earlyOf(event);
    for (const index of concerned) {
      const old = early.get(index);
      if (old === undefined) continue;
      const alone = { ...emptyViewState('', ''), items: [old] };
      applyViewEvent(alone, event);
      const [now = old] = alone.items;
      if (now !== old) early.set(index, this.store.reactive(now));
    }
    if (concerned.length === 0 || event.type === 'held_back') applyViewEvent(view, event);
  }

  /** The items before the live end that an event is about. */
  private earlyOf(event: ViewEvent): readonly number[] {
    const { early, start } = this.store;
    if (event.type === 'held_back') return [...early.keys()];
    if (event.type === 'meta' || event.type === 'item_added') return [];
    const index = this.indexOf(typeof event.item === 'string' ? event.item : event.item.id);
    return index !== undefined && index < start && early.has(index) ? [index] : [];
  }

  /** Takes items that were asked for. */
  add(start: number, items: readonly ViewItem[]): void {
    items.forEach((item, offset) => {
      const index = start + offset;
      if (index >= this.store.start) return;
      this.store.early.set(index, this.store.reactive(item));
      this.stale.delete(index);
    });
  }

  /** The next items to request, so that all items of a range are held; `undefined` when they are. */
  missing({ from, to }: Range): { readonly start: number; readonly count: number } | undefined {
    const { start } = this.store;
    const lacks = (index: number): boolean => !this.store.early.has(index) || this.stale.has(index);
    for (let index = Math.max(0, from); index < Math.min(to, start); index += 1) {
      if (!lacks(index)) continue;
      const page = index - (index % PAGE_ITEMS);
      let first = page;
      while (!lacks(first)) first += 1;
      return { start: first, count: Math.min(page + PAGE_ITEMS, start) - first };
    }
    return undefined;
  }

  /** Turns the beginning of a long live end into old items, and releases them like others. */
  shorten(near: Range, kept: readonly number[]): void {
    const { store } = this;
    if (store.view.items.length <= MAX_END) return;
    for (const item of store.view.items.splice(0, store.view.items.length - END_ITEMS)) {
      store.early.set(store.start, item);
      store.start += 1;
    }
    this.forget(near, kept);
  }

  /** Releases items far from a range when there are too many; never those within it, nor `kept` ones. */
  forget(near: Range, kept: readonly number[]): void {
    const { early } = this.store;
    const middle = (near.from + near.to) / 2;
    let count = 0;
    let length = 0;
    for (const index of [...early.keys()].sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))) {
      const item = early.get(index);
      count += 1;
      length += item === undefined ? 0 : itemSize(item);
      if ((count <= MAX_EARLY && length <= MAX_EARLY_LENGTH) || kept.includes(index) || isIn(near, index)) continue;
      early.delete(index);
      this.stale.delete(index);
    }
  }
}
