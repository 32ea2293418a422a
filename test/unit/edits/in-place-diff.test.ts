import { describe, expect, it } from 'vitest';
import { type DrawnHunk, type InPlaceDiff, inPlaceDiff } from '../../../src/edits/in-place-diff.js';
import { processorMs } from '../../support/processor-time.js';

/** The text with what is drawn in it: `[-gone-]{+new+}` within lines, and rows beside, with their margins as spaces. */
function drawn(lines: readonly string[], hunks: readonly DrawnHunk[], tabSize = 4): readonly string[] {
  const { words, rows } = of(lines, hunks, tabSize);
  return lines.map((line, number) => {
    let [text, at] = ['', 0];
    for (const { from, to, gone } of words.filter((each) => each.line === number)) {
      text += `${line.slice(at, from)}${gone === '' ? '' : `[-${gone}-]`}${to === from ? '' : `{+${line.slice(from, to)}+}`}`;
      at = to;
    }
    const row = rows.find((each) => each.line === number);
    return (text + line.slice(at) + (row === undefined ? '' : `${'·'.repeat(row.margin)}|${row.text}|`)).replaceAll('\u00A0', ' ');
  });
}

function of(lines: readonly string[], hunks: readonly DrawnHunk[], tabSize = 4): InPlaceDiff {
  return inPlaceDiff(hunks, { lineCount: lines.length, tabSize, lineAt: (line) => lines[line] ?? expect.fail(`There is no line ${line}.`) });
}

const numbered = (count: number, name = 'line'): string[] => Array.from({ length: count }, (_, index) => `${name} ${index}`);

