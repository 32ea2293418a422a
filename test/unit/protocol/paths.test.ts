import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { codePath, commentPath } from '../../../src/protocol/code-path.js';
import { fileMentions, mayBeFile, parseFilePlace } from '../../../src/protocol/file-place.js';
import { HARD_PATHS, PATH_PIECES, PATH_PIECES_COUNT } from '../../support/worst-inputs.js';

describe('the file that a code block is for', () => {
  test.each([
    ['ts', 'src/a.ts', '', 'src/a.ts'],
    ['src/a.ts', '', '', 'src/a.ts'],
    ['ts:src/a.ts', '', '', 'src/a.ts'],
    ['ts', 'title="src/my file.ts"', '', undefined],
    ['ts', 'title="src/a.ts" {1,3}', '', 'src/a.ts'],
    ['js', 'filename=lib/b.js', '', 'lib/b.js'],
    ['ts', '(src/a.ts)', '', 'src/a.ts'],
    ['ts', '', '// src/a.ts\ncode', 'src/a.ts'],
    ['py', '', '# File: app/main.py\n', 'app/main.py'],
    ['html', '', '<!-- public/index.html -->', 'public/index.html'],
    ['css', '', '/* style.css */\n', 'style.css'],
    ['ts', '', '// see the docs\n', undefined],
    ['ts', '', 'const a = 1;\n// src/a.ts', undefined],
    ['ts', '', '', undefined],
    ['c++', '', '', undefined],
    ['ts', 'https://evil.test/a.ts', '', undefined],
  ])('%s %s %j', (language, info, code, path) => {
    expect(codePath({ language, info }, code)).toBe(path);
  });

  test.each(HARD_PATHS.map((text) => [text.slice(0, 6), text]))(
    '100 kB that begin with %j are no file, but for what a comment begins with',
    (_beginning, text) => {
      const named = text.startsWith('// a.') ? (expect.stringMatching(/^(a\.)+a$/) as string) : undefined;
      expect(codePath({ language: text, info: text }, text)).toEqual(named);
      expect(commentPath(text)).toEqual(named);
    },
  );
});

describe('places in files', () => {
  test.each([
    ['src/a.ts', { path: 'src/a.ts' }],
    ['src/a.ts:10', { path: 'src/a.ts', line: 10 }],
    ['src/a.ts:10:5', { path: 'src/a.ts', line: 10, column: 5 }],
    ['src/a.ts:10-20', { path: 'src/a.ts', line: 10, endLine: 20 }],
    ['src/a.ts#L10', { path: 'src/a.ts', line: 10 }],
    ['src/a.ts#L10-L20', { path: 'src/a.ts', line: 10, endLine: 20 }],
    ['src/a.ts(10,5)', { path: 'src/a.ts', line: 10, column: 5 }],
    ['C:\\a\\b.ts:3', { path: 'C:\\a\\b.ts', line: 3 }],
    ['src/a.ts:0', { path: 'src/a.ts' }],
  ])('%s', (text, place) => {
    expect(parseFilePlace(text)).toEqual(place);
  });

  test('are found in running text, with a folder or a line', () => {
    const text = 'See src/a.ts:10, (lib/b.js#L3) and c.ts:7. But not e.g. this, version 1.2.3, a.b or user@example.com/x.';
    expect(fileMentions(text).map((mention) => mention.text)).toEqual(['src/a.ts:10', 'lib/b.js#L3', 'c.ts:7']);
    for (const { at, text: path } of fileMentions(text)) expect(text.slice(at, at + path.length)).toBe(path);
  });

  test('addresses and schemes are no files', () => {
    expect(fileMentions('https://example.com/a/b.ts command:x/y.ts file:///etc/passwd.txt')).toEqual([]);
    for (const text of ['https://example.com/a.ts', 'command:a.b', 'javascript:alert(1)', 'file:///etc/passwd', 'a b']) expect(mayBeFile(text)).toBe(false);
    for (const text of ['src/a.ts', 'a.ts', 'docs/', 'package.json:3']) expect(mayBeFile(text)).toBe(text !== 'docs/');
  });

  test('never throw, and begin their text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(text.startsWith(parseFilePlace(text).path)).toBe(true);
      }),
    );
  });

  test.each(PATH_PIECES)('%j, again and again, is no file; the one behind is found', (piece) => {
    const text = `${piece.repeat(PATH_PIECES_COUNT)} `;
    expect(fileMentions(`${text}src/a.ts:10`)).toEqual([{ at: text.length, text: 'src/a.ts:10' }]);
    expect(mayBeFile(piece.repeat(400))).toBe(piece === '.');
  });
});
