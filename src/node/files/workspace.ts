import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolInputError } from '../../domain/errors.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { FileLocation, Workspace, WorkspaceFolder } from '../../domain/workspace/workspace.js';
import { realPathOf } from './real-path.js';
import { isWithin } from './within.js';

/** An open folder and where it leads. */
interface Root extends WorkspaceFolder {
  readonly real: string;
}

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
function looksLikeGitFolder(folder: string): boolean {
  return existsSync(join(folder, 'HEAD')) && ['objects', 'refs', 'commondir'].some((name) => existsSync(join(folder, name)));
}

/**
 * Which files are settings of a repository though their names do not say so: those of bare repositories and of Git folders with another name, and
 * what the settings of the repositories in some folders include. They can hold passwords as much as `.git/config`.
 * @param folders absolute paths; looked at once, when this is called.
 * @returns a check for absolute paths with every link resolved.
 */
function settingsFinder(folders: readonly string[], home: string): (path: string) => boolean {
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

/**
 * A path as a model writes it, as one that the system takes: `file:` URLs and `~` are resolved, nothing else is
 * expanded.
 * @throws ToolInputError for what cannot be, or could be misread as, a path on this machine.
 */
export function pathFromInput(input: string, home: string): string {
  if (input.trim() === '') throw new ToolInputError('The path is empty.');
  if (input.includes('\0')) throw new ToolInputError('The path holds a NUL character, which no file name can.');
  const path = withHome(fromUrl(input), home);
  if (/^(\$\{?\w+\}?|%\w+%)([\\/]|$)/.test(path)) {
    throw new ToolInputError(`Variables in paths are not expanded. Give the path itself, or ./${input} for a name like that.`);
  }
  const problem = process.platform === 'win32' ? windowsPathProblem(path) : undefined;
  if (problem !== undefined) throw new ToolInputError(`The path ${input} cannot be used: ${problem}.`);
  return path;
}

function withHome(path: string, home: string): string {
  return path === '~' || /^~[\\/]/.test(path) ? home + path.slice(1) : path;
}

function fromUrl(input: string): string {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(input)?.[1]?.toLowerCase();
  if (scheme === undefined) return input;
  if (scheme !== 'file') throw new ToolInputError(`${input} is not a file on this machine (${scheme}:), which is all that tools work on.`);
  try {
    return fileURLToPath(input);
  } catch (error) {
    if (error instanceof TypeError) throw new ToolInputError(`${input} does not name a file on this machine.`);
    throw error;
  }
}

/** Names that Windows gives to devices, in every folder and with every extension. */
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?$/i;

/**
 * Why a path cannot be used on Windows: it is another spelling of the same file, which would bypass rules about names,
 * or opening it would reach a device or another machine.
 * @returns `undefined` for an ordinary path.
 */
export function windowsPathProblem(path: string): string | undefined {
  if (/^[\\/]{2}|^[\\/]\?\?[\\/]/.test(path)) return 'paths of devices and network shares are not allowed';
  const rest = path.replace(/^[A-Za-z]:(?=[\\/])/, '');
  if (rest.includes(':')) return 'a colon names a stream or a drive without its root';
  for (const name of rest.split(/[\\/]/)) {
    if (DEVICE.test(name)) return `${name} is the name of a device`;
    if (name !== '.' && name !== '..' && /[. ]$/.test(name)) return 'a name ends with a dot or a space, which Windows drops';
    if (/~\d/.test(name)) return 'a short name (8.3) stands for another name; give the long one';
  }
  return undefined;
}

function targetOf(name: string, by: string, home: string): string | undefined {
  try {
    return realpathSync(resolve(dirname(by), pathFromInput(name, home)));
  } catch {
    // What is not there holds nothing.
    return undefined;
  }
}

/**
 * The workspace on disk. Folders are queried each time, so that a folder that was closed is gone at once.
 * @param home absolute path that `~` expands to, and where commands run while no folder is open.
 * @param guard creates the check of which files may be looked for: with several folders, resolving a path reveals whether a file exists.
 */
export function createWorkspace(folders: () => readonly WorkspaceFolder[], home: string, guard = showsAll): Workspace {
  const cwd = (): string => folders()[0]?.path ?? home;
  return {
    folders,
    cwd,
    async locate(input) {
      const roots = await Promise.all(folders().map(async (root) => ({ ...root, real: await realPathOf(root.path) })));
      const path = await absolutePath(pathFromInput(input, home), roots, { cwd: cwd(), guard });
      return locationOf(path, roots);
    },
    repositorySettings: () =>
      settingsFinder(
        folders().map(({ path }) => path),
        home,
      ),
  };
}

function showsAll(): Promise<MayShow> {
  return Promise.resolve(() => true);
}

/** What it depends on where a relative path leads. */
interface Seeking {
  readonly cwd: string;
  readonly guard: () => Promise<MayShow>;
}

async function absolutePath(path: string, roots: readonly Root[], seeking: Seeking): Promise<string> {
  const { cwd } = seeking;
  if (isAbsolute(path)) return resolve(path);
  if (roots.length < 2) return resolve(cwd, path);
  const [first = '', ...rest] = path.split(/[\\/]/);
  const named = roots.find((root) => root.name === first);
  if (named !== undefined) return resolve(named.path, ...rest);
  return inOneOf(path, roots, seeking);
}

/** A relative path among several folders: the one folder that has it, else the first. */
async function inOneOf(path: string, roots: readonly Root[], { cwd, guard }: Seeking): Promise<string> {
  const mayShow = await guard();
  if (!roots.every((root) => mayShow(resolve(root.path, path)))) {
    throw new ToolInputError(`Several folders are open. Begin with the folder's name: ${roots.map((root) => `${root.name}/${path}`).join(', ')}.`);
  }
  const having = await Promise.all(roots.map(async (root) => ((await exists(join(root.path, path))) ? [root] : [])));
  const found = having.flat();
  if (found.length > 1) {
    const names = found.map((root) => `${root.name}/${path}`).join(', ');
    throw new ToolInputError(`Several folders have ${path}. Begin with the folder's name: ${names}.`);
  }
  return resolve(found[0]?.path ?? cwd, path);
}

async function exists(path: string): Promise<boolean> {
  // Not being able to look counts as not being there: the first folder is taken, and looking there says why.
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function locationOf(path: string, roots: readonly Root[]): Promise<FileLocation> {
  const real = await realPathOf(path);
  return {
    path,
    real,
    display: displayOf(path, roots) ?? displayOf(real, roots) ?? path,
    inside: roots.some((root) => isWithin(root.real, real)),
    throughLink: real !== expectedReal(path, roots),
  };
}

/** Where a path leads when no link below its workspace folder turns it; the folder itself may be one. */
function expectedReal(path: string, roots: readonly Root[]): string {
  const root = innermost(roots.filter((candidate) => isWithin(candidate.path, path)));
  return root === undefined ? path : join(root.real, relative(root.path, path));
}

function displayOf(path: string, roots: readonly Root[]): string | undefined {
  const byPath = innermost(roots.filter((candidate) => isWithin(candidate.path, path)));
  const byReal = innermost(roots.filter((candidate) => isWithin(candidate.real, path)));
  const root = byPath ?? byReal;
  if (root === undefined) return undefined;
  const rest = relative(byPath === undefined ? root.real : root.path, path)
    .split(sep)
    .join('/');
  if (roots.length === 1) return rest === '' ? '.' : rest;
  return rest === '' ? root.name : `${root.name}/${rest}`;
}

function innermost(roots: readonly Root[]): Root | undefined {
  return [...roots].sort((a, b) => b.path.length - a.path.length)[0];
}
