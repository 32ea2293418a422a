import type { Log } from '../../domain/log.js';
import type { StoredSession } from '../../domain/session/session-store.js';
import { findSession, refuseDamaged } from '../storage/find-session.js';
import type { PlacedSession, SessionPlace } from '../storage/session-places.js';
import type { Streams, Terminal } from '../terminal.js';

/** What the commands about sessions work with. */
export interface Desk {
  readonly streams: Streams;
  readonly terminal: Terminal;
  /** Absolute path of the current folder. */
  readonly folder: string;
  /** Where the sessions are. */
  readonly places: readonly SessionPlace[];
  readonly log: Log;
}

/** Reads a session as it is on the disk, also one that is open elsewhere. @throws Impossible where it cannot be read */
export async function readSession(beginning: string, { places, log }: Desk): Promise<{ readonly found: PlacedSession; readonly stored: StoredSession }> {
  const found = await findSession(places, beginning);
  refuseDamaged(found);
  const stored = await found.place.library.read(found.id);
  for (const warning of stored.warnings) log.warn(warning);
  return { found, stored };
}
