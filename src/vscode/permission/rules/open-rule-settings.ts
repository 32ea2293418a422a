import * as vscode from 'vscode';

/** Opens the settings at the permission rules. */
export async function openRuleSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'gnomon.permissions');
}
