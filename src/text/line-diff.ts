import type { diffArrays } from 'diff';
import { type Steps, LINES_PER_STEP } from '../concurrency/steps.js';

/** Difference of two texts or lists: its range in the old one, and in the new one. */
export interface Difference {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** `diffArrays` of the package `diff`, which is loaded when it is first needed. */
export type DiffArrays = typeof diffArrays;

/** Characters that are compared at once. */
const BLOCK = 65_536;
/** Up to this many lines, both sides together, the shortest difference is looked for. */
const SHORTEST_LINES = 4_000;
/** The most lines added and removed in a shortest difference; looking for more takes too long. */
const SHORTEST_EDITS = 400;
/** Maximum recursion of cutting ranges at lines that are unique in them. */
const DEEPEST_CUT = 6;

/**
 * The offsets of the stretches of lines, ended by LF, in which two texts differ, in rising order.
 *
 * Small differences are as short as can be. Large ones are cut at lines that both sides have once; where there are none,
 * all between is one stretch. So the time grows with the texts and no faster.
 */
export function* differingStretches(before: string, after: string, diff: DiffArrays): Steps<readonly Difference[]> {
  const { start, end, newStart, newEnd } = differingPart(before, after);
  if (start === end || newStart === newEnd) return start === end && newStart === newEnd ? [] : [{ start, end, newStart, newEnd }];
  const known = new Map<string, number>();
  const old = yield* lineIdsOf(before, start, end, known);
  const fresh = yield* lineIdsOf(after, newStart, newEnd, known);
  const whole = { start: 0, end: old.ids.length, newStart: 0, newEnd: fresh.ids.length };
  const segments = yield* new LineDiff(old.ids, fresh.ids, diff).within(whole, 0);
  return segments.map((segment) => ({
    start: old.starts[segment.start] ?? end,
    end: old.starts[segment.end] ?? end,
    newStart: fresh.starts[segment.newStart] ?? newEnd,
    newEnd: fresh.starts[segment.newEnd] ?? newEnd,
  }));
}

/** Both texts without the whole lines that they share at their beginnings and ends. */
function differingPart(before: string, after: string): Difference {
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head + BLOCK <= most && before.slice(head, head + BLOCK) === after.slice(head, head + BLOCK)) head += BLOCK;
  while (head < most && before.charCodeAt(head) === after.charCodeAt(head)) head += 1;
  const start = head === 0 ? 0 : before.lastIndexOf('\n', head - 1) + 1;
  if (head === before.length && head === after.length) return { start: head, end: head, newStart: head, newEnd: head };
  const tail = commonTail(before, after, most - start);
  return { start, end: before.length - tail, newStart: start, newEnd: after.length - tail };
}

function commonTail(before: string, after: string, most: number): number {
  const same = (from: number, to: number): boolean =>
    before.slice(before.length - to, before.length - from) === after.slice(after.length - to, after.length - from);
  let tail = 0;
  while (tail + BLOCK <= most && same(tail, tail + BLOCK)) tail += BLOCK;
  while (tail < most && before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)) tail += 1;
  const beginsLine = (text: string): boolean => tail === text.length || text.charAt(text.length - tail - 1) === '\n';
  if (tail === 0 || (beginsLine(before) && beginsLine(after))) return tail;
  const lf = before.indexOf('\n', before.length - tail);
  return lf === -1 ? 0 : before.length - lf - 1;
}

/** Compares two lists of lines. */
class LineDiff {
  constructor(
    private readonly old: readonly number[],
    private readonly fresh: readonly number[],
    private readonly diff: DiffArrays,
  ) {}

  *within(segment: Difference, depth: number): Steps<readonly Difference[]> {
    yield;
    const inner = trimmed(this.old, this.fresh, segment);
    if (inner.start === inner.end && inner.newStart === inner.newEnd) return [];
    if (inner.start === inner.end || inner.newStart === inner.newEnd) return [inner];
    // One line for another, the most frequent case, needs no search.
    if (inner.end - inner.start === 1 && inner.newEnd - inner.newStart === 1) return [inner];
    const few = inner.end - inner.start + inner.newEnd - inner.newStart <= SHORTEST_LINES;
    const found = few ? shortestDifferences(this.old, this.fresh, inner, this.diff, SHORTEST_EDITS) : undefined;
    return found ?? (yield* this.cutAtAnchors(inner, depth));
  }

