import { describe, expect, it } from 'vitest';
import { hunkAt, nextChange, nextFile } from '../../../src/edits/change-places.js';
import type { FileReview } from '../../../src/edits/ledger-entry.js';
import type { Hunk } from '../../../src/edits/text-review.js';

const hunkOf = ([line, count]: readonly [number, number], index: number): Hunk => ({ index, line, count, removed: ['x\n'], baselineLine: line, edited: false });
const file = (path: string, ...hunks: readonly (readonly [number, number])[]): FileReview => ({
  path,
  sessions: [],
  created: false,
  deleted: false,
  hunks: hunks.map(hunkOf),
  lines: undefined,
  baseline: '',
});

describe('C-7 going through changes', () => {
  const files = [file('/a', [2, 1], [8, 2]), { ...file('/b'), deleted: true }, file('/c'), file('/d', [0, 1])];

  it('goes on through a file, to the next one, and around; a file without hunks is shown, a deleted one is not', () => {
    const steps: string[] = [];
    let here = { path: '/a', line: 0 };
    for (let step = 0; step < 5; step += 1) {
      here = nextChange(files, here, 1) ?? expect.fail('There is a next one.');
      steps.push(`${here.path}:${here.line}`);
    }
    expect(steps).toEqual(['/a:2', '/a:8', '/c:0', '/d:0', '/a:2']);
    expect(nextChange(files, { path: '/a', line: 2 }, -1)).toEqual({ path: '/d', line: 0 });
    expect(nextChange(files, { path: '/d', line: 0 }, -1)).toEqual({ path: '/c', line: 0 });
    expect(nextChange(files, undefined, 1)).toEqual({ path: '/a', line: 2 });
    expect(nextChange([], undefined, 1)).toBeUndefined();
  });

  it('goes to the first change of the next file, and around', () => {
    expect(nextFile(files, '/a')).toEqual({ path: '/c', line: 0 });
    expect(nextFile(files, '/d')).toEqual({ path: '/a', line: 2 });
    expect(nextFile(files, '/b')).toEqual({ path: '/c', line: 0 });
    expect(nextFile(files, undefined)).toEqual({ path: '/a', line: 2 });
    expect(nextFile([files[1] ?? file('')], '/a')).toBeUndefined();
  });

  it('knows which change a line belongs to; removed lines lie between two', () => {
    const { hunks } = file('/a', [2, 1], [8, 2], [20, 0]);
    const at = (line: number): number | undefined => hunkAt(hunks, line)?.index;
    expect([1, 2, 3, 7, 8, 9, 10, 18, 19, 20, 21].map(at)).toEqual([undefined, 0, undefined, undefined, 1, 1, undefined, undefined, 2, 2, undefined]);
  });
});
