import * as vscode from 'vscode';
import type { Ledger } from '../../edits/ledger.js';
import { BEFORE_SCHEME, beforeUri, pathOf } from './paths.js';

/** Shows files as they were before the agent, with the person's own edits; the left side of every comparison. */
export function registerBeforeDocuments(ledger: Ledger): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  let shown = new Map<string, string>();
  const stop = ledger.onDidChange(() => {
    const now = new Map(ledger.files().map(({ path, baseline }) => [path, baseline ?? '']));
    for (const path of new Set([...shown.keys(), ...now.keys()])) if (shown.get(path) !== now.get(path)) changed.fire(beforeUri(path));
    shown = now;
  });
  const provider: vscode.TextDocumentContentProvider = {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => shown.get(pathOf(uri)) ?? '',
  };
  return vscode.Disposable.from(vscode.workspace.registerTextDocumentContentProvider(BEFORE_SCHEME, provider), changed, { dispose: stop });
}
