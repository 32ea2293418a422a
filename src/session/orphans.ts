import { join } from 'node:path';
import { errorMessage } from '../domain/errors.js';
import type { FileEntry } from '../domain/workspace/file-layer.js';
import { type AtomicWriter, temporaryOwner } from './atomic-write.js';
import type { ProcessProbe } from './lock/process-probe.js';

/** Age in milliseconds from which a temporary file is orphaned, even when its process id was reused. */
const MAX_AGE_MS = 60 * 60 * 1000;

/** Removes temporary files that processes left which are gone. A failure is only logged. */
export async function removeOrphans(writer: AtomicWriter, processes: ProcessProbe, folder: string): Promise<void> {
  try {
    await removeFrom(writer, processes, folder);
  } catch (error) {
    writer.log.warn(`The folder of the conversations could not be looked through: ${errorMessage(error)}`);
  }
}

async function removeFrom(writer: AtomicWriter, processes: ProcessProbe, folder: string): Promise<void> {
  const self = await processes.self();
  for (const entry of await writer.files.list(folder)) {
    const pid = temporaryOwner(entry.name);
    if (pid === undefined) continue;
    const running = pid === self.pid || (await processes.isRunning({ ...self, pid })) !== 'no';
    if (!running || isOld(entry)) await tryRemove(writer, join(folder, entry.name));
  }
}

/** Removes a file; a failure is only logged. */
export async function tryRemove(writer: AtomicWriter, path: string): Promise<void> {
  try {
    await writer.files.remove(path);
  } catch (error) {
    writer.log.warn(`A file left over from an earlier run could not be removed: ${errorMessage(error)}`);
  }
}

function isOld(entry: FileEntry): boolean {
  return Date.now() - entry.mtimeMs > MAX_AGE_MS;
}
