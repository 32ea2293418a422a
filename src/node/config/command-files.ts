import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import { errorMessage } from '../../domain/errors.js';
import { formatNumber, t } from '../../domain/l10n.js';
import { type ConfigurationFile, readConfigurationFile, readListedFile } from '../files/configuration-file.js';
import { errorCode } from '../files/file-errors.js';
import { realPathOf } from '../files/real-path.js';
import { isWithin } from '../files/within.js';
import type { LayerPlaces } from './layer-files.js';

/** Files of one folder, folders in it, levels of these, and bytes of a file. */
const MAX_FILES = 1_000;
const MAX_FOLDERS = 500;
const MAX_DEPTH = 6;
const MAX_BYTES = 256 * 1024;
/** Files that are read at the same time. */
const AT_ONCE = 32;

/** Whose form the files of a folder have. */
export type CommandFolderDialect = 'claude' | 'vscode';

/** A folder with commands that there may be. */
interface CommandFolder {
  readonly layer: 'project' | 'user';
  /** Absolute path. */
  readonly path: string;
  readonly display: string;
  /** The workspace folder that it is in. */
  readonly folder?: string;
  readonly dialect: CommandFolderDialect;
}

/** A file with a command, or what keeps files from being read. */
export type CommandFileText = {
  readonly origin: ConfigOrigin;
  readonly dialect: CommandFolderDialect;
  /** From the folder of commands on, with slashes; empty for a problem of the folder. */
  readonly path: string;
} & ConfigurationFile;

/**
 * Folders of commands, in which folders are name spaces, and of prompts.
 *
 * - `.claude/commands`: code.claude.com/docs/en/slash-commands; `.gnomon/commands` has files of the same form.
 * - `.github/prompts`: code.visualstudio.com/docs/copilot/customization/prompt-files.
 */
const COMMANDS: readonly (readonly string[])[] = [['.gnomon', 'commands'], ['.claude', 'commands']];
const PROMPTS: readonly string[] = ['.github', 'prompts'];

/** The folders in which files with commands are looked for; to be watched for changes. */
export function commandFolders({ folders, home }: Pick<LayerPlaces, 'folders' | 'home'>): readonly CommandFolder[] {
  const ofFolders = folders.flatMap((folder): readonly CommandFolder[] => [
    ...COMMANDS.map((names) => ({ layer: 'project' as const, path: join(folder, ...names), display: names.join('/'), folder, dialect: 'claude' as const })),
    { layer: 'project', path: join(folder, ...PROMPTS), display: PROMPTS.join('/'), folder, dialect: 'vscode' },
  ]);
  const paths = new Set(ofFolders.map(({ path }) => path));
  const ofUser = COMMANDS.map((names): CommandFolder => ({ layer: 'user', path: join(home, ...names), display: `~/${names.join('/')}`, dialect: 'claude' }));
  // With the home folder open, a file that is in it is one of the workspace: others could have put it there.
  return [...ofFolders, ...ofUser.filter(({ path }) => !paths.has(path))];
}

/**
 * Reads the files with commands, in the order of their folders and paths. Links out of the workspace are not followed for files of a
 * workspace, and no links to folders within the folders. Nothing is believed because of that. Rejects only when stopped.
 */
export async function readCommandFiles(places: Pick<LayerPlaces, 'folders' | 'home'>, signal: AbortSignal): Promise<readonly CommandFileText[]> {
  const lists = await Promise.all(commandFolders(places).map((folder) => readFolder(folder, places.folders, signal)));
  return lists.flat();
}

async function readFolder(folder: CommandFolder, within: readonly string[], signal: AbortSignal): Promise<readonly CommandFileText[]> {
  const failed = (problem: string): CommandFileText => ({ origin: originOf(folder, ''), dialect: folder.dialect, path: '', problem });
  try {
    if (folder.layer === 'project' && (await leadsOut(folder.path, within))) return [failed(t('{0} is a link that leads out of the workspace. Commands in it are not read.', folder.display))];
    const { found, isCut } = await filesIn(folder, signal);
    const files: CommandFileText[] = [];
    for (let start = 0; start < found.length; start += AT_ONCE) {
      signal.throwIfAborted();
      files.push(...(await Promise.all(found.slice(start, start + AT_ONCE).map((file) => readOne(folder, { ...file, within }, signal)))).flat());
    }
    return isCut ? [...files, failed(t('{0} has more files or folders than are read: {1} files, {2} folders, {3} levels.', folder.display, formatNumber(MAX_FILES), formatNumber(MAX_FOLDERS), MAX_DEPTH))] : files;
  } catch (error) {
    signal.throwIfAborted();
    return [failed(errorMessage(error))];
  }
}

/** A file that was found in a folder. */
interface FoundFile {
  /** From the folder on, with slashes. */
  readonly path: string;
  /** Whether it is a file itself, and no link to one. */
  readonly isFile: boolean;
}

async function readOne(folder: CommandFolder, { path, isFile, within }: FoundFile & { readonly within: readonly string[] }, signal: AbortSignal): Promise<readonly CommandFileText[]> {
  const origin = originOf(folder, path);
  const place = { path: origin.file, maxBytes: MAX_BYTES };
  const file = isFile ? await readListedFile(place, signal) : await readConfigurationFile({ ...place, ...(folder.layer === 'project' ? { within } : {}) }, signal);
  return file === undefined ? [] : [{ origin, dialect: folder.dialect, path, ...file }];
}

/** Whether a folder that there is lies outside of the workspace. */
async function leadsOut(path: string, within: readonly string[]): Promise<boolean> {
  const [real = path, ...roots] = await Promise.all([path, ...within].map((each) => realPathOf(each)));
  return !roots.some((root) => isWithin(root, real));
}

/** The files in a folder, in the order of their paths. */
async function filesIn({ path: root, dialect }: CommandFolder, signal: AbortSignal): Promise<{ readonly found: readonly FoundFile[]; readonly isCut: boolean }> {
  const found: FoundFile[] = [];
  const sorted = (): readonly FoundFile[] => found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const open: { readonly path: string; readonly depth: number }[] = [{ path: '', depth: 1 }];
  let folders = 0;
  let isCut = false;
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    signal.throwIfAborted();
    folders += 1;
    if (folders > MAX_FOLDERS) return { found: sorted(), isCut: true };
    for (const entry of await entriesOf(join(root, next.path))) {
      const path = next.path === '' ? entry.name : `${next.path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (dialect === 'vscode') continue;
        if (next.depth < MAX_DEPTH) open.push({ path, depth: next.depth + 1 });
        else isCut = true;
      } else if (isCommand(entry.name, dialect)) {
        if (found.length === MAX_FILES) return { found: sorted(), isCut: true };
        found.push({ path, isFile: entry.isFile() });
      }
    }
  }
  return { found: sorted(), isCut };
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    // A folder that is not there, or is none, has no commands.
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

function isCommand(name: string, dialect: CommandFolderDialect): boolean {
  const lower = name.toLowerCase();
  return dialect === 'vscode' ? lower.endsWith('.prompt.md') : lower.endsWith('.md') && lower !== 'readme.md';
}

function originOf({ layer, path, display, folder }: CommandFolder, file: string): ConfigOrigin {
  const inFolder = folder === undefined ? {} : { folder };
  if (file === '') return { layer, file: path, display, ...inFolder };
  return { layer, file: join(path, ...file.split('/')), display: `${display}/${file}`, ...inFolder };
}
