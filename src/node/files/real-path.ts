import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ToolInputError } from '../../domain/errors.js';
import { errorCode } from './file-errors.js';

/** Links that may follow each other; the limit of Linux (MAXSYMLINKS). */
const MAX_LINKS = 40;

/**
 * Where an absolute path leads, every link resolved. What does not exist yet is placed in its nearest existing parent;
 * a link to something missing leads to where that would be.
 * @throws ToolInputError for a loop of links, or where the system does not let us look.
 */
export async function realPathOf(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return missingPath(path, links);
    throw new ToolInputError(`Cannot find out where ${path} leads (${code ?? String(error)}).`, { cause: error });
  }
}

async function missingPath(path: string, links: number): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  const candidate = join(await realPathOf(parent, links), basename(path));
  const target = await linkTarget(candidate);
  if (target === undefined) return candidate;
  if (links >= MAX_LINKS) throw new ToolInputError(`${path} goes through too many links.`);
  return realPathOf(resolve(dirname(candidate), target), links + 1);
}

async function linkTarget(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new ToolInputError(`Cannot find out where ${path} leads (${code ?? String(error)}).`, { cause: error });
  }
}
