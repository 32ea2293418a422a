import type * as vscode from 'vscode';
import type { HostPorts } from '../../domain/host/host-ports.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import { vscodeSettings } from '../settings/vscode-settings.js';
import { vscodeFolders, vscodeTrust } from '../workspace/folders.js';
import { keepWatching, watchEverywhere } from '../workspace/watch-files.js';

/** What every window gives to everything that knows no window. */
export const WINDOW: Omit<HostPorts, 'secrets' | 'memory'> = {
  folders: vscodeFolders,
  trust: vscodeTrust,
  keepWatching,
  watchEverywhere,
  settings: vscodeSettings,
  dialogs: vscodeDialogs,
};

/** The same with what VS Code keeps for this extension. */
export function windowPorts({ secrets, globalState, workspaceState }: vscode.ExtensionContext): HostPorts {
  return { ...WINDOW, secrets, memory: { global: globalState, workspace: workspaceState } };
}
