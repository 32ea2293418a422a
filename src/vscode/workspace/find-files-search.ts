import { findRipgrep } from '../../node/search/run-ripgrep.js';
import { createRipgrepSearch } from '../../node/search/ripgrep.js';
import { sep } from 'node:path';
import * as vscode from 'vscode';
import type { MayShow, Search } from '../../domain/workspace/search.js';
import { type FileSource, createPlainSearch } from '../../node/search/plain-search.js';
import { decodeText } from '../../text/encoding.js';

/** Largest file that is searched, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Left out beside what the setting `files.exclude` names. */
const EXCLUDED = '{**/.git/**,**/node_modules/**}';

/**
 * {@link Search} by VS Code's own list of files, for where ripgrep is missing or files are not on this machine.
 * @param guard makes what says whether the contents of a file may be shown.
 */
export function createFindFilesSearch(guard: () => Promise<MayShow>): Search {
  const guarded = async (): Promise<Search> => {
    const mayShow = await guard();
    return createPlainSearch({ ...source, read: async (path) => (mayShow(path) ? source.read(path) : undefined) });
  };
  return {
    grep: async (query, signal) => (await guarded()).grep(query, signal),
    grepFiles: async (query, signal) => (await guarded()).grepFiles(query, signal),
    glob: (query, signal) => createPlainSearch(source).glob(query, signal),
  };
}

const source: FileSource = {
  async list(path, limit, signal) {
    const uri = uriOf(path);
    if ((await statOf(uri))?.type === vscode.FileType.File) return [path];
    const stopping = new vscode.CancellationTokenSource();
    const stop = (): void => stopping.cancel();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const found = await vscode.workspace.findFiles(new vscode.RelativePattern(uri, '**/*'), EXCLUDED, limit, stopping.token);
      signal.throwIfAborted();
      return found.map(pathOf);
    } finally {
      signal.removeEventListener('abort', stop);
      stopping.dispose();
    }
  },
  async read(path) {
    const uri = uriOf(path);
    const stats = await statOf(uri);
    if (stats?.type !== vscode.FileType.File || stats.size > MAX_BYTES) return undefined;
    return decodeText(await vscode.workspace.fs.readFile(uri))?.text;
  },
  modified: async (path) => (await statOf(uriOf(path)))?.mtime ?? 0,
};

function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  // What is gone or may not be looked at is no file to search.
  return Promise.resolve(vscode.workspace.fs.stat(uri)).catch(() => undefined);
}

function pathOf(uri: vscode.Uri): string {
  return uri.scheme === 'file' ? uri.fsPath : uri.path;
}

/** A path belongs to the open folder that it lies in, whatever kind of file system that is on. */
function uriOf(path: string): vscode.Uri {
  const virtual = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme !== 'file' && `${path}/`.startsWith(`${uri.path}/`));
  return virtual === undefined ? vscode.Uri.file(path) : virtual.uri.with({ path: path.replaceAll(sep, '/') });
}

/** Searches with VS Code's ripgrep, or without it where it is in none of the known places. @param appRoot `vscode.env.appRoot`, below which ripgrep is */
export function searchWith(appRoot: string, readGuard: () => Promise<MayShow>): Search {
  let found: Promise<Search> | undefined;
  const search = (): Promise<Search> => {
    found ??= findRipgrep(appRoot).then(
      (program) => createRipgrepSearch(() => Promise.resolve(program), readGuard),
      () => createFindFilesSearch(readGuard),
    );
    return found;
  };
  return {
    grep: async (query, signal) => (await search()).grep(query, signal),
    grepFiles: async (query, signal) => (await search()).grepFiles(query, signal),
    glob: async (query, signal) => (await search()).glob(query, signal),
    searched: async (folder, looked, signal) => (await search()).searched?.(folder, looked, signal),
  };
}
