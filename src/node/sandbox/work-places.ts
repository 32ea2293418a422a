import { realpath } from 'node:fs/promises';
import { join } from 'node:path';

/** Below the home directory: where package managers and compilers keep what they can make or fetch again. From their manuals. */
const CACHES = [
  ...['.cache', '.npm', '.pnpm-store', '.local/share/pnpm', '.yarn/berry/cache', '.bun/install/cache', '.deno', '.composer/cache', '.pub-cache'],
  ...['.cargo/registry', '.cargo/git', 'go/pkg', '.gradle/caches', '.gradle/daemon', '.gradle/native', '.m2/repository', '.ivy2/cache', '.nuget/packages', '.local/share/NuGet'],
  ...['Library/Caches', 'Library/pnpm', 'Library/Developer/Xcode/DerivedData'],
];
/** Below the home directory: settings and toolchains without passwords, which they only read. */
const SETTINGS = ['.gitconfig', '.config/git/config', '.config/git/ignore', '.config/git/attributes', '.rustup', '.gradle/wrapper', '.local/share/mise', '.sdkman/candidates', '.pyenv', '.rbenv', '.nvm/versions', '.volta', '.asdf'];
/** Below a workspace folder: what Git or an editor runs later, outside of any sandbox. */
const FIXED = ['.git/hooks', '.git/config', '.git/config.worktree', '.git/info/attributes', '.git/modules', '.githooks', '.husky', '.vscode', '.idea', '.zed', '.envrc', '.claude', '.codex', '.cursor', '.gemini'];
/** What programs need to look up the names of hosts. */
export const NAME_SERVICE = ['/etc/resolv.conf', '/run/systemd/resolve', '/private/etc/resolv.conf', '/private/var/run/resolv.conf'];

/** What a command that the user allowed may do with files beyond reading the workspace and the system. All of it is there, links resolved. */
export interface WorkPlaces {
  readonly writable: readonly string[];
  readonly readable: readonly string[];
  readonly fixed: readonly string[];
}

/** @param folders the workspace folders @param home absolute path of the home directory */
export async function workPlaces(folders: readonly string[], home: string): Promise<WorkPlaces> {
  const [caches, readable, fixed] = await Promise.all([
    existing(CACHES.map((name) => join(home, name))),
    existing(SETTINGS.map((name) => join(home, name))),
    existing(folders.flatMap((folder) => FIXED.map((name) => join(folder, name)))),
  ]);
  return { writable: [...folders, ...caches], readable, fixed };
}

async function existing(paths: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(paths.map((path) => realpath(path).then((real) => [real], () => [])));
  return found.flat();
}
