import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { Place } from '../../chat/configuration/configuration-view.js';

/** Opens the place in an editor; that of a setting of VS Code, which is its name, among the settings. */
export async function openPlace({ file, line = 1, layer }: Place): Promise<void> {
  if (!isAbsolute(file)) {
    const command = layer === 'user' ? 'workbench.action.openSettings' : 'workbench.action.openWorkspaceSettings';
    await vscode.commands.executeCommand(command, { query: `@id:${file}` });
    return;
  }
  const position = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(position, position) });
}
