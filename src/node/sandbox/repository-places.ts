import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { isWithin } from '../files/within.js';

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
