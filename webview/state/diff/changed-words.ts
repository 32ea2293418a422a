import { diffWordsWithSpace } from 'diff';
import type { DiffLine } from './diff-lines.js';

/** A stretch of a line, in characters; `end` is behind it. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** Longer lines are not compared word by word: it would take long and show little. */
const MAX_LINE = 400;
/** Removed lines that are compared with as many added ones that follow them. */
const MAX_BLOCK = 40;
/** When more of a line than this is another, marking all of it would say nothing. */
const MAX_SHARE = 0.6;

/** Changed words in lines that replace as many others: ranges by the index of their line. */
export function changedWords(lines: readonly DiffLine[]): ReadonlyMap<number, readonly Stretch[]> {
  const words = new Map<number, readonly Stretch[]>();
  for (let at = 0; at < lines.length;) {
    const removed = runLength(lines, at, 'removed');
    const added = runLength(lines, at + removed, 'added');
    if (removed > 0 && removed === added && removed <= MAX_BLOCK) {
      for (let index = at; index < at + removed; index += 1) compare(lines, index, index + removed, words);
    }
    at += Math.max(1, removed + added);
  }
  return words;
}

function runLength(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): number {
  let length = 0;
  while (lines[from + length]?.kind === kind) length += 1;
  return length;
}

function compare(lines: readonly DiffLine[], old: number, fresh: number, words: Map<number, readonly Stretch[]>): void {
  const before = lines[old]?.text ?? '';
  const after = lines[fresh]?.text ?? '';
  if (before.length > MAX_LINE || after.length > MAX_LINE) return;
  const parts = diffWordsWithSpace(before, after);
  const removed = stretches(parts.filter(({ added }) => !added).map(({ value, removed: gone }) => ({ value, marked: gone })));
  const added = stretches(parts.filter(({ removed: gone }) => !gone).map(({ value, added: here }) => ({ value, marked: here })));
  if (share(removed, before) > MAX_SHARE || share(added, after) > MAX_SHARE) return;
  words.set(old, removed);
  words.set(fresh, added);
}

function stretches(parts: readonly { readonly value: string; readonly marked: boolean }[]): readonly Stretch[] {
  const result: Stretch[] = [];
  let at = 0;
  for (const { value, marked } of parts) {
    if (marked) result.push({ start: at, end: at + value.length });
    at += value.length;
  }
  return result;
}

function share(all: readonly Stretch[], text: string): number {
  return all.reduce((sum, { start, end }) => sum + end - start, 0) / Math.max(1, text.length);
}
