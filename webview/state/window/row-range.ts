/** Rows from an index up to, not including, another one. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The indexes of a range. */
export function indexesIn({ from, to }: Range): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
}

/** Whether an index is in a range. */
export function isIn({ from, to }: Range, index: number): boolean {
  return index >= from && index < to;
}

/** Each of some indexes once, from first to last. */
export function inOrder(indexes: readonly number[]): readonly number[] {
  return [...new Set(indexes)].sort((a, b) => a - b);
}

/** Rows kept ready on either side of those in view. */
const MARGIN = 18;
/** Rows that may be further away before they go, so that scrolling back and forth costs nothing. */
const SLACK = 6;
/** Rows made at once where none are; fits into a frame. */
const FIRST = 6;
/** Rows made per step after that, and how many go. */
const PER_STEP = 2;
const GONE_PER_STEP = 6;

/** The rows to have in the page, given those in view. A few more where that leaves none out at an end. */
export function wantedRows(view: Range, total: number): Range {
  const [from, to] = [view.from - MARGIN, view.to + MARGIN];
  return { from: from <= SLACK ? 0 : from, to: to >= total - SLACK ? total : to };
}

/** The rows that a page begins with at the end of a transcript. */
export function lastRows(total: number): Range {
  return { from: Math.max(0, total - FIRST), to: total };
}

/** Input of {@link nextRows}. */
export interface RowWish {
  /** Rows in view. */
  readonly view: Range;
  /** Rows to have in the page; more than those in view. */
  readonly wanted: Range;
  /** Whether a row can be made: its item is there. */
  readonly held: (index: number) => boolean;
}

/**
 * The rows after one small step towards those that are wanted: what is in view comes first, then what is next to it, on
 * the side that lacks more. Rows that lie together stay together. The same object when there is nothing to do.
 */
export function nextRows(now: Range, wish: RowWish): Range {
  const { view, held } = wish;
  const apart = now.to <= view.from || now.from >= view.to;
  if (apart) return held(view.from) ? freshRows(wish) : now;
  const grown = grow(now, wish);
  const { wanted } = wish;
  const from = grown.from < wanted.from - SLACK ? Math.min(wanted.from, grown.from + GONE_PER_STEP) : grown.from;
  const to = grown.to > wanted.to + SLACK ? Math.max(wanted.to, grown.to - GONE_PER_STEP) : grown.to;
  return from === now.from && to === now.to ? now : { from, to };
}

function freshRows({ view, held }: RowWish): Range {
  let to = view.from + 1;
  while (to < view.to && to < view.from + FIRST && held(to)) to += 1;
  return { from: view.from, to };
}

function grow(now: Range, { view, wanted, held }: RowWish): Range {
  const above = now.from > wanted.from && held(now.from - 1) ? now.from - wanted.from : 0;
  const below = now.to < wanted.to && held(now.to) ? wanted.to - now.to : 0;
  if (above === 0 && below === 0) return now;
  const upwards = below === 0 || (above > 0 && (now.from > view.from || (now.to >= view.to && above > below)));
  let { from, to } = now;
  for (let made = 0; made < PER_STEP; made += 1) {
    if (upwards && from > wanted.from && held(from - 1)) from -= 1;
    else if (!upwards && to < wanted.to && held(to)) to += 1;
  }
  return { from, to };
}
