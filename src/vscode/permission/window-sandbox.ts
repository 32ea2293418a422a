import * as os from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { RuleBook } from '../../domain/tool/permission.js';
import type { MayShow } from '../../domain/workspace/search.js';
import type { SandboxPort } from '../../domain/workspace/sandbox.js';
import type { Workspace } from '../../domain/workspace/workspace.js';
import type { Sandbox } from '../../node/sandbox/sandbox.js';
import { settings } from '../settings/settings.js';

/** What the sandbox of a window is made with. */
export interface WindowSandboxOptions {
  readonly workspace: Workspace;
  readonly rules: RuleBook;
  /** Makes the check of which files may be read without approval, with the rules in effect. */
  readonly readGuard: () => Promise<MayShow>;
  /** Absolute path of the storage of this workspace. */
  readonly storage: string;
  /** Absolute path of the folder with the outputs of commands, which commands may read too. */
  readonly outputFolder: string;
}

/** The sandbox for the commands of this window, loaded when the first one is judged. */
export function createWindowSandbox(options: WindowSandboxOptions, subscriptions: vscode.Disposable[]): Sandbox & SandboxPort {
  let loaded: Promise<Sandbox> | undefined;
  const sandbox = (): Promise<Sandbox> => (loaded ??= load(options, subscriptions));
  return {
    choices: settings.sandboxChoices,
    state: async () => (await sandbox()).state(),
    around: async (shell, request) => (await sandbox()).around(shell, request),
    after: async (shell) => (await sandbox()).after(shell),
    noteChange: (path) => void loaded?.then((made) => made.noteChange(path)),
    noteOwn: (path) => void loaded?.then((made) => made.noteOwn(path)),
  };
}

async function load({ workspace, rules, readGuard, storage, outputFolder }: WindowSandboxOptions, subscriptions: vscode.Disposable[]): Promise<Sandbox> {
  const { createSandbox } = await import('../../node/sandbox/sandbox.js');
  const made = createSandbox({
    folders: () => workspace.folders().map(({ path }) => path),
    readable: [outputFolder],
    rules: async () => {
      // The guard waits until all rules are known.
      const mayRead = await readGuard();
      return { key: JSON.stringify(rules.rules()), mayRead };
    },
    storage: join(storage, 'sandbox'),
    home: os.homedir(),
    env: process.env,
  });
  const watcher = vscode.workspace.createFileSystemWatcher('**/*', false, true, true);
  subscriptions.push(
    made,
    watcher,
    watcher.onDidCreate(({ scheme, fsPath }) => scheme === 'file' && made.noteChange(fsPath)),
  );
  const saved = vscode.workspace.onWillSaveTextDocument(({ document: { uri } }) => uri.scheme === 'file' && made.noteOwn(uri.fsPath));
  const created = vscode.workspace.onWillCreateFiles(({ files }) => files.forEach(({ scheme, fsPath }) => scheme === 'file' && made.noteOwn(fsPath)));
  const renamed = vscode.workspace.onWillRenameFiles(({ files }) => files.forEach(({ newUri }) => newUri.scheme === 'file' && made.noteOwn(newUri.fsPath)));
  subscriptions.push(saved, created, renamed);
  return made;
}
