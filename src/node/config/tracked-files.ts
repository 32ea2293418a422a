import { lstat, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { exists } from '../files/exists.js';
import { realPathOf } from '../files/real-path.js';
import { git, partsOf } from '../process/git-command.js';
import { type WriteLock, rewriteConfigurationFile } from './rewrite-file.js';

/** Milliseconds that Git may take: every decision about a call waits for it when a file has changed. */
const TIMEOUT_MS = 3_000;
/** Bytes of the file with what a repository ignores. */
const MAX_EXCLUDES = 1024 * 1024;
/** Characters of the file `.git` that leads to a repository elsewhere; that of a long path. */
const MAX_LINK = 8_192;

/**
 * Whether Git tracks a file, also in another case where Git ignores case. Nothing that the settings of the repository name is run.
 * Where it cannot be found out, as without Git or a repository, the answer is no: only what a file is called depends on it, not what it may do.
 * @param path absolute
 */
export async function isTracked(path: string): Promise<boolean> {
  try {
    const real = await realPathOf(path);
    const repository = await repositoryOf(real);
    if (repository === undefined) return false;
    const name = relative(repository.root, real).split(sep).join('/');
    return partsOf(await git(repository.root, ['ls-files', '-z', '--cached', '--', `:(icase,literal)${name}`], TIMEOUT_MS)).length > 0;
  } catch {
    // As documented: no answer is an answer here.
    return false;
  }
}

/**
 * Has Git ignore a file in its repository, unless Git tracks or ignores it already: by a line in `info/exclude`, which stays on this machine, as
 * gitignore(5) advises for files that are of one user's workflow. Does nothing where there is no repository.
 *
 * @param path absolute
 * @param pattern of the line
 * @throws Error when it cannot be written
 */
export async function excludeFromGit(path: string, pattern: string, lock: WriteLock): Promise<void> {
  const real = await realPathOf(path);
  const repository = await repositoryOf(real);
  if (repository === undefined) return;
  const seen = await git(
    repository.root,
    ['ls-files', '-z', '--others', '--exclude-standard', '--', `:(literal)${relative(repository.root, real).split(sep).join('/')}`],
    TIMEOUT_MS,
  );
  if (partsOf(seen).length === 0) return;
  const file = resolve(repository.root, (await git(repository.root, ['rev-parse', '--git-path', 'info/exclude'], TIMEOUT_MS)).toString('utf8').trimEnd());
  const add = (text: string): string => `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${pattern}\n`;
  await rewriteConfigurationFile({ path: file, maxBytes: MAX_EXCLUDES, within: [dirname(dirname(file))] }, add, lock);
}

/**
 * The file that changes whenever Git tracks other files than before in the repository around a file; `undefined` where there is none.
 * @param path absolute
 */
export async function indexOf(path: string): Promise<string | undefined> {
  try {
    const repository = await repositoryOf(await realPathOf(path));
    return repository === undefined ? undefined : join(repository.git, 'index');
  } catch {
    // Where the system does not let us look, Git is not asked either.
    return undefined;
  }
}

/** The repository around a file, as Git finds it: gitrepository-layout(5). */
async function repositoryOf(path: string): Promise<{ readonly root: string; readonly git: string } | undefined> {
  for (let root = dirname(path); ; root = dirname(root)) {
    const folder = await gitFolder(root);
    if (folder !== undefined) return { root, git: folder };
    if (dirname(root) === root) return undefined;
  }
}

async function gitFolder(root: string): Promise<string | undefined> {
  const place = join(root, '.git');
  if (!(await exists(place))) return undefined;
  const stats = await lstat(place);
  if (!stats.isFile()) return (await exists(join(place, 'HEAD'))) ? place : undefined;
  if (stats.size > MAX_LINK) return undefined;
  const target = /^gitdir: (.+?)\r?\n?$/.exec(await readFile(place, 'utf8'))?.[1];
  return target === undefined ? undefined : resolve(root, target);
}
