import { lstat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  type ChangedFiles,
  type CommandChange,
  type CommandWatch,
  type CommandWatcher,
  type Sighting,
  sameContent,
  versionOf,
  MAX_KEPT_BYTES,
} from '../../domain/workspace/changes.js';
import type { Log } from '../../domain/log.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import { git, partsOf } from '../../node/process/git-command.js';
import { sha256 } from '../../node/files/sha256.js';

/** The most files with uncommitted changes that are looked at. */
const MAX_FILES = 2_000;
/** The most of their contents that is held, in bytes. */
const MAX_HELD_BYTES = 32 * 1024 * 1024;

/** Explains to the user which changes by commands are not detected. */
export function commandLimits(): string {
  return t(
    'Changes made by commands are detected only in Git repositories, but not in ignored files, submodules, or nested repositories, and not beyond {0} files with uncommitted changes. Files that Git converts (line endings, filters) are shown but cannot be restored. Changes that you make while a command is running are attributed to the command, and background commands are not tracked.',
    MAX_FILES,
  );
}

interface Held {
  readonly stamp: string;
  readonly sighting: Sighting;
}

/** A repository before a command. */
interface Before {
  readonly root: string;
  /** The commit that is checked out; `undefined` before the first. */
  readonly commit: string | undefined;
  /** Files that differed from it. */
  readonly held: ReadonlyMap<string, Held>;
}

/** {@link CommandWatcher} by git, which only reads. In folders without git nothing is found. */
export function createGitWatcher(folders: () => readonly string[], files: ChangedFiles, log: Log): CommandWatcher {
  let last: ReadonlyMap<string, Held> = new Map();
  return {
    async watch() {
      const roots = new Set((await Promise.all(folders().map((folder) => rootOf(folder, log)))).flat());
      const repositories: Before[] = [];
      const holder = new Holder(files, last);
      for (const root of roots) {
        const [commit, dirty] = await Promise.all([commitOf(root), dirtyIn(root)]);
        repositories.push({ root, commit, held: await holder.hold(dirty) });
      }
      last = new Map(repositories.flatMap(({ held }) => [...held]));
      return { changed: async () => (await Promise.all(repositories.map((before) => changesIn(before, files)))).flat() } satisfies CommandWatch;
    },
  };
}

async function rootOf(folder: string, log: Log): Promise<readonly string[]> {
  try {
    return [(await git(folder, ['rev-parse', '--show-toplevel'])).toString().replace(/\r?\n$/, '')];
  } catch (error) {
    // No repository, or no git: then commands are not watched here, as {@link commandLimits} says.
    log.info(`Changes of commands are not looked for in ${basename(folder)}: ${errorMessage(error)}`);
    return [];
  }
}

