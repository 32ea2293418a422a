import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Range, lastRows, nextRows, wantedRows } from '../../../webview/state/window/row-range.js';

const all = (): boolean => true;

/** Steps until nothing changes. */
function settle(now: Range, view: Range, total: number, held: (index: number) => boolean = all): { range: Range; most: number } {
  let range = now;
  let most = range.to - range.from;
  for (let steps = 0; steps < 10_000; steps += 1) {
    const next = nextRows(range, { view, wanted: wantedRows(view, total), held });
    if (next === range) return { range, most };
    range = next;
    most = Math.max(most, range.to - range.from);
  }
  throw new Error('It never comes to rest.');
}

describe('rows in the page', () => {
  test('view-15 it comes to rest with what is in view and some more, and never with more than 60', () => {
    const total = 10_000;
    const views = fc.tuple(fc.nat(total - 1), fc.integer({ min: 1, max: 15 })).map(([from, count]) => ({ from, to: Math.min(total, from + count) }));
    fc.assert(
      fc.property(views, fc.array(views, { minLength: 1, maxLength: 6 }), (first, next) => {
        let range = lastRows(total);
        for (const view of [first, ...next]) {
          const before = range;
          const settled = settle(before, view, total);
          range = settled.range;
          expect(settled.most).toBeLessThanOrEqual(63);
          expect(range.from).toBeLessThanOrEqual(view.from);
          expect(range.to).toBeGreaterThanOrEqual(view.to);
          expect(range.to - range.from).toBeLessThanOrEqual(60);
          expect(range.from).toBeLessThanOrEqual(Math.max(0, view.from - 18));
          expect(range.to).toBeGreaterThanOrEqual(Math.min(total, view.to + 18));
        }
      }),
    );
  });

  test('a step makes few rows, those in view before others', () => {
    const view = { from: 500, to: 508 };
    const wish = { view, wanted: wantedRows(view, 1_000), held: all };
    const first = nextRows(lastRows(1_000), wish);
    expect(first).toEqual({ from: 500, to: 506 });
    const second = nextRows(first, wish);
    expect(second).toEqual({ from: 500, to: 508 });
    expect(nextRows(second, wish).to - nextRows(second, wish).from).toBe(10);
  });

  test('it stops where items are not there, and goes on when they are', () => {
    const view = { from: 30, to: 34 };
    const stopped = settle({ from: 30, to: 31 }, view, 100, (index) => index >= 25 && index < 40).range;
    expect(stopped).toEqual({ from: 25, to: 40 });
    expect(settle(stopped, view, 100).range).toEqual({ from: 12, to: 52 });
  });

  test('where nothing is there yet, what is in the page stays', () => {
    const now = lastRows(100);
    expect(settle(now, { from: 3, to: 8 }, 100, (index) => index > 50).range).toBe(now);
  });
});
