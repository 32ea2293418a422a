import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { MayRead } from './hidden-places.js';
import type { HiddenPlace, ReplacedFile, SandboxView } from './sandbox-view.js';
import type { SettingsCopies, SettingsCopy } from './settings-copies.js';

/** Repositories of others than Git and what of them holds passwords: hgrc(5), “hg help config” (share-safe); Jujutsu, settings; Breezy, configuration. */
const OTHER_SETTINGS: Readonly<Record<string, readonly string[]>> = {
  '.hg': ['hgrc', 'hgrc-not-shared'],
  '.jj': ['repo/config.toml', 'repo/workspace-config.toml', 'repo/store/git/config'],
  '.bzr': ['branch/branch.conf', 'branch/location.conf'],
};
/** In a folder of Git: what other programs keep there. Sources: git-annex, embedcreds; git-crypt, unlock. */
const OTHER_SECRETS: Readonly<Record<string, string>> = { annex: 'creds', 'git-crypt': 'keys' };
/**
 * What repositories have of the contents of files as it is, or of addresses: by the name of its folder, all of it or the files that fit. Commands that
 * only read do not see it; one that was allowed has Git write it. Sources: git-rebase(1), git-am(1), git-rerere(1), git-fsck(1), gitrepository-layout(5);
 * git-lfs; Mercurial, file formats; Subversion, .svn/pristine.
 */
const STORES: Readonly<Record<string, RegExp>> = {
  'rebase-merge': /^patch$/i,
  'rebase-apply': /^(?:patch|\d.*)$/i,
  ...{ 'rr-cache': /./, 'lost-found': /./, branches: /./, remotes: /./, svn: /./, lfs: /^(?:objects|tmp)$/, annex: /^(?:objects|tmp)$/ },
};
const OTHER_STORES: Readonly<Record<string, RegExp>> = {
  '.hg': /^(?:store|shelved|strip-backup|patches|last-message\.txt)$/i,
  '.svn': /^(?:pristine|text-base|tmp)$/i,
};
/** Files of messages, below which Git shows what is committed, and of patches that are edited: git-commit(1), --verbose; git-add(1), --edit. */
const EDITED = /_EDITMSG|\.(?:patch|diff)$/i;
/** How deep modules lie in each other: the name of a submodule is a path. */
const MAX_DEPTH = 8;

/** What of repositories commands do not see as it is. */
interface RepositoryParts {
  /** Absolute paths of settings, which a copy stands in for. Some may not be there. */
  readonly settings: readonly string[];
  readonly hidden: readonly HiddenPlace[];
  /** Absolute paths of the logs of references, or of folders of them. */
  readonly logs: readonly string[];
}

/** How it is found out what a command does not see. */
interface Concealing {
  readonly mayRead: MayRead;
  readonly copies: SettingsCopies;
  /** Whether the command only reads: one that works has Git write these logs. */
  readonly reads: boolean;
}

/** What commands see a copy of, and what they do not see. */
type Concealed = Pick<SandboxView, 'replaced' | 'hidden'>;

/**
 * What commands see in place of the settings of repositories, and what they do not see of them.
 * @param folders absolute paths of the folders of repositories: `.git`, `.hg`, bare ones.
 * @param files absolute paths of other files with settings of Git.
 */
export async function concealed(folders: readonly string[], files: readonly string[], { mayRead, copies, reads }: Concealing): Promise<Concealed> {
  const parts = await Promise.all([...new Set(folders)].map((folder) => partsOf(folder, { mayRead, reads })));
  // Links in the folder of a repository lead to what a command would read.
  const settings = await Promise.all([...files, ...parts.flatMap((part) => part.settings)].map((path) => realpath(path).catch(() => undefined)));
  const replaced = await Promise.all([...new Set(settings)].map(async (path) => replacedBy(path, path === undefined ? undefined : await copies.of(path))));
  const hidden = await Promise.all(parts.flatMap((part) => part.hidden).map(async ({ path }) => hiddenAt(await realpath(path).catch(() => undefined))));
  const logs = reads
    ? await withUserInfo(
        parts.flatMap((part) => part.logs),
        copies,
      )
    : [];
  return { replaced: [...replaced.flat(), ...logs], hidden: hidden.flat() };
}

/** Logs of references that have user info in an address, with what stands in for each. */
async function withUserInfo(folders: readonly string[], copies: SettingsCopies): Promise<readonly ReplacedFile[]> {
  const real = await Promise.all([...new Set(folders)].map((folder) => realpath(folder).catch(() => undefined)));
  const logs = (await Promise.all(real.map(async (folder) => (folder === undefined ? [] : filesBelow(folder))))).flat();
  const replaced = await Promise.all([...new Set(logs)].map(async (path) => replacedBy(path, await copies.ofLog(path))));
  return replaced.flat();
}

