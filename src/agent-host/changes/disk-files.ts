import type { Stats } from 'node:fs';
import { lstat, rm } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { type ChangedFiles, type Contents, type FileVersion, type FileSnapshot, type SkipReason, MAX_KEPT_BYTES } from '../../domain/workspace/changes.js';
import { t } from '../../domain/l10n.js';
import { errorCode } from '../../node/files/file-errors.js';
import { realPathOf } from '../../node/files/real-path.js';
import { READ_FLAGS, readRegularFile, withFile } from '../../node/files/regular-file.js';
import { createFile, replaceFile } from '../../node/files/replace-file.js';
import { skipReasonText } from '../../edits/restore-labels.js';

/** The permission bits of a mode. */
const PERMISSIONS = 0o7777;

/** {@link ChangedFiles} straight on the disk, knowing no editors. */
export function createDiskFiles(): ChangedFiles {
  return { look, put };
}

async function look(path: string): Promise<FileSnapshot> {
  try {
    return isGitPath(path) ? skipped('git') : await lookAt(path);
  } catch {
    // Whatever keeps us from reading it, keeps us from putting it back.
    return skipped('unreadable');
  }
}

async function lookAt(path: string): Promise<FileSnapshot> {
  const stats = await statOf(path);
  if (stats === undefined) return (await leadsAway(path)) ? skipped('link') : { kind: 'absent' };
  const reason = await reasonToSkip(path, stats);
  if (reason !== undefined) return skipped(reason);
  const { bytes, hash, stats: read } = await readRegularFile(path, new AbortController().signal);
  return { kind: 'file', hash, mode: read.mode & PERMISSIONS, bytes, unsaved: false };
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return undefined;
    throw error;
  }
}

/** Whether a path leads into a folder of git. Case does not matter: on many systems it names the same folder. */
export function isGitPath(path: string): boolean {
  return path.split(/[\\/]/).some((part) => part.toLowerCase() === '.git');
}

async function reasonToSkip(path: string, stats: Stats): Promise<SkipReason | undefined> {
  if (stats.isSymbolicLink() || (await leadsAway(path))) return 'link';
  if (!stats.isFile()) return 'not_a_file';
  if (stats.nlink > 1) return 'hard_link';
  return stats.size > MAX_KEPT_BYTES ? 'too_large' : undefined;
}

/** Whether a folder on the way is a link. */
async function leadsAway(path: string): Promise<boolean> {
  const folder = dirname(path);
  return (await realPathOf(folder)) !== folder;
}

async function put(path: string, expected: FileVersion, wanted: Contents | undefined): Promise<void> {
  const present = await look(path);
  if (present.kind === 'skipped') throw new Error(t('The file was skipped: {0}.', skipReasonText(present.reason)));
  const same = present.kind === expected.kind && (present.kind === 'absent' || (expected.kind === 'file' && present.hash === expected.hash));
  if (!same) throw new Error(t('The file changed in the meantime and was skipped.'));
  if (wanted === undefined) {
    if (present.kind === 'file') await remove(path, present.hash);
    return;
  }
  if (present.kind === 'absent') await createFile(path, wanted.bytes);
  else await replace(path, present.hash, wanted.bytes);
  await setMode(path, wanted.mode);
}

async function replace(path: string, hash: string, bytes: Uint8Array): Promise<void> {
  const current = await readAs(path, hash);
  if (Buffer.compare(current.bytes, bytes) !== 0) await replaceFile(path, bytes, current);
}

async function remove(path: string, hash: string): Promise<void> {
  const { stats } = await readAs(path, hash);
  const now = await lstat(path);
  if (now.ino !== stats.ino || now.mtimeMs !== stats.mtimeMs || now.size !== stats.size)
    throw new Error(t('The file changed in the meantime and was skipped.'));
  await rm(path);
}

async function readAs(path: string, hash: string): ReturnType<typeof readRegularFile> {
  const file = await readRegularFile(path, new AbortController().signal);
  if (file.hash !== hash) throw new Error(t('The file changed in the meantime and was skipped.'));
  return file;
}

async function setMode(path: string, mode: number): Promise<void> {
  // Windows knows only read-only, which is no part of what is kept.
  if (sep === '\\') return;
  await withFile(path, READ_FLAGS, async (handle, stats) => {
    if ((stats.mode & PERMISSIONS) !== (mode & PERMISSIONS)) await handle.chmod(mode & PERMISSIONS);
  });
}

function skipped(reason: SkipReason): FileSnapshot {
  return { kind: 'skipped', reason };
}
