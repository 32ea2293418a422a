import { lstat } from 'node:fs/promises';
import { basename, join, relative, resolve } from 'node:path';
import {
  type ChangedFiles,
  type CommandChange,
  type CommandWatch,
  type CommandWatcher,
  type FileSnapshot,
  sameContent,
  versionOf,
} from '../../domain/workspace/changes.js';
import type { Log } from '../../domain/log.js';
import { t } from '../../domain/l10n.js';
import { git, GitError, partsOf } from '../../node/process/git-command.js';
import { realPathOf } from '../../node/files/real-path.js';
import { isTemporary } from '../../node/files/replace-file.js';
import { isWithin } from '../../node/files/within.js';
import { committedFile, NOT_KNOWN } from './committed-file.js';
import { isGitPath } from './disk-files.js';

/** The most files with uncommitted changes that are looked at. */
const MAX_FILES = 2_000;
/** The most of their contents that is held, in bytes. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

/** Explains to the user which changes by commands are not detected. */
export function commandLimits(): string {
  return t(
    'Changes made by commands are detected only in Git repositories, but not in ignored files, submodules, or nested repositories, ' +
      'and not beyond {0} files with uncommitted changes. Files that Git converts (line endings, filters) are shown but cannot be restored. ' +
      'Changes that other programs make while a command is running are attributed to the command, those that you make in the editor are not. ' +
      'What changes while commands of several chats run in the same folder is attributed to none of them, and background commands are not tracked.',
    MAX_FILES,
  );
}

interface Held {
  readonly stamp: string;
  readonly snapshot: FileSnapshot;
}

/** {@link CommandWatcher} by git, which only reads. In folders without git nothing is found. */
export function createGitWatcher(files: ChangedFiles, log: Log): CommandWatcher {
  let last: ReadonlyMap<string, Held> = new Map();
  return {
    async watch(wanted) {
      const folders = await Promise.all(wanted.map(realPathOf));
      const roots = new Set((await Promise.all(folders.map((folder) => rootOf(folder, log)))).flat());
      const repositories: RepositoryWatch[] = [];
      const holder = new Holder(files, last);
      for (const root of roots) repositories.push(await RepositoryWatch.start(root, holder));
      last = new Map(repositories.flatMap(({ held }) => [...held]));
      return {
        folders,
        area: [...new Set([...folders, ...roots])],
        changed: async (except) => (await Promise.all(repositories.map((repository) => repository.changed(except)))).flat(),
        take: async (path, now) => {
          // Of repositories within each other, the inner one has the file.
          const [owner] = repositories.filter(({ root }) => isWithin(root, path)).sort((a, b) => b.root.length - a.root.length);
          return isGitPath(path) ? undefined : owner?.take(path, now);
        },
      } satisfies CommandWatch;
    },
  };
}

/** Last known state of a repository. */
class RepositoryWatch {
  private constructor(
    readonly root: string,
    /** The commit that is checked out; `undefined` before the first. */
    private commit: string | undefined,
    /** Files that differed from it, and others that were looked at. */
    readonly held: Map<string, Held>,
    private readonly holder: Holder,
  ) {}

  static async start(root: string, holder: Holder): Promise<RepositoryWatch> {
    const [commit, dirty] = await Promise.all([commitOf(root), dirtyIn(root)]);
    return new RepositoryWatch(root, commit, await holder.hold(dirty), holder);
  }

  /** Changes since the last look, which becomes the state to compare with. */
  async changed(except: ReadonlySet<string>): Promise<readonly CommandChange[]> {
    const { root, commit, held } = this;
    const [now, dirty] = await Promise.all([commitOf(root), dirtyIn(root)]);
    const moved = commit !== undefined && now !== undefined && now !== commit ? await between(root, commit, now) : [];
    const paths = [...new Set([...held.keys(), ...dirty, ...moved])].slice(0, MAX_FILES);
    // Then what was there before may have been ignored, or converted otherwise.
    const rulesChanged = await this.anyRulesChanged(paths);
    const changes: CommandChange[] = [];
    for (const path of paths.filter((one) => !except.has(one))) {
      const known = held.get(path);
      // The stamp comes first: a change between the two is then found the next time.
      const stamp = await stampOf(path);
      if (known !== undefined && known.stamp !== '' && known.stamp === stamp) continue;
      const after = await this.holder.look(path);
      const before = known?.snapshot ?? (rulesChanged ? NOT_KNOWN : withModeOf(await this.committed(path), after));
      held.set(path, { stamp, snapshot: this.holder.kept(after, known?.snapshot) });
      if (!isSame(before, after)) changes.push({ path, before, after });
    }
    this.commit = now;
    return changes;
  }

  /** Has one file seen as it is now. @returns what is known of how it changed */
  async take(path: string, now: FileSnapshot): Promise<CommandChange | undefined> {
    const known = this.held.get(path)?.snapshot;
    // Files that cannot be compared are recognized by their time stamp. What is seen now is held also where git fails: otherwise, it would be found later,
    // as a change of whoever runs a command then.
    this.held.set(path, { stamp: now.kind === 'skipped' ? await stampOf(path) : '', snapshot: now });
    const before = known ?? (await this.clean(path, now));
    return before.kind === 'skipped' || isSame(before, now) ? undefined : { path, before, after: now };
  }

