import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pathFromInput } from './path-input.js';

/** Where the settings of a repository are, below its folder. Sources: git-config(1), FILES; hgrc(5), Files. */
const SETTINGS = ['.git/config', '.git/config.worktree', '.hg/hgrc', '.hg/hgrc-not-shared'];
/** How settings take others in: `path = …` of `include` and `includeIf` in Git's, `%include …` in Mercurial's. */
const INCLUDES = /^[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:path[ \t]*=|%include[ \t])[ \t]*"?([^"\n]+)"?/gim;
/** How far includes are followed; Git’s own limit is 10. */
const MAX_DEPTH = 10;
/** Bytes of a file with settings that are looked at. */
const MAX_BYTES = 1024 * 1024;

/**
 * Whether a folder is what Git takes for a repository: a folder `.git`, a bare repository, or the folder of a linked worktree, whatever its name.
 * Source: setup.c, `is_git_directory`; fewer of its marks count here, so that what is being made counts as well.
 */
export function looksLikeGitFolder(folder: string): boolean {
  return existsSync(join(folder, 'HEAD')) && ['objects', 'refs', 'commondir'].some((name) => existsSync(join(folder, name)));
}

/**
 * Which files are settings of a repository though their names do not say so: those of bare repositories and of Git folders with another name, and
 * what the settings of the repositories in some folders include. They can hold passwords as much as `.git/config`.
 * @param folders absolute paths; looked at once, when this is called.
 * @returns a check for absolute paths with every link resolved.
 */
export function settingsFinder(folders: readonly string[], home: string): (path: string) => boolean {
  const included = new Set<string>();
  for (const folder of folders) for (const name of SETTINGS) noteIncludes(join(folder, name), { home, included }, 0);
  return (path) => included.has(path) || (/^config/i.test(basename(path)) && looksLikeGitFolder(dirname(path)));
}

function noteIncludes(file: string, found: { readonly home: string; readonly included: Set<string> }, depth: number): void {
  for (const [, name = ''] of textOf(file).matchAll(INCLUDES)) {
    const target = targetOf(name.trim(), file, found.home);
    if (target === undefined || found.included.has(target)) continue;
    found.included.add(target);
    if (depth < MAX_DEPTH) noteIncludes(target, found, depth + 1);
  }
}

/** Settings that are not there, or that we may not read, include nothing for us. */
function textOf(file: string): string {
  try {
    const stats = statSync(file);
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

function targetOf(name: string, by: string, home: string): string | undefined {
  try {
    return realpathSync(resolve(dirname(by), pathFromInput(name, home)));
  } catch {
    // What is not there holds nothing.
    return undefined;
  }
}
