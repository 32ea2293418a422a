import { join } from 'node:path';
import type { Log } from '../domain/log.js';
import type { WriteLock } from '../node/config/rewrite-file.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { sha256 } from '../node/files/sha256.js';
import { acquireLock } from '../session/lock/lock.js';
import { createProcessProbe } from '../session/lock/process-probe.js';

/** Milliseconds to wait for another window, which writes for a few of them. */
const WAIT_MS = 10_000;

/**
 * Locks of files that the windows of this user write. They are not beside the files: nothing of them is ever seen in a repository, and what a
 * repository contains can be no lock.
 *
 * @param folder absolute path, the same in all windows; made with the first lock
 */
export function createWriteLock(folder: string, log: Log): WriteLock {
  const context = { files: createNodeFileLayer(), log, processes: createProcessProbe(), waitMs: WAIT_MS };
  return {
    take: async (path) => {
      await context.files.makeFolder(folder);
      return acquireLock(context, join(folder, `${sha256(path)}.lock`));
    },
  };
}
