import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import { isWithin } from '../../../node/files/within.js';
import { realPathOf } from '../../../node/files/real-path.js';
import { localFolders } from './workspace-files.js';

/** Asks for the file that code is to go into: one that is open, or any of the workspace. @returns its real path. */
export async function askForFile(): Promise<string | undefined> {
  const open = openFiles().map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  const chosen = await vscode.window.showQuickPick([...open, { label: t('Choose a file…'), uri: undefined }], { title: t('Apply to which file?'), placeHolder: t('A file of this workspace') });
  if (chosen === undefined) return undefined;
  const uri = chosen.uri ?? (await chooseFile());
  if (uri === undefined) return undefined;
  const path = await realPathOf(uri.fsPath);
  const folders = await Promise.all(localFolders().map((folder) => realPathOf(folder.path)));
  if (!folders.some((folder) => isWithin(folder, path))) throw new Error(t('{0} is not in this workspace, so nothing was changed.', uri.fsPath));
  return path;
}

async function chooseFile(): Promise<vscode.Uri | undefined> {
  const [uri] = (await vscode.window.showOpenDialog({ title: t('Apply to which file?'), openLabel: t('Apply'), canSelectMany: false })) ?? [];
  return uri;
}

/** Files of the workspace that tabs show, the active one first. */
function openFiles(): readonly vscode.Uri[] {
  const active = vscode.window.tabGroups.activeTabGroup.activeTab;
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const uris = [...(active === undefined ? [] : [active]), ...tabs].flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  const files = uris.filter((uri) => uri.scheme === 'file' && vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  return [...new Map(files.map((uri) => [uri.toString(), uri])).values()];
}
