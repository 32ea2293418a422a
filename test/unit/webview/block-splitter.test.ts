import fc from 'fast-check';
import type { Token, Tokens } from 'marked';
import { describe, expect, test } from 'vitest';
import { BlockSplitter } from '../../../webview/markdown/block-splitter.js';
import { dialect } from '../../../webview/markdown/dialect-html.js';
import { lexAll } from '../../../webview/markdown/lexer.js';
import type { Piece } from '../../../webview/markdown/pieces.js';
import { runs } from '../../support/runs.js';

/** The pieces of a text that arrives in the given parts. */
function split(parts: readonly string[]): readonly Piece[] {
  const splitter = new BlockSplitter();
  const pieces = parts.flatMap((part) => splitter.push(part));
  return [...pieces, ...splitter.finish()];
}

/** HTML of the text as a whole, without the white space between blocks. */
function whole(text: string): string {
  return squeeze(dialect.parser([...lexAll(text.replace(/\r\n?/g, '\n'))]));
}

/** Whether marked can parse the text; for a few it throws, and then they are shown as they are written. */
function parses(text: string): boolean {
  try {
    whole(text);
    return true;
  } catch {
    return false;
  }
}

/** HTML of the text as it was pieced together. */
function pieced(parts: readonly string[]): string {
  let html = '';
  let code = '';
  let language = '';
  for (const piece of split(parts)) {
    if (piece.type === 'block') html += renderBlock(piece);
    else if (piece.type === 'code_open') [code, language] = ['', `${piece.language} ${piece.info ?? ''}`.trim()];
    else if (piece.type === 'code_text') code += piece.text;
    else if (piece.type === 'code_close') html += dialect.parser([codeToken(code, language)]);
    else throw new Error(`unexpected ${piece.type}`);
  }
  return squeeze(html);
}

function codeToken(text: string, lang: string): Tokens.Code {
  return { type: 'code', raw: '', text, lang };
}

function renderBlock(piece: Extract<Piece, { type: 'block' }>): string {
  const tokens = [...lexAll(piece.source)];
  return dialect.parser(tokens);
}

/**
 * Drops what a browser does not show: white space between blocks at the start of a line, at the end of code. And that at
 * the start of code in a paragraph: whether marked takes the indentation of a line away depends on what follows the paragraph,
 * as in "```js`\n    # `\n---".
 */
function squeeze(html: string): string {
  const parts = html.split(/(<pre[^]*?<\/pre>)/);
  return parts.map((part) => (part.startsWith('<pre') ? part.replace(/\n+<\/code>/, '</code>') : inParagraphs(part))).join('');
}

function inParagraphs(html: string): string {
  return html
    .replace(/\s+(?=<)/g, '')
    .replace(/<code>\s+/g, '<code>')
    .replace(/\n\s+/g, '\n')
    .replace(/[ \t]+/g, ' ')
    .trim();
}

/** Cuts a text at places given as fractions of its length. */
function cut(text: string, fractions: readonly number[]): readonly string[] {
  const places = [...new Set(fractions.map((fraction) => Math.floor(fraction * text.length)))].sort((a, b) => a - b);
  return [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
}

const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '*', '`', '_', '[', ']', '(', ')', '|', '\\', '&', '!', '~'), maxLength: 24 });
const line = fc
  .tuple(
    fc.constantFrom('', '', '', ' ', '  ', '   ', '    ', '\t'),
    fc.constantFrom(
      '',
      '',
      '',
      '- ',
      '* ',
      '1. ',
      '2) ',
      '> ',
      '# ',
      '```',
      '```js',
      '~~~',
      '---',
      '===',
      '| a | b |',
      '|---|---|',
      '- [ ] ',
      '<b>',
      '<!--',
      '[x]: http://a.b',
      '-',
      '+',
    ),
    words,
  )
  .map((parts) => parts.join(''));
const markdown = fc
  .array(fc.oneof({ weight: 3, arbitrary: line }, { weight: 2, arbitrary: fc.constant('') }), { maxLength: 24 })
  .map((lines) => lines.join('\n'));
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });

