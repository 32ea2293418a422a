import { expect, test } from 'vitest';
import { priceOf } from '../../../../src/domain/model/provider.js';
import { NO_PRICE } from '../../../../src/domain/model/usage.js';

const pricing = { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 };

test('a model without a price costs nothing on this machine, and elsewhere it is not known what it costs', () => {
  expect(priceOf({})).toBeUndefined();
  expect(priceOf({ onThisMachine: true })).toBe(NO_PRICE);
});

test('a price counts wherever the server is, such as that of a gateway on this machine', () => {
  expect(priceOf({ pricing })).toBe(pricing);
  expect(priceOf({ pricing, onThisMachine: true })).toBe(pricing);
});
