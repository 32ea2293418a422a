import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../../domain/errors.js';
import type { Log } from '../../../domain/log.js';

/** Milliseconds after which a tab that was not seen again is forgotten: sixty days. */
const FORGET_MS = 60 * 86_400_000;
/** A tab's name comes back from its page, so it is not trusted. */
const SAFE_NAME = /^[\w-]{1,64}$/;

/**
 * Which conversation each editor tab showed last, in a file for each tab beside the conversations.
 *
 * Not in what VS Code keeps of the tab: that is written seconds later, and lost when the window is closed before.
 */
export class TabMemory {
  private readonly folder: string;
  private readonly log: Log;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(storageFolder: string, log: Log) {
    this.folder = join(storageFolder, 'tabs');
    this.log = log;
  }

  /** Id of the conversation that a tab showed; `undefined` when that is not known. */
  async read(tab: string): Promise<string | undefined> {
    if (!SAFE_NAME.test(tab)) return undefined;
    // A tab that was never remembered has no file, and what cannot be read is known to VS Code a little older.
    const id = await readFile(join(this.folder, tab), 'utf8').catch(() => '');
    return id.trim() === '' ? undefined : id.trim();
  }

  /** Remembers what a tab shows. A failure costs only that, so it goes to the log. */
  write(tab: string, id: string): void {
    if (!SAFE_NAME.test(tab)) return;
    this.then(async () => {
      await mkdir(this.folder, { recursive: true });
      await writeFile(join(this.folder, tab), id, { mode: 0o600 });
    });
  }

  /** Forgets a tab that was closed. */
  remove(tab: string): void {
    if (SAFE_NAME.test(tab)) this.then(() => rm(join(this.folder, tab), { force: true }));
  }

  /** Forgets tabs that did not come back for long. @param now milliseconds since 1970. */
  prune(now: number): void {
    this.then(async () => {
      const names = await readdir(this.folder).catch(() => []);
      for (const name of names) {
        const path = join(this.folder, name);
        if (now - (await stat(path)).mtimeMs > FORGET_MS) await rm(path, { force: true });
      }
    });
  }

  /** Waits for what is being written. */
  async flush(): Promise<void> {
    await this.writing;
  }

  private then(work: () => Promise<void>): void {
    this.writing = this.writing.then(work).catch((error: unknown) => this.log.warn(`A tab could not be remembered: ${errorMessage(error)}`));
  }
}
