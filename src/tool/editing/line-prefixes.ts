import type { Wanted } from './searched-text.js';

/** What `read` and its like put before a line: its number, then an arrow or a tab. */
const PREFIX = /^[ \t]*(\d{1,9})(?:→|\t)/;

/** An edit without the line numbers that were copied with its text; `undefined` when there are none. */
export function withoutLineNumbers({ old, fresh }: Wanted): Wanted | undefined {
  const bare = stripped(old);
  return bare === undefined ? undefined : { old: bare, fresh: stripped(fresh) ?? fresh };
}

/** Whether every line of a text has a number before it, each one more than the last. */
export function hasLineNumbers(text: string): boolean {
  return stripped(text) !== undefined;
}

function stripped(text: string): string | undefined {
  const lines = text.split(/(?<=\n)/);
  const numbers = lines.map((line) => Number(PREFIX.exec(line)?.[1]));
  const inOrder = numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
  const bare = inOrder ? lines.map((line) => line.replace(PREFIX, '')).join('') : '';
  return bare === '' ? undefined : bare;
}
