import { describe, expect, it } from 'vitest';
import { SKIP_REASONS } from '../../../../src/domain/workspace/changes.js';
import type { Hunk } from '../../../../src/edits/text-review.js';
import { at, named, nameOf, within } from '../../../../src/edits/change-places.js';
import { restoreFollowUps, restoreSummary } from '../../../../src/edits/restore-labels.js';

const display = (path: string): string => path.slice(1);
const nothing = { cancelled: false, restored: [], deleted: [], kept: [], skipped: [] };

describe('restoreSummary', () => {
  it('sess-21: says what was restored, kept and left alone, and why', () => {
    const report = {
      ...nothing,
      restored: ['/a', '/b'],
      deleted: ['/c'],
      kept: ['/d'],
      skipped: [
        { path: '/e', why: 'link' as const },
        { path: '/f', why: { problem: 'It is read-only.' } },
      ],
    };
    expect(restoreSummary(report, display)).toBe(
      'Files: 2 restored; 1 deleted (did not exist before); kept with your changes: d; skipped: e (its path contains or contained a symbolic link), f (It is read-only.).',
    );
    expect(restoreSummary(nothing, display)).toMatch(/already in this state/);
    expect(restoreSummary({ ...nothing, cancelled: true }, display)).toBeUndefined();
    for (const why of SKIP_REASONS) expect(restoreSummary({ ...nothing, skipped: [{ path: '/x', why }] }, display)).toMatch(/x \(.{10,}\)/);
    const many = Array.from({ length: 30 }, (_, index) => `/${index}`);
    expect(restoreSummary({ ...nothing, kept: many }, display)).toMatch(/9 and 20 more/);
  });
});

describe('what is offered after a restore', () => {
  it('is nothing where the files were in that state already', () => {
    expect([restoreSummary(nothing, display), restoreFollowUps(nothing, false)]).toEqual(['Files are already in this state.', []]);
  });

  it('is to take it back first, and why files were left alone', () => {
    expect(restoreFollowUps({ ...nothing, restored: ['/a'] }, true)).toEqual(['redo', 'limits']);
    expect(restoreFollowUps({ ...nothing, kept: ['/a'] }, false)).toEqual(['limits']);
    expect(restoreFollowUps({ ...nothing, skipped: [{ path: '/a', why: 'link' }] }, false)).toEqual(['limits']);
  });
});

describe('which hunk is meant', () => {
  const hunk = (line: number, count: number, baselineLine: number, removed: number): Hunk => ({
    index: 0,
    line,
    count,
    baselineLine,
    removed: Array.from({ length: removed }, () => 'x\n'),
    edited: false,
  });
  const changed = hunk(1, 2, 1, 1);
  const added = hunk(6, 1, 5, 0);
  const removed = hunk(9, 0, 7, 2);
  const all = [changed, added, removed];
  const change = (o1: number, o2: number, m1: number, m2: number): Parameters<typeof within>[0] => ({
    originalStartLineNumber: o1,
    originalEndLineNumber: o2,
    modifiedStartLineNumber: m1,
    modifiedEndLineNumber: m2,
  });

  it('C-7: a change of the quick diff covers its hunks and no others', () => {
    expect(all.filter(within(change(2, 2, 2, 3)))).toEqual([changed]);
    expect(all.filter(within(change(5, 0, 7, 7)))).toEqual([added]);
    expect(all.filter(within(change(8, 9, 9, 0)))).toEqual([removed]);
    expect(all.filter(within(change(2, 9, 2, 9)))).toEqual(all);
  });

  it('C-7: a hunk that moved since is not taken for another', () => {
    expect(all.filter(named(nameOf(added)))).toEqual([added]);
    expect(all.filter(named({ ...nameOf(added), line: 5 }))).toEqual([]);
  });

  it('C-7: the hunk at the cursor', () => {
    expect(all.filter(at(2))).toEqual([changed]);
    expect(all.filter(at(3))).toEqual([]);
    expect(all.filter(at(8))).toEqual([removed]);
  });
});
