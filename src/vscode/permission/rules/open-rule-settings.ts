import * as vscode from 'vscode';

/** Opens the settings where they hold rules of permission. */
export async function openRuleSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'gnomon.permissions');
}
