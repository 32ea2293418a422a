import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { AgentHost } from '../../agent-host/agent-host.js';
import { errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';

/** What was observed of models, and whether that counts. */
export interface ModelEstimatesDeps {
  readonly estimates: AgentHost['estimates'];
  readonly userSettings: Pick<AgentHost['userSettings'], 'learnsOutcomes'>;
}

/** Opens the file with what was observed of models, and says what of it does not count. */
export async function showModelEstimates({ estimates, userSettings }: ModelEstimatesDeps): Promise<void> {
  try {
    const problem = await estimates.prepare();
    await vscode.window.showTextDocument(vscode.Uri.file(estimates.path));
    if (problem !== undefined) void vscode.window.showWarningMessage(problem);
  } catch (error) {
    void vscode.window.showErrorMessage(t('The model estimates cannot be shown: {0}', errorMessage(error)));
    return;
  }
  if (userSettings.learnsOutcomes()) return;
  const open = t('Open Settings');
  const text = t('Nothing of this file counts, as the setting “{0}” is off.', 'gnomon.routing.learn');
  if ((await vscode.window.showInformationMessage(text, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', 'gnomon.routing.learn');
}

/** Forgets what was observed of models, if the user confirms that. The file is kept under another name. */
export async function resetModelEstimates({ estimates }: ModelEstimatesDeps): Promise<void> {
  const reset = t('Reset');
  const detail = t('Gnomon forgets what it has learned about how well models do. The file is kept under another name, so that you can bring it back.');
  if ((await vscode.window.showWarningMessage(t('Reset the model estimates?'), { modal: true, detail }, reset)) !== reset) return;
  try {
    const kept = await estimates.reset();
    const text =
      kept === undefined
        ? t('Nothing was learned yet, so there is nothing to reset.')
        : t('The model estimates were reset. The file is kept as {0}.', basename(kept));
    void vscode.window.showInformationMessage(text);
  } catch (error) {
    void vscode.window.showErrorMessage(t('The model estimates could not be reset: {0}', errorMessage(error)));
  }
}
