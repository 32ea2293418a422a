import { commonHead, commonTail } from './common-ends.js';

/** Words that became other words within a line. */
export interface WordChange {
  /** Characters of the new line. */
  readonly from: number;
  readonly to: number;
  /** The old text. */
  readonly old: string;
}

/** Pairs of words that are compared for one line; of more, all between the first and the last difference is one change. */
const MAX_PAIRS = 10_000;
/** Changes this close are one: single characters between them only make them hard to read. */
const CLOSE = 2;

/** Compares lines word by word, within a limit for all of them together. */
export class WordDiff {
  private left: number;

  /** @param pairs of words that it may compare in all. */
  constructor(pairs = 300_000) {
    this.left = pairs;
  }

  /** The words that differ in two lines, in order. */
  changes(old: string, fresh: string): readonly WordChange[] {
    const [before, after] = [wordsOf(old), wordsOf(fresh)];
    const head = commonHead(before, after);
    const tail = commonTail(before, after, head);
    const middle = { old: before.slice(head, before.length - tail), fresh: after.slice(head, after.length - tail) };
    const pairs = middle.old.length * middle.fresh.length;
    const fits = pairs <= MAX_PAIRS && pairs <= this.left;
    if (fits) this.left -= pairs;
    const same = fits ? sharedWords(middle.old, middle.fresh) : [];
    return joined(gapsOf(middle, same, before.slice(0, head).join('').length), fresh).map(withoutSameSpace(fresh));
  }
}

/** Names and numbers, stretches of space, and single other characters. */
export function wordsOf(line: string): readonly string[] {
  return line.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^]/gu) ?? [];
}

/** Two lists of words. */
interface Words {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
}

/** Places of the longest list of words that both have in the same order. */
function sharedWords(old: readonly string[], fresh: readonly string[]): readonly (readonly [old: number, fresh: number])[] {
  const width = fresh.length + 1;
  const longest = new Uint16Array((old.length + 1) * width);
  const at = (a: number, b: number): number => longest[a * width + b] ?? 0;
  for (let a = old.length - 1; a >= 0; a -= 1) {
    for (let b = fresh.length - 1; b >= 0; b -= 1) longest[a * width + b] = old[a] === fresh[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
  }
  const shared: (readonly [number, number])[] = [];
  for (let [a, b] = [0, 0]; a < old.length && b < fresh.length;) {
    if (old[a] === fresh[b]) shared.push([a++, b++]);
    else if (at(a + 1, b) >= at(a, b + 1)) a += 1;
    else b += 1;
  }
  return shared;
}

/** Gaps between words that both have. @param start offset of the first word in the new line */
function gapsOf({ old, fresh }: Words, same: readonly (readonly [number, number])[], start: number): readonly WordChange[] {
  const changes: WordChange[] = [];
  let [a, b, at] = [0, 0, start];
  for (const [nextA, nextB] of [...same, [old.length, fresh.length] as const]) {
    const added = fresh.slice(b, nextB).join('').length;
    if (nextA > a || nextB > b) changes.push({ from: at, to: at + added, old: old.slice(a, nextA).join('') });
    at += added + (fresh[nextB]?.length ?? 0);
    [a, b] = [nextA + 1, nextB + 1];
  }
  return changes;
}

/** Brings changes together that have next to nothing between them. */
function joined(changes: readonly WordChange[], fresh: string): readonly WordChange[] {
  const all: WordChange[] = [];
  for (const change of changes) {
    const last = all.at(-1);
    const between = fresh.slice(last?.to ?? 0, change.from);
    if (last === undefined || between.trim().length > CLOSE) all.push(change);
    else all.splice(-1, 1, { from: last.from, to: change.to, old: last.old + between + change.old });
  }
  return all;
}

/** Takes off the space that both sides of a change begin or end with: an indentation that grew has only grown. */
function withoutSameSpace(fresh: string): (change: WordChange) => WordChange {
  return ({ from, to, old }) => {
    const next = fresh.slice(from, to);
    const space = (text: string, end: 'head' | 'tail'): string => (end === 'head' ? /^\s*/ : /\s*$/).exec(text)?.[0] ?? '';
    const head = commonHead(space(old, 'head'), space(next, 'head'));
    const tail = commonTail(space(old, 'tail'), space(next, 'tail'), 0);
    const rest = Math.min(tail, old.length - head, next.length - head);
    return { from: from + head, to: to - rest, old: old.slice(head, old.length - rest) };
  };
}
