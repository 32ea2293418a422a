import { randomBytes } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The largest log of one command, in bytes: what the read tool can still page through. */
export const MAX_LOG_BYTES = 32 * 1024 * 1024;

/** Logs are thrown away after so many milliseconds: a week. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** The whole output of one command in a file of its own, readable by its owner only. */
export interface CommandLog {
  readonly path: string;
  /** Whether the limit was reached; what comes after is not in the file. */
  readonly full: boolean;
  /** Resolves once the text is handed to the system, so that writers wait for a slow disk. */
  append(text: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Creates a log with an unguessable name, never through a link or over a file. Logs older than a week are removed.
 * @param folder absolute path; created when missing.
 */
export async function createCommandLog(folder: string, limit: number): Promise<CommandLog> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, `command-${randomBytes(9).toString('hex')}.log`);
  const log = logOn(await open(path, 'wx', 0o600), path, limit);
  await removeOldLogs(folder, Date.now() - KEPT_MS);
  return log;
}

/** Removes logs that were last written before a time (milliseconds since 1970). */
async function removeOldLogs(folder: string, before: number): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^command-\w+\.log$/.test(name));
  for (const path of names.map((name) => join(folder, name))) {
    const stats = await stat(path);
    if (stats.mtimeMs < before) await rm(path, { force: true });
  }
}

function logOn(handle: FileHandle, path: string, limit: number): CommandLog {
  let written = 0;
  let full = false;
  return {
    path,
    get full() {
      return full;
    },
    async append(text) {
      if (full) return;
      const bytes = Buffer.byteLength(text);
      full = written + bytes > limit;
      written += bytes;
      await handle.appendFile(full ? `\n[The log ends here: it has reached its limit of ${limit} bytes.]\n` : text);
    },
    close: () => handle.close(),
  };
}
