import { lstat, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Workspace } from '../../domain/workspace/workspace.js';
import { realPathOf } from '../files/real-path.js';
import { walkFolder } from '../files/walk-folder.js';
import type { Format } from './front-matter.js';

/** A place where a file with instructions can be. */
export interface Source {
  readonly path: string;
  readonly format: Format;
  /** Whose it is: the user's own may lead anywhere, a file of a repository above the workspace stays in that, another in the workspace. */
  readonly of: 'user' | 'repository' | 'workspace';
  /** The folder that it is for: patterns are relative to it. A link of a file of the repository must not leave it. */
  readonly folder: string;
}

/** Names in the order in which they apply: the later wins. */
const SHARED = ['AGENTS.md', 'CLAUDE.md'];
const LOCAL = ['AGENTS.local.md', 'CLAUDE.local.md'];
/** Folders between the workspace folder and a file that are looked into, the outermost first; also those above it up to the repository’s. */
const MAX_FOLDERS = 32;
/** Folders with the code of others, whose instructions are not the project's, and with what is not code. */
const FOREIGN: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'vendor', 'site-packages', '.venv', 'venv', '.git']);
/** Files with rules that are looked at in one folder. */
const MAX_RULES = 100;

/** The user's own files, which apply in every workspace. Source of the first: code.claude.com/docs/en/memory. */
export function ownSources(home: string): readonly Source[] {
  const folders = [join(home, '.claude', 'CLAUDE.md'), join(home, '.config', 'gnomon', 'AGENTS.md')];
  return folders.map((path) => ({ path, format: 'plain', of: 'user', folder: dirname(path) }));
}

/** Those of the folders above a workspace folder, up to its repository's, the outermost first. */
export async function sourcesAbove(folder: string, home: string): Promise<readonly Source[]> {
  const above = await foldersAbove(folder, home);
  const root = above[0] ?? folder;
  return above.flatMap((each) => SHARED.map((name): Source => ({ path: join(each, name), format: 'plain', of: 'repository', folder: root })));
}

/** Those of a workspace folder itself. @param others whether the files of other tools count */
export async function sourcesIn(folder: string, others: boolean, signal: AbortSignal): Promise<readonly Source[]> {
  const single = (name: string): readonly Source[] => (others ? [sourceIn(folder, name, 'plain')] : []);
  const [rules, clineFile] = others ? await Promise.all([ruleSources(folder, signal), isFile(join(folder, '.clinerules'))]) : [[], false];
  const foreign = [...single(join('.github', 'copilot-instructions.md')), ...single('.cursorrules'), ...(clineFile ? single('.clinerules') : []), ...rules];
  return [...foreign, ...sharedIn(folder), ...LOCAL.map((name) => sourceIn(folder, name, 'plain'))];
}

/** Those of a folder below a workspace folder. */
export function sharedIn(folder: string): readonly Source[] {
  return SHARED.map((name) => sourceIn(folder, name, 'plain'));
}

/**
 * The folders of rules for other tools, each in the order of the paths in it. The other files of these tools are
 * `.github/copilot-instructions.md`, `.cursorrules` (the older form), and `.clinerules` where that is a file.
 *
 * - Copilot: docs.github.com, "Adding repository custom instructions for GitHub Copilot".
 * - Cursor: cursor.com/docs, "Rules".
 * - Cline: docs.cline.bot, "Cline Rules".
 */
export async function ruleSources(folder: string, signal: AbortSignal): Promise<readonly Source[]> {
  const places = [
    { name: join('.github', 'instructions'), ending: '.instructions.md', format: 'copilot' },
    { name: join('.cursor', 'rules'), ending: '.mdc', format: 'cursor' },
    { name: '.clinerules', ending: '.md', format: 'cline' },
  ] as const;
  const found = await Promise.all(
    places.map(async ({ name, ending, format }) => (await filesBelow(join(folder, name), ending, signal)).map((path) => sourceIn(folder, join(name, path), format))),
  );
  return found.flat();
}

function sourceIn(folder: string, name: string, format: Format): Source {
  return { path: join(folder, name), format, of: 'workspace', folder };
}

/** Whether there is something that is no folder. */
async function isFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );
}

/** The files in a folder and below whose names end in some way; none where there is no such folder. */
async function filesBelow(folder: string, ending: string, signal: AbortSignal): Promise<readonly string[]> {
  const names: string[] = [];
  const take = ({ path }: { readonly path: string }): boolean => !path.endsWith(ending) || names.push(path) > 0;
  await walkFolder(folder, take, signal);
  return names.sort().slice(0, MAX_RULES);
}

/** A file in a workspace folder. */
export interface PlacedFile {
  /** The workspace folder. */
  readonly root: string;
  /** Names from there on. */
  readonly parts: readonly string[];
}

/** Where in the workspace a file is; `undefined` outside, and among the code of others. */
export async function placeOf(path: string, workspace: Workspace): Promise<PlacedFile | undefined> {
  const named = workspace.folders().map((folder) => folder.path);
  const roots = [...named, ...(await Promise.all(named.map((root) => realPathOf(root))))];
  const places = roots.map((root) => ({ root, parts: partsBelow(root, path) })).filter(({ parts }) => parts.length > 0);
  const [inner] = places.sort((a, b) => b.root.length - a.root.length);
  return inner === undefined || inner.parts.slice(0, -1).some((part) => FOREIGN.has(part)) ? undefined : inner;
}

/** The folders between a workspace folder and a file in it, outermost first. */
export function foldersTo({ root, parts }: PlacedFile): readonly string[] {
  const folders = parts.slice(0, Math.min(parts.length - 1, MAX_FOLDERS));
  return folders.map((_, index) => join(root, ...folders.slice(0, index + 1)));
}

function partsBelow(root: string, path: string): readonly string[] {
  const parts = relative(root, path).split(sep);
  return parts[0] === '' || parts[0] === '..' || /^[A-Za-z]:$/.test(parts[0] ?? '') ? [] : parts;
}

/** The folders above another up to its repository's, outermost first; none where it is in no repository, or is that itself. */
async function foldersAbove(folder: string, home: string): Promise<readonly string[]> {
  const [start = folder, realHome] = await Promise.all([folder, home].map((path) => realPathOf(path).catch(() => path)));
  const folders = [start];
  for (let at = dirname(start); at !== folders.at(-1) && folders.length <= MAX_FOLDERS; at = dirname(at)) folders.push(at);
  // All at once: every message waits for this.
  const root = (await Promise.all(folders.map(isRepository))).indexOf(true);
  return folders.slice(1, root + 1).reverse().filter((each) => each !== realHome && each !== dirname(each));
}

/** As git does (git-scm.com, "git-config", safe.directory), a repository of another user does not count: one could be put above every folder. */
async function isRepository(folder: string): Promise<boolean> {
  const user = process.getuid?.();
  try {
    const owners = await Promise.all([folder, join(folder, '.git')].map(async (path) => (await stat(path)).uid));
    return user === undefined || owners.every((owner) => owner === user);
  } catch {
    // There is none, or none that may be looked at.
    return false;
  }
}
