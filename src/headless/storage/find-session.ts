import { Impossible } from '../exit.js';
import { shownLine } from '../shown.js';
import { listSessions, listTrash, type PlacedSession, type PlacedTrash, type SessionPlace } from './session-places.js';

/** Ids that are named where several are meant. */
const MOST_NAMED = 5;

/**
 * The session with an id, which may be given by its beginning.
 * @throws Impossible where there is none, or more than one
 */
export async function findSession(places: readonly SessionPlace[], beginning: string): Promise<PlacedSession> {
  const found = oneOf(await listSessions(places), beginning);
  if (found !== undefined) return found;
  const deleted = matching(await listTrash(places), beginning)[0];
  if (deleted !== undefined)
    throw new Impossible(`The session ${deleted.id} is in the trash. Take it out with: ${commandAbout(deleted.place, `restore ${deleted.id}`)}`);
  throw new Impossible(`There is no session “${shownLine(beginning)}” of this folder. To see those that there are: ${commandAbout(places[0], 'list')}`);
}

/** The session in the trash with an id, which may be given by its beginning. @throws Impossible as {@link findSession} */
export async function findTrashed(places: readonly SessionPlace[], beginning: string): Promise<PlacedTrash> {
  const found = oneOf(await listTrash(places), beginning);
  if (found !== undefined) return found;
  const stored = matching(await listSessions(places), beginning)[0];
  if (stored !== undefined) throw new Impossible(`The session ${stored.id} is not in the trash.`);
  throw new Impossible(`There is no session “${shownLine(beginning)}” in the trash. To see those that there are: ${commandAbout(places[0], 'list --trash')}`);
}

/** The command line that does something with the sessions of a storage. @param words what stands behind `gnomon sessions` */
export function commandAbout(place: Pick<SessionPlace, 'kind'> | undefined, words: string): string {
  return `gnomon sessions ${words}${place?.kind === 'vscode' ? ' --session-storage vscode' : ''}`;
}

/** The newest session, among those that can be read. @throws Impossible where there is none */
export async function newestSession(places: readonly SessionPlace[]): Promise<PlacedSession> {
  const newest = (await listSessions(places)).find(({ problem }) => problem === undefined);
  if (newest === undefined) throw new Impossible('There is no session of this folder to go on with.');
  return newest;
}

/** @throws Impossible for a session whose file is damaged */
export function refuseDamaged({ id, problem }: PlacedSession): void {
  if (problem !== undefined) throw new Impossible(`The session ${id} is damaged and cannot be read: ${problem}`);
}

/** @throws Impossible where several are meant */
function oneOf<T extends { readonly id: string }>(all: readonly T[], beginning: string): T | undefined {
  const [found, ...more] = matching(all, beginning);
  if (found === undefined || more.length === 0) return found;
  const named = [found, ...more].slice(0, MOST_NAMED).map(({ id }) => id);
  const rest = more.length + 1 - named.length;
  const names = `${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
  throw new Impossible(`The ids of ${more.length + 1} sessions begin with “${shownLine(beginning)}”: ${names}. Give more of the one that is meant.`);
}

/** Those whose ids begin so; one alone where that is a whole id. */
function matching<T extends { readonly id: string }>(all: readonly T[], beginning: string): readonly T[] {
  if (beginning === '') return [];
  const exact = all.find(({ id }) => id === beginning);
  return exact === undefined ? all.filter(({ id }) => id.startsWith(beginning)) : [exact];
}
