import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../files/file-errors.js';

/** Logs are deleted after a week, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Bytes that the logs of a folder may take together; of more, the oldest are removed. */
const KEPT_BYTES = 512 * 1024 * 1024;
/** What logs are called: the process that writes it, a random part, and the session that it belongs to. */
const NAME = /^command-(?:(\d+)-)?\w+(?:\.of-([\w-]+))?\.log$/;

/** Paths of the logs that this process is writing. */
export const openLogs = new Set<string>();

/** The name of a log of this process. @param random an unguessable part. @param session id of the one it belongs to. */
export function logName(random: string, session?: string): string {
  return `command-${process.pid}-${random}${session === undefined ? '' : `.of-${session}`}.log`;
}

interface LogFile {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * Removes logs of more than a week, then the oldest until the rest is small enough. Those that are being written, here
 * or by another window, stay. A log that cannot be removed stays too: the next time tries again.
 */
export async function removeOldLogs(folder: string, keptBytes: number = KEPT_BYTES): Promise<void> {
  const files = await logFiles(folder);
  const before = Date.now() - KEPT_MS;
  let total = 0;
  // The newest first, so that the budget goes to them.
  for (const { path, size, mtimeMs } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    total += size;
    // Another window may have removed it, and Windows refuses while a program reads it.
    if (mtimeMs < before || total > keptBytes) await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Removes all logs of a session that is deleted for good; its commands have ended. @throws when one cannot be removed. */
export async function removeLogsOf(folder: string, session: string): Promise<void> {
  // Without a folder there are no logs.
  const names = await readdir(folder).catch(() => []);
  for (const name of names) if (NAME.exec(name)?.[2] === session) await rm(join(folder, name), { force: true });
}

async function logFiles(folder: string): Promise<LogFile[]> {
  // Without a folder there are no logs.
  const names = await readdir(folder).catch(() => []);
  const idle = names.filter((name) => NAME.test(name) && !isWritten(folder, name));
  const files = await Promise.all(idle.map((name) => logFile(join(folder, name))));
  return files.filter((file) => file !== undefined);
}

async function logFile(path: string): Promise<LogFile | undefined> {
  // Another window may have removed it by now.
  const stats = await stat(path).catch(() => undefined);
  return stats && { path, size: stats.size, mtimeMs: stats.mtimeMs };
}

function isWritten(folder: string, name: string): boolean {
  const writer = Number(NAME.exec(name)?.[1] ?? 0);
  if (writer === process.pid) return openLogs.has(join(folder, name));
  return writer > 0 && isAlive(writer);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process answers EPERM: it is there.
    return errorCode(error) === 'EPERM';
  }
}
