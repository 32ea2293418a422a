import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHidden } from '../../domain/hidden-characters.js';
import type { UsedFile } from '../../domain/workspace/used-file.js';
import { decodeText } from '../../text/encoding.js';
import { errorCode } from '../files/file-errors.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';
import { hashFile, readBytes } from '../files/read-bytes.js';

/** Bytes of a script that is kept; of a larger one, only the hash is. */
const MAX_BYTES = 512 * 1024;

/** A script of the workspace that is other than it was when it was approved. */
export interface ChangedScript {
  readonly path: string;
  /** All of its text, then and now, with everything hidden in it visible. */
  readonly before: string;
  readonly after: string;
}

/**
 * The texts of the scripts that the user has approved, by their hashes, so that a change of one can be shown. They are outside of
 * every workspace. What is not there, is too large, or is no text has no comparison; the hashes are compared in any case.
 */
export class ApprovedScripts {
  /** @param folder absolute path; made with the first script */
  constructor(private readonly folder: string) {}

  /**
   * Keeps the texts of scripts as they are now.
   * @param folders absolute paths of the open workspace folders
   * @param needed hashes of other scripts that are approved; all others are removed
   */
  async keep(files: readonly UsedFile[], folders: readonly string[], needed: ReadonlySet<string>): Promise<void> {
    const kept = new Set(files.map(({ sha256 }) => sha256));
    const before = (await unlessMissing(readdir(this.folder))) ?? [];
    for (const name of before) if (!needed.has(name) && !kept.has(name)) await rm(join(this.folder, name), { force: true });
    for (const { path, sha256 } of files) {
      const found = sha256 === undefined ? undefined : await read(path, folders);
      if (found === undefined || found.sha256 !== sha256) continue;
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(join(this.folder, found.sha256), found.bytes, { mode: 0o600 });
    }
  }

  /** How scripts differ from what was approved of them. */
  async changes(approved: readonly { readonly path: string; readonly sha256: string }[], folders: readonly string[]): Promise<readonly ChangedScript[]> {
    const compared = approved.map(async ({ path, sha256 }) => {
      const [before, after] = [await this.kept(sha256), await read(path, folders)];
      const sides = [before, after?.bytes ?? new Uint8Array()].map((bytes) => (bytes === undefined ? undefined : textOf(bytes)));
      const [old, now] = sides;
      return old === undefined || now === undefined ? [] : [{ path, before: old, after: now }];
    });
    return (await Promise.all(compared)).flat();
  }

  private async kept(sha256: string): Promise<Uint8Array | undefined> {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    return unlessMissing(readFile(join(this.folder, sha256)));
  }
}

/** A script as it is now; `undefined` when it is not there, or too large to be shown. */
async function read(path: string, folders: readonly string[]): Promise<{ readonly bytes: Uint8Array; readonly sha256: string } | undefined> {
  for (const folder of folders) {
    const [root, real] = await Promise.all([realPathOf(folder), realPathOf(join(folder, path))]);
    if (!isWithin(root, real)) continue;
    const { signal } = new AbortController();
    const hashed = await unlessMissing(hashFile(real, MAX_BYTES, signal));
    if (hashed !== undefined) return 'tooLarge' in hashed ? undefined : readBytes(real, MAX_BYTES, signal);
  }
  return undefined;
}

function textOf(bytes: Uint8Array): string | undefined {
  return decodeText(bytes)?.text.split(/\r?\n/).map(escapeHidden).join('\n');
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}
