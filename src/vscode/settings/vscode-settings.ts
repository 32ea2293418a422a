import * as vscode from 'vscode';
import { UserSettings } from '../../customization/user-settings.js';
import type { Settings } from '../../domain/host/settings.js';

/** The settings of VS Code. */
export const vscodeSettings: Settings = {
  get: (name) => vscode.workspace.getConfiguration().get(name),
  inspect: (name) => vscode.workspace.getConfiguration().inspect(name) ?? {},
  onDidChange: (section, listener) => {
    const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(section)) listener();
    });
    return () => void subscription.dispose();
  },
};

/** The user's settings in this window. */
export const settings = new UserSettings(vscodeSettings);
