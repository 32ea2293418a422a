import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { t } from '../../domain/l10n.js';
import { decodeText, encodeText } from '../../text/encoding.js';
import { realPlace } from '../files/configuration-file.js';
import { errorCode } from '../files/file-errors.js';
import { type RegularFile, readRegularFile } from '../files/regular-file.js';
import { FileChangedError, createWholeFile, removeLeftTemporaries, replaceFile } from '../files/replace-file.js';

/** How often a change is made anew because the file was changed meanwhile by a program that does not take the lock. */
const MAX_TRIES = 5;
/** Milliseconds for which a file is read. */
const READ_MS = 5_000;
/** Result of a write: `same` when there was nothing to change. */
export type Rewriting = 'made' | 'changed' | 'same';

/** What the system says when a file cannot be written, in sentences for the user. */
const REASONS: Readonly<Partial<Record<string, () => string>>> = {
  EACCES: readOnly,
  EPERM: readOnly,
  EROFS: readOnly,
  ENOSPC: () => t('The disk is full.'),
  EDQUOT: () => t('The disk is full.'),
  ENOTDIR: () => t('There is a file where its folder would be.'),
};

/** A configuration file to be changed. */
export interface RewritePlace {
  /** Absolute path. */
  readonly path: string;
  readonly maxBytes: number;
  /** Absolute paths of folders in one of which the file has to lie; absent for files of the user, which may be links. */
  readonly within?: readonly string[] | undefined;
}

/** Keeps other windows from writing a file at the same time. */
export interface WriteLock {
  /**
   * Waits for the lock of a file.
   * @param path absolute, without links
   * @returns what releases it; `undefined` when another window keeps it for too long.
   */
  take(path: string): Promise<{ release(): Promise<void> } | undefined>;
}

/**
 * Changes the text of a configuration file, which is made with its folder when it is missing. The change is made to the file as it is when no
 * other window writes it, and anew when another program has written it meanwhile, so that nothing is lost. A crash leaves the old file or
 * the new one, and beside it a temporary file, which the next change there removes; the file keeps its permissions, its encoding, and links to it.
 *
 * @param change from the text without a byte order mark, empty for a missing file; the file is left alone when it is the same. May throw, and
 *   may be called several times
 * @throws Error with a sentence for the user when the file cannot be changed; it is as it was then
 */
export async function rewriteConfigurationFile(place: RewritePlace, change: (text: string) => string, lock: WriteLock): Promise<Rewriting> {
  const path = await realPlace(place);
  const held = await lock.take(path);
  if (held === undefined) throw new Error(t('Another window is writing the file.'));
  try {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      const done = await tryRewriting(path, place, change);
      if (done !== undefined && done !== 'same') await removeLeftTemporaries(dirname(path));
      if (done !== undefined) return done;
    }
    throw new Error(t('Another program keeps changing the file.'));
  } finally {
    await held.release();
  }
}

/** @returns `undefined` where the file was changed meanwhile. */
async function tryRewriting(path: string, place: RewritePlace, change: (text: string) => string): Promise<Rewriting | undefined> {
  try {
    // A folder on the way may have become a link by now.
    if ((await realPlace(place)) !== path) throw new Error(t('Another program keeps changing the file.'));
    const file = await currentFile(path, place.maxBytes);
    const { text, encoding } = file === undefined ? { text: '', encoding: 'utf8' as const } : textOf(file);
    const changed = change(text);
    if (changed === text) return 'same';
    const bytes = encodeText(changed, encoding);
    checkSize(bytes.length, place.maxBytes);
    await (file === undefined ? createWholeFile(path, bytes) : replaceFile(path, bytes, file));
    return file === undefined ? 'made' : 'changed';
  } catch (error) {
    if (error instanceof FileChangedError) return undefined;
    const reason = REASONS[errorCode(error) ?? errorCode(error instanceof Error ? error.cause : undefined) ?? ''];
    throw reason === undefined ? error : new Error(reason(), { cause: error });
  }
}

/** `undefined` where there is no file. */
async function currentFile(path: string, maxBytes: number): Promise<RegularFile | undefined> {
  const stats = await lstat(path).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) throw new Error(t('It is a folder and not a file.'));
  if (!stats.isFile()) throw new Error(t('It is a device, pipe, or socket, and not a file.'));
  if ((stats.mode & 0o222) === 0) throw new Error(readOnly());
  checkSize(stats.size, maxBytes);
  return readRegularFile(path, AbortSignal.timeout(READ_MS));
}

function textOf({ bytes }: RegularFile): { readonly text: string; readonly encoding: Parameters<typeof encodeText>[1] } {
  const decoded = decodeText(bytes);
  if (decoded === undefined) throw new Error(t('It is not a text file.'));
  return decoded;
}

function checkSize(bytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new Error(t('The file is larger than {0} MB.', maxBytes / 1024 / 1024));
}

function readOnly(): string {
  return t('The file or its folder is read-only.');
}
