import type { Steps } from './steps.js';
import { LINES_PER_STEP } from './steps.js';

/** A part of two lists: from where to where in each. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** A place in each of two lists that holds the same. */
export interface Anchor {
  readonly at: number;
  readonly newAt: number;
}

/**
 * The longest series of items, in the same order in both, that a segment has exactly once on either side ("patience
 * diff"): such lines are hardly ever matched wrongly.
 */
export function* uniqueAnchors(before: readonly number[], after: readonly number[], segment: Segment): Steps<readonly Anchor[]> {
  const own = yield* placesOfUnique(before, segment.start, segment.end);
  const other = yield* placesOfUnique(after, segment.newStart, segment.newEnd);
  const anchors: Anchor[] = [];
  for (const [id, at] of own) {
    const newAt = other.get(id);
    if (at !== REPEATED && newAt !== undefined && newAt !== REPEATED) anchors.push({ at, newAt });
  }
  yield;
  return longestRising(anchors);
}

const REPEATED = -1;

/** By item its only place, or {@link REPEATED}; in order of first places. */
function* placesOfUnique(items: readonly number[], start: number, end: number): Steps<ReadonlyMap<number, number>> {
  const places = new Map<number, number>();
  for (let index = start; index < end; index += 1) {
    const item = items[index] ?? REPEATED;
    places.set(item, places.has(item) ? REPEATED : index);
    if (index % LINES_PER_STEP === 0) yield;
  }
  return places;
}

/** The longest part of anchors, in order of `at`, in which `newAt` rises too. */
function longestRising(anchors: readonly Anchor[]): readonly Anchor[] {
  const tails: number[] = [];
  const previous: number[] = [];
  anchors.forEach(({ newAt }, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((anchors[tails[middle] ?? 0]?.newAt ?? 0) < newAt) low = middle + 1;
      else high = middle;
    }
    previous.push(tails[low - 1] ?? -1);
    tails[low] = index;
  });
  const rising: Anchor[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const anchor = anchors[index];
    if (anchor !== undefined) rising.push(anchor);
  }
  return rising.reverse();
}
