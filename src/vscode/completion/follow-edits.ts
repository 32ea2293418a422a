import * as vscode from 'vscode';
import { RecentEdits } from '../../completion/recent-edits.js';
import { isSuggestedIn } from './suggested-in.js';

/** Follows where the person edits in this window. */
export function followEdits(): { readonly edits: RecentEdits; readonly subscription: vscode.Disposable } {
  const edits = new RecentEdits();
  const subscription = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!isSuggestedIn(document)) return;
      for (const { range, text } of contentChanges) {
        const before = range.end.line - range.start.line + 1;
        edits.note({ document: document.uri.toString(), first: range.start.line, before, after: text.split('\n').length });
      }
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => edits.forget(uri.toString())),
  );
  return { edits, subscription };
}