describe('inPlaceDiff', () => {
  it('shows words that changed within their line', () => {
    const lines = ['a', 'const total = sum(prices, rate);', 'b'];
    expect(drawn(lines, [{ line: 1, count: 1, removed: ['const sum = sum(prices);'] }])).toEqual(['a', 'const [-sum-]{+total+} = sum(prices{+, rate+});', 'b']);
  });

  it('shows lines that are gone to the right of the code, without the indentation that all have', () => {
    const lines = ['f() {', '  return reduce();', '}', '', 'rest'];
    const removed = ['  var sum = 0;', '  for (x of y)', '    sum += x;'];
    expect(drawn(lines, [{ line: 1, count: 1, removed }])).toEqual([
      'f() {',
      '  return reduce();····|− var sum = 0;|',
      '}·····················|− for (x of y)|',
      '······················|−   sum += x; |',
      'rest',
    ]);
  });

  it('begins at the place of each: between lines that stayed the same but for words, and where nothing came', () => {
    const lines = ['first(one);', 'second(two);', 'third(three);'];
    expect(drawn(lines, [{ line: 0, count: 3, removed: ['first(1);', 'gone entirely', 'second(two);', 'third(3);'] }])).toEqual([
      'first([-1-]{+one+});',
      'second(two);····|− gone entirely|',
      'third([-3-]{+three+});',
    ]);
    expect(drawn(lines, [{ line: 1, count: 0, removed: ['gone'] }])).toEqual(['first(one);', 'second(two);····|− gone|', 'third(three);']);
  });

  it('moves up at the end of the file, where there is no line below', () => {
    expect(drawn(['one', 'two'], [{ line: 2, count: 0, removed: ['gone', 'too'] }])).toEqual(['one····|− gone|', 'two····|− too |']);
    expect(drawn(['one'], [{ line: 0, count: 1, removed: ['gone', 'too', 'three'] }])).toEqual(['one····|… 3 more removed lines|']);
    expect(drawn(['', ''], [{ line: 0, count: 0, removed: ['gone', 'too', 'three'] }])).toEqual([
      '····|− gone                |',
      '····|… 2 more removed lines|',
    ]);
  });

  it('moves up no further than the change before it', () => {
    const hunks = [
      { line: 0, count: 1, removed: [] },
      { line: 3, count: 0, removed: numbered(3, 'gone') },
    ];
    expect(drawn(['new', 'b', 'c'], hunks)).toEqual(['new', 'b····|− gone 0              |', 'c····|… 2 more removed lines|']);
    expect(drawn(['new', 'b', 'c', 'd'], hunks)).toEqual(['new', 'b····|− gone 0|', 'c····|− gone 1|', 'd····|− gone 2|']);
  });

  it('draws nothing of a created file but its lines', () => {
    expect(of(['new', 'file', ''], [{ line: 0, count: 2, removed: [] }])).toEqual({ words: [], rows: [] });
  });

  it('shows twenty lines whole, and says of more how many there are', () => {
    const lines = ['new', ...numbered(40)];
    const rows = (count: number): readonly string[] =>
      of(lines, [{ line: 0, count: 1, removed: numbered(count, 'gone') }]).rows.map(({ text }) => text.replaceAll('\u00A0', ' ').trim());
    expect(rows(20)).toEqual(numbered(20, '− gone'));
    expect(rows(21)).toEqual([...numbered(20, '− gone'), '… 1 more removed line']);
    expect(rows(30).at(-1)).toBe('… 10 more removed lines');
  });

  it('keeps rows of changes that are close to each other apart', () => {
    const lines = ['a', 'b', 'c', 'd'];
    expect(
      drawn(lines, [
        { line: 0, count: 1, removed: ['first', 'second', 'third'] },
        { line: 2, count: 1, removed: ['other'] },
      ]),
    ).toEqual(['a····|− first |', 'b····|− second|', 'c····|− third     − other|', 'd']);
  });

  it('begins behind removed words of the same line, behind wide characters and tabs, and not far behind other long lines', () => {
    expect(drawn(['\tx(1);', '漢字'], [{ line: 0, count: 1, removed: ['gone', 'too'] }])).toEqual(['\tx(1);····|− gone|', '漢字·········|− too |']);
    expect(drawn(['same(new); ', 'end'], [{ line: 0, count: 1, removed: ['same(old1); ', 'gone'] }])).toEqual(['same([-old1-]{+new+}); ', 'end····|− gone|']);
    const [short, long] = of(['x', 'y'.repeat(200), 'z'], [{ line: 0, count: 1, removed: ['gone', 'too'] }]).rows;
    expect([short?.margin, long?.margin]).toEqual([93, 4]);
  });

  it('makes what is invisible visible, and cuts what is long', () => {
    const lines = ['value(safe);', 'end'];
    expect(drawn(lines, [{ line: 0, count: 1, removed: ['value(sa\u202Efe);', 'a\u200Bb\f"}'] }])).toEqual([
      'value([-sa\\u{202e}fe-]{+safe+});',
      'end····|− a\\u{200b}b\\u{c}"}|',
    ]);
    const [row] = of(lines, [{ line: 1, count: 0, removed: ['x'.repeat(500)] }]).rows;
    expect(row?.text).toBe(`−\u00A0${'x'.repeat(119)}…`);
  });

  it('shows a line of which too much changed as another line', () => {
    const removed = ['a1 = b; c1 = d; e1 = f; g1 = h; i1 = j; k1 = l;'];
    const { words, rows } = of(['a2 = b; c2 = d; e2 = f; g2 = h; i2 = j; k2 = l;'], [{ line: 0, count: 1, removed }]);
    expect(words).toEqual([]);
    expect(rows).toHaveLength(1);
  });

  it('pairs many lines by their places, and takes little time for many and long ones', async () => {
    const [old, fresh] = [numbered(400, 'const value ='), numbered(400, 'const other =')];
    expect(of(fresh, [{ line: 0, count: 400, removed: old }]).words).toHaveLength(400);
    const long = (of: string): string => Array.from({ length: 80 }, (_, index) => `${of}${index % 7} word${index}`).join(' ');
    const lines = Array.from({ length: 100 }, () => Array.from({ length: 20 }, () => long('b'))).flat();
    const hunks = Array.from({ length: 100 }, (_, index) => ({ line: index * 20, count: 20, removed: Array.from({ length: 20 }, () => long('a')) }));
    expect(await processorMs(() => of(lines, hunks))).toBeLessThan(2_000);
  });
});