async function commitOf(root: string): Promise<string | undefined> {
  const found = (await git(root, ['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => Buffer.from(''))).toString().trim();
  // Git fails so too in a repository without commits; all its files are among those that differ.
  return /^[0-9a-f]{40,64}$/.test(found) ? found : undefined;
}

/** Absolute paths of the files that differ from the commit, untracked ones with them. */
async function dirtyIn(root: string): Promise<readonly string[]> {
  const args = ['status', '--porcelain=v1', '-z', '--untracked-files=all', '--ignore-submodules=all', '--no-renames'];
  const lines = partsOf(await git(root, args)).map((line) => line.slice(3));
  // A name with a slash at its end is a repository within this one.
  return lines.filter((name) => !name.endsWith('/')).map((name) => join(root, name));
}

/** Reads files, and those that it has read already and that look the same not again. */
class Holder {
  private readonly files: ChangedFiles;
  private readonly last: ReadonlyMap<string, Held>;
  private bytes = 0;

  constructor(files: ChangedFiles, last: ReadonlyMap<string, Held>) {
    this.files = files;
    this.last = last;
  }

  async hold(paths: readonly string[]): Promise<ReadonlyMap<string, Held>> {
    const held = new Map<string, Held>();
    for (const [index, path] of paths.entries()) held.set(path, index < MAX_FILES ? await this.one(path) : NOT_HELD);
    return held;
  }

  private async one(path: string): Promise<Held> {
    if (this.bytes > MAX_HELD_BYTES) return NOT_HELD;
    const stamp = await stampOf(path);
    const known = this.last.get(path);
    // Unsaved text has no timestamp, so an editor's content is always looked at.
    const fresh = known?.stamp === stamp && known.sighting.kind === 'file' && !known.sighting.unsaved ? known.sighting : await this.files.look(path);
    this.bytes += fresh.kind === 'file' ? fresh.bytes.length : 0;
    return { stamp, sighting: fresh };
  }
}

const NOT_HELD: Held = { stamp: '', sighting: { kind: 'skipped', reason: 'not_known' } };

async function stampOf(path: string): Promise<string> {
  const stats = await lstat(path, { bigint: true }).catch(() => undefined);
  // What is not there, or may not be looked at, has no time; it is looked at anew.
  return stats === undefined ? '' : [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}

async function changesIn(before: Before, files: ChangedFiles): Promise<readonly CommandChange[]> {
  const { root, commit, held } = before;
  const [now, dirty] = await Promise.all([commitOf(root), dirtyIn(root)]);
  const moved = commit !== undefined && now !== undefined && now !== commit ? await between(root, commit, now) : [];
  const paths = [...new Set([...held.keys(), ...dirty, ...moved])].slice(0, MAX_FILES);
  // Then what was there before may have been ignored, or converted otherwise.
  const rulesChanged = await anyRulesChanged(paths, before, files);
  const changes: CommandChange[] = [];
  for (const path of paths) {
    const known = held.get(path);
    if (known !== undefined && known.stamp !== '' && known.stamp === (await stampOf(path))) continue;
    const is = await files.look(path);
    const was = known?.sighting ?? (rulesChanged ? NOT_HELD.sighting : withModeOf(await committed(before, path), is));
    if (!isSame(was, is)) changes.push({ path, before: was });
  }
  return changes;
}

async function anyRulesChanged(paths: readonly string[], { held }: Before, files: ChangedFiles): Promise<boolean> {
  for (const path of paths.filter((one) => ['.gitignore', '.gitattributes'].includes(basename(one)))) {
    const known = held.get(path);
    if (known === undefined || !isSame(known.sighting, await files.look(path))) return true;
  }
  return false;
}

function isSame(a: Sighting, b: Sighting): boolean {
  const mode = a.kind !== 'file' || b.kind !== 'file' || (a.mode & 0o111) === (b.mode & 0o111);
  return mode && sameContent(versionOf(a), versionOf(b));
}

/** Git knows only whether a file can be run; the other permissions are those that it has now. */
function withModeOf(was: Sighting, is: Sighting): Sighting {
  return was.kind === 'file' && is.kind === 'file' ? { ...was, mode: (is.mode & ~0o111) | (was.mode & 0o111) } : was;
}

async function between(root: string, from: string, to: string): Promise<readonly string[]> {
  const names = partsOf(await git(root, ['diff-tree', '-r', '-z', '--name-only', '--no-renames', '--no-ext-diff', '--ignore-submodules=all', from, to]));
  return names.map((name) => join(root, name));
}

async function committed({ root, commit }: Before, path: string): Promise<Sighting> {
  if (commit === undefined) return { kind: 'absent' };
  return committedFile(root, commit, path.slice(root.length + 1).replaceAll('\\', '/'));
}

/** Attributes by which git may write other bytes to the disk than it keeps. */
const CONVERTING = ['text', 'eol', 'crlf', 'ident', 'filter', 'working-tree-encoding'];
const NOT_KNOWN: Sighting = { kind: 'skipped', reason: 'not_known' };
const PLAIN_MODES: ReadonlyMap<string, number> = new Map([
  ['100644', 0o644],
  ['100755', 0o755],
]);

/**
 * A file as it was when it equalled the one of a commit. The bytes are those of git, with no filter run over them; where
 * git could have written others to the disk the content is not known.
 * @param path relative to `root`, with `/`.
 */
async function committedFile(root: string, commit: string, path: string): Promise<Sighting> {
  const [entry] = partsOf(await git(root, ['ls-tree', '-z', '--full-tree', commit, '--', `:(literal)${path}`]));
  if (entry === undefined) return { kind: 'absent' };
  const [, mode = '', type = '', id = ''] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(entry) ?? [];
  const plain = PLAIN_MODES.get(mode);
  if (type !== 'blob' || plain === undefined) return { kind: 'skipped', reason: mode === '120000' ? 'link' : 'not_a_file' };
  if (Number((await git(root, ['cat-file', '-s', id])).toString()) > MAX_KEPT_BYTES) return { kind: 'skipped', reason: 'too_large' };
  if (await mayConvert(root, path)) return NOT_KNOWN;
  const bytes = await git(root, ['cat-file', 'blob', id]);
  return { kind: 'file', hash: sha256(bytes), mode: plain, bytes, unsaved: false };
}

async function mayConvert(root: string, path: string): Promise<boolean> {
  const converts = (await git(root, ['config', '--default', 'false', '--get', 'core.autocrlf'])).toString().trim();
  if (!['false', 'no', 'off', '0'].includes(converts)) return true;
  const attributes = partsOf(await git(root, ['check-attr', '-z', ...CONVERTING, '--', path]));
  // The answer names the path, the attribute and its value in turn.
  return attributes.some((value, index) => index % 3 === 2 && value !== 'unspecified' && value !== 'unset');
}
