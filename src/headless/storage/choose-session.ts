import { leftFor, pendingIn } from '../../agent-host/changes/bring-changes.js';
import { present } from '../../domain/present.js';
import { systemClock } from '../../node/system-clock.js';
import { isSafeId, timeId } from '../../session/session-id.js';
import { EXIT, Impossible } from '../exit.js';
import type { RunOptions } from '../flags.js';
import { type Places, placesOf } from '../places.js';
import { shownLine } from '../shown.js';
import { findSession, newestSession, refuseDamaged } from './find-session.js';
import { listSessions, type PlacedSession, type SessionPlace, sessionPlaces, type StorageWish } from './session-places.js';

/** Which session a run works in. */
export interface ChosenSession {
  readonly id: string;
  /** The id of the one that it goes on with, in itself or in a copy; absent for a new session. */
  readonly continues?: string;
  /** What else the user could do where another window or program has it open, such as `, or …`; absent: nothing. */
  readonly otherwise?: string;
}

type ContinueOptions = Pick<RunOptions, 'continued' | 'fork' | 'takesOver' | 'sessionId' | 'storage'>;

/**
 * Finds the session that a run goes on with. It stays where it is: a chat of VS Code is one afterwards, too.
 * @throws Impossible where it is not there, or where the newest one is wanted and is open elsewhere
 */
export async function chooseSession(
  options: ContinueOptions,
  wish: Omit<StorageWish, 'kind'>,
): Promise<{ readonly session: ChosenSession; readonly places: Places }> {
  const all = await sessionPlaces({ ...wish, kind: options.storage });
  const found = await continuedIn(all, options);
  const { storage } = found?.place ?? all[0];
  const id = found !== undefined && !options.fork ? found.id : (options.sessionId ?? timeId(systemClock));
  // It names a folder.
  if (!isSafeId(id)) throw new Impossible(`--session-id: ${shownLine(id)} cannot be the id of a session. Use letters, digits, and - _ only.`, EXIT.usage);
  if (options.sessionId !== undefined && (await listSessions(all)).some((stored) => stored.id === id))
    throw new Impossible(`--session-id: there is a session ${id} already. To go on with it: --resume ${id}`, EXIT.usage);
  const own = placesOf(wish.folder, wish.environment);
  const review = options.storage === 'own' ? own.review : pendingIn(leftFor(storage, id).path);
  const otherwise = options.takesOver
    ? ', or go on in a copy with --fork-session'
    : ', have it released with --take-over, or go on in a copy with --fork-session';
  return { session: { id, otherwise, ...present({ continues: found?.id }) }, places: { ...own, sessions: storage, review } };
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
          `The newest session (${id}, “${shownLine(title)}”) is open in another window or program. ` +
            'Close it there, have it released with --take-over, or name another one with --resume.',
        );
      return newest;
    }
  }
}
