import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { formatNumber, t } from '../../domain/l10n.js';
import type { Search } from '../../domain/workspace/search.js';
import { git, partsOf } from '../process/git-command.js';
import { realPathOf } from '../files/real-path.js';
import { AGENT_FOLDERS, COMMAND_FOLDERS, type Place, placesOf, SKILL_FOLDERS } from './place-table.js';

/** Folders above a workspace folder that are looked at. */
const MAX_ABOVE = 32;
/** Files of programs, and folders with such files, that are found below one workspace folder. */
const MAX_FILES = 20_000;
const MAX_BELOW = 200;
/** Milliseconds that Git may take. */
const GIT_MS = 10_000;
/** Folders with the code of others, and with what is not code. */
export const FOREIGN: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'vendor', 'site-packages', '.venv', 'venv', '.git']);
/** What is looked for in folders below workspace folders, by the names on the way there. */
const BELOW = [AGENT_FOLDERS, COMMAND_FOLDERS, SKILL_FOLDERS].flatMap((all) => placesOf<Place>(all, 'project').map(({ at }) => at.split('/')));
/** Folders of programs in which agents, commands, and skills are. */
const OF_PROGRAMS: readonly string[] = [...new Set(BELOW.map(([program = '']) => program))];
/** The folders in these. */
const KINDS: readonly string[] = [...new Set(BELOW.map(([, kind = '']) => kind))];
/** What the names of others begin with: skills for a mode of Roo Code. */
const OF_MODES = 'skills-';
/** The files in them: all of them are Markdown. A pattern that names files is fast, because only these are listed. */
export const PROGRAM_FILES = `**/{${OF_PROGRAMS.join(',')}}/{${[...KINDS, `${OF_MODES}*`].join(',')}}/**/*.md`;

/**
 * The folders above another up to its repository’s, the nearest first; none where it is in no repository, or is that itself. Never the home folder,
 * nor the root of the file system.
 */
export async function foldersAbove(folder: string, home: string): Promise<readonly string[]> {
  const [start = folder, realHome] = await Promise.all([folder, home].map((path) => realPathOf(path).catch(() => path)));
  const folders = [start];
  for (let at = dirname(start); at !== folders.at(-1) && folders.length <= MAX_ABOVE; at = dirname(at)) folders.push(at);
  // All at once: every message waits for this.
  const root = (await Promise.all(folders.map(isRepository))).indexOf(true);
  return folders.slice(1, root + 1).filter((each) => each !== realHome && each !== dirname(each));
}

/** Folders below a workspace folder that have folders of programs. */
export interface FoldersBelow {
  /** Absolute paths, in their order. */
  readonly below: readonly string[];
  /** What was left out, a sentence for the user. */
  readonly cut?: string;
}

/**
 * Finds the folders below a workspace folder that have agents, commands, or skills of their own: what ignore files leave out, and the code of
 * others, is not looked at. It takes as long as a search through the folder, so that nothing should wait for it.
 */
export async function foldersBelow(folder: string, search: Pick<Search, 'glob'>, signal: AbortSignal): Promise<FoldersBelow> {
  const query = { pattern: PROGRAM_FILES, path: folder, limit: MAX_FILES };
  const [{ paths, truncated }, linked] = await Promise.all([search.glob(query, signal), pathsInGit(folder)]);
  const found = new Set(
    [...paths.map((path) => relative(folder, path).split(sep)), ...linked].flatMap((names) => {
      const index = names.findIndex((name) => OF_PROGRAMS.includes(name));
      const [kind] = names.slice(index + 1);
      const above = names.slice(0, index);
      return index <= 0 || above.some((name) => FOREIGN.has(name)) || (kind !== undefined && !isKind(kind)) ? [] : [join(folder, ...above)];
    }),
  );
  // Those near the top come first, so that a limit cuts what is deepest.
  const ordered = [...found].sort((a, b) => a.split(sep).length - b.split(sep).length || (a < b ? -1 : 1));
  if (!truncated && ordered.length <= MAX_BELOW) return { below: ordered };
  const [folders, files] = [formatNumber(MAX_BELOW), formatNumber(MAX_FILES)];
  const cut = t('More than {0} folders in it, or {1} files, belong to agents, commands, and skills. Those after them are not used.', folders, files);
  return { below: ordered.slice(0, MAX_BELOW), cut };
}

function isKind(name: string): boolean {
  return KINDS.includes(name) || name.startsWith(OF_MODES);
}

/** What Git has, and does not ignore, in folders of programs, by its names: searches list no links, and links can be in place of any of these. */
async function pathsInGit(folder: string): Promise<readonly (readonly string[])[]> {
  try {
    const places = OF_PROGRAMS.flatMap((name) => [`:(glob)**/${name}`, `:(glob)**/${name}/**`]);
    return partsOf(await git(folder, ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...places], GIT_MS)).map((path) => path.split('/'));
  } catch {
    // Without Git or a repository there is what a search finds.
    return [];
  }
}

/** As git does (git-scm.com, "git-config", safe.directory), a repository of another user does not count: one could be put above every folder. */
async function isRepository(folder: string): Promise<boolean> {
  const user = process.getuid?.();
  try {
    const [ofGit, ofFolder] = [(await stat(join(folder, '.git'))).uid, (await stat(folder)).uid];
    return user === undefined || (ofGit === user && ofFolder === user);
  } catch {
    // There is no such file, or it may not be read.
    return false;
  }
}
