import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LineEdit, withEdit } from '../../../src/inline-edit/line-edit.js';
import { StreamingDiff } from '../../../src/inline-edit/streaming-diff.js';
import { runs } from '../../support/runs.js';

/** All changes, and after how many new lines each came. */
function changes(old: readonly string[], fresh: readonly string[]): readonly { readonly after: number; readonly change: LineEdit }[] {
  const diff = new StreamingDiff(old);
  const found = fresh.flatMap((line, index) => {
    const change = diff.push(line);
    return change === undefined ? [] : [{ after: index + 1, change }];
  });
  const last = diff.end();
  return last === undefined ? found : [...found, { after: fresh.length, change: last }];
}

const letters = (text: string): readonly string[] => text.split('').map((letter) => `${letter.repeat(9)};`);

describe('StreamingDiff', () => {
  it('tells a change as soon as a line comes that stands only there', () => {
    expect(changes(letters('abcdefgh'), letters('abXdeYYfgh'))).toEqual([
      { after: 4, change: { start: 2, end: 3, lines: letters('X') } },
      { after: 8, change: { start: 5, end: 5, lines: letters('YY') } },
    ]);
  });

  it('takes lines that stand everywhere for certain only where several come in a row', () => {
    const old = ['a();', '}', '', 'b();', '}', '', 'c();'];
    expect(changes(old, ['a();', '}', '', 'x();', '}', '', 'c();'])).toEqual([{ after: 7, change: { start: 3, end: 4, lines: ['x();'] } }]);
  });

  it('tells removed lines when what follows them comes', () => {
    expect(changes(letters('abcde'), letters('ade'))).toEqual([{ after: 2, change: { start: 1, end: 3, lines: [] } }]);
  });

  it('gives what is written where nothing stood at once, line by line', () => {
    expect(changes([''], ['one', 'two']).map(({ after }) => after)).toEqual([1, 2]);
    expect(changes([], ['one', 'two']).map(({ after }) => after)).toEqual([1, 2]);
    expect(changes(letters('ab'), [...letters('ab'), 'one', 'two']).map(({ after }) => after)).toEqual([3, 4]);
  });

  it('gives changes in rising order that make the new lines of the old ones', () => {
    const line = fc.constantFrom('', '}', 'return;', 'const first = 1;', 'const second = 2;', 'call(first, second);');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), fc.array(line, { maxLength: 14 }), (old, fresh) => {
        const all = changes(old, fresh).map(({ change }) => change);
        for (const [index, change] of all.entries()) expect(change.start).toBeGreaterThanOrEqual(all[index - 1]?.end ?? 0);
        expect(all.toReversed().reduce<readonly string[]>((lines, change) => withEdit(lines, change), old)).toEqual(fresh);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('says nothing of equal texts', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 3 })), (lines) => {
        expect(changes(lines, lines)).toEqual([]);
      }),
    );
  });
});
