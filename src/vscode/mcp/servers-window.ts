import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { SERVERS_SETTING } from '../../agent-host/servers/configurations.js';
import type { ServersWindow } from '../../chat/ports.js';
import { t } from '../../domain/l10n.js';

/** Content of a new configuration file for servers. */
const EMPTY_FILE = '{\n  "mcpServers": {}\n}\n';

/** VS Code actions on MCP servers, such as opening their files. */
export const serversWindow: ServersWindow = {
  open: openPlace,
  add,
  configure: (servers) => vscode.workspace.getConfiguration().update(SERVERS_SETTING, servers, vscode.ConfigurationTarget.Global),
  copy: (text) => vscode.env.clipboard.writeText(text),
  progress: (title, stop, work) =>
    vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, cancellable: true, title }, (_, token) => {
      token.onCancellationRequested(() => stop.abort());
      return work();
    }),
};

async function openPlace(file: string, line = 1): Promise<void> {
  if (file === SERVERS_SETTING) {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: SERVERS_SETTING } });
    return;
  }
  const start = new vscode.Position(line - 1, 0);
  await vscode.window.showTextDocument(vscode.Uri.file(file), { selection: new vscode.Range(start, start) });
}

async function add(to: 'workspace' | 'user'): Promise<void> {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (to === 'user' || folder === undefined) {
    await vscode.commands.executeCommand('workbench.action.openSettingsJson', { revealSetting: { key: SERVERS_SETTING, edit: true } });
    return;
  }
  const uri = vscode.Uri.joinPath(folder.uri, '.mcp.json');
  const edit = new vscode.WorkspaceEdit();
  edit.createFile(uri, { ignoreIfExists: true, contents: Buffer.from(EMPTY_FILE) });
  if (!(await isThere(uri)) && !(await vscode.workspace.applyEdit(edit))) throw new Error(t('The file .mcp.json could not be created.'));
  const document = await vscode.workspace.openTextDocument(uri);
  // Between the braces, where the first server goes.
  const at = document.positionAt(document.getText() === EMPTY_FILE ? EMPTY_FILE.indexOf('{}') + 1 : 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at) });
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  const names = await vscode.workspace.fs.readDirectory(vscode.Uri.file(dirname(uri.fsPath)));
  return names.some(([name]) => uri.path.endsWith(`/${name}`));
}
