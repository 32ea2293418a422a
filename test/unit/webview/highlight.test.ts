import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isKnownLanguage, loadLanguage } from '../../../webview/markdown/highlight/languages.js';
import { type Token, LineTokenizer } from '../../../webview/markdown/highlight/line-tokenizer.js';
import { anyCharacter } from '../../support/any-character.js';
import { runs } from '../../support/runs.js';

const LANGUAGES = [
  ...['ts', 'tsx', 'js', 'json', 'c', 'cpp', 'cs', 'dart', 'java', 'kotlin', 'objc', 'scala', 'css', 'less', 'scss', 'html', 'xml'],
  ...['cmake', 'diff', 'dockerfile', 'go', 'groovy', 'haskell', 'lua', 'perl', 'powershell', 'ini', 'proto', 'python', 'r', 'ruby', 'rust'],
  ...['bash', 'sql', 'swift', 'toml', 'yaml'],
];

async function tokenizer(language: string): Promise<LineTokenizer> {
  const mode = await loadLanguage(language);
  if (mode === undefined) throw new Error(`${language} is not known`);
  return new LineTokenizer(mode);
}

/** The stretches of some lines that are of a kind. */
async function ofKind(language: string, kind: Token['kind'], ...lines: readonly string[]): Promise<readonly string[]> {
  const split = await tokenizer(language);
  return lines.flatMap((line) => split.tokens(line)).flatMap((token) => (token.kind === kind ? [token.text] : []));
}

describe('highlighting', () => {
  test.each(LANGUAGES)('%s colors something, and its tokens are the text, whatever the text is', async (language) => {
    const shared = await tokenizer(language);
    const piece = fc.oneof(
      fc.string(),
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('/*', '*/', '"', "'", '`', '${', '}', '<!--', '<a b="', '"""', '#{', '\\', '=begin', '<<EOF', 'if (', '{', '@', '%', '1.5e3', '--'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const line = pieces.join('').replaceAll(/[\r\n]/g, '');
        expect(
          shared
            .tokens(line)
            .map(({ text }) => text)
            .join(''),
        ).toBe(line);
      }),
      { numRuns: runs(300) },
    );
    const fresh = await tokenizer(language);
    const sample = [
      'if for return class SELECT "text" 12 # // <a b="c"> key: value',
      '+ added',
      '[section]',
      'FROM x',
      'let x = "y"',
      'message A { }',
      '.a { color: red; }',
      'set(A "b")',
    ];
    expect(sample.flatMap((line) => fresh.tokens(line)).filter(({ kind }) => kind !== undefined).length).toBeGreaterThan(0);
  });

  test('what a line leaves open goes on in the next one', async () => {
    expect(await ofKind('ts', 'comment', 'a /* one', 'two', 'three */ b')).toEqual(['/* one', 'two', 'three */']);
    expect(await ofKind('python', 'string', 'x = """one', 'two"""')).toEqual(['"""one', 'two"""']);
  });

  test('keywords, names, strings, numbers and comments are told apart', async () => {
    const line = 'export function f(a: number) { return "x" + 12; } // end';
    expect(await ofKind('ts', 'keyword', line)).toEqual(['export', 'function', 'return']);
    expect(await ofKind('ts', 'function', line)).toContain('f');
    expect(await ofKind('ts', 'string', line)).toEqual(['"x"']);
    expect(await ofKind('ts', 'number', line)).toEqual(['12']);
    expect(await ofKind('ts', 'comment', line)).toEqual(['// end']);
    expect(await ofKind('json', 'property', '{ "a": "b" }')).toEqual(['"a"']);
    expect(await ofKind('diff', 'removed', '-old')).toEqual(['-old']);
  });

  test('languages are known by their usual names in any case, and nothing else is', async () => {
    for (const name of ['TypeScript', 'JS', 'Python', 'c++', 'C#', 'sh']) expect(isKnownLanguage(name)).toBe(true);
    for (const name of ['', 'mermaid', 'constructor', '__proto__', 'toString']) expect(isKnownLanguage(name)).toBe(false);
    expect(await loadLanguage('mermaid')).toBeUndefined();
  });
});
