import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AgentHostPorts, WorkspacePorts } from '../../agent-host/host-ports.js';
import type { ValuePrompt } from '../../agent-host/servers/inputs.js';
import type { HostPorts } from '../../domain/host/host-ports.js';
import { t } from '../../domain/l10n.js';
import type { ImageScaler } from '../../domain/workspace/image.js';
import type { UriAnswers } from '../../mcp/auth/uri-answers.js';
import { createDiskDocuments } from '../../node/files/disk-documents.js';
import { systemClock } from '../../node/system-clock.js';
import { ruleProblems } from '../../permission/rules/rule-set.js';
import { vscodeDialogs } from '../dialogs/vscode-dialogs.js';
import type { Review } from '../edits/create-review.js';
import { createVsCodeDiagnostics } from '../language/diagnostics.js';
import { createVsCodeSymbols } from '../language/symbols.js';
import { vsCodeLmSource } from '../language-models/provider.js';
import { openInBrowser } from '../links.js';
import { signInPorts } from '../mcp/sign-in-ports.js';
import { windowRules } from '../permission/rules/vscode-rule-settings.js';
import { vscodeSettings } from '../settings/vscode-settings.js';
import { searchWith } from '../workspace/find-files-search.js';
import { vscodeFolders, vscodeTrust } from '../workspace/folders.js';
import { onDidReturn, openFacts } from '../workspace/open-editors.js';
import { createVsCodeDocuments } from '../workspace/vscode-documents.js';
import { keepWatching, watchEverywhere, watchNewFiles } from '../workspace/watch-files.js';
import type { Host } from './host.js';
import { storageIn } from './pending-review.js';

/** Ports that are the same in every window: VS Code's implementation of what the agent host needs. */
export const WINDOW: Omit<HostPorts, 'secrets' | 'memory'> = {
  folders: vscodeFolders,
  trust: vscodeTrust,
  keepWatching,
  watchEverywhere,
  settings: vscodeSettings,
  dialogs: vscodeDialogs,
};

/** Parts of a window that activation does not create. */
interface WindowParts {
  readonly review: Review;
  /** Makes images smaller for models. */
  readonly imageScaler: ImageScaler;
  /** Takes answers to sign-ins that come by a link. */
  readonly signIns: UriAnswers;
}

/** Creates the ports of the agent host in this window. */
export function windowPorts({ context, log, keys, offered, extensionServers }: Host, { review, imageScaler, signIns }: WindowParts): AgentHostPorts {
  const { secrets, globalState, workspaceState, extension, extensionUri, globalStorageUri } = context;
  return {
    ...WINDOW,
    secrets,
    memory: { global: globalState, workspace: workspaceState },
    log,
    clock: systemClock,
    keys,
    storage: { workspace: storageIn(context), global: globalStorageUri.fsPath },
    manifest: extension,
    grammars: join(extensionUri.fsPath, 'dist', 'wasm'),
    workspace: workspacePorts(context, review, imageScaler),
    rules: { ...windowRules(globalStorageUri.fsPath), check: ruleProblems },
    models: { editor: vsCodeLmSource(vscode), warn: (problem) => void warnOfModels(problem) },
    servers: {
      askUser,
      openLog: (name) => vscode.window.createOutputChannel(name),
      signIn: signInPorts(signIns, extension.id),
      openExternal: openInBrowser,
      inProcess: extensionServers,
    },
    offered,
    review: (kind) => vscode.commands.executeCommand(kind === 'hooks' ? 'gnomon.manageHooks' : 'gnomon.showServers'),
  };
}

function workspacePorts({ subscriptions }: vscode.ExtensionContext, review: Review, imageScaler: ImageScaler): WorkspacePorts {
  const diagnostics = createVsCodeDiagnostics();
  subscriptions.push(diagnostics);
  return {
    documents: createVsCodeDocuments(createDiskDocuments(imageScaler)),
    search: (guard) => searchWith(vscode.env.appRoot, guard),
    diagnostics,
    symbols: createVsCodeSymbols(),
    changes: review.recorder,
    reviewed: review.reviewed,
    watchNewFiles,
    open: openFacts,
    onDidReturn,
  };
}

/** Asks for a value that the configuration of a server needs. */
function askUser({ title, text, options, ...box }: ValuePrompt): Thenable<string | undefined> {
  if (options !== undefined) return vscode.window.showQuickPick(options, { title, placeHolder: text, ignoreFocusOut: true });
  return vscode.window.showInputBox({ ...box, title, prompt: text, ignoreFocusOut: true });
}

async function warnOfModels(problem: string): Promise<void> {
  const open = t('Open Settings');
  if ((await vscode.window.showWarningMessage(`Gnomon: ${problem}`, open)) === open)
    await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:gnomon.gnomon');
}