/** Absolute paths with every link resolved: there are as many as references, so that only a link is asked where it leads. */
async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const paths = entries.map((entry) => ({ entry, path: join(folder, entry.name) }));
  const inner = paths.map(async ({ entry, path }): Promise<readonly string[]> => {
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isSymbolicLink()
      ? realpath(path).then(
          (real) => [real],
          () => [],
        )
      : [path];
  });
  return (await Promise.all(inner)).flat();
}

function replacedBy(path: string | undefined, copy: SettingsCopy | undefined): readonly ReplacedFile[] {
  return path === undefined || copy === undefined ? [] : [{ path, by: copy.path, ...(copy.whole ? { whole: true } : {}) }];
}

async function hiddenAt(path: string | undefined): Promise<readonly HiddenPlace[]> {
  const stats = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return path === undefined || stats === undefined ? [] : [{ path, folder: stats.isDirectory() }];
}

/** What a command may not see, and whether it only reads. */
type Seeing = Pick<Concealing, 'mayRead' | 'reads'>;

async function partsOf(folder: string, seeing: Seeing): Promise<RepositoryParts> {
  const name = basename(folder);
  const others = OTHER_SETTINGS[name];
  const stores = OTHER_STORES[name];
  if (others === undefined && stores === undefined) return partsOfGitFolder(folder, seeing);
  return { settings: (others ?? []).map((file) => join(folder, file)), hidden: await stored(folder, stores, seeing), logs: [] };
}

/** The entries of a folder of stored contents that a command does not see. */
async function stored(folder: string, fitting: RegExp | undefined, { reads }: Seeing): Promise<readonly HiddenPlace[]> {
  if (fitting === undefined || !reads) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter(({ name }) => fitting.test(name)).map((entry) => ({ path: join(folder, entry.name), folder: entry.isDirectory() }));
}

/**
 * What in a folder of Git may hold passwords: its settings, those of its worktrees and submodules, and what programs keep beside them.
 * @param folder absolute path of a folder `.git`, or of a bare repository, every link resolved. Source: gitrepository-layout(5)
 */
async function partsOfGitFolder(folder: string, seeing: Seeing, depth = 0): Promise<RepositoryParts> {
  // What cannot be listed by us cannot be by the command either.
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const settings: string[] = [];
  const hidden: HiddenPlace[] = [];
  const logs: string[] = [];
  // Without this, the folder is not a repository.
  if (!folder.endsWith('.git') && !entries.some(({ name }) => name === 'HEAD')) return { settings, hidden, logs };
  const { mayRead, reads } = seeing;
  const inner: Promise<RepositoryParts>[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const path = join(folder, name);
    const secret = OTHER_SECRETS[name];
    if (secret !== undefined && !mayRead(join(path, secret))) hidden.push({ path: join(path, secret), folder: true });
    if (name === 'logs') logs.push(path);
    else if (name === 'worktrees') inner.push(worktreesIn(path, seeing));
    else if (name === 'modules' && depth < MAX_DEPTH) inner.push(modulesIn(path, seeing, depth));
    else if (entry.isDirectory()) hidden.push(...(await stored(path, Object.hasOwn(STORES, name) ? STORES[name] : undefined, seeing)));
    else if (EDITED.test(name)) hidden.push(...(reads ? [{ path, folder: false }] : []));
    else if (/^config(?:\.worktree)?$/i.test(name)) settings.push(path);
    else if (/^config|credential/i.test(name) || !mayRead(path)) hidden.push({ path, folder: false });
  }
  const all = await Promise.all(inner);
  return joined([{ settings, hidden, logs }, ...all]);
}

async function worktreesIn(folder: string, seeing: Seeing): Promise<RepositoryParts> {
  const names = await readdir(folder).catch(() => []);
  const paths = names.map((name) => join(folder, name));
  const hidden = await Promise.all(
    paths.flatMap((path) => [stored(path, EDITED, seeing), ...Object.entries(STORES).map(([name, fitting]) => stored(join(path, name), fitting, seeing))]),
  );
  return { settings: paths.map((path) => join(path, 'config.worktree')), hidden: hidden.flat(), logs: paths.map((path) => join(path, 'logs')) };
}

function joined(parts: readonly RepositoryParts[]): RepositoryParts {
  return { settings: parts.flatMap(({ settings }) => settings), hidden: parts.flatMap(({ hidden }) => hidden), logs: parts.flatMap(({ logs }) => logs) };
}

/** Folders of Git, by their names, which have slashes where the names of submodules have. */
async function modulesIn(folder: string, seeing: Seeing, depth: number): Promise<RepositoryParts> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name === 'HEAD')) return partsOfGitFolder(folder, seeing, depth + 1);
  if (depth >= MAX_DEPTH) return { settings: [], hidden: [], logs: [] };
  const parts = await Promise.all(entries.filter((entry) => entry.isDirectory()).map(({ name }) => modulesIn(join(folder, name), seeing, depth + 1)));
  return joined(parts);
}