  private *cutAtAnchors(segment: Difference, depth: number): Steps<readonly Difference[]> {
    const anchors = depth < DEEPEST_CUT ? yield* uniqueAnchors(this.old, this.fresh, segment) : [];
    if (anchors.length === 0) return [segment];
    const found: Difference[] = [];
    let { start, newStart } = segment;
    for (const [index, { at, newAt }] of [...anchors, { at: segment.end, newAt: segment.newEnd }].entries()) {
      if (at > start || newAt > newStart) {
        for (const inner of yield* this.within({ start, end: at, newStart, newEnd: newAt }, depth + 1)) appendJoined(found, inner);
      }
      [start, newStart] = [at + 1, newAt + 1];
      if (index % LINES_PER_STEP === 0) yield;
    }
    return found;
  }
}

/** A part of two lists without what is the same at the beginnings and ends of both sides. */
export function trimmed<T>(old: readonly T[], fresh: readonly T[], { start, end, newStart, newEnd }: Difference): Difference {
  let head = 0;
  let tail = 0;
  const most = Math.min(end - start, newEnd - newStart);
  while (head < most && old[start + head] === fresh[newStart + head]) head += 1;
  while (tail < most - head && old[end - 1 - tail] === fresh[newEnd - 1 - tail]) tail += 1;
  return { start: start + head, end: end - tail, newStart: newStart + head, newEnd: newEnd - tail };
}

/** Where a part of two lists differs, as short as can be, in rising order and apart from each other; `undefined` when it takes more edits than `most`. */
export function shortestDifferences<T>(
  old: readonly T[],
  fresh: readonly T[],
  part: Difference,
  diff: DiffArrays,
  most: number,
): readonly Difference[] | undefined {
  const { start, end, newStart, newEnd } = part;
  const parts = diff(old.slice(start, end), fresh.slice(newStart, newEnd), { maxEditLength: most });
  const found: Difference[] = [];
  let [at, newAt] = [start, newStart];
  for (const { added, removed, count } of parts ?? []) {
    const next = { start: at, end: added ? at : at + count, newStart: newAt, newEnd: removed ? newAt : newAt + count };
    [at, newAt] = [next.end, next.newEnd];
    if (added || removed) appendJoined(found, next);
  }
  return parts === undefined ? undefined : found;
}

/** Adds a segment, as one with the last where they touch. */
function appendJoined(segments: Difference[], next: Difference): void {
  const last = segments.at(-1);
  if (last !== undefined && last.end === next.start && last.newEnd === next.newStart) {
    segments[segments.length - 1] = { ...last, end: next.end, newEnd: next.newEnd };
  } else segments.push(next);
}

/** The lines of a part of a text as numbers: equal lines have equal numbers. */
interface LineIds {
  readonly ids: readonly number[];
  /** Where each line begins, and at last where the last one ends. */
  readonly starts: readonly number[];
}

/** The lines, ended by LF, of a part of a text. `known` gives numbers to lines and is shared by texts to compare. */
function* lineIdsOf(text: string, start: number, end: number, known: Map<string, number>): Steps<LineIds> {
  const ids: number[] = [];
  const starts = [start];
  for (let at = start; at < end;) {
    const lf = text.indexOf('\n', at);
    const next = lf === -1 || lf >= end ? end : lf + 1;
    const line = text.slice(at, next);
    const id = known.get(line) ?? known.size;
    known.set(line, id);
    ids.push(id);
    starts.push(next);
    at = next;
    if (ids.length % LINES_PER_STEP === 0) yield;
  }
  return { ids, starts };
}

/** Indexes of an equal element in two lists. */
interface Anchor {
  readonly at: number;
  readonly newAt: number;
}

/**
 * The longest series of items, in the same order in both, that a segment has exactly once on either side ("patience
 * diff"): such lines are hardly ever matched wrongly.
 */
function* uniqueAnchors(before: readonly number[], after: readonly number[], segment: Difference): Steps<readonly Anchor[]> {
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
