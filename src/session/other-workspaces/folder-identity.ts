import { realpath, stat } from 'node:fs/promises';
import { fileErrorCode } from '../../domain/workspace/file-layer.js';

/** A folder, so that it is known again by another path or after it was renamed. */
export interface FolderIdentity {
  readonly path: string;
  /** Without links. */
  readonly realPath: string;
  /** Device, number on it, and when it was made in milliseconds since 1970. Numbers are given again, so all three count. */
  readonly device: string;
  readonly inode: string;
  readonly madeAt: number;
}

/** Looks which folder a path leads to. @returns `undefined` when it leads to none. */
export async function identifyFolder(path: string): Promise<FolderIdentity | undefined> {
  try {
    const [realPath, stats] = await Promise.all([realpath(path), stat(path, { bigint: true })]);
    if (!stats.isDirectory()) return undefined;
    return { path, realPath, device: String(stats.dev), inode: String(stats.ino), madeAt: Number(stats.birthtimeMs) };
  } catch (error) {
    if (fileErrorCode(error) === undefined) throw error;
    // It is gone, or not ours to see.
    return undefined;
  }
}

/** Whether two looks were at the same folder: by its path, by where its path leads, or at the same one under another name. */
export function isSameFolder(a: FolderIdentity, b: FolderIdentity): boolean {
  const paths = [b.path, b.realPath];
  if (paths.includes(a.path) || paths.includes(a.realPath)) return true;
  return a.inode !== '0' && a.device === b.device && a.inode === b.inode && a.madeAt === b.madeAt;
}

/** Whether a value from a file is a {@link FolderIdentity}. */
export function isFolderIdentity(value: unknown): value is FolderIdentity {
  const { path, realPath, device, inode, madeAt } = Object(value) as Partial<Record<keyof FolderIdentity, unknown>>;
  return [path, realPath, device, inode].every((field) => typeof field === 'string') && typeof madeAt === 'number';
}
