import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../domain/errors.js';
import { logName, openLogs, removeOldLogs } from './command-log-files.js';

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
  readonly path: string;
  private readonly handle: FileHandle;
  private readonly limit: number;
  private written = 0;
  private failure: string | undefined;

  constructor(handle: FileHandle, path: string, limit: number) {
    this.handle = handle;
    this.path = path;
    this.limit = limit;
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
