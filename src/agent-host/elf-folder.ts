import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Folder beside that of the sessions, with a folder for each session that has had elves work. */
const FOLDER = 'elves';

/** Absolute path of the folder with the sessions of the elves of a session: they are no chats of the user. @param storage of the sessions */
export function elfFolder(storage: string, session: string): string {
  return join(storage, FOLDER, session);
}

/** Removes what the elves of a session have said. @param storage of the sessions */
export function removeElves(storage: string, session: string): Promise<void> {
  return rm(elfFolder(storage, session), { recursive: true, force: true });
}
