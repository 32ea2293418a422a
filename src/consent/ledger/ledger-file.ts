import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { chmod, copyFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import { atomicWrite, temporaryOwner } from '../../session/atomic-write.js';
import { EMPTY_LEDGER, type LedgerContent, ledgerText, parseLedger } from './ledger-content.js';

/** Bytes of the largest file that is read, many times what all limits of all kinds allow. */
const MAX_BYTES = 32 * 1024 * 1024;
const READ = constants.O_RDONLY | (process.platform === 'win32' ? 0 : constants.O_NOFOLLOW | constants.O_NONBLOCK);

/** The file as it was found. `stamp` is another one after each change of it. */
export type LedgerReading = { readonly stamp: string } & (
  | { readonly state: 'read'; readonly content: LedgerContent }
  | { readonly state: 'damaged' | 'newer' }
  | { readonly state: 'unreadable'; readonly error: unknown }
);

/**
 * The file with all approvals. It is read synchronously, as decisions are synchronous that depend on it and it is small; it is read only where it has
 * changed. Permission knows its name (`special-files.json`): tools do not read it unasked, and ask before every change of it.
 */
export class LedgerFile {
  private readonly files = createNodeFileLayer();

  /** @param path absolute */
  constructor(
    readonly path: string,
    private readonly log: Log,
  ) {}

  /** Says what the file is now, as {@link LedgerReading} has it; `undefined` where it cannot be asked. */
  stamp(): string | undefined {
    try {
      const stats = lstatSync(this.path, { bigint: true, throwIfNoEntry: false });
      return stats === undefined ? 'missing' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
    } catch {
      return undefined;
    }
  }

  /** Reads the file; a missing one has no approvals. */
  read(): LedgerReading {
    const stamp = this.stamp();
    if (stamp === 'missing') return { stamp, state: 'read', content: EMPTY_LEDGER };
    try {
      const parsed = parseLedger(this.text());
      return typeof parsed === 'string' ? { stamp: stamp ?? '', state: parsed } : { stamp: stamp ?? '', state: 'read', content: parsed };
    } catch (error) {
      return { stamp: stamp ?? '', state: 'unreadable', error };
    }
  }

  /** Replaces the file as a whole, with mode 0600. Only the holder of its lock may call this; its folder is there. */
  async write(content: LedgerContent): Promise<void> {
    const bytes = Buffer.from(ledgerText(content));
    if (bytes.length > MAX_BYTES) throw new Error(t('The file is larger than {0} MB.', MAX_BYTES / 1024 / 1024));
    await atomicWrite({ files: this.files, log: this.log, pid: process.pid }, this.path, [bytes]);
    await this.removeLeft(dirname(this.path));
  }

  /**
   * Copies a damaged file, for the user to look at; a crash leaves it in its place until it is replaced. Only the holder of its lock may call this.
   * @returns the path of the copy
   */
  async keepDamaged(): Promise<string> {
    const aside = `${this.path}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
    await copyFile(this.path, aside, constants.COPYFILE_EXCL);
    await chmod(aside, 0o600);
    return aside;
  }

  private text(): string {
    const file = openSync(this.path, READ);
    try {
      const stats = fstatSync(file);
      if (!stats.isFile()) throw new Error(t('It is a device, pipe, or socket, and not a file.'));
      if (stats.size > MAX_BYTES) throw new Error(t('The file is larger than {0} MB.', MAX_BYTES / 1024 / 1024));
      return readFileSync(file, 'utf8');
    } finally {
      closeSync(file);
    }
  }

  /** No other process writes while the lock is held, so every temporary file is left over from a killed process. */
  private async removeLeft(folder: string): Promise<void> {
    const left = (await this.files.list(folder)).filter(({ name }) => name.startsWith(`${basename(this.path)}.`) && temporaryOwner(name) !== undefined);
    for (const { name } of left) await this.files.remove(join(folder, name));
  }
}
