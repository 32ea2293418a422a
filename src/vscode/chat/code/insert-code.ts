import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';

/**
 * Puts code at the cursor of the active editor, or in place of what is selected there.
 * @throws Error with a message for the user when no editor accepts it.
 */
export async function insertCode(code: string): Promise<void> {
  // The chat has the focus, so that the editor that was used last is meant.
  const editor = vscode.window.activeTextEditor ?? vscode.window.visibleTextEditors[0];
  if (editor === undefined) throw new Error(t('No editor is open. Open a file, place the cursor where you want the code, and try again.'));
  const done = await editor.edit((edit) => {
    for (const selection of editor.selections) edit.replace(selection, code);
  });
  if (!done) throw new Error(t('The editor rejected the code. It may be read-only.'));
  await vscode.window.showTextDocument(editor.document, editor.viewColumn);
}
