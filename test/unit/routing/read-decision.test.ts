import { expect, it } from 'vitest';
import { readRouting } from '../../../src/routing/read-decision.js';
import { route } from '../../../src/routing/route.js';
import { candidate, facts, request } from './scene.js';

const decision = route(
  request({ cached: { tokens: 5_000, key: 'a/x' } }),
  facts([
    [candidate('b/y', { host: 'h' }), 0.9],
    [candidate('c/z'), 0.1],
  ]),
);

it('a stored decision is read back as it was', () => {
  expect(readRouting(JSON.parse(JSON.stringify(decision)))).toEqual(decision);
});

it.each([
  undefined,
  null,
  'chosen',
  [],
  {},
  { ...decision, type: 'other' },
  { ...decision, kind: 'cooking' },
  { ...decision, candidates: 'all' },
  { ...decision, candidates: Array.from({ length: 101 }, () => decision.candidates[0]) },
  { ...decision, leftOut: -1 },
  { ...decision, floor: { share: 2, least: 0 } },
  { ...decision, key: 'x'.repeat(501) },
  { ...decision, candidates: [{ ...decision.candidates[0], removed: { type: 'magic' } }] },
  { ...decision, candidates: [{ ...decision.candidates[0], expected: NaN }] },
  { ...decision, type: 'ask' },
])('what is none is not read: %#', (stored) => {
  expect(readRouting(stored)).toBeUndefined();
});

it('what it does not have is left out', () => {
  expect(readRouting({ ...JSON.parse(JSON.stringify(decision)), more: '<script>', __proto__: { type: 'ask' } })).toEqual(decision);
});
