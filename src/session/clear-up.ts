import { join } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import { acquireLock } from './lock/lock.js';
import type { StoreContext } from './opening.js';
import { lockPath } from './opening.js';
import { removeOrphans } from './orphans.js';
import { fileNames, isSafeId } from './session-id.js';

/** Files that are worth nothing without a v1 file or a journal. */
const COMPANIONS = /^([^.]+)\.(?:meta\.json|lock|lock\.taking|lock\.wanted)$/;

/** Clears away what crashes left: temporary files, moves to and from the trash that were cut off, files without a session. A failure is only logged. */
export async function clearUp(context: StoreContext): Promise<void> {
  const { writer, locks, folder, trash } = context;
  for (const place of [folder, trash.bin]) await removeOrphans(writer, locks.processes, place);
  try {
    const names = (await writer.files.list(folder)).map(({ name }) => name);
    await finishMoves(context, names);
    await removeLeftOvers(context, names);
  } catch (error) {
    writer.log.warn(`The folder of the conversations could not be cleared up: ${errorMessage(error)}`);
  }
}

async function finishMoves(context: StoreContext, names: readonly string[]): Promise<void> {
  for (const [id, { state }] of await context.trash.marks()) {
    const cutOff = state !== 'trashed' || names.some((name) => name.startsWith(`${id}.`));
    if (cutOff) await withLock(context, id, () => context.trash.finish(id));
  }
}

/** A sidecar or a lock whose session was never written. What another window is about to write is locked. */
async function removeLeftOvers(context: StoreContext, names: readonly string[]): Promise<void> {
  const { files } = context.writer;
  const found = new Set(names.flatMap((name) => COMPANIONS.exec(name)?.[1] ?? []));
  for (const id of found) {
    const { envelope, journal, meta } = fileNames(id);
    if (!isSafeId(id) || names.includes(envelope) || names.includes(journal)) continue;
    await withLock(context, id, async () => {
      const bodies = await Promise.all([envelope, journal].map((name) => files.stat(join(context.folder, name))));
      if (bodies.every((entry) => entry === undefined)) await files.remove(join(context.folder, meta));
    });
  }
}

async function withLock(context: StoreContext, id: string, work: () => Promise<void>): Promise<void> {
  const lock = await acquireLock(context.locks, lockPath(context, id));
  try {
    if (lock !== undefined) await work();
  } catch (error) {
    context.writer.log.warn(`What is left of a conversation could not be cleared away: ${errorMessage(error)}`);
  } finally {
    await lock?.release();
  }
}
