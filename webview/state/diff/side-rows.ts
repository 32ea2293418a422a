import { present } from '../../../src/protocol/present.js';
import type { DiffLine } from '../diff/diff-lines.js';

/** Two lines that stand side by side; a side is absent where there is nothing. */
export interface SideRow {
  readonly before?: DiffLine;
  readonly after?: DiffLine;
}

/** Lays the lines of a difference out in two columns: what was removed beside what took its place. */
export function sideRows(lines: readonly DiffLine[]): readonly SideRow[] {
  const rows: SideRow[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [before, after] = [removed[index], added[index]];
      rows.push(present({ before, after }));
    }
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      // What is removed behind what was added is another change.
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else if (line.kind !== 'note') {
      flush();
      rows.push({ before: line, after: line });
    }
  }
  flush();
  return rows;
}
