import { describe, expect, it } from 'vitest';
import { WordDiff } from '../../../src/text/word-diff.js';
import { processorMs } from '../../support/processor-time.js';

/** A line with what is gone in front of what came: `[-old-]{+new+}`. */
function marked(old: string, fresh: string, diff = new WordDiff()): string {
  let [text, at] = ['', 0];
  for (const { from, to, old: gone } of diff.changes(old, fresh)) {
    text += `${fresh.slice(at, from)}${gone === '' ? '' : `[-${gone}-]`}${to === from ? '' : `{+${fresh.slice(from, to)}+}`}`;
    at = to;
  }
  return text + fresh.slice(at);
}

describe('WordDiff', () => {
  it('finds the words that differ, and only those', () => {
    expect(marked('const total = sum(prices);', 'const total = sum(prices, rate);')).toBe('const total = sum(prices{+, rate+});');
    expect(marked('const total = sum(prices, rate);', 'const total = sum(prices);')).toBe('const total = sum(prices[-, rate-]);');
    expect(marked('let value = compute(old);', 'const value = compute(fresh);')).toBe('[-let-]{+const+} value = compute([-old-]{+fresh+});');
    expect(marked('same', 'same')).toBe('same');
    expect(marked('', 'all new')).toBe('{+all new+}');
    expect(marked('all gone', '')).toBe('[-all gone-]');
  });

  it('brings changes together that have only single characters between them', () => {
    expect(marked('f(a, b, c, unchanged)', 'f(x, y, z, unchanged)')).toBe('f([-a, b, c-]{+x, y, z+}, unchanged)');
  });

  it('counts an indentation that grew or shrank as just that', () => {
    expect(marked('  return;', '    return;')).toBe('  {+  +}return;');
    expect(marked('    return;', '  return;')).toBe('  [-  -]return;');
    expect(marked('\treturn;', '  return;')).toBe('[-\t-]{+  +}return;');
  });

  it('never divides a character', () => {
    expect(marked('say 😀 now', 'say 😁 now')).toBe('say [-😀-]{+😁+} now');
    expect(marked('größe', 'große')).toBe('[-größe-]{+große+}');
  });

  it('takes long lines as one change instead of taking long', async () => {
    const words = (of: string): string => Array.from({ length: 20_000 }, (_, index) => `${of}${index}`).join(' ');
    const compare = (): void => expect(new WordDiff().changes(`head ${words('a')} tail`, `head ${words('b')} tail`)).toHaveLength(1);
    expect(await processorMs(compare)).toBeLessThan(1_000);
  });

  it('spends no more than it may on all lines together', () => {
    const diff = new WordDiff(16);
    expect(marked('a longer b', 'x longer y', diff)).toBe('[-a longer b-]{+x longer y+}');
    const enough = new WordDiff(25);
    expect(marked('a longer b', 'x longer y', enough)).toBe('[-a-]{+x+} longer [-b-]{+y+}');
    expect(marked('a longer b', 'x longer y', enough)).toBe('[-a longer b-]{+x longer y+}');
  });
});
