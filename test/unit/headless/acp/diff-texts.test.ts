import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstChangedLine, textsOf } from '../../../../src/headless/acp/diff-texts.js';
import { unifiedDiff } from '../../../../src/text/unified-diff.js';
import { runs } from '../../../support/runs.js';

describe('the texts of a diff', () => {
  it('are both versions, whatever was changed', async () => {
    const line = fc.constantFrom('', 'a', 'b', '-c', '+d', '@@ -1,1 +1,1 @@', '\\ No newline at end of file');
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
      .map(([lines, end, last]) => lines.join(end) + (last ? end : ''));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after);
        const [pair, ...rest] = textsOf(await unifiedDiff('x', { before, after }), after, false);
        expect(rest).toEqual([]);
        const plain = (value = ''): string => value.replaceAll('\r\n', '\n');
        expect([plain(pair?.before), plain(pair?.after)]).toEqual([plain(before), plain(after)]);
      }),
      { numRuns: runs(500) },
    );
  });

  it('of a long file, of a new one, and of one that is deleted are what is known of them', async () => {
    const long = Array.from({ length: 60_000 }, (_, n) => `line ${n}\n`);
    const after = long.with(10, 'other\n').with(50_000, 'another\n').join('');
    const parts = textsOf(await unifiedDiff('x', { before: long.join(''), after }), after, false);
    expect(parts.map(({ after: text }) => text.split('\n').length - 1)).toEqual([7, 7]);
    expect(textsOf('', 'new\n', true)).toEqual([{ before: undefined, after: 'new\n' }]);
    expect(textsOf(await unifiedDiff('x', { before: 'a\nb', after: undefined }), undefined, false)).toEqual([{ before: 'a\nb', after: '' }]);
  });

  it('begin with a line that an editor can show', async () => {
    const before = 'a\nb\nc\nd\ne\nf\n';
    expect(firstChangedLine(await unifiedDiff('x', { before, after: before.replace('e', 'E') }))).toBe(5);
    expect(firstChangedLine(await unifiedDiff('x', { before: undefined, after: 'a\n' }))).toBe(1);
    expect(firstChangedLine('')).toBeUndefined();
  });
});
