import { createHash, randomBytes } from 'node:crypto';
import { copyFile, lstat, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { git, partsOf } from '../process/git-command.js';
import type { GitSetting } from '../process/git-settings.js';
import { isWithin } from '../files/within.js';
import type { HiddenPlace, ReplacedFile } from './sandbox-view.js';

/** How long Git may take for each step, in milliseconds. */
const TIMEOUT_MS = 5_000;
/** Files that Git tracks and commands do not see; with more, they are reported as they look. */
const MAX_FILES = 2_000;

/** A copy of an index, for one state of it and of the files that are hidden. */
interface IndexCopy {
  readonly stamp: string;
  readonly made: Promise<ReplacedFile>;
}

/**
 * Copies of the index of repositories in which files that Git tracks are hidden from commands. What covers a hidden file looks like a change
 * to Git, which would report one that does not exist. In the copy, hidden files that are as they were last committed or staged are marked
 * “skip-worktree” (git-update-index(1)), so that Git does not look at them. Not “assume unchanged”: for that, git-grep(1) would show what is in
 * the index instead. Those that were changed are reported as changed.
 */
export class IndexCopies {
  private readonly copies = new Map<string, IndexCopy>();
  /** What is tracked below hidden places, by repository. */
  private readonly tracked = new Map<string, { readonly stamp: string; readonly files: Promise<readonly string[]> }>();

  /** @param folder absolute path of a folder for the copies */
  constructor(private readonly folder: string) {}

  /**
   * What stands in for the index of each repository that tracks hidden files.
   * @param repositories absolute paths of what is named `.git` @param hidden all with every link resolved
   */
  async for(repositories: readonly string[], hidden: readonly HiddenPlace[]): Promise<readonly ReplacedFile[]> {
    if (hidden.length === 0) return [];
    const there = await Promise.all(
      [...new Set(repositories)].map((path) =>
        lstat(path).then(
          () => [dirname(path)],
          () => [],
        ),
      ),
    );
    const roots = there.flat().sort((one, other) => other.length - one.length);
    const byRoot = new Map<string, string[]>();
    for (const { path } of hidden) {
      const root = roots.find((folder) => isWithin(folder, path));
      if (root !== undefined) byRoot.set(root, [...(byRoot.get(root) ?? []), relative(root, path)]);
    }
    // Where Git fails, it fails in the sandbox as well, and says why.
    const replaced = await Promise.all([...byRoot].map(([root, names]) => this.of(root, names).catch(() => undefined)));
    return replaced.flatMap((one) => one ?? []);
  }

  private async of(root: string, names: readonly string[]): Promise<ReplacedFile | undefined> {
    const index = await indexOf(root);
    const state = index === undefined ? undefined : await stampOf(index);
    // Without an index nothing is tracked.
    if (index === undefined || state === undefined) return undefined;
    const files = await this.trackedFiles(root, names, state);
    if (files.length === 0 || files.length > MAX_FILES) return undefined;
    const stamp = [state, ...(await Promise.all(files.map((file) => stampOf(join(root, file)))))].join('\n');
    const known = this.copies.get(root);
    if (known?.stamp === stamp) return known.made;
    const made = this.make(root, index, files);
    this.copies.set(root, { stamp, made });
    made.catch(() => this.copies.delete(root));
    return made;
  }

  private async trackedFiles(root: string, names: readonly string[], state: string): Promise<readonly string[]> {
    const stamp = JSON.stringify([state, names]);
    const known = this.tracked.get(root);
    if (known?.stamp === stamp) return known.files;
    const files = git(root, ['ls-files', '-z', '--', ...names.map(literal)], TIMEOUT_MS).then(partsOf);
    this.tracked.set(root, { stamp, files });
    files.catch(() => this.tracked.delete(root));
    return files;
  }

  private async make(root: string, index: string, files: readonly string[]): Promise<ReplacedFile> {
    await mkdir(this.folder, { recursive: true });
    const target = join(this.folder, createHash('sha256').update(index).digest('hex').slice(0, 32));
    const copy = `${target}.${randomBytes(6).toString('hex')}`;
    try {
      const written = Math.floor((await stat(index)).mtimeMs / 1_000);
      await copyFile(index, copy);
      // Git knows by this time which files it has to read as they may have been changed within the same moment.
      await utimes(copy, written, written);
      // What only has another time is not changed; to find out, Git may write the index, which is the copy.
      const settings: readonly GitSetting[] = [
        ['diff.autoRefreshIndex', 'true'],
        ['core.splitIndex', 'false'],
      ];
      const compared = await git(root, ['diff', '--name-only', '-z', '--no-renames', '--', ...files.map(literal)], TIMEOUT_MS, { index: copy, settings });
      const changed = new Set(partsOf(compared));
      const unchanged = files.filter((file) => !changed.has(file));
      const input = Buffer.from(unchanged.map((file) => `${file}\0`).join(''));
      await git(root, ['update-index', '--skip-worktree', '-z', '--stdin'], TIMEOUT_MS, { input, index: copy, settings });
      // Commands that run already keep the one that they see.
      await rename(copy, target);
    } finally {
      await rm(copy, { force: true });
    }
    return { path: index, by: target };
  }
}

/** Where the index is: in the folder of Git, which a file names in a linked worktree and a submodule. */
async function indexOf(root: string): Promise<string | undefined> {
  const entry = join(root, '.git');
  const stats = await lstat(entry).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return join(entry, 'index');
  // A file that leads nowhere is no repository.
  const named = await git(root, ['rev-parse', '--git-path', 'index'], TIMEOUT_MS).catch(() => undefined);
  return named === undefined ? undefined : resolve(root, named.toString('utf8').replace(/\n$/, ''));
}

async function stampOf(path: string): Promise<string | undefined> {
  return stat(path, { bigint: true }).then(
    ({ ino, size, mode, mtimeNs, ctimeNs }) => [ino, size, mode, mtimeNs, ctimeNs].join(' '),
    () => undefined,
  );
}

/** A path that is no pattern: gitglossary(7), pathspec. */
function literal(path: string): string {
  return `:(top,literal)${path}`;
}
