import fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowHeights } from '../../../webview/state/window/row-heights.js';

test('what was measured counts, everything else is estimated', () => {
  const heights = new RowHeights();
  heights.resize(10);
  heights.set(1, 50);
  const guess = heights.between(0, 1);
  expect(heights.between(0, 3)).toBe(2 * guess + 50);
  expect(heights.indexAt(guess - 1)).toBe(0);
  expect(heights.indexAt(guess)).toBe(1);
  expect(heights.indexAt(guess + 50)).toBe(2);
  expect(heights.indexAt(-5)).toBe(0);
  expect(heights.indexAt(1e9)).toBe(9);
  expect(heights.measuredAt(1)).toBe(50);
  expect(heights.measuredAt(2)).toBeUndefined();
});

test('the estimate becomes the mean of what was measured, once there is enough and it is off', () => {
  const heights = new RowHeights();
  heights.resize(1_000);
  for (let index = 0; index < 7; index += 1) heights.set(index, 400);
  heights.settle();
  expect(heights.between(500, 501)).toBe(120);
  heights.set(7, 400);
  heights.settle();
  expect(heights.between(500, 501)).toBe(400);
  for (let index = 0; index < 8; index += 1) heights.set(index, 420);
  heights.settle();
  expect(heights.between(500, 501)).toBe(400);
});

test('one giant row does not make all others seem high', () => {
  const heights = new RowHeights();
  heights.resize(1_000);
  for (let index = 0; index < 19; index += 1) heights.set(index, 100);
  heights.set(19, 884_000);
  heights.settle();
  expect(heights.between(500, 501)).toBeLessThan(200);
  heights.resize(19);
  heights.resize(1_000);
  for (let index = 0; index < 19; index += 1) heights.set(index, 300);
  heights.settle();
  expect(heights.between(500, 501)).toBe(300);
});

test('rows that go, and rows that come, keep the others at their places', () => {
  const action = fc.oneof(
    fc.record({ type: fc.constant('set' as const), index: fc.nat(30), height: fc.integer({ min: 1, max: 900 }) }),
    fc.record({ type: fc.constant('resize' as const), total: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const heights = new RowHeights();
      let model: (number | undefined)[] = [];
      for (const each of actions) {
        if (each.type === 'resize') {
          heights.resize(each.total);
          model = Array.from({ length: each.total }, (_, index) => model[index]);
        } else if (each.index < model.length) {
          heights.set(each.index, each.height);
          model[each.index] = each.height;
        }
      }
      expect(model.map((_, index) => heights.measuredAt(index))).toEqual(model);
      expect(heights.between(0, model.length)).toBe(model.reduce<number>((sum, height) => sum + (height ?? 120), 0));
    }),
  );
});
