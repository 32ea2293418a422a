import type { Timestamp } from './model/message.js';

/** Time as the engine sees it, so that tests decide it. */
export interface Clock {
  /** Wall-clock time as RFC 3339 in UTC. */
  timestamp(): Timestamp;
  /** Milliseconds that never go backwards; for durations. */
  monotonic(): number;
}