  /** A file that did not differ from the commit when it was last looked at, or that is ignored and was not looked at. */
  private async clean(path: string, now: FileSnapshot): Promise<FileSnapshot> {
    const dirty = await dirtyIn(this.root, path);
    return dirty.includes(path) ? withModeOf(await this.committed(path), now) : now;
  }

  private async anyRulesChanged(paths: readonly string[]): Promise<boolean> {
    for (const path of paths.filter((one) => ['.gitignore', '.gitattributes'].includes(basename(one)))) {
      const known = this.held.get(path);
      if (known === undefined || !isSame(known.snapshot, await this.holder.look(path))) return true;
    }
    return false;
  }

  private async committed(path: string): Promise<FileSnapshot> {
    if (this.commit === undefined) return { kind: 'absent' };
    return committedFile(this.root, this.commit, nameIn(this.root, path));
  }
}

/** The name of a file as git has it: relative to the root, with `/`. */
function nameIn(root: string, path: string): string {
  return relative(root, path).replaceAll('\\', '/');
}

/** @throws GitError where git cannot tell: what is attributed to a command then may be of anybody */
async function rootOf(folder: string, log: Log): Promise<readonly string[]> {
  try {
    return [resolve((await git(folder, ['rev-parse', '--show-toplevel'])).toString().replace(/\r?\n$/, ''))];
  } catch (error) {
    if (!(error instanceof GitError) || error.problem.kind === 'broken') throw error;
    // No repository, or no git: then commands are not watched here, as {@link commandLimits} says.
    log.info(`Changes of commands are not looked for in ${basename(folder)}: ${error.message}`);
    return [];
  }
}

/** How `git rev-parse --verify --quiet` ends where there is no such commit (git-rev-parse(1)). */
const NO_COMMIT = 1;

/** The commit that is checked out; `undefined` before the first. @throws GitError where git cannot tell: then no file is known to be new */
async function commitOf(root: string): Promise<string | undefined> {
  try {
    return (await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD'])).toString().trim();
  } catch (error) {
    if (error instanceof GitError && error.problem.kind === 'refused' && error.problem.code === NO_COMMIT) return undefined;
    throw error;
  }
}

/** Absolute paths of the files that differ from the commit, untracked ones with them. @param path the one file that is asked about */
async function dirtyIn(root: string, path?: string): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignore-submodules=all', '--no-renames'];
  const only = path === undefined ? [] : ['--', `:(top,literal)${nameIn(root, path)}`];
  const lines = partsOf(await git(root, [...args, ...only])).map((line) => line.slice(3));
  // A name with a slash at its end is a repository within this one.
  return lines.filter((name) => !name.endsWith('/') && !isTemporary(name)).map((name) => join(root, name));
}

/** Reads files, and those that it has read already and that look the same not again. */
class Holder {
  private bytes = 0;

  constructor(
    private readonly files: ChangedFiles,
    private readonly last: ReadonlyMap<string, Held>,
  ) {}

  async hold(paths: readonly string[]): Promise<Map<string, Held>> {
    const held = new Map<string, Held>();
    for (const [index, path] of paths.entries()) held.set(path, index < MAX_FILES ? await this.one(path) : { stamp: '', snapshot: NOT_KNOWN });
    return held;
  }

  look(path: string): Promise<FileSnapshot> {
    return this.files.look(path);
  }

  /** The snapshot to keep of a file, as long as there is room. @param former the snapshot kept so far */
  kept(snapshot: FileSnapshot, former?: FileSnapshot): FileSnapshot {
    this.bytes -= former?.kind === 'file' ? former.bytes.length : 0;
    if (snapshot.kind !== 'file') return snapshot;
    if (this.bytes > MAX_HELD_BYTES) return NOT_KNOWN;
    this.bytes += snapshot.bytes.length;
    return snapshot;
  }

  private async one(path: string): Promise<Held> {
    const stamp = await stampOf(path);
    const known = this.last.get(path);
    if (this.bytes > MAX_HELD_BYTES) return { stamp, snapshot: NOT_KNOWN };
    // Unsaved text has no timestamp, so an editor's content is always looked at.
    const fresh = known?.stamp === stamp && known.snapshot.kind === 'file' && !known.snapshot.unsaved ? known.snapshot : await this.files.look(path);
    return { stamp, snapshot: this.kept(fresh) };
  }
}

async function stampOf(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  // What is not there, or may not be looked at, has no time; it is looked at anew.
  return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}

function isSame(a: FileSnapshot, b: FileSnapshot): boolean {
  const mode = a.kind !== 'file' || b.kind !== 'file' || (a.mode & 0o111) === (b.mode & 0o111);
  return mode && sameContent(versionOf(a), versionOf(b));
}

/** Git knows only whether a file can be run; the other permissions are those that it has now. */
function withModeOf(was: FileSnapshot, is: FileSnapshot): FileSnapshot {
  return was.kind === 'file' && is.kind === 'file' ? { ...was, mode: (is.mode & ~0o111) | (was.mode & 0o111) } : was;
}

async function between(root: string, from: string, to: string): Promise<readonly string[]> {
  const names = partsOf(await git(root, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', '--ignore-submodules=all', from, to]));
  return names.map((name) => join(root, name));
}
