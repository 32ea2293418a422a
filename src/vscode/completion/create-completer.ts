import type { Log } from '../../domain/log.js';
import { systemClock } from '../../node/system-clock.js';
import { Completer } from './completer.js';
import type { CompletionDeps } from './completion-deps.js';
import type { CompletionState } from './completion-state.js';
import * as vscode from 'vscode';
import { RecentEdits } from '../../completion/recent-edits.js';
import { isSuggestedIn } from './suggested-in.js';

/** Builds what makes suggestions, and follows what the user edits from then on. */
export function createCompleter(deps: CompletionDeps, state: CompletionState, log: Log): Completer {
  const { edits, subscription } = followEdits();
  return new Completer({ ...deps, state, edits, subscription, clock: systemClock, log });
}

/** Follows where the user edits in this window. */
function followEdits(): { readonly edits: RecentEdits; readonly subscription: vscode.Disposable } {
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
