import type { Steps } from './steps.js';
import { LINES_PER_STEP } from './steps.js';

/** The lines of a part of a text as numbers: equal lines have equal numbers. */
export interface LineIds {
  readonly ids: readonly number[];
  /** Where each line begins, and at last where the last one ends. */
  readonly starts: readonly number[];
}

/** The lines, ended by LF, of a part of a text. `known` gives numbers to lines and is shared by texts to compare. */
export function* lineIdsOf(text: string, start: number, end: number, known: Map<string, number>): Steps<LineIds> {
  const ids: number[] = [];
  const starts = [start];
  for (let at = start; at < end; ) {
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
