import { posix } from 'node:path';
import { ToolInputError } from '../../../src/domain/errors.js';
import type { FileLocation, Workspace } from '../../../src/domain/workspace/workspace.js';

interface Facts {
  readonly folders: readonly string[];
  readonly home: string;
  readonly links: Readonly<Record<string, string>>;
  exists(path: string): boolean;
}

/** Folders, home and links that exist only here; follows the contract of {@link Workspace} with POSIX paths. */
export function createMemoryWorkspaceFolders(facts: Facts): Workspace {
  const folders = facts.folders.map((path) => ({ name: posix.basename(path), path }));
  const cwd = (): string => folders[0]?.path ?? facts.home;
  return {
    folders: () => folders,
    cwd,
    async locate(path): Promise<FileLocation> {
      await Promise.resolve();
      if (path === '' || path.includes('\0')) throw new ToolInputError('The path is empty or holds a NUL.');
      const absolute = absolutePath(path, facts, cwd());
      const real = followLinks(absolute, facts.links);
      const inside = folders.some((folder) => isWithin(folder.path, real));
      return { path: absolute, real, display: displayOf(absolute, folders), inside, throughLink: real !== absolute };
    },
  };
}

function absolutePath(path: string, facts: Facts, cwd: string): string {
  const expanded = path === '~' || path.startsWith('~/') ? facts.home + path.slice(1) : path;
  if (posix.isAbsolute(expanded)) return posix.resolve(expanded);
  const [first = '', ...rest] = expanded.split('/');
  const named = facts.folders.length > 1 ? facts.folders.find((folder) => posix.basename(folder) === first) : undefined;
  return named === undefined ? posix.resolve(cwd, expanded) : posix.resolve(named, ...rest);
}

function followLinks(path: string, links: Readonly<Record<string, string>>): string {
  for (const [link, target] of Object.entries(links)) {
    if (isWithin(link, path)) return target + path.slice(link.length);
  }
  return path;
}

function displayOf(path: string, folders: readonly { name: string; path: string }[]): string {
  const folder = folders.find((candidate) => isWithin(candidate.path, path));
  if (folder === undefined) return path;
  const rest = posix.relative(folder.path, path);
  if (folders.length === 1) return rest === '' ? '.' : rest;
  return rest === '' ? folder.name : `${folder.name}/${rest}`;
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.replace(/\/?$/, '/'));
}
