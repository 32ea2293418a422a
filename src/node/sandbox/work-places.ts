import { existsSync } from 'node:fs';
import { realpath, readFile, stat } from 'node:fs/promises';
import { join, dirname, isAbsolute, resolve } from 'node:path';
import { isWithin } from '../files/within.js';

/** Below the home directory: where package managers and compilers keep what they can make or fetch again. From their manuals. */
const CACHES = [
  ...['.cache', '.npm', '.pnpm-store', '.local/share/pnpm', '.yarn/berry/cache', '.bun/install/cache', '.deno', '.composer/cache', '.pub-cache'],
  ...[
    '.cargo/registry',
    '.cargo/git',
    'go/pkg',
    '.gradle/caches',
    '.gradle/daemon',
    '.gradle/native',
    '.m2/repository',
    '.ivy2/cache',
    '.nuget/packages',
    '.local/share/NuGet',
  ],
  ...['Library/Caches', 'Library/pnpm', 'Library/Developer/Xcode/DerivedData'],
];
/** Below the home directory: settings and toolchains without passwords, which they only read. */
const SETTINGS = [
  '.gitconfig',
  '.config/git/config',
  '.config/git/ignore',
  '.config/git/attributes',
  '.rustup',
  '.gradle/wrapper',
  '.local/share/mise',
  '.sdkman/candidates',
  '.pyenv',
  '.rbenv',
  '.nvm/versions',
  '.volta',
  '.asdf',
];
/** What programs need to look up the names of hosts. */
export const NAME_SERVICE = ['/etc/resolv.conf', '/run/systemd/resolve', '/private/etc/resolv.conf', '/private/var/run/resolv.conf'];

/** What a command that the user allowed may do with files beyond reading the workspace and the system. All of it is there, links resolved. */
export interface WorkPlaces {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
}

/** Files with the settings of Git of the user and of the machine: git-config(1), FILES. */
export function settingsOfUser(home: string): readonly string[] {
  return ['/etc/gitconfig', join(home, '.gitconfig'), join(home, '.config/git/config')];
}

/** @param folders the workspace folders @param home absolute path of the home directory */
export async function workPlaces(folders: readonly string[], home: string): Promise<WorkPlaces> {
  const [caches, readable] = await Promise.all([existing(CACHES.map((name) => join(home, name))), existing(SETTINGS.map((name) => join(home, name)))]);
  return { writable: [...folders, ...caches], readable };
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  // Few of many are there, and to wait for each of the others takes many times longer than to look.
  const there = paths.filter((path) => existsSync(path));
  const found = await Promise.all(
    there.map((path) =>
      realpath(path).then(
        (real) => [real],
        () => [],
      ),
    ),
  );
  return found.flat();
}

/**
 * What git reads of the repository of a folder outside of it: the repository around a folder that is a part of one, and the
 * shared folders of a linked worktree or a submodule. gitrepository-layout(5), `gitdir` and `commondir`.
 * @param folder absolute path with every link resolved.
 */
export async function repositoryPlaces(folder: string): Promise<readonly string[]> {
  for (let above = folder; ; above = dirname(above)) {
    const entry = join(above, '.git');
    const stats = await stat(entry).catch(() => undefined);
    if (stats?.isDirectory() === true) return above === folder ? [] : [above];
    if (stats?.isFile() === true) return [...(above === folder ? [] : [above]), ...(await linkedPlaces(entry))];
    if (above === dirname(above)) return [];
  }
}

/**
 * Where a `.git` file leads. Only what belongs to it counts: such a file is untrusted and may name any repository of the
 * machine. A worktree is named by its own `gitdir`; a submodule's lies in a `.git/modules` above.
 */
async function linkedPlaces(file: string): Promise<readonly string[]> {
  const [, named] = /^gitdir: (.+?)\s*$/.exec(await readFile(file, 'utf8').catch(() => '')) ?? [];
  const gitFolder = named === undefined ? undefined : await realpath(resolve(dirname(file), named)).catch(() => undefined);
  if (gitFolder === undefined) return [];
  const back = (await readFile(join(gitFolder, 'gitdir'), 'utf8').catch(() => '')).trim();
  if (back !== '' && (await realpath(resolve(gitFolder, back)).catch(() => '')) === file) {
    const common = (await readFile(join(gitFolder, 'commondir'), 'utf8').catch(() => '')).trim();
    return common === '' ? [gitFolder] : [gitFolder, await realpath(isAbsolute(common) ? common : resolve(gitFolder, common))];
  }
  return isModuleAbove(gitFolder, dirname(file)) ? [gitFolder] : [];
}

function isModuleAbove(gitFolder: string, folder: string): boolean {
  for (let above = dirname(folder); above !== dirname(above); above = dirname(above)) {
    if (isWithin(join(above, '.git', 'modules'), gitFolder)) return true;
  }
  return false;
}
