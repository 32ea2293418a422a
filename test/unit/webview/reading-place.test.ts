import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PlaceKeeper } from '../../../webview/state/window/reading-place.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function keeper(stored: unknown) {
  const values: Record<string, unknown>[] = [];
  const places = new PlaceKeeper({ post: () => undefined, getState: () => stored, setState: (value) => values.push(value) });
  return { places, values };
}

test('a place is stored once the view rests, and is there for the same conversation only', () => {
  const { places, values } = keeper(undefined);
  places.keep('s', { item: 'u1', offset: -3 });
  places.keep('s', { item: 'u2', offset: 7.5 });
  expect(values).toEqual([]);
  vi.advanceTimersByTime(300);
  expect(values).toEqual([{ reading: { session: 's', item: 'u2', offset: 7.5 } }]);
  const again = keeper(values[0]).places;
  expect(again.stored('s')).toMatchObject({ item: 'u2', offset: 7.5 });
  expect(again.stored('other')).toBeUndefined();
});

test('at the end there is none, and one from before is taken away', () => {
  const fresh = keeper({ draft: 'x' });
  fresh.places.keep('s', undefined);
  vi.advanceTimersByTime(1_000);
  expect(fresh.values).toEqual([]);
  const old = keeper({ reading: { session: 's', item: 'u2', offset: 1 } });
  old.places.keep('s', undefined);
  vi.advanceTimersByTime(1_000);
  expect(old.values).toEqual([{ reading: null }]);
});

test.each([
  null,
  'x',
  7,
  {},
  { reading: 3 },
  { reading: null },
  { reading: { session: 's' } },
  { reading: { session: 's', item: 4, offset: 1 } },
  { reading: { session: 's', item: 'u', offset: Number.NaN } },
])('anything else that was stored is none: %j', (stored) => {
  expect(keeper(stored).places.stored('s')).toBeUndefined();
});
