import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changedWords } from '../../../webview/state/diff/changed-words.js';
import { type DiffLine, countDiff, diffLines } from '../../../webview/state/diff/diff-lines.js';
import { type Piece, foldPieces, linePieces } from '../../../webview/state/diff/line-pieces.js';

/** A line as it is seen: number, sign, text. */
const SIGNS = { added: '+', removed: '-', context: ' ', gap: '~', note: '\\' } as const;
const seen = (lines: readonly DiffLine[]): readonly string[] => lines.map(({ kind, text, number, left }) => `${number ?? ''}${SIGNS[kind]}${left ?? text}`);
const textOf = (pieces: readonly Piece[]): string => pieces.map(({ text }) => text).join('');

describe('the lines of a difference', () => {
  test('headers go, every changed line stays, with its number', () => {
    const lines = diffLines(
      'Index: a\n===================\n--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n same\n--- removed comment\n+++ added\n\\ No newline at end of file\nodd\n',
    );
    expect(seen(lines)).toEqual(['1 same', '2--- removed comment', '2+++ added', '\\No newline at end of file', '3 odd']);
    expect(countDiff(lines)).toEqual({ added: 1, removed: 1 });
  });

  test('two unchanged lines stand around each change, and what lies between is counted', () => {
    const diff = '@@ -10,9 +10,10 @@\n a\n b\n c\n-old\n+new\n+newer\n d\n e\n f\n g\n h\n@@ -60,4 +61,3 @@\n x\n y\n-z\n end\n';
    expect(seen(diffLines(diff))).toEqual(['11 b', '12 c', '13-old', '13+new', '14+newer', '15 d', '16 e', '~44', '61 x', '62 y', '62-z', '63 end']);
  });

  test('changes with few lines between them have no gap', () => {
    const diff = '@@ -1,6 +1,6 @@\n-a\n+A\n 1\n 2\n 3\n 4\n-b\n+B\n';
    expect(seen(diffLines(diff))).toEqual(['1-a', '1+A', '2 1', '3 2', '4 3', '5 4', '6-b', '6+B']);
    expect(seen(diffLines('@@ -1,7 +1,7 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n-b\n+B\n'))).toContain('~1');
  });

  test('a text that is no diff is shown whole', () => {
    expect(diffLines('one\nsecond\nthird\nfourth\n--- two').map(({ text }) => text)).toEqual(['one', 'second', 'third', 'fourth', '-- two']);
  });

  test('no changed line is ever left out, and the numbers are those of the texts', () => {
    const side = fc.constantFrom('+', '-', ' ');
    fc.assert(
      fc.property(fc.array(side, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 900 }), (signs, start) => {
        const counts = signs.map((sign, index) => `${sign}line ${index}`);
        const lines = diffLines(`@@ -${start},9 +${start},9 @@\n${counts.join('\n')}\n`);
        const changed = (kind: 'added' | 'removed', sign: string): boolean =>
          lines.filter((line) => line.kind === kind).length === signs.filter((each) => each === sign).length;
        expect([changed('added', '+'), changed('removed', '-')]).toEqual([true, true]);
        for (const line of lines) {
          if (line.kind === 'gap' || line.kind === 'note') continue;
          const index = Number(line.text.slice('line '.length));
          const before = signs.slice(0, index).filter((sign) => sign !== (line.kind === 'removed' ? '+' : '-')).length;
          expect(line.number).toBe(start + before);
        }
      }),
    );
  });
});

describe('what is another in a line', () => {
  const words = (diff: string): readonly (readonly string[])[] => {
    const lines = diffLines(diff);
    const changed = changedWords(lines);
    return lines.map(({ text }, index) => (changed.get(index) ?? []).map(({ start, end }) => text.slice(start, end)));
  };

  test('lines that replace as many others are compared word by word', () => {
    expect(words('@@ -1,2 +1,2 @@\n-  return a.start <= b.end;\n+  return a.start < b.end;\n same\n')).toEqual([['='], [], []]);
    expect(words('@@ -1 +1 @@\n-const ROOMS = three;\n+const ROOMS = four;\n')).toEqual([['three'], ['four']]);
    expect(words('@@ -1,2 +1,3 @@\n-one two\n+one three\n+more\n')).toEqual([[], [], []]);
  });

  test('a line that is another altogether is not marked', () => {
    expect(words('@@ -1 +1 @@\n-the quick brown fox\n+import { readFile } from "node:fs";\n')).toEqual([[], []]);
  });

  test('lines that are too long, or too many, are not compared', () => {
    expect(words(`@@ -1 +1 @@\n-${'a '.repeat(300)}x\n+${'a '.repeat(300)}y\n`)).toEqual([[], []]);
    const many = Array.from({ length: 50 }, (_, index) => index);
    expect(
      words(`@@ -1,50 +1,50 @@\n${many.map((each) => `-const n = ${each};`).join('\n')}\n${many.map((each) => `+const n = 1${each};`).join('\n')}\n`).flat(),
    ).toEqual([]);
  });
});

describe('cmd-36 a line of a difference hides nothing', () => {
  test('hidden characters are escapes, a long run of blanks is a number', () => {
    const line = `wide${' '.repeat(3_000)}; touch PWN\u202E`;
    expect(linePieces([{ text: line }], [])).toEqual([
      { text: 'wide' },
      { text: '⋯ 3,000 spaces ⋯', escape: true },
      { text: '; touch PWN' },
      { text: '\\u202E', escape: true },
    ]);
    expect(textOf(linePieces([{ text: `\t\t  indented ${' '.repeat(30)}x` }], []))).toBe(`\t\t  indented ${' '.repeat(30)}x`);
  });

  test('colors and marks cut a line and change nothing of it', () => {
    expect(linePieces([{ text: 'const', kind: 'keyword' }, { text: ' a = 12;' }], [{ start: 3, end: 7 }])).toEqual([
      { text: 'con', kind: 'keyword' },
      { text: 'st', kind: 'keyword', changed: true },
      { text: ' a', changed: true },
      { text: ' = 12;' },
    ]);
  });

  test('no row is wider than it may be, and together they are the line', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 80 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), fc.integer({ min: 1, max: 20 }), (texts, columns) => {
        const pieces = texts.filter((each) => each !== '').map((each) => ({ text: each }));
        const rows = foldPieces(pieces, columns);
        expect(rows.map(textOf).join('')).toBe(textOf(pieces));
        for (const row of rows) expect(textOf(row).length).toBeLessThanOrEqual(columns);
        for (const row of rows.slice(0, -1)) expect(textOf(row)).toHaveLength(columns);
      }),
    );
  });
});