describe('BlockSplitter', () => {
  test('a text in parts is the same as the whole, wherever it is cut', () => {
    fc.assert(
      fc.property(markdown, cuts, (text, fractions) => {
        fc.pre(parses(text));
        expect(pieced(cut(text, fractions))).toBe(whole(text));
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('a paragraph is the same whatever follows it', () => {
    const text = '```js`\n    # `\n---';
    expect(pieced([text])).toBe(whole(text));
  });

  test('a text in single characters is the same as the whole', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        fc.pre(parses(text));
        expect(pieced(Array.from(text))).toBe(whole(text));
      }),
      { numRuns: runs(300) },
    );
  });

  test('a text that the parser fails on is given out whole', () => {
    const source = '- a\n    > *\na';
    expect(parses(source)).toBe(false);
    expect(split([source])).toEqual([{ type: 'block', source, continued: false }]);
  });

  const closed = (pieces: readonly Piece[]): readonly string[] => pieces.flatMap((piece) => (piece.type === 'block' ? [piece.source.trim()] : []));

  test('a block is given out when the next one has begun on a complete line', () => {
    const splitter = new BlockSplitter();
    expect(closed(splitter.push('first\n\nsec'))).toEqual([]);
    expect(closed(splitter.push('ond\n'))).toEqual(['first']);
    expect(splitter.open.source).toBe('second\n');
    expect(closed(splitter.finish())).toEqual(['second']);
  });

  test('code is given out as it arrives, without what could be the end of the block', () => {
    const splitter = new BlockSplitter();
    expect(splitter.push('```ts\nlet a')).toEqual([
      { type: 'code_open', language: 'ts' },
      { type: 'code_text', text: 'let a' },
    ]);
    expect(splitter.push(' = 1;\n``')).toEqual([{ type: 'code_text', text: ' = 1;' }]);
    expect(splitter.push('`\nafter')).toEqual([{ type: 'code_close' }]);
    expect(splitter.open.source).toBe('after');
  });

  test('a carriage return on the edge of two parts is one line end', () => {
    expect(closed(split(['a\r', '\n\r\nb']))).toEqual(['a', 'b']);
  });
});

describe('long blocks', () => {
  const text = (tokens: readonly Token[]): string =>
    tokens.map((token) => ('tokens' in token && Array.isArray(token.tokens) ? text(token.tokens) : 'text' in token ? String(token.text) : '')).join('');
  const portions = (source: string): readonly string[] => source.match(/[^]{1,1000}/g) ?? [];
  const longest = (pieces: readonly Piece[]): number => Math.max(...pieces.map((piece) => (piece.type === 'block' ? piece.source.length : 0)));

  test('a paragraph without an end is cut into parts that hold all of it', () => {
    const source = 'Lorem ipsum dolor **sit amet** and `some code` here. '.repeat(2_000);
    const pieces = split(portions(source));
    const sources = pieces.flatMap((piece) => (piece.type === 'block' ? [piece.source] : []));
    expect(sources.join('')).toBe(source);
    expect(longest(pieces)).toBeLessThan(6_000);
    expect(sources.filter((part) => (part.match(/\*\*/g)?.length ?? 0) % 2 === 1)).toEqual([]);
    expect(pieces.slice(1).every((piece) => piece.type === 'block' && piece.continued)).toBe(true);
  });

  test('a single word without an end is cut too, between whole characters', () => {
    const source = '😀'.repeat(20_000);
    const sources = split(portions(source)).flatMap((piece) => (piece.type === 'block' ? [piece.source] : []));
    expect(sources.join('')).toBe(source);
    expect(sources.some((part) => /^[\udc00-\udfff]/.test(part))).toBe(false);
  });

  test('a list is cut between entries and goes on counting', () => {
    const source = Array.from({ length: 1_000 }, (_, index) => `1. entry ${index} with some words\n   and more of them\n`).join('');
    const pieces = split(portions(source));
    const starts = pieces.flatMap((piece) => (piece.type === 'block' ? [piece.start] : []));
    expect(pieces.every((piece) => piece.type === 'block')).toBe(true);
    expect(longest(pieces)).toBeLessThan(6_000);
    let counted = 1;
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) expect(starts[index]).toBe(counted);
      if (piece.type === 'block') counted += piece.source.match(/^1\. /gm)?.length ?? 0;
    }
    expect(counted).toBe(1_001);
  });

  test('a table is cut between rows, and every part has the head', () => {
    const rows = Array.from({ length: 2_000 }, (_, index) => `| row ${index} | some text | more |\n`);
    const pieces = split(portions(`| a | b | c |\n|---|---|---|\n${rows.join('')}`));
    const found = pieces.flatMap((piece) => (piece.type === 'block' ? (piece.source.match(/row \d+/g) ?? []) : []));
    expect(found).toEqual(rows.map((_, index) => `row ${index}`));
    expect(pieces.every((piece) => piece.type === 'block' && piece.source.startsWith('| a | b | c |'))).toBe(true);
    expect(longest(pieces)).toBeLessThan(6_000);
  });

  test('a block that cannot be cut becomes plain text, and blocks after it are blocks again', () => {
    const source = `> ${'quoted words '.repeat(3_000)}\n\nafter it\n\nlast\n`;
    const pieces = split(portions(source));
    expect(pieces.map((piece) => piece.type).filter((type) => type !== 'plain_text')).toEqual(['plain_open', 'plain_close', 'block', 'block']);
    const plain = pieces.flatMap((piece) => (piece.type === 'plain_text' ? [piece.text] : [])).join('');
    expect(plain.trim()).toBe(source.split('\n')[0]?.trim());
  });

  test('the text of a long document of every kind arrives whole', () => {
    const part = '# Title\n\nSome words here.\n\n- one\n- two\n\n```js\nconst a = 1;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n';
    expect(pieced(portions(part.repeat(100)))).toBe(whole(part.repeat(100)));
    expect(text(lexAll(part))).toContain('const a = 1;');
  });
});

test('view-15 a table of any length comes in parts of a few rows, and every row in one of them', () => {
  const rows = Array.from({ length: 4_000 }, (_, index) => `| row ${index} | another cell with words | \`code\` | 12,345 |\n`);
  const text = `| a | b | c | d |\n|---|---|---|---|\n${rows.join('')}`;
  const parts = text.match(/[^]{1,2048}/g) ?? [];
  const blocks = split(parts).flatMap((piece) => (piece.type === 'block' ? [piece] : []));
  expect(Math.max(...blocks.map(({ source }) => source.length))).toBeLessThan(3_500);
  expect(blocks.map(({ continued }) => continued)).toEqual(blocks.map((_, index) => index > 0));
  expect(blocks.flatMap(({ source }) => source.match(/^\| row \d+ .*\n?/gm) ?? []).map((row) => row.trim())).toEqual(rows.map((row) => row.trim()));
});
