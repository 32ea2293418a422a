import * as vscode from 'vscode';
import type { OpenEditor, TerminalSelection } from './ports.js';
import { displayPath } from './workspace-paths.js';

/** Files of open tabs that are offered before anything is typed. */
const MAX_RECENT = 15;

/** What is open in tabs, as text or otherwise. */
export function openEditors(): readonly OpenEditor[] {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const found = new Map<string, OpenEditor>();
  for (const { input, isDirty } of tabs) {
    const uri = uriOf(input);
    if (uri?.scheme === 'file') found.set(uri.toString(), { path: uri.fsPath, active: uri.toString() === active, unsaved: isDirty });
  }
  return [...found.values()];
}

/** Paths for people of the files in tabs, the active one first. Those outside of the workspace are left out. */
export function recentPaths(): readonly string[] {
  const sorted = [...openEditors()].sort((a, b) => Number(b.active) - Number(a.active));
  const uris = sorted.map(({ path }) => vscode.Uri.file(path)).filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  return uris.slice(0, MAX_RECENT).map(displayPath);
}

/**
 * What is selected in the active terminal; `undefined` when nothing is. VS Code tells it by the clipboard only, so that the
 * text there is put back afterwards.
 */
export async function terminalSelection(): Promise<TerminalSelection | undefined> {
  const terminal = vscode.window.activeTerminal;
  if (terminal === undefined) return undefined;
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  const mark = `gnomon-${Math.random()}`;
  await clipboard.writeText(mark);
  try {
    await vscode.commands.executeCommand('workbench.action.terminal.copySelection');
    const text = await clipboard.readText();
    return text === mark || text.trim() === '' ? undefined : { terminal: terminal.name, text };
  } finally {
    await clipboard.writeText(before);
  }
}

function uriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputText || input instanceof vscode.TabInputNotebook || input instanceof vscode.TabInputCustom) return input.uri;
  return input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputNotebookDiff ? input.modified : undefined;
}
