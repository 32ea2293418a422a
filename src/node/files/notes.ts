import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Queue } from '../../concurrency/queue.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import { errorCode } from './file-errors.js';

/** Milliseconds after which a note that was not written again is forgotten: sixty days. */
const FORGET_MS = 60 * 86_400_000;
/** Names come back from pages and files, so they are not trusted. */
const SAFE_NAME = /^[\w-]{1,100}$/;

/**
 * Small things to be known after a reload of the window, in a file for each, because several windows may write at once.
 *
 * Not in the workspace state of VS Code: that is written seconds later, and lost when VS Code is killed before. A failure
 * costs only the note, so it goes to the log.
 */
export class Notes {
  private readonly queue = new Queue();

  /** @param folder absolute path; made with the first note. */
  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  /** A note; `undefined` when there is none. Does not reject. */
  async read(name: string): Promise<string | undefined> {
    if (!SAFE_NAME.test(name)) return undefined;
    const text = await this.unlessMissing(readFile(join(this.folder, name), 'utf8'));
    return text === undefined || text.trim() === '' ? undefined : text.trim();
  }

  /** Names of all notes, also of empty ones; those from long ago are removed. Does not reject. @param now milliseconds since 1970. */
  async names(now: number): Promise<readonly string[]> {
    const names: string[] = [];
    for (const name of (await this.unlessMissing(readdir(this.folder))) ?? []) {
      if (!SAFE_NAME.test(name)) continue;
      const stats = await this.unlessMissing(stat(join(this.folder, name)));
      if (stats === undefined) continue;
      if (now - stats.mtimeMs > FORGET_MS) this.remove(name);
      else names.push(name);
    }
    return names;
  }

  /** Writes a note. */
  write(name: string, text = ''): void {
    if (!SAFE_NAME.test(name)) return;
    this.then(async () => {
      await mkdir(this.folder, { recursive: true });
      await writeFile(join(this.folder, name), text, { mode: 0o600 });
    });
  }

  /** Forgets a note. */
  remove(name: string): void {
    if (SAFE_NAME.test(name)) this.then(() => rm(join(this.folder, name), { force: true }));
  }

  /** Waits for what is being written. */
  flush(): Promise<void> {
    return this.queue.idle();
  }

  private then(work: () => Promise<void>): void {
    this.queue.run(work).catch((error: unknown) => this.tell('written', error));
  }

  /** What is missing was never there, or another window has removed it. */
  private async unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') this.tell('read', error);
      return undefined;
    }
  }

  private tell(what: 'read' | 'written', error: unknown): void {
    this.log.warn(`A note in ${this.folder} could not be ${what}: ${errorMessage(error)}`);
  }
}
