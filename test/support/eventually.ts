import { vi } from 'vitest';

/** Milliseconds that a machine with much else to do may take. */
const PATIENCE_MS = 20_000;

/** Waits until something does not throw, such as an expectation. Rejects with what it threw last. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: PATIENCE_MS });
}
