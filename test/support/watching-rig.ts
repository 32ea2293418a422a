import { Signal } from '../../src/concurrency/signal.js';
import type { WatchedFiles } from '../../src/domain/host/host-ports.js';

/** Watching and trust as a test decides about them. */
export function watchingRig({ trusted = true }: { readonly trusted?: boolean } = {}) {
  const files = new Signal();
  const granted = new Signal();
  const state = { trusted, watches: 0 };
  let watched: (() => WatchedFiles) | undefined;
  return {
    ports: {
      trust: { trusted: () => state.trusted, onDidGrant: granted.subscribe },
      keepWatching: (what: () => WatchedFiles, changed: () => void, others?: (listener: () => void) => () => void) => {
        watched = what;
        state.watches += 1;
        const stops = [files.subscribe(changed), others?.(changed)];
        return {
          dispose: () => {
            state.watches -= 1;
            for (const stop of stops) stop?.();
          },
        };
      },
    },
    /** What is watched now; none before anything is. */
    watched: () => watched?.(),
    /** How many keep watching. */
    watches: () => state.watches,
    /** Tells of a change of a file. */
    change: () => files.emit(),
    /** Has the user trust the workspace. */
    grant: () => {
      state.trusted = true;
      granted.emit();
    },
  };
}

/** A log that keeps its errors. */
export function errorLog() {
  const errors: string[] = [];
  const error = (text: string, cause?: unknown): void => void errors.push(`${text}: ${cause instanceof Error ? cause.message : String(cause)}`);
  return { errors, log: { info: () => undefined, warn: () => undefined, error } };
}
