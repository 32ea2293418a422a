import { deepFreeze } from '../../tool/calls/define.js';
import type { Log } from '../../domain/log.js';
import type { GnomonDisposable, GnomonEvent } from './gnomon-api.js';
import { ApiError } from './api-error.js';

/** Another extension's function; it may be one that returns a promise. */
type Listener = (event: GnomonEvent) => unknown;

/** The listeners of other extensions. Whatever they do, the session and each other listener goes on. */
export class ApiListeners {
  private readonly all = new Set<{ readonly listener: Listener }>();
  private readonly log: Log;

  constructor(log: Log) {
    this.log = log;
  }

  /** Adds one; the same function can be added twice. */
  add(listener: Listener): GnomonDisposable {
    if (typeof listener !== 'function') throw new ApiError('invalid', 'onEvent takes a function.');
    const entry = { listener };
    this.all.add(entry);
    return { dispose: () => void this.all.delete(entry) };
  }

  /** Tells all. One that fails, now or later, is logged. */
  tell(event: GnomonEvent): void {
    deepFreeze(event);
    const failed = (error: unknown): void => this.log.error(`A listener of another extension failed at the event ${event.type}`, error);
    for (const { listener } of [...this.all]) {
      try {
        Promise.resolve(listener(event)).catch(failed);
      } catch (error) {
        failed(error);
      }
    }
  }
}
