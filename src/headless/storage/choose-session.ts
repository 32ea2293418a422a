import { Impossible } from '../exit.js';
import type { RunOptions } from '../flags.js';
import { shownLine } from '../shown.js';
import { findSession, newestSession, refuseDamaged } from './find-session.js';
import { type PlacedSession, type SessionPlace, sessionPlaces, type StorageWish } from './session-places.js';

/** Where a run keeps its session, and which one it goes on with. */
export interface ChosenSession {
  /** Absolute path of the folder with the folder of the sessions. */
  readonly storage: string;
  /** The whole id; absent for a new session. */
  readonly continues?: string;
}

type ContinueOptions = Pick<RunOptions, 'continued' | 'fork' | 'takesOver' | 'storage'>;

/**
 * Finds the session that a run goes on with. It stays where it is: a chat of VS Code is one afterwards, too.
 * @throws Impossible where it is not there, or where the newest one is wanted and is open elsewhere
 */
export async function chooseSession(options: ContinueOptions, wish: Omit<StorageWish, 'kind'>): Promise<ChosenSession> {
  const places = await sessionPlaces({ ...wish, kind: options.storage });
  const found = await continuedIn(places, options);
  return found === undefined ? { storage: places[0].storage } : { storage: found.place.storage, continues: found.id };
}

async function continuedIn(places: readonly SessionPlace[], { continued, fork, takesOver }: ContinueOptions): Promise<PlacedSession | undefined> {
  switch (continued.kind) {
    case 'new':
      return undefined;
    case 'named': {
      const found = await findSession(places, continued.id);
      refuseDamaged(found);
      return found;
    }
    case 'newest': {
      const newest = await newestSession(places);
      const { id, title, elsewhere } = newest;
      // An older one is another conversation, which nobody has asked for.
      if (elsewhere === true && !fork && !takesOver)
        throw new Impossible(
          `The newest session (${id}, “${shownLine(title)}”) is open in another window or program. Close it there, have it released with --take-over, or name another one with --resume.`,
        );
      return newest;
    }
  }
}
