import { basename, dirname } from 'node:path';
import * as vscode from 'vscode';

/** What is watched: files by their absolute paths, and in folders all files whose names match a pattern. */
export interface WatchedFiles {
  readonly files: readonly string[];
  readonly folders?: readonly { readonly folder: string; readonly pattern: string }[];
}

/** Calls back whenever one of the files is created, changed, or deleted, until disposed. None of them need be there. */
export function watchFiles({ files, folders = [] }: WatchedFiles, changed: () => void): vscode.Disposable {
  const patterns = [...files.map((path) => ({ folder: dirname(path), pattern: basename(path) })), ...folders];
  return vscode.Disposable.from(
    ...patterns.flatMap(({ folder, pattern }) => {
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), pattern));
      return [watcher, watcher.onDidChange(changed), watcher.onDidCreate(changed), watcher.onDidDelete(changed)];
    }),
  );
}
