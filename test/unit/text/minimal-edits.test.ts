import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OffsetEdit } from '../../../src/text/text-edit.js';
import { minimalEdits } from '../../../src/text/minimal-edits.js';
import { unlikeDocuments } from '../../support/worst-inputs.js';
import { runs } from '../../support/runs.js';

function applied(text: string, edits: readonly OffsetEdit[]): string {
  return [...edits].reverse().reduce((result, { start, end, text: fresh }) => result.slice(0, start) + fresh + result.slice(end), text);
}

describe('minimalEdits', () => {
  it('touches nothing outside the changed characters', async () => {
    const lines = Array.from({ length: 100 }, (_, index) => `line ${index}\r\n`);
    const after = [...lines];
    after[3] = 'line three\r\n';
    after[90] = '';
    const edits = await minimalEdits(lines.join(''), after.join(''));
    expect(edits.map(({ text }) => text)).toEqual(['three', '']);
    expect(edits.every(({ start, end }) => end - start <= 10)).toBe(true);
    expect(await minimalEdits('same', 'same')).toEqual([]);
  });

  it('turns any text into any other, with edits apart and never inside a CRLF or a character', async () => {
    const text = fc.array(fc.constantFrom('a', 'b', '\r\n', '\n', '🎉', '🎊')).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        const edits = await minimalEdits(before, after);
        expect(applied(before, edits)).toBe(after);
        for (const { start, end } of edits) {
          for (const at of [start, end]) expect(before.slice(Math.max(at - 1, 0), at + 1)).not.toMatch(/^(\r\n|🎉|🎊)$/);
        }
        edits.slice(1).forEach((edit, index) => expect(edit.start).toBeGreaterThanOrEqual(edits[index]?.end ?? 0));
      }),
      { numRuns: runs(500) },
    );
  });

  it('turns long texts into others that have hardly a line in common', async () => {
    const { before, after } = unlikeDocuments();
    // An expectation of a megabyte takes long to be told.
    expect(applied(before, await minimalEdits(before, after)) === after).toBe(true);
  });
});
