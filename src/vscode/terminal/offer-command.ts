import { delimiter, join } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';

const SETTING = 'gnomon.terminal.command';

/** Lets new terminals run Gnomon without a window as `gnomon`, for as long as the user wants that. */
export function offerCommand({ environmentVariableCollection: variables, extensionPath }: vscode.ExtensionContext): vscode.Disposable {
  const look = (): void => {
    if (vscode.workspace.getConfiguration().get(SETTING) === false) return variables.clear();
    variables.description = t('Adds the command `gnomon`.');
    // Behind all other folders, so that one that the user has installed counts.
    variables.append('PATH', delimiter + join(extensionPath, 'bin'));
    // For where there is no other Node.js, and to search with VS Code's ripgrep.
    variables.replace('GNOMON_VSCODE_NODE', process.execPath);
    variables.replace('GNOMON_VSCODE_ROOT', vscode.env.appRoot);
  };
  look();
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(SETTING)) look();
  });
}
