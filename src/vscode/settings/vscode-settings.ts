import * as vscode from 'vscode';
import { UserSettings } from '../../customization/user-settings.js';
import type { SettingLayers, Settings } from '../../domain/host/settings.js';

/** The settings as they are until VS Code says that they have changed, with what of them was looked at. */
interface Snapshot {
  readonly all: vscode.WorkspaceConfiguration;
  readonly inspected: Map<string, SettingLayers>;
}

/**
 * The settings of VS Code. It makes a new copy for each caller and merges all layers for each look, which every message would wait for dozens
 * of times; a copy says the same until there is an event of another one.
 */
export class VsCodeSettings implements Settings {
  private snapshot: Snapshot | undefined;

  /** Listens before anyone who reads it can: VS Code calls listeners in their order, and each is to read what it is called for. */
  constructor() {
    const forget = (): void => (this.snapshot = undefined);
    vscode.workspace.onDidChangeConfiguration(forget);
    vscode.workspace.onDidChangeWorkspaceFolders(forget);
  }

  readonly get = (name: string): unknown => this.now().all.get(name);

  readonly inspect = (name: string): SettingLayers => {
    const { all, inspected } = this.now();
    const known = inspected.get(name) ?? all.inspect(name) ?? {};
    inspected.set(name, known);
    return known;
  };

  readonly onDidChange = (section: string, listener: () => void): (() => void) => {
    const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) listener();
    });
    return () => void subscription.dispose();
  };

  private now(): Snapshot {
    return (this.snapshot ??= { all: vscode.workspace.getConfiguration(), inspected: new Map() });
  }
}

/** The settings of this window. */
export const vscodeSettings: Settings = new VsCodeSettings();

/** Those of them that no file can have. */
export const settings = new UserSettings(vscodeSettings);
