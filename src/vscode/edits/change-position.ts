import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import { hunkAt } from '../../edits/change-places.js';
import type { Ledger } from '../../edits/ledger.js';
import { pathOf } from '../workspace/paths.js';

/** "Change 2 of 5" in the status bar, while the active editor has changes that pend. Screen readers say it when it changes. */
export class ChangePosition implements vscode.Disposable {
  private readonly ledger: Pick<Ledger, 'files'>;
  private readonly item = vscode.window.createStatusBarItem('gnomon.change', vscode.StatusBarAlignment.Right, 101);
  private readonly watching: vscode.Disposable;

  constructor(ledger: Pick<Ledger, 'files' | 'onDidChange'>) {
    this.ledger = ledger;
    this.item.name = t('Gnomon: Pending Changes');
    const update = (): void => this.update();
    this.watching = vscode.Disposable.from(
      { dispose: ledger.onDidChange(update) },
      vscode.window.onDidChangeActiveTextEditor(update),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => {
        if (textEditor === vscode.window.activeTextEditor) this.update();
      }),
    );
  }

  dispose(): void {
    this.watching.dispose();
    this.item.dispose();
  }

  private update(): void {
    const editor = vscode.window.activeTextEditor;
    const path = editor?.document.uri.scheme === 'file' ? pathOf(editor.document.uri) : undefined;
    const hunks = this.ledger.files().find((file) => file.path === path)?.hunks ?? [];
    if (editor === undefined || hunks.length === 0) {
      this.item.hide();
      return;
    }
    const here = hunkAt(hunks, editor.selection.active.line);
    const words =
      here !== undefined
        ? t('Change {0} of {1}', here.index + 1, hunks.length)
        : hunks.length === 1
          ? t('1 pending change')
          : t('{0} pending changes', hunks.length);
    this.item.text = `$(diff) ${words}`;
    this.item.tooltip = t('Pending changes by Gnomon in this file');
    // It says something and does nothing when pressed: then screen readers tell what it says when that changes.
    this.item.accessibilityInformation = { label: words, role: 'status' };
    this.item.show();
  }
}
