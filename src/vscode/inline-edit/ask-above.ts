import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { LineRegion } from '../../inline-edit/line-edit.js';
import type { EditStage, EditSurface } from './edit-surface.js';

/** Asks in VS Code's own box at the top what should change. */
export async function askAbove(document: vscode.TextDocument, { start, end }: LineRegion): Promise<string | undefined> {
  const place = t('{0}, lines {1} to {2}', vscode.workspace.asRelativePath(document.uri), start + 1, end);
  const words = await vscode.window.showInputBox({ title: t('Edit with Gnomon'), prompt: place, placeHolder: t('What should change?') });
  return words === undefined || words.trim() === '' ? undefined : words;
}

/** Shows how far an edit is in a notification that can stop it; what came of it, in a message. */
export class ProgressSurface implements EditSurface {
  private readonly stop: () => void;
  private report: ((words: string) => void) | undefined;
  private end: (() => void) | undefined;
  private isRunning = false;

  /** @param stop is called when the person stops it. */
  constructor(stop: () => void) {
    this.stop = stop;
  }

  show(stage: EditStage, words: string): void {
    if (stage === 'running') {
      this.isRunning = true;
      if (this.report === undefined) this.begin();
      this.report?.(words);
      return;
    }
    // What the person decides afterwards shows in the editor.
    const ran = this.isRunning;
    this.isRunning = false;
    this.close();
    if (ran) void vscode.window.showInformationMessage(words);
  }

  close(): void {
    this.end?.();
    this.end = undefined;
    this.report = undefined;
  }

  private begin(): void {
    const options = { location: vscode.ProgressLocation.Notification, title: t('Edit with Gnomon'), cancellable: true };
    void vscode.window.withProgress(options, (progress, token) => {
      this.report = (message) => progress.report({ message });
      token.onCancellationRequested(this.stop);
      return new Promise<void>((resolve) => {
        this.end = resolve;
      });
    });
  }
}
