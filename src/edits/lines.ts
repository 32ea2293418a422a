import type { diffArrays } from 'diff';

/** Looking for the shortest difference stops at so many lines added and removed; then all between is one stretch. */
const MAX_EDITS = 600;

/** `diffArrays` of the package `diff`, which is loaded when it is first needed. */
export type DiffArrays = typeof diffArrays;

/** Lines that differ: from where to where in the old text, and in the new one. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** The lines of a text, each with its ending. An empty text has none. */
export function linesOf(text: string): readonly string[] {
  return text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
}

/** Where two lists of lines differ, in rising order and apart from each other. */
export function stretchesOf(old: readonly string[], fresh: readonly string[], diff: DiffArrays): readonly Stretch[] {
  const most = Math.min(old.length, fresh.length);
  let head = 0;
  while (head < most && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail += 1;
  const [oldEnd, freshEnd] = [old.length - tail, fresh.length - tail];
  if (head === oldEnd && head === freshEnd) return [];
  const whole = { start: head, end: oldEnd, newStart: head, newEnd: freshEnd };
  if (head === oldEnd || head === freshEnd) return [whole];
  // The types of the package leave out that it gives up beyond the limit.
  const parts = diff(old.slice(head, oldEnd), fresh.slice(head, freshEnd), { maxEditLength: MAX_EDITS }) as ReturnType<DiffArrays> | undefined;
  return parts === undefined ? [whole] : joined(parts, head);
}

function joined(parts: ReturnType<DiffArrays>, head: number): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let [at, newAt] = [head, head];
  for (const { added, removed, count } of parts) {
    const next = { start: at, end: added ? at : at + count, newStart: newAt, newEnd: removed ? newAt : newAt + count };
    [at, newAt] = [next.end, next.newEnd];
    if (!added && !removed) continue;
    const last = stretches.at(-1);
    if (last?.end === next.start && last.newEnd === next.newStart) stretches[stretches.length - 1] = { ...last, end: next.end, newEnd: next.newEnd };
    else stretches.push(next);
  }
  return stretches;
}
