import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../domain/errors.js';
import { errorCode } from '../../files/file-errors.js';

/** The largest log of one command, in bytes: what the read tool can still page through. */
export const MAX_LOG_BYTES = 32 * 1024 * 1024;

/** The whole output of one command in a file of its own, readable by its owner only. */
export interface CommandLog {
  readonly path: string;
  /** Whether the limit was reached; what comes after is not in the file. */
  readonly full: boolean;
  /** Why the file is incomplete, as text; `undefined` while it is complete. */
  readonly problem: string | undefined;
  /** Resolves once the text is handed to the system, so that writers wait for a slow disk. Never rejects. */
  append(text: string): Promise<void>;
  /** Never rejects. */
  close(): Promise<void>;
}

/** Logs are deleted after a week, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Bytes that the logs of a folder may take together; of more, the oldest are removed. */
const KEPT_BYTES = 512 * 1024 * 1024;
/** What logs are called: the process that writes it, a random part, and the session that it belongs to. */
const NAME = /^command-(?:(\d+)-)?\w+(?:\.of-([\w-]+))?\.log$/;

/** Paths of the logs that this process is writing. */
const openLogs = new Set<string>();

/** The name of a log of this process. @param random an unguessable part. @param session id of the one it belongs to. */
function logName(random: string, session?: string): string {
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

/**
 * Creates a log with an unguessable name, never through a link or over a file. Old logs are removed.
 * @param folder absolute path; created when missing.
 * @param session id of the one that it belongs to.
 */
export async function createCommandLog(folder: string, limit: number, session?: string): Promise<CommandLog> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, logName(randomBytes(9).toString('hex'), session));
  const log = new FileLog(await open(path, 'wx', 0o600), path, limit);
  await removeOldLogs(folder);
  return log;
}

/** A log on an open file. A file that cannot be written, as on a full disk, stops nothing: the log is incomplete then. */
export class FileLog implements CommandLog {
  private written = 0;
  private failure: string | undefined;

  constructor(
    private readonly handle: FileHandle,
    readonly path: string,
    private readonly limit: number,
  ) {
    openLogs.add(path);
  }

  get full(): boolean {
    return this.written > this.limit;
  }

  get problem(): string | undefined {
    if (this.failure !== undefined) return `the log could not be written: ${this.failure}`;
    return this.full ? `the log holds the first ${this.limit} bytes` : undefined;
  }

  async append(text: string): Promise<void> {
    if (this.full || this.failure !== undefined) return;
    const bytes = Buffer.byteLength(text);
    const fits = this.written + bytes <= this.limit;
    this.written += bytes;
    const part = fits ? text : `\n[The log ends here: it has reached its limit of ${this.limit} bytes.]\n`;
    await this.attempt(this.handle.appendFile(part));
  }

  async close(): Promise<void> {
    await this.attempt(this.handle.close());
    openLogs.delete(this.path);
  }

  private async attempt(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.failure ??= errorMessage(error);
    }
  }
}
