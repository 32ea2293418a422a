import type { Log } from '../domain/log.js';
import type { SessionEvent } from './events.js';

/** Who listens to a session. */
export class Listeners {
  private readonly all = new Set<(event: SessionEvent) => void>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  /** Adds one. Returns the function that removes it. */
  add(listener: (event: SessionEvent) => void): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  /** Tells all. One that throws is logged. */
  tell(event: SessionEvent): void {
    for (const listener of this.all) {
      try {
        listener(event);
      } catch (error) {
        this.log.error(`A listener failed at the event ${event.type}`, error);
      }
    }
  }
}
