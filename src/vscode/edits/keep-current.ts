import * as vscode from 'vscode';
import type { Log } from '../../domain/log.js';
import type { Ledger } from '../../edits/ledger.js';
import { pathOf } from '../workspace/paths.js';

/** Debounce after a change before the file is looked at again, in milliseconds. */
const DELAY_MS = 200;

/** Looks at files under review again when they change in an editor or on the disk. */
export class KeepCurrent implements vscode.Disposable {
  private readonly waiting = new Map<string, NodeJS.Timeout>();
  private readonly stop: () => void;
  private watching: vscode.Disposable | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly log: Log,
  ) {
    this.stop = ledger.onDidChange(() => this.update());
  }

  dispose(): void {
    this.stop();
    this.watching?.dispose();
    for (const timer of this.waiting.values()) clearTimeout(timer);
    this.waiting.clear();
  }

  private update(): void {
    const pending = this.ledger.files().length > 0;
    if (!pending) this.watching?.dispose();
    this.watching = pending ? (this.watching ?? this.watch()) : undefined;
  }

  private watch(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    const soon = (uri: vscode.Uri): void => this.soon(uri);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidChange(soon),
      watcher.onDidCreate(soon),
      watcher.onDidDelete(soon),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) soon(document.uri);
      }),
      vscode.workspace.onDidChangeNotebookDocument(({ notebook }) => soon(notebook.uri)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => soon(uri)),
    );
  }

  private soon(uri: vscode.Uri): void {
    if (uri.scheme !== 'file') return;
    const path = pathOf(uri);
    if (!this.ledger.has(path)) return;
    clearTimeout(this.waiting.get(path));
    const look = (): void => {
      this.waiting.delete(path);
      this.ledger.refresh(path).catch((error: unknown) => this.log.error('A file under review could not be looked at', error));
    };
    this.waiting.set(path, setTimeout(look, DELAY_MS));
  }
}
