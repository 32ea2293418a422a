import { describe, expect, it } from 'vitest';
import { DiffBudget } from '../../../src/code-review/numbered-diff.js';

const hunk = (name: string, length: number): string => name.padEnd(length, '.');

describe('the room for comparisons', () => {
  it('takes whole hunks of a file as far as they fit, and says how many are missing', () => {
    const budget = new DiffBudget({ file: 100, all: 1_000 });
    budget.add({ name: 'a.ts', note: 'new', hunks: [hunk('one', 40), hunk('two', 40), hunk('three', 40)] });
    expect(budget.text).toContain('=== a.ts (new)\n');
    expect(budget.text).toContain(hunk('two', 40));
    expect(budget.text).not.toContain('three');
    expect(budget.text).toContain('[PARTIAL: 1 of 3 hunks of this file are not shown here; read the file.]');
    expect(budget.left).toEqual([]);
  });

  it('names files of which nothing fits, and goes on with smaller ones', () => {
    const budget = new DiffBudget({ file: 100, all: 150 });
    budget.add({ name: 'a.ts', hunks: [hunk('a', 90)] });
    budget.add({ name: 'b.ts', hunks: [hunk('b', 90)] });
    budget.add({ name: 'c.ts', hunks: [hunk('c', 20)] });
    expect(budget.text).toContain('=== c.ts');
    expect(budget.left).toEqual(['b.ts']);
    expect(budget.full).toBe(false);
  });

  it('is full at some size', () => {
    const budget = new DiffBudget({ file: 100, all: 100 });
    budget.add({ name: 'a.ts', hunks: [hunk('a', 100)] });
    expect(budget.full).toBe(true);
  });

  it('names what has no lines to compare, with the reason', () => {
    const budget = new DiffBudget();
    budget.add({ name: 'a.png', hunks: [] });
    budget.leaveOut('b.ts', 'too large');
    expect(budget.left).toEqual(['a.png (no lines to compare)', 'b.ts (too large)']);
    expect(budget.text).toBe('');
  });
});
