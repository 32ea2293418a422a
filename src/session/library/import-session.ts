import { join } from 'node:path';
import { atomicWrite } from '../atomic-write.js';
import { decodeSteps } from '../codec/decode.js';
import { replaceId } from '../codec/replace-id.js';
import { SessionBusyError } from '../errors.js';
import { inSlices, named } from '../load.js';
import type { StoreContext } from '../opening.js';
import type { SessionFolder } from '../session-folder.js';
import { fileNames, isSafeId } from '../session-id.js';

/**
 * Takes a v1 file in. Its bytes stay as they are; only its id is another one when its own is taken or names no file.
 * @returns the id of the session.
 * @throws InvalidDataError naming file and place.
 */
export async function importSession(sessions: SessionFolder, bytes: Uint8Array, name: string): Promise<string> {
  const { id } = await named(name, () => inSlices(decodeSteps(bytes)));
  const context = await sessions.context();
  await context.writer.files.makeFolder(context.folder);
  if (isSafeId(id) && (await tryImport(sessions, id, bytes))) return id;
  const fresh = await sessions.freshId(context);
  if (!(await tryImport(sessions, fresh, replaceId(bytes, fresh)))) throw new SessionBusyError(fresh);
  return fresh;
}

/** @returns false when there is such a session already. */
async function tryImport(sessions: SessionFolder, id: string, bytes: Uint8Array): Promise<boolean> {
  if (await sessions.isTaken(await sessions.context(), id)) return false;
  const write = async (context: StoreContext): Promise<boolean> => {
    // Another window may have imported the same file in between.
    if (await sessions.isTaken(context, id)) return false;
    await atomicWrite(context.writer, join(context.folder, fileNames(id).envelope), [bytes]);
    return true;
  };
  try {
    return await sessions.locked(id, write);
  } catch (error) {
    if (error instanceof SessionBusyError) return false;
    throw error;
  }
}
