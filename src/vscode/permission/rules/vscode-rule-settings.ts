import { join } from 'node:path';
import * as vscode from 'vscode';
import type { HostRules } from '../../../consent/rules/create-rule-book.js';
import type { SettingsFile } from '../../../consent/rules/settings-files.js';
import { t } from '../../../domain/l10n.js';
import { type RuleEffect, RULE_EFFECTS } from '../../../domain/tool/permission.js';
import { type RuleSettings, type RuleSource, changedList } from '../../../consent/rules/rule-source.js';

const SECTION = 'gnomon.permissions';
/** Kinds of remote machines whose settings only their users write. Those of a container come with the workspace. */
const OWN_REMOTES: ReadonlySet<string> = new Set(['ssh-remote', 'wsl', 'tunnel']);

type Inspection = NonNullable<ReturnType<vscode.WorkspaceConfiguration['inspect']>>;
type Values = (inspected: Inspection) => unknown;

/** The rules in the settings of this window. */
export function createVsCodeRuleSettings(): RuleSettings {
  const sources = (): readonly RuleSource[] => [...ofPerson(), ...ofWorkspace()];
  return {
    sources,
    change: async (source, effect, change) => {
      const [scope, target] = targetOf(source.place, source.id);
      const now = sources().find(({ place, id }) => place === source.place && id === source.id)?.lists[effect];
      await vscode.workspace.getConfiguration(SECTION, scope).update(effect, changedList(Array.isArray(now) ? now : [], change), target);
    },
  };
}

function targetOf(place: RuleSource['place'], id: string): readonly [vscode.Uri | null, vscode.ConfigurationTarget] {
  switch (place) {
    case 'user':
      return [null, vscode.ConfigurationTarget.Global];
    case 'workspace':
      return [null, vscode.ConfigurationTarget.Workspace];
    case 'folder':
      return [vscode.Uri.parse(id, true), vscode.ConfigurationTarget.WorkspaceFolder];
    default:
      throw new Error(t('Extensions cannot change these settings.'));
  }
}

/**
 * The user's own settings and those of the machine. A list of the machine would replace the user's whole list, rules
 * that deny included; VS Code tells both apart, if not in its types, and both count.
 */
function ofPerson(): readonly RuleSource[] {
  const inspected = vscode.workspace.getConfiguration(SECTION, null).inspect(RULE_EFFECTS[0]);
  const apart = inspected !== undefined && 'globalLocalValue' in inspected;
  const own = (field: string, otherwise: Values): Values => (apart ? (all) => Reflect.get(all, field) as unknown : otherwise);
  const remote = vscode.env.remoteName;
  const user: RuleSource = {
    place: 'user',
    id: 'user',
    label: t('your user settings'),
    lists: listsOf(
      null,
      own('globalLocalValue', (all) => all.globalValue),
    ),
  };
  if (remote === undefined) return [user];
  const label = t('the settings of the remote machine');
  const lists = listsOf(
    null,
    own('globalRemoteValue', () => undefined),
  );
  return [user, { place: isOwn(remote) ? 'machine' : 'container', id: `remote:${remote}:${workspaceId() ?? ''}`, label, lists }];
}

/** An address such as `localhost:8080` is that of a server which the user opened; a container has a name of its kind. */
function isOwn(remote: string): boolean {
  return OWN_REMOTES.has(remote) || /[.:]/.test(remote);
}

function ofWorkspace(): readonly RuleSource[] {
  const id = workspaceId();
  if (id === undefined) return [];
  const label = t('the workspace settings');
  const workspace: RuleSource = { place: 'workspace', id, label, lists: listsOf(null, (all) => all.workspaceValue) };
  // The settings of an only folder are those of the workspace.
  const folders = vscode.workspace.workspaceFile === undefined ? [] : (vscode.workspace.workspaceFolders ?? []);
  return [workspace, ...folders.map(ofFolder)];
}

function ofFolder({ uri, name }: vscode.WorkspaceFolder): RuleSource {
  return { place: 'folder', id: uri.toString(), label: t('the settings of folder {0}', name), lists: listsOf(uri, (all) => all.workspaceFolderValue) };
}

function workspaceId(): string | undefined {
  return (vscode.workspace.workspaceFile ?? vscode.workspace.workspaceFolders?.[0]?.uri)?.toString();
}

function listsOf(scope: vscode.Uri | null, valueOf: Values): Readonly<Record<RuleEffect, unknown>> {
  const configuration = vscode.workspace.getConfiguration(SECTION, scope);
  const read = (effect: RuleEffect): unknown => {
    const inspected = configuration.inspect(effect);
    return inspected === undefined ? undefined : valueOf(inspected);
  };
  return { allow: read('allow'), ask: read('ask'), deny: read('deny') };
}

/** Opens the settings at the permission rules. */
export async function openRuleSettings(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', 'gnomon.permissions');
}

/** The rules of this window for the book of all rules. @param globalStorage absolute path of the storage of the extension for all workspaces */
export function windowRules(globalStorage: string): HostRules {
  return {
    settings: createVsCodeRuleSettings(),
    files: () => settingsFiles(globalStorage),
    onDidSave: (listener) => {
      const subscription = vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (uri.scheme === 'file') listener(uri.fsPath);
      });
      return () => void subscription.dispose();
    },
    open: openRuleSettings,
    show: () => vscode.commands.executeCommand('gnomon.showConfiguration', 'rules'),
    isUnsaved: (path) => vscode.workspace.textDocuments.some(({ uri, isDirty }) => isDirty && uri.scheme === 'file' && uri.fsPath === path),
  };
}

/**
 * The settings files whose place is known. Those of the user lie beside the storage of extensions, unless they are on
 * another machine than the extension; then a syntax error in them is not noticed.
 */
function settingsFiles(globalStorage: string): readonly SettingsFile[] {
  const user = { path: join(globalStorage, '..', '..', 'settings.json'), label: t('your user settings') };
  if (!vscode.workspace.isTrusted) return [user];
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const ofFolders = folders.map(({ uri, name }) => ({ path: join(uri.fsPath, '.vscode', 'settings.json'), label: t('the settings of folder {0}', name) }));
  const { workspaceFile } = vscode.workspace;
  const ofWorkspace = workspaceFile?.scheme === 'file' ? [{ path: workspaceFile.fsPath, label: t('the workspace settings') }] : [];
  return [user, ...ofWorkspace, ...ofFolders];
}
