import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Log } from '../../domain/log.js';

/**
 * Which conversation was shown last, in a file beside the conversations.
 *
 * Not in the workspace state of VS Code: that is written seconds later, and lost when VS Code is killed before.
 */
export class CurrentSession {
  private readonly file: string;
  private readonly log: Log;
  private writing: Promise<void> = Promise.resolve();

  constructor(storageFolder: string, log: Log) {
    this.file = join(storageFolder, 'current-session');
    this.log = log;
  }

  /** Id of the conversation; `undefined` when there was none. */
  async read(): Promise<string | undefined> {
    try {
      return (await readFile(this.file, 'utf8')).trim();
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      this.log.error('The last session is not known', error);
      return undefined;
    }
  }

  /** Remembers a conversation. A failure costs only the choice at the next start, so it goes to the log. */
  write(id: string): void {
    this.writing = this.writing
      .then(() => mkdir(dirname(this.file), { recursive: true }))
      .then(() => writeFile(this.file, id, { mode: 0o600 }))
      .catch((error: unknown) => this.log.error('The last session could not be remembered', error));
  }

  /** Waits for what is being written. */
  async flush(): Promise<void> {
    await this.writing;
  }
}
