import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mentionAt, pathMention } from '../../../src/protocol/mention-syntax.js';
import type { Mention } from '../../../src/mentions/mention-deps.js';
import { parseMentions } from '../../../src/mentions/typed-mentions.js';
import { HARD_MENTIONS } from '../../support/worst-inputs.js';

const path = (name: string, first?: number, last = first): Mention => ({
  kind: 'path',
  path: name,
  sure: true,
  ...(first === undefined ? {} : { lines: { first, last: last ?? first } }),
});

describe('mentions in a text', () => {
  test.each<[string, readonly Mention[]]>([
    ['see @src/a.ts please', [path('src/a.ts')]],
    ['@src/a.ts:10-20', [path('src/a.ts', 10, 20)]],
    ['@src/a.ts:7, and @b.ts.', [path('src/a.ts', 7), path('b.ts')]],
    ['@src/a.ts:20-10', [path('src/a.ts', 10, 20)]],
    ['@"name with spaces.ts":3', [path('name with spaces.ts', 3)]],
    ['@"a b/c.ts" and (@"x y.ts":1-2)', [path('a b/c.ts'), path('x y.ts', 1, 2)]],
    ['what is in @src/?', [path('src/')]],
    [
      '@#createGate, @#$x',
      [
        { kind: 'symbol', name: 'createGate' },
        { kind: 'symbol', name: '$x' },
      ],
    ],
    [
      '@problems @problems:src/a.ts @editors @terminal @changes',
      [{ kind: 'problems' }, { kind: 'problems', path: 'src/a.ts' }, { kind: 'editors' }, { kind: 'terminal' }, { kind: 'changes' }],
    ],
    ['read @https://example.com/a_(b)?q=1#x.', [{ kind: 'url', url: 'https://example.com/a_(b)?q=1#x' }]],
    ['(@https://example.com/)', [{ kind: 'url', url: 'https://example.com/' }]],
    [
      '@problems:src/a.ts:3 @problems:src/a.ts:5-4',
      [
        { kind: 'problems', path: 'src/a.ts', lines: { first: 3, last: 3 } },
        { kind: 'problems', path: 'src/a.ts', lines: { first: 4, last: 5 } },
      ],
    ],
    ['@"problems"', [{ kind: 'path', path: 'problems', sure: true }]],
    ['@Makefile', [{ kind: 'path', path: 'Makefile', sure: false }]],
    ['@a.ts @a.ts', [path('a.ts')]],
    ['ada@example.com x@y', []],
    ['@ alone, @@, @', []],
    ['@#1', []],
    ['', []],
  ])('%j', (text, mentions) => {
    expect(parseMentions(text)).toEqual(mentions);
  });

  test('every path that the list offers is found again as it is', () => {
    const name = fc
      .string({ unit: fc.constantFrom(...Array.from("aB9 ._-+()[]{},;:!?'#@&=$äß日~")), minLength: 1, maxLength: 12 })
      .filter((each) => each.trim() !== '');
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 4 }), fc.boolean(), (names, folder) => {
        const full = names.join('/') + (folder ? '/' : '');
        const found = parseMentions(`Look at ${pathMention(full)} now.`);
        expect(found).toHaveLength(1);
        expect(found[0]).toMatchObject({ kind: 'path', path: full });
      }),
    );
  });

  test('any text is read without a failure', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('@', '"', '#', ':', '-', '1', 'a', '/', ' ', '\n', '('), maxLength: 200 }),
        (text) => void parseMentions(text),
      ),
    );
  });

  test.each(HARD_MENTIONS.map(([text, name]) => [text.slice(0, 3), text, name]))(
    'a million characters of %j: each path is mentioned once, that before them, too',
    (_beginning, text = '', name) => {
      const mentioned = parseMentions(`@src/a.ts ${text}`).map((mention) => mention.kind === 'path' && mention.path);
      expect(mentioned).toEqual(['src/a.ts', ...(name === undefined ? [] : [name])]);
    },
  );
});

describe('the mention that the cursor stands in', () => {
  test.each([
    ['@', 1, { start: 0, query: '' }],
    ['see @src/a', 10, { start: 4, query: 'src/a' }],
    ['see @src/a', 8, { start: 4, query: 'src' }],
    ['@"two wo', 8, { start: 0, query: 'two wo' }],
    ['(@#cre', 6, { start: 1, query: '#cre' }],
    ['ada@exa', 7, undefined],
    ['@a b', 4, undefined],
    ['@"done" x', 9, undefined],
    ['plain', 5, undefined],
  ])('%j at %i', (text, cursor, mention) => {
    expect(mentionAt(text, cursor)).toEqual(mention);
  });
});
