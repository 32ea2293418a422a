import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../node/files/file-errors.js';

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
  const chats = await namesIn(join(storage, FOLDER));
  for (const chat of chats) if ((await namesIn(elfFolder(storage, chat))).some((name) => name.startsWith(`${session}.`))) return chat;
  return undefined;
}

/** The names in a folder; none where there is no such folder. */
async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

/** Removes what the elves of a session have said. @param storage of the sessions */
export function removeElves(storage: string, session: string): Promise<void> {
  return rm(elfFolder(storage, session), { recursive: true, force: true });
}
