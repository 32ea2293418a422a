import { shortTitle } from '../../session/library/title.js';
import { shownJson, shownLine } from '../shown.js';
import { alone } from '../storage/busy.js';
import { commandAbout, findSession, findTrashed, refuseDamaged } from '../storage/find-session.js';
import { checkpointsIn, listSessions, listTrash, trashOwn } from '../storage/session-places.js';
import type { Desk } from './desk.js';

/** Gives a session the user’s title; an empty one brings that of its first message back. */
export async function renameSession(beginning: string, words: string, { places, terminal }: Desk): Promise<void> {
  const { id, place } = await findSession(places, beginning);
  const title = shortTitle(words);
  await alone(() => place.library.label(id, { title, titleBy: title === undefined ? undefined : 'person' }));
  const now = (await place.store.list()).find((session) => session.id === id);
  terminal.line(`The session ${id} has the title “${shownLine(now?.title ?? '')}” now.`);
}

/** Copies a session, with what can be restored of it. One that is open elsewhere is copied as it is on the disk. */
export async function forkSession(beginning: string, json: boolean, desk: Desk): Promise<void> {
  const { places, terminal, log, streams } = desk;
  const found = await findSession(places, beginning);
  refuseDamaged(found);
  const { id, place } = found;
  const copy = await place.store.branch(id, Number.MAX_SAFE_INTEGER);
  await checkpointsIn(place.storage, log).copy(id, copy.session.id, copy.session.messages.length);
  await copy.recorder.close();
  if (!json) {
    terminal.line(`The session ${copy.session.id} is a copy of ${id}.`);
    return;
  }
  for (const each of await place.store.list()) if (each.id === copy.session.id) streams.output.write(`${shownJson(JSON.stringify(each))}\n`);
}

/** Moves a session to the trash, or removes it for good, wherever it is. */
export async function deleteSession(beginning: string, permanently: boolean, desk: Desk): Promise<void> {
  const { places, terminal } = desk;
  if (permanently) {
    const { id, title, place } = await findAnywhere(beginning, desk);
    await alone(() => place.store.delete(id));
    terminal.line(`The session ${id} (“${shownLine(title)}”) is deleted for good.`);
    return;
  }
  const { id, title, place } = await findSession(places, beginning);
  await alone(() => (place.kind === 'own' ? trashOwn(place.library, id) : place.library.trash(id)));
  const until = place.kind === 'vscode' ? 'VS Code empties its trash after 10 minutes.' : 'It stays there for 30 days.';
  terminal.line(`The session ${id} (“${shownLine(title)}”) is in the trash. ${until} Take it back out with: ${commandAbout(place, `restore ${id}`)}`);
}

/** Takes a session back out of the trash. */
export async function restoreSession(beginning: string, { places, terminal }: Desk): Promise<void> {
  const { id, title, place } = await findTrashed(places, beginning);
  await alone(() => place.library.restore(id));
  terminal.line(`The session ${id} (“${shownLine(title)}”) is back.`);
}

/** A session, wherever it is. @throws Impossible where it is neither in the history nor in the trash */
async function findAnywhere(beginning: string, { places }: Desk): Promise<Awaited<ReturnType<typeof findTrashed | typeof findSession>>> {
  const isMeant = ({ id }: { readonly id: string }): boolean => id.startsWith(beginning);
  const inTrash = (await listTrash(places)).some(isMeant) && !(await listSessions(places)).some(isMeant);
  return inTrash ? findTrashed(places, beginning) : findSession(places, beginning);
}
