import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutToWidth, rowsOf, WordWrap, wrapped } from '../../../src/headless/word-wrap.js';

const WORDS = 'The quick brown fox jumps over the lazy dog and then goes home to sleep.';

describe('lines of a text on a terminal', () => {
  it('are broken between words, within the columns', () => {
    expect(wrapped(WORDS, 30)).toBe('The quick brown fox jumps over\nthe lazy dog and then goes\nhome to sleep.');
  });

  it('keep their indent, and stand behind the mark of an item', () => {
    expect(wrapped(`  ${WORDS}`, 40)).toBe('  The quick brown fox jumps over the\n  lazy dog and then goes home to sleep.');
    expect(wrapped(`- ${WORDS}\n12. ${WORDS}`, 40)).toBe(
      '- The quick brown fox jumps over the\n  lazy dog and then goes home to sleep.\n12. The quick brown fox jumps over the\n    lazy dog and then goes home to\n    sleep.',
    );
  });

  it('stay as they are in code and tables, and where a word is longer than the line', () => {
    const code = `\`\`\`\nconst a = '${WORDS}';  \n\`\`\`\n| ${WORDS} |`;
    expect(wrapped(code, 30)).toBe(code);
    expect(wrapped(`See ${'x'.repeat(50)} there`, 30)).toBe(`See\n${'x'.repeat(50)}\nthere`);
  });

  it('are measured without looks, and with the width of the characters', () => {
    const bold = WORDS.replace('brown', '\u001B[1mbrown\u001B[22m');
    expect(stripVTControlCharacters(wrapped(bold, 30))).toBe(wrapped(WORDS, 30));
    expect(wrapped('日本語 日本語 日本語 日本語', 20)).toBe('日本語 日本語 日本語\n日本語');
    expect(wrapped('e\u0301e\u0301e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301e\u0301e\u0301 e\u0301', 20)).toBe(
      'e\u0301e\u0301e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301e\u0301e\u0301 e\u0301e\u0301e\u0301e\u0301e\u0301 e\u0301',
    );
  });

  it('are the same however the text comes in pieces, and lose nothing but white space at their ends', () => {
    const piece = fc.oneof(
      fc.constantFrom(' ', '\n', '  ', '- ', '```\n', '| '),
      fc.string({ maxLength: 12 }).map((text) => text.replaceAll('\u001B', '')),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 20, max: 60 }), (pieces, columns) => {
        const whole = pieces.join('');
        const wrap = new WordWrap(() => columns);
        const streamed = pieces.map((each) => wrap.push(each)).join('') + wrap.flush();
        expect(streamed).toBe(wrapped(whole, columns));
        expect(streamed.replaceAll(/\s/gu, '')).toBe(whole.replaceAll(/\s/gu, ''));
      }),
    );
  });
});

describe('columns of a terminal', () => {
  it('are what a line is cut to, whatever each character takes', () => {
    expect(['short', 'a longer line', '文字の長い行', 'e\u0301'.repeat(9)].map((line) => cutToWidth(line, 8))).toEqual([
      'short',
      'a longe…',
      '文字の…',
      `${'e\u0301'.repeat(7)}…`,
    ]);
  });

  it('say how many rows a line takes', () => {
    expect(['', 'x'.repeat(8), 'x'.repeat(9), '文'.repeat(9)].map((line) => rowsOf(line, 8))).toEqual([1, 1, 2, 3]);
  });
});
