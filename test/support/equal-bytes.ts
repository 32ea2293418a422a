import { expect } from 'vitest';

/** Where it is noted that this worker has it: it runs before each file of tests, and what it adds stays. */
const ADDED = Symbol.for('gnomon.equal-bytes');

if (!Reflect.has(globalThis, ADDED)) {
  Reflect.set(globalThis, ADDED, true);
  expect.addEqualityTesters([equalBytes]);
}

/** Compares bytes of the same kind as bytes: element by element, as Vitest does it, an image takes a second. */
function equalBytes(a: unknown, b: unknown): boolean | undefined {
  return a instanceof Uint8Array && b instanceof Uint8Array && a.constructor === b.constructor ? Buffer.compare(a, b) === 0 : undefined;
}
