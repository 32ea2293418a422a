import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadTail } from '../../../../../src/node/process/output/head-tail.js';

describe('HeadTail', () => {
  it('keeps short text whole, and both ends of long text, never half a character', () => {
    const parts = fc.array(fc.string({ unit: 'grapheme' }));
    fc.assert(
      fc.property(parts, fc.integer({ min: 2, max: 12 }), (texts, cap) => {
        const kept = new HeadTail(cap);
        for (const text of texts) kept.add(text);
        const all = texts.join('');
        const result = kept.shortened(() => '\0');
        expect(result).not.toMatch(/\p{Surrogate}/u);
        expect(kept.totalBytes).toBe(Buffer.byteLength(all));
        if (kept.omittedBytes === 0) {
          expect(result).toBe(all);
          return;
        }
        const [head = '', tail = ''] = result.split('\n\0\n');
        expect(all.startsWith(head) && all.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + kept.omittedBytes + Buffer.byteLength(tail)).toBe(kept.totalBytes);
        expect(Math.max(head.length, tail.length)).toBeLessThanOrEqual(cap + 1);
      }),
    );
  });
});
