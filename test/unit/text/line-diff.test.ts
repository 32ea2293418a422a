import { applyPatch, diffArrays } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differingStretches } from '../../../src/text/line-diff.js';
import { inSlices } from '../../../src/concurrency/steps.js';
import { unifiedDiff } from '../../../src/text/unified-diff.js';
import { linesOf, repetitiveTexts, unrelatedTexts } from '../../support/worst-inputs.js';
import { runs } from '../../support/runs.js';

async function rebuilt(before: string, after: string): Promise<string> {
  let result = '';
  let position = 0;
  for (const { start, end, newStart, newEnd } of await inSlices(differingStretches(before, after, diffArrays))) {
    expect(start).toBeGreaterThanOrEqual(position);
    result += before.slice(position, start) + after.slice(newStart, newEnd);
    position = end;
  }
  return result + before.slice(position);
}

const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\r\n', 'd', 'e\n', '\n')).map((parts) => parts.join(''));

describe('differingStretches', () => {
  it('turns any text into any other', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        expect(await rebuilt(before, after)).toBe(after);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('cuts large differences at lines that are there once', async () => {
    const before = linesOf(20_000, (index) => `line ${index}\nsame\n`);
    const after = before.replaceAll('same', 'other').replace('line 7\n', '');
    expect(await rebuilt(before, after)).toBe(after);
    const stretches = await inSlices(differingStretches(before, after, diffArrays));
    expect(stretches.length).toBe(19_999);
  });

  it.each([
    ['no line is there once', repetitiveTexts()],
    ['nothing is shared', unrelatedTexts()],
  ])('turns long texts into others where %s', async (_where, { before, after }) => {
    // An expectation of a megabyte takes long to be told.
    expect((await rebuilt(before, after)) === after).toBe(true);
  });
});

describe('unifiedDiff', () => {
  it('applies to the old text and gives the new one', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const plain = (value: string): string => value.replaceAll('\r', '');
        const diff = await unifiedDiff('a.ts', { before: plain(before), after: plain(after) });
        expect(plain(before) === plain(after) ? plain(after) : applyPatch(plain(before), diff)).toBe(plain(after));
      }),
      { numRuns: runs(500) },
    );
  });

  it('looks as usual', async () => {
    const before = linesOf(20, (index) => `${index + 1}\n`);
    const after = before.replace('5\n', 'five\n').replace('16\n', '').replace(/20\n$/, '20');
    expect(await unifiedDiff('a.ts', { before, after })).toBe(
      '--- a.ts\n+++ a.ts\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n' +
        '@@ -13,8 +13,7 @@\n 13\n 14\n 15\n-16\n 17\n 18\n 19\n-20\n+20\n\\ No newline at end of file\n',
    );
    expect(await unifiedDiff('a.ts', { before: undefined, after: 'x\n' })).toBe('--- /dev/null\n+++ a.ts\n@@ -0,0 +1,1 @@\n+x\n');
    expect(await unifiedDiff('a.ts', { before: 'a\r\nb\r\n', after: 'a\r\nc\r\n' })).toMatch(/@@\n a\n-b\n\+c\n$/);
    expect(await unifiedDiff('a.ts', { before: 'a\r\nb\r\n', after: 'a\nb\r\n' })).toMatch(/@@\n-a\r\n\+a\n b\r\n$/);
  });
});
