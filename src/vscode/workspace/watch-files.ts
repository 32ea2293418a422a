import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { isWithin } from '../../node/files/within.js';
import { foldersOfWindow } from './folders.js';

/** What is watched: files by their absolute paths, and in folders all files whose names match a pattern. */
export interface WatchedFiles {
  readonly files: readonly string[];
  readonly folders?: readonly WatchedFolder[];
}

/** A folder, by its absolute path, and a pattern for names in it. */
interface WatchedFolder {
  readonly folder: string;
  readonly pattern: string;
}

/**
 * Calls back whenever one of the files is created, changed, or deleted, until disposed. None of them need be there.
 * The folders that they are in are watched as well: what is written into a new folder before VS Code watches that is not reported.
 */
export function watchFiles({ files, folders = [] }: WatchedFiles, changed: () => void): vscode.Disposable {
  const named = [...files.map((path) => ({ folder: dirname(path), pattern: basename(path) })), ...folders];
  const above = named.flatMap(({ folder }) => foldersAbove(folder));
  const all = new Map([...named, ...above].map((watched) => [`${watched.folder}\n${watched.pattern}`, watched]));
  return vscode.Disposable.from(
    ...[...all.values()].flatMap(({ folder, pattern }) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), pattern));
      return [watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed)];
    }),
  );
}

/** A folder and those that it is in, up to the workspace folder. */
function foldersAbove(folder: string): readonly WatchedFolder[] {
  const root = foldersOfWindow().find((path) => path !== folder && isWithin(path, folder));
  if (root === undefined) return [];
  const above: WatchedFolder[] = [];
  for (let path = folder; path !== root && path !== dirname(path); path = dirname(path)) above.push({ folder: dirname(path), pattern: basename(path) });
  return above;
}
