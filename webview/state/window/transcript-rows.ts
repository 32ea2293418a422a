import type { ViewItem } from '../../../src/protocol/view-state.js';
import type { HeldItems } from './held-items.js';
import type { RowHeights } from './row-heights.js';
import { type Range, indexesIn, inOrder } from './row-range.js';

/** Row in the page: an item, or a gap as high as the rows that are not there. */
export type TranscriptRow =
  | { readonly kind: 'item'; readonly key: string; readonly index: number; readonly item: ViewItem }
  | { readonly kind: 'gap'; readonly key: string; readonly height: number };

/** The rows of a range, and others outside of it that have to stay. Rows never change places, so that none is moved. */
export function rowsOf(range: Range, pins: readonly number[], { held, heights }: { held: HeldItems; heights: RowHeights }): readonly TranscriptRow[] {
  const rows: TranscriptRow[] = [];
  let next = 0;
  for (const index of inOrder([...pins, ...indexesIn(range)])) {
    const item = held.at(index);
    if (item === undefined) continue;
    if (index > next) rows.push({ kind: 'gap', key: `gap ${item.id}`, height: heights.between(next, index) });
    rows.push({ kind: 'item', key: `item ${item.id}`, index, item });
    next = index + 1;
  }
  if (held.total > next) rows.push({ kind: 'gap', key: 'rest', height: heights.between(next, held.total) });
  return rows;
}

/** The question that the row at the top of the view answers, when it is not in view itself. */
export function questionAbove(top: number, held: HeldItems): Extract<ViewItem, { kind: 'user' }> | undefined {
  for (let index = top; index >= 0; index -= 1) {
    const item = held.at(index);
    if (item === undefined) return undefined;
    if (item.kind === 'user') return index === top ? undefined : item;
  }
  return undefined;
}
