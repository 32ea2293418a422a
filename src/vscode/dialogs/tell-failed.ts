import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';

/** Shows an error whose cause is in the log, with a button that opens the log. */
export function tellFailed(text: string): void {
  const showLog = t('Show Log');
  void vscode.window.showErrorMessage(text, showLog).then((answer) => (answer === showLog ? vscode.commands.executeCommand('gnomon.showLog') : undefined));
}
