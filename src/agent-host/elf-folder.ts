import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from '../node/files/exists.js';
import { namesIn } from '../node/files/names-in.js';
import { fileNames, isSafeId } from '../session/session-id.js';

/** Folder beside that of the sessions, with a folder for each session that has had elves work. */
const FOLDER = 'elves';

/** Absolute path of the folder with the sessions of the elves of a session: they are no chats of the user. @param storage of the sessions */
export function elfFolder(storage: string, session: string): string {
  return join(storage, FOLDER, session);
}

/**
 * Id of the chat that a session works for in the end; `undefined` for one that works for none.
 * @param storage of the sessions
 */
export async function chatOfElf(storage: string, session: string): Promise<string | undefined> {
  if (!isSafeId(session)) return undefined;
  // Most are chats, and there can be many that have had elves.
  if (await isStored(join(storage, 'sessions'), session)) return undefined;
  for (const chat of await namesIn(join(storage, FOLDER))) if (await isStored(elfFolder(storage, chat), session)) return chat;
  return undefined;
}

/** Whether a session is in a folder: whole, or as far as it was written when its program ended. */
async function isStored(folder: string, session: string): Promise<boolean> {
  const { envelope, journal } = fileNames(session);
  return (await exists(join(folder, envelope))) || (await exists(join(folder, journal)));
}

/** Removes what the elves of a session have said. @param storage of the sessions */
export function removeElves(storage: string, session: string): Promise<void> {
  return rm(elfFolder(storage, session), { recursive: true, force: true });
}
