import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../domain/log.js';
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import { type FolderIdentity, identifyFolder, isSameFolder } from '../../session/other-workspaces/folder-identity.js';
import { StorageIndex } from '../../session/other-workspaces/storage-index.js';
import { editorUsers, type Environment, EXTENSION } from '../places.js';

/** The most storages of one folder that are looked into. */
const MAX_STORAGES = 20;

/** A storage that VS Code has for a folder. */
interface Found {
  /** Absolute path. */
  readonly path: string;
  /** Whether Gnomon has kept something in it. */
  readonly isUsed: boolean;
  /** Whether VS Code would use it now: a folder that was made again gets another one. */
  readonly isCurrent: boolean;
  readonly usedAt: number;
}

/**
 * Where VS Code keeps what belongs to a folder, as absolute paths, the storage that new chats belong into first. Those of a folder by its earlier
 * name, and those of workspaces that it is a part of, are among them.
 * @param folder absolute path
 */
export async function vscodeStorages(folder: string, environment: Environment, log: Log): Promise<readonly string[]> {
  const present = await identifyFolder(folder);
  if (present === undefined) return [];
  const editors = await Promise.all(editorUsers(environment).map((user) => storagesIn(user, present, log)));
  // The first editor in which Gnomon was used, else the first that has had the folder open.
  const used = editors.filter((storages) => storages.some(({ isUsed }) => isUsed));
  const all = (used.length > 0 ? used : editors.filter((storages) => storages.length > 0).slice(0, 1)).flat();
  return [...new Set(all.map(({ path }) => path))].slice(0, MAX_STORAGES);
}

/** @param user absolute path of the folder in which an editor keeps what is the user’s */
async function storagesIn(user: string, present: FolderIdentity, log: Log): Promise<readonly Found[]> {
  const root = join(user, 'workspaceStorage');
  // Most users have one of these editors.
  const names = await readdir(root).catch(() => []);
  const found = await Promise.all(names.map((name) => storageNamed(join(root, name, EXTENSION), name === currentName(present), present)));
  const index = new StorageIndex({
    writer: { files: createNodeFileLayer(), log, pid: process.pid },
    folder: join(user, 'globalStorage', EXTENSION, 'storages'),
    identify: identifyFolder,
  });
  const noted = await Promise.all((await index.otherStorages('', [present.path])).map(({ path }) => look(path, false)));
  const all = [...found, ...noted].filter((each) => each !== undefined);
  const known = all.filter(({ isUsed, isCurrent }) => isUsed || isCurrent);
  return (known.length > 0 ? known : all).sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent) || b.usedAt - a.usedAt);
}

/** The storage with a name, if it is one of this folder: VS Code notes beside it whose it is. */
async function storageNamed(path: string, isCurrent: boolean, present: FolderIdentity): Promise<Found | undefined> {
  const folder = await folderOf(join(dirname(path), 'workspace.json'));
  if (folder === undefined) return undefined;
  const found = await look(path, isCurrent);
  if (folder === present.path || folder === present.realPath) return found ?? { path, isCurrent, isUsed: false, usedAt: 0 };
  // Of one that is not used it does not matter, and folders elsewhere can take long to be looked at.
  const identity = found === undefined ? undefined : await identifyFolder(folder);
  return identity !== undefined && isSameFolder(identity, present) ? found : undefined;
}

async function look(path: string, isCurrent: boolean): Promise<Found | undefined> {
  // Its folder is made when something is kept.
  const [own, sessions] = await Promise.all([path, join(path, 'sessions')].map((each) => stat(each).catch(() => undefined)));
  return own?.isDirectory() === true ? { path, isCurrent, isUsed: true, usedAt: (sessions ?? own).mtimeMs } : undefined;
}

/** The folder on this machine that a storage belongs to; `undefined` where it belongs to a workspace of several, or to one elsewhere. */
async function folderOf(path: string): Promise<string | undefined> {
  try {
    const { folder } = Object(JSON.parse(await readFile(path, 'utf8'))) as { readonly folder?: unknown };
    return typeof folder === 'string' && folder.startsWith('file:') ? fileURLToPath(folder) : undefined;
  } catch {
    // It is no storage of a folder, or damaged: VS Code makes it anew.
    return undefined;
  }
}

/** How VS Code names the storage of a folder: `getSingleFolderWorkspaceIdentifier` in `src/vs/platform/workspaces/node/workspaces.ts`. */
function currentName({ path, inode, madeAt }: FolderIdentity): string {
  const drive = process.platform === 'win32' ? path.replace(/^[A-Z]:/, (letter) => letter.toLowerCase()) : path;
  return createHash('md5')
    .update(drive)
    .update(process.platform === 'linux' ? inode : String(Math.floor(madeAt)))
    .digest('hex');
}
