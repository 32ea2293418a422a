import { describe, expect, it } from 'vitest';
import { type Finding, countBySeverity, findingWords, refusalOf } from '../../../src/code-review/finding.js';

const finding = (changes: Partial<Finding> = {}): Finding => ({
  path: '/ws/a.ts',
  start: 2,
  end: 3,
  severity: 'warning',
  title: 'Wrong',
  explanation: '',
  suggestion: '',
  ...changes,
});

describe('the words of a finding', () => {
  it('are on one line for the title, and hold nothing that does not show', () => {
    const words = findingWords({ title: ' Wrong\n\tvalue\u202E ', explanation: 'a\r\nb\u200Bc\u{E0041}', suggestion: '  ' });
    expect(words).toEqual({ title: 'Wrong value', explanation: 'a\nbc', suggestion: '' });
  });

  it('are cut where they are too long, never through a character', () => {
    const { title, explanation } = findingWords({ title: '😀'.repeat(300), explanation: 'x'.repeat(10_000), suggestion: '' });
    expect(title.length).toBeLessThanOrEqual(201);
    expect(title.isWellFormed()).toBe(true);
    expect(explanation).toHaveLength(4_001);
    expect(explanation.endsWith('…')).toBe(true);
  });
});

describe('a finding', () => {
  it('is refused without a title, and when it was reported already', () => {
    expect(refusalOf(finding({ title: '' }), [])).toMatch(/title/);
    expect(refusalOf(finding({ title: 'wrong', end: 9 }), [finding()])).toMatch(/already/);
  });

  it('is taken at other lines, in another file and with another title', () => {
    for (const other of [{ start: 7, end: 8 }, { path: '/ws/b.ts' }, { title: 'Slow' }]) expect(refusalOf(finding(other), [finding()])).toBeUndefined();
  });

  it('is one too many from some number on', () => {
    const known = Array.from({ length: 100 }, (_, start) => finding({ start, end: start + 1 }));
    expect(refusalOf(finding({ start: 200, end: 201 }), known.slice(1))).toBeUndefined();
    expect(refusalOf(finding({ start: 200, end: 201 }), known)).toMatch(/100 findings/);
  });
});

describe('findings by severity', () => {
  it('are counted, worst first, without those that there are none of', () => {
    expect(countBySeverity([finding(), finding({ severity: 'hint' }), finding({ severity: 'error' }), finding()])).toEqual([
      ['error', 1],
      ['warning', 2],
      ['hint', 1],
    ]);
  });
});
