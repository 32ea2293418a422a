import * as vscode from 'vscode';
import { showText } from './text-view.js';
import type { Dialogs } from '../../domain/host/dialogs.js';
import { t } from '../../domain/l10n.js';

/** {@link Dialogs} of this window. VS Code makes links of what looks like one in Markdown; in texts of others nothing may. */
export const vscodeDialogs: Dialogs = {
  async notify(level, words, ...choices) {
    const text = words.replaceAll('](', '] (');
    return level === 'info' ? vscode.window.showInformationMessage(text, ...choices) : vscode.window.showWarningMessage(text, ...choices);
  },
  async modal(text, detail, ...choices) {
    return vscode.window.showWarningMessage(text, { modal: true, detail }, ...choices);
  },
  async beside(question, { title, text }, ...choices) {
    await showText(title, text);
    return vscode.window.showWarningMessage(question.replaceAll('](', '] ('), ...choices);
  },
};

/** Shows an error whose cause is in the log, with a button that opens the log. */
export function tellFailed(text: string): void {
  const showLog = t('Show Log');
  void vscode.window.showErrorMessage(text, showLog).then((answer) => (answer === showLog ? vscode.commands.executeCommand('gnomon.showLog') : undefined));
}
