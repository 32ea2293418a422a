import { join } from 'node:path';
import * as vscode from 'vscode';
import { t } from '../../../domain/l10n.js';
import type { Log } from '../../../domain/log.js';
import type { WindowRules } from '../../../consent/create-permissions.js';
import { ConsentPrompt } from '../../../consent/rules/consent-prompt.js';
import { Consents } from '../../../consent/rules/consents.js';
import { openRuleSettings, createVsCodeRuleSettings } from './vscode-rule-settings.js';
import { createFileRuleSettings } from '../../../consent/rules/file-rule-settings.js';
import { FileRules } from '../../../consent/rules/file-rules.js';
import { NarrowedRules } from '../../../consent/rules/narrowed-rules.js';
import { ProblemWarnings } from '../../../consent/rules/problem-warnings.js';
import type { RuleCheck } from '../../../consent/rules/rule-entries.js';
import { type RuleSettings, isFile } from '../../../consent/rules/rule-source.js';
import { type SettingsFile, SettingsFiles } from '../../../consent/rules/settings-files.js';
import { SettingsRuleBook } from '../../../consent/rules/settings-rule-book.js';
import type { WindowLayers } from '../../../customization/layers.js';
import { createWriteLock } from '../../../customization/write-lock.js';
import { foldersOfWindow } from '../../workspace/folders.js';
import { vscodeDialogs } from '../../dialogs/vscode-dialogs.js';
import type { WorkspaceTrust } from '../../../domain/host/folders.js';

/** What the rules of a window are made with. */
export interface RuleBookOptions {
  readonly context: Pick<vscode.ExtensionContext, 'globalState' | 'globalStorageUri' | 'subscriptions'>;
  readonly layers: WindowLayers;
  readonly trust: WorkspaceTrust;
  readonly check: RuleCheck;
  readonly log: Log;
}

/** The rules in the settings of this window. Keeps up with them, with trust, and with the folders that come and go. */
export function createRuleBook({ context, layers, trust, check, log }: RuleBookOptions): WindowRules {
  const files = new SettingsFiles(() => settingsFiles(context.globalStorageUri, trust));
  const ofFiles = new FileRules();
  const consents = new Consents(context.globalState);
  const own = createVsCodeRuleSettings();
  const inFiles = createFileRuleSettings({
    sources: ofFiles.sources,
    read: () => layers.read(),
    folders: foldersOfWindow,
    isUnsaved: (path) => vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.scheme === 'file' && uri.fsPath === path),
    lock: createWriteLock(join(context.globalStorageUri.fsPath, 'locks'), log),
    log,
  });
  const settings: RuleSettings = {
    sources: () => [...own.sources(), ...inFiles.sources()],
    change: (source, ...rest) => (isFile(source) ? inFiles : own).change(source, ...rest),
  };
  const book = new SettingsRuleBook({
    settings,
    consents,
    trusted: trust.trusted,
    check,
    damage: () => [...files.damage(), ...ofFiles.damage()],
    ready: () => layers.ready(),
  });
  const consent = new ConsentPrompt(book, vscodeDialogs);
  const warnings = new ProblemWarnings(vscodeDialogs, openRuleSettings);
  const narrowed = new NarrowedRules(vscodeDialogs, context.globalState, () => vscode.commands.executeCommand('gnomon.showConfiguration', 'rules'));
  const tell = (): void => {
    const fail = (error: unknown): void => log.error('A question about permission rules failed', error);
    warnings.show(book.listing().problems).catch(fail);
    narrowed.show(book.listing()).catch(fail);
    consent.askAll().catch(fail);
  };
  const refresh = async (): Promise<void> => {
    // What the settings say counts at once; what their files show follows.
    book.forget();
    await layers.ready().catch((error: unknown) => log.error('The rules of settings files are not known', error));
    if (await files.check()) book.forget();
    tell();
  };
  const stop = layers.onDidRead(() => {
    ofFiles.take(layers.files);
    book.forget();
    tell();
  });
  context.subscriptions.push(...watch(files, trust, () => void refresh()), { dispose: stop });
  return { book, consent, refresh };
}

function watch(files: SettingsFiles, trust: WorkspaceTrust, refresh: () => void): readonly vscode.Disposable[] {
  return [
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('gnomon.permissions')) refresh();
    }),
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (uri.scheme === 'file' && files.includes(uri.fsPath)) refresh();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
    { dispose: trust.onDidGrant(refresh) },
  ];
}

/**
 * The settings files whose place is known. Those of the user lie beside the storage of extensions, unless they are on
 * another machine than the extension; then a syntax error in them is not noticed.
 */
function settingsFiles(globalStorage: vscode.Uri, trust: WorkspaceTrust): readonly SettingsFile[] {
  const user = { path: join(globalStorage.fsPath, '..', '..', 'settings.json'), label: t('your user settings') };
  if (!trust.trusted()) return [user];
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const ofFolders = folders.map(({ uri, name }) => ({ path: join(uri.fsPath, '.vscode', 'settings.json'), label: t('the settings of folder {0}', name) }));
  const { workspaceFile } = vscode.workspace;
  const ofWorkspace = workspaceFile?.scheme === 'file' ? [{ path: workspaceFile.fsPath, label: t('the workspace settings') }] : [];
  return [user, ...ofWorkspace, ...ofFolders];
}
