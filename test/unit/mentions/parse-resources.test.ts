import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mentionAt, resourceMention, writtenUri } from '../../../src/protocol/mention-syntax.js';
import type { Mention } from '../../../src/mentions/mention-deps.js';
import { parseMentions } from '../../../src/mentions/typed-mentions.js';

const SERVERS = ['github', 'my-db_2', 'problems', 'c', '1password'];
const parse = (text: string): readonly Mention[] => parseMentions(text, (id) => SERVERS.includes(id));
const resource = (server: string, uri: string): Mention => ({ kind: 'resource', server, uri });

describe('mentions of resources of MCP servers', () => {
  test.each<[string, readonly Mention[]]>([
    ['see @github:issue://7.', [resource('github', 'issue://7')]],
    ['(@github:issue://7), then', [resource('github', 'issue://7')]],
    ['@github:wiki://Rust_(language)?', [resource('github', 'wiki://Rust_(language)')]],
    ['@github:"note://two words (b), “c”" and', [resource('github', 'note://two words (b), “c”')]],
    ['@github:"no scheme"', [resource('github', 'no scheme')]],
    ['@my-db_2:postgres://db/users?x=1#top @1password:op://a', [resource('my-db_2', 'postgres://db/users?x=1#top'), resource('1password', 'op://a')]],
    ['@github:mail:ada@example.com', [resource('github', 'mail:ada@example.com')]],
    ['@github:straße://日本', [{ kind: 'path', path: 'github:straße://日本', sure: true }]],
    ['@github:file:///日本/ä', [resource('github', 'file:///日本/ä')]],
    ['@github:ab://x @github:ab://x', [resource('github', 'ab://x')]],
    ['@github:a://x @github:"a://x"', [{ kind: 'path', path: 'github:a://x', sure: true }, resource('github', 'a://x')]],
    ['@github:', [{ kind: 'path', path: 'github', sure: false }]],
  ])('%j', (text, mentions) => {
    expect(parse(text)).toEqual(mentions);
  });

  test.each<[string, readonly Mention[]]>([
    [
      '@problems:file:x @problems:src/a.ts',
      [
        { kind: 'problems', path: 'file:x' },
        { kind: 'problems', path: 'src/a.ts' },
      ],
    ],
    ['@problems:"file:x"', [resource('problems', 'file:x')]],
    [
      '@c:\\work\\a.ts @c:/a.ts:3',
      [
        { kind: 'path', path: 'c:\\work\\a.ts', sure: true },
        { kind: 'path', path: 'c:/a.ts', lines: { first: 3, last: 3 }, sure: true },
      ],
    ],
    ['@"github:issue://7"', [{ kind: 'path', path: 'github:issue://7', sure: true }]],
    ['@https://github.com:8080/x', [{ kind: 'url', url: 'https://github.com:8080/x' }]],
    ['@github/readme.md:10', [{ kind: 'path', path: 'github/readme.md', lines: { first: 10, last: 10 }, sure: true }]],
    ['@stranger:issue://7', [{ kind: 'path', path: 'stranger:issue://7', sure: true }]],
    ['ada@github:issue://7', []],
  ])('what else a colon can be in: %j', (text, mentions) => {
    expect(parse(text)).toEqual(mentions);
  });

  const uris = fc.string({
    unit: fc.constantFrom(...Array.from('aB9 ._-+()[]{},;:!?\'"“”#@&=$äß日~/%\\\n\t\u200B\u202E\u00A0\uD800<>')),
    minLength: 1,
    maxLength: 30,
  });

  test('every mention that is offered is found again, and ends where it ends, whatever the address is', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SERVERS),
        uris,
        fc.constantFrom('', 'note:', 'db://'),
        fc.constantFrom(' now.', ', and', ')', '\nx', '', '"', '…'),
        (server, rest, scheme, behind) => {
          const uri = scheme + rest;
          const mention = resourceMention({ server, uri });
          expect(parse(`Look at ${String(mention)}${behind}`)).toEqual([resource(server, writtenUri(uri))]);
        },
      ),
    );
  });

  test('nothing in a mention is unseen', () => {
    expect(resourceMention({ server: 'github', uri: 'note://a\u202Eb\u200B"c"\n' })).toBe('@github:note://a%E2%80%AEb%E2%80%8B%22c%22%0A');
    expect(resourceMention({ server: 'github', uri: 'x'.repeat(2_000) })).toBeUndefined();
    expect(resourceMention({ server: 'github', uri: '' })).toBeUndefined();
  });

  test.each([
    ['@github:iss', 11, { start: 0, query: 'github:iss' }],
    ['see @github:"two wo', 19, { start: 4, query: 'github:two wo' }],
    ['@github:"done" x', 16, undefined],
  ])('the one that the cursor stands in: %j', (text, cursor, mention) => {
    expect(mentionAt(text, cursor)).toEqual(mention);
  });
});
