import { describe, expect, it } from 'vitest';
import { changedWords, nextEditRequest, shownLines } from '../../../../src/completion/next-edit/next-edit-request.js';
import { TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { inputOf } from './edits.js';

const long = Array.from({ length: 5_000 }, (_, n) => `export const line${n} = compute(${n}, 'as files have them');`);

describe('what a model is shown', () => {
  it('is all of a small file, but for lines that nobody reads', () => {
    expect(shownLines(inputOf(['a', 'b', 'x'.repeat(2_000), 'c']))).toEqual([0, 1, 3]);
  });

  it('is what is near, and where the old name stands, of a long one', () => {
    const lines = long.with(0, 'const sum = 0;').with(4_000, 'print(total);');
    const shown = shownLines(inputOf(lines, { cursor: 0 }));
    expect(shown).toEqual(expect.arrayContaining([0, 30, 3_998, 3_999, 4_000, 4_001, 4_002]));
    expect(shown).not.toContain(2_000);
  });

  it('is what a language server complains of', () => {
    const findings = [{ line: 3_000, text: 'Cannot find name' }];
    expect(shownLines(inputOf(long, { findings }))).toContain(3_000);
  });

  it('never grows with the file, and a word that stands everywhere shows nothing', () => {
    const shown = shownLines(inputOf(long.map((line) => `${line} total`)));
    expect(shown.reduce((sum, line) => sum + (long[line]?.length ?? 0), 0)).toBeLessThan(12_000);
    expect(Math.max(...shown)).toBeLessThanOrEqual(30);
  });

  it('names come in the order in which they tell something', () => {
    expect(changedWords({ before: ['const oldName = make();'], after: ['const newName = make();'] })).toEqual(['oldName', 'newName', 'const', 'make']);
  });
});

describe('the request', () => {
  it('holds the edits, the numbered lines and what is left out, and no tool', () => {
    const lines = long.with(0, 'const sum = 0;');
    const request = nextEditRequest(inputOf(lines, { findings: [{ line: 4, text: 'Cannot find\nname' }] }), TEST_MODEL, '2026-01-02T03:04:05Z');
    expect(request).toMatchObject({ tools: [], effort: 'off' });
    const said = JSON.stringify(request.messages);
    for (const part of [
      '- const total = 0;',
      '+ const sum = 0;',
      '1| const sum = 0;',
      '(lines 32-5000 are not shown)',
      'line 5: Cannot find name',
      'The cursor is on line 1.',
    ])
      expect(said).toContain(part);
    expect(said.length).toBeLessThan(18_000);
  });

  it('keeps the latest of many edits', () => {
    const edits = Array.from({ length: 6 }, (_, n) => ({ path: `${n}.ts`, before: [], after: [`edit ${n} ${'x'.repeat(900)}`] }));
    const said = JSON.stringify(nextEditRequest(inputOf(['a'], { edits }), TEST_MODEL, '2026-01-02T03:04:05Z').messages);
    expect(said).toContain('edit 5');
    expect(said).not.toContain('edit 1 ');
  });
});
