import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../domain/errors.js';
import type { Log } from '../../../domain/log.js';

/** Milliseconds after which it does not matter any more that something was not read: sixty days. */
const FORGET_MS = 60 * 86_400_000;
/** What ids of sessions are made of; other files are none of ours. */
const ID = /^[\w-]{1,100}$/;

/**
 * Which conversations have finished unseen, in an empty file for each beside the conversations, so that it is known after a
 * reload of the window. One file each, because several windows may write at once.
 */
export class UnreadMemory {
  private readonly folder: string;
  private readonly log: Log;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(storageFolder: string, log: Log) {
    this.folder = join(storageFolder, 'unread');
    this.log = log;
  }

  /** Ids of all, without those from long ago. Does not reject. @param now milliseconds since 1970. */
  async read(now: number): Promise<readonly string[]> {
    // Without a folder there are none.
    const names = await readdir(this.folder).catch(() => []);
    const ids: string[] = [];
    for (const id of names.filter((name) => ID.test(name))) {
      // Another window may have removed it by now.
      const stats = await stat(join(this.folder, id)).catch(() => undefined);
      if (stats === undefined) continue;
      if (now - stats.mtimeMs > FORGET_MS) this.remove(id);
      else ids.push(id);
    }
    return ids;
  }

  /** Remembers one. A failure costs only that, so it goes to the log. */
  add(id: string): void {
    if (!ID.test(id)) return;
    this.then(async () => {
      await mkdir(this.folder, { recursive: true });
      await writeFile(join(this.folder, id), '', { mode: 0o600 });
    });
  }

  /** Forgets one that was looked at, or is deleted. */
  remove(id: string): void {
    if (ID.test(id)) this.then(() => rm(join(this.folder, id), { force: true }));
  }

  /** Waits for what is being written. */
  async flush(): Promise<void> {
    await this.writing;
  }

  private then(work: () => Promise<void>): void {
    this.writing = this.writing.then(work).catch((error: unknown) => this.log.warn(`What was not read could not be remembered: ${errorMessage(error)}`));
  }
}
