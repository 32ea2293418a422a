import type { Log } from '../../../src/domain/log.js';

/** A log that keeps nothing. */
export const NO_LOG: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
