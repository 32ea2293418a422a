import * as vscode from 'vscode';
import { type SettingShape, settingProblems } from '../../config/settings/setting-problems.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import { escapeHidden } from '../../domain/hidden-characters.js';
import { t } from '../../domain/l10n.js';
import type { Log } from '../../domain/log.js';
import type { Dialogs } from '../../domain/host/dialogs.js';

/** Settings that can have invalid values, in VS Code and in files, and the dialogs that report them. */
export interface WrongSettingDeps {
  readonly context: vscode.ExtensionContext;
  readonly dialogs: Dialogs;
  readonly log: Log;
  /** The settings in files. */
  readonly files: { readonly problems: readonly ConfigProblem[]; onDidChange(listener: () => void): () => void };
}

/** Something wrong, and what shows more of it. */
interface Told {
  readonly text: string;
  readonly action: string;
  readonly command: readonly [string, ...string[]];
}

/** Tells the user of values of settings that cannot be used, now and when one is changed; of each once in the life of a window. */
export function tellWrongSettings({ context, dialogs, log, files }: WrongSettingDeps): void {
  const shapes = shapesIn(context.extension.packageJSON);
  const told = new Set<string>();
  const tell = async ({ text, action, command }: Told): Promise<void> => {
    if ((await dialogs.notify('warning', `Gnomon: ${escapeHidden(text)}`, action)) === action) await vscode.commands.executeCommand(...command);
  };
  const check = (): void => {
    const inVsCode = settingProblems(shapes, (key) => vscode.workspace.getConfiguration().get(key)).map((text): Told => ({
      text,
      action: t('Open Settings'),
      command: ['workbench.action.openSettings', '@ext:gnomon.gnomon'],
    }));
    for (const problem of [...inVsCode, ...inFiles(files.problems)]) {
      if (told.has(problem.text)) continue;
      told.add(problem.text);
      tell(problem).catch((error: unknown) => log.error('The settings could not be opened', error));
    }
  };
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('gnomon') && check()),
    { dispose: files.onDidChange(check) },
  );
  check();
}

/** The first wrong value of each file; the list of the configuration has the others. Of a file that cannot be read, the permission rules tell. */
function inFiles(problems: readonly ConfigProblem[]): readonly Told[] {
  const firsts = new Map(
    problems
      .filter(({ key, harmless }) => key !== '' && harmless !== true)
      .reverse()
      .map((problem) => [problem.file, problem]),
  );
  return [...firsts.values()].map(({ file, line, message }) => {
    const path = vscode.workspace.asRelativePath(file);
    return { text: `${line === undefined ? path : `${path}:${line}`}: ${message}`, action: t('Show Configuration'), command: ['gnomon.showConfiguration'] };
  });
}

/** The settings in the manifest of this extension, which VS Code gives without a type. */
function shapesIn(manifest: unknown): Readonly<Record<string, SettingShape>> {
  const { contributes } = manifest as { readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, SettingShape>> } } };
  return contributes.configuration.properties;
}
