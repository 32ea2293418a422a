import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutUnseen } from '../../../src/domain/hidden-characters.js';
import { anyCharacter } from '../../support/any-character.js';

describe('what people cannot see of a text (conf-20)', () => {
  test.each([
    ['zero-width', 'a\u200b\u200c\u200d\u2060\ufeffb', 'ab'],
    ['bidirectional', 'a\u202e\u2066\u2069\u200fb', 'ab'],
    ['tags', `a\u{e0001}\u{e0041}\u{e007f}b`, 'ab'],
    ['selectors from the supplement', 'a\u{e0100}\u{e01ef}b', 'ab'],
    ['selectors that hide bytes', '😀\ufe01\ufe02b', '😀b'],
    ['one selector too many', '⚠\ufe0f\ufe0f\ufe0e', '⚠\ufe0f'],
    ['controls', 'a\u0000\u001b\u0008\u009bb', 'ab'],
    ['fillers and invisible operators', 'a\u3164\u00ad\u2062\u034fb', 'ab'],
    ['separators', 'a\u2028\u2029b', 'ab'],
  ])('%s are taken out and named', (_kind, text, left) => {
    const found = withoutUnseen(text);
    expect(found.text).toBe(left);
    expect(found.hidden).toMatch(/^U\+/);
  });

  test.each(['plain\n\ttext\r\n', 'Grüße, 日本語, עברית, ไทย', '⚠️ ✔️ ©️ 1️⃣', '👩‍💻 👨‍👩‍👧 ❤️‍🔥 👋🏽 🏳️‍🌈', 'a\u00a0b'])('%j stays as it is', (text) => {
    expect(withoutUnseen(text)).toEqual({ text, hidden: undefined });
  });

  test('once is enough', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(fc.string({ unit: anyCharacter, minLength: 1, maxLength: 1 }), fc.constantFrom('\u200d', '\ufe0f', '😀', '\u{e0061}')) }),
        (text) => {
          expect(withoutUnseen(withoutUnseen(text).text).text.length).toBeLessThanOrEqual(text.length);
          expect(withoutUnseen(text).text).not.toMatch(/[\u200b\u202e\u2066\u{e0061}]/u);
        },
      ),
    );
  });
});
