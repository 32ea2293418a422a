import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';
import { FolderWatches, type WatchedPlace } from '../../node/files/folder-watches.js';
import type { KeepWatching, WatchedFiles, WatchedFolder, WatchEverywhere } from '../../domain/host/host-ports.js';
import { isWithin } from '../../node/files/within.js';
import type { Sandbox } from '../../node/sandbox/sandbox.js';
import { foldersOfWindow } from './folders.js';

/** Folders below each other that patterns with `**` are about. */
const MAX_DEPTH = 4;

/**
 * Calls back whenever one of the files is created, changed, or deleted, until disposed. None of them need be there.
 * The folders that they are in are watched as well: what is written into a new folder before VS Code watches that is not reported.
 */
function watchFiles({ files, folders = [] }: WatchedFiles, changed: () => void): vscode.Disposable {
  const named = [...files.map((path) => ({ folder: dirname(path), pattern: basename(path) })), ...folders];
  const above = named.flatMap(({ folder }) => foldersAbove(folder));
  const all = new Map([...named, ...above].map((watched) => [`${watched.folder}\n${watched.pattern}`, watched]));
  const watches = new FolderWatches(places(files, folders), changed);
  const seen = (): void => {
    changed();
    watches.refresh();
  };
  return vscode.Disposable.from(
    watches,
    ...[...all.values()].flatMap(({ folder, pattern }) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), pattern));
      return [watcher, watcher.onDidChange(seen), watcher.onDidCreate(seen), watcher.onDidDelete(seen)];
    }),
  );
}

/** {@link WatchEverywhere} in this window. */
export const watchEverywhere: WatchEverywhere = (pattern, changed) => {
  const watcher = vscode.workspace.createFileSystemWatcher(pattern);
  return vscode.Disposable.from(watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete(changed));
};

/** {@link KeepWatching} in this window. */
export const keepWatching: KeepWatching = (watched, changed, others) => {
  let now = watched();
  let watchers = watchFiles(now, changed);
  const again = (): void => {
    now = watched();
    watchers.dispose();
    watchers = watchFiles(now, changed);
    changed();
  };
  // Watches are only made anew where they are others: what happens meanwhile is not noticed.
  const stop = others?.(() => (JSON.stringify(watched()) === JSON.stringify(now) ? changed() : again()));
  return vscode.Disposable.from(vscode.workspace.onDidChangeWorkspaceFolders(again), { dispose: () => void watchers.dispose() }, { dispose: () => stop?.() });
};

/** The folders to be watched by themselves: those of the files but workspace folders, which VS Code watches, and those of the patterns. */
function places(files: readonly string[], folders: readonly WatchedFolder[]): readonly WatchedPlace[] {
  const roots = new Set(foldersOfWindow());
  const deep = folders.map(({ folder, pattern }) => ({ folder, depth: pattern.startsWith('**') ? MAX_DEPTH : 0 }));
  const named = new Map<string, Set<string>>();
  for (const path of files.filter((each) => !roots.has(dirname(each)))) named.set(dirname(path), (named.get(dirname(path)) ?? new Set()).add(basename(path)));
  return [...deep, ...[...named].filter(([folder]) => !deep.some((each) => each.folder === folder)).map(([folder, names]) => ({ folder, depth: 0, names }))];
}

/** A folder and those that it is in, up to the workspace folder. */
function foldersAbove(folder: string): readonly WatchedFolder[] {
  const root = foldersOfWindow().find((path) => path !== folder && isWithin(path, folder));
  if (root === undefined) return [];
  const above: WatchedFolder[] = [];
  for (let path = folder; path !== root && path !== dirname(path); path = dirname(path)) above.push({ folder: dirname(path), pattern: basename(path) });
  return above;
}

/** Tells the sandbox which files come into being in the workspace, and which of them the user or the editor makes. */
export function watchNewFiles(told: Pick<Sandbox, 'noteChange' | 'noteOwn'>): vscode.Disposable {
  const own = ({ scheme, fsPath }: vscode.Uri): void => {
    if (scheme === 'file') told.noteOwn(fsPath);
  };
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, true);
  return vscode.Disposable.from(
    watcher,
    watcher.onDidCreate(({ scheme, fsPath }) => scheme === 'file' && told.noteChange(fsPath)),
    vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => own(uri)),
    vscode.workspace.onWillCreateFiles(({ files }) => files.forEach(own)),
    vscode.workspace.onWillRenameFiles(({ files }) => files.forEach(({ newUri }) => own(newUri))),
  );
}
