import * as vscode from 'vscode';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Dialogs } from '../dialogs/dialogs.js';
import { type SettingShape, settingProblems } from '../../config/settings/setting-problems.js';

/** Dependencies of {@link tellWrongSettings}. */
export interface WrongSettingDeps {
  readonly context: vscode.ExtensionContext;
  readonly dialogs: Dialogs;
  readonly log: Log;
}

/** Tells the user of values of settings that cannot be used, now and when one is changed; of each once in the life of a window. */
export function tellWrongSettings({ context, dialogs, log }: WrongSettingDeps): void {
  const shapes = shapesIn(context.extension.packageJSON);
  const told = new Set<string>();
  const tell = async (problem: string): Promise<void> => {
    const open = t('Open Settings');
    if ((await dialogs.notify('warning', `Gnomon: ${escapeHidden(problem)}`, open)) !== open) return;
    await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:gnomon.gnomon');
  };
  const check = (): void => {
    for (const problem of settingProblems(shapes, (key) => vscode.workspace.getConfiguration().get(key))) {
      if (told.has(problem)) continue;
      told.add(problem);
      tell(problem).catch((error: unknown) => log.error('The settings could not be opened', error));
    }
  };
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('gnomon') && check()));
  check();
}

/** The settings in the manifest of this extension, which VS Code gives without a type. */
function shapesIn(manifest: unknown): Readonly<Record<string, SettingShape>> {
  const { contributes } = manifest as { readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, SettingShape>> } } };
  return contributes.configuration.properties;
}
