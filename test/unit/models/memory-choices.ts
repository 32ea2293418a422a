import { KeyChoices } from '../../../src/models/keys/key-choices.js';

/** Choices of keys in memory. */
export function memoryChoices(values: Map<string, unknown> = new Map()): KeyChoices {
  return new KeyChoices({
    get: (key) => values.get(key),
    update: (key, value) => {
      values.set(key, value);
      return Promise.resolve();
    },
  });
}
