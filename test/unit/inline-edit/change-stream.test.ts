import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChangeStream } from '../../../src/inline-edit/change-stream.js';
import { withEdit } from '../../../src/inline-edit/line-edit.js';

describe('ChangeStream', () => {
  it('gives changes that make the new lines of the old ones, wherever the pieces end', () => {
    const line = fc.constantFrom('', '}', 'return;', 'const first = 1;', 'const "second" = 2;');
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 10 }), fc.array(line, { maxLength: 10 }), fc.integer({ min: 1, max: 40 }), (old, fresh, size) => {
        const text = fresh.map((each) => `${each}\n`).join('');
        const raw = JSON.stringify({ new_text: text });
        const stream = new ChangeStream(old);
        const all = [];
        for (let at = 0; at < raw.length; at += size) {
          stream.push(raw.slice(at, at + size));
          all.push(...stream.take());
        }
        stream.finish(text, true);
        all.push(...stream.take());
        expect(stream.isEmpty).toBe(true);
        expect(all.toReversed().reduce<readonly string[]>(withEdit, old)).toEqual(fresh);
      }),
    );
  });

  it('makes no line of an empty text within a document, and one that is empty of a whole document', () => {
    const changed = (isPart: boolean): unknown => {
      const stream = new ChangeStream(['one']);
      stream.finish('', isPart);
      return stream.take();
    };
    expect(changed(true)).toEqual([{ start: 0, end: 1, lines: [] }]);
    expect(changed(false)).toEqual([{ start: 0, end: 1, lines: [''] }]);
  });

  it('refuses a text that is not the one that streamed', () => {
    const stream = new ChangeStream(['one']);
    stream.push('{"new_text":"two');
    expect(() => {
      stream.finish('three', true);
    }).toThrow('not the beginning');
  });
});
