import type { Clock } from '../domain/clock.js';

/** The clock of this machine. */
export const systemClock: Clock = { timestamp: () => new Date().toISOString(), monotonic: () => performance.now() };
