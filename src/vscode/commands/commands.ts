import * as vscode from 'vscode';
import { CHAT_VIEW } from '../chat/chat-view-provider.js';
import { REVIEW_COMMANDS } from '../review/command-ids.js';
import type { Runtime } from '../runtime.js';

type Run = (runtime: Runtime) => Promise<unknown> | undefined;

/** The commands that need the rest of the extension; the rest is loaded when the first one runs. */
const COMMANDS: Readonly<Record<string, Run>> = {
  'gnomon.newSession': (runtime) => inChat(() => runtime.chat.newSession()),
  'gnomon.stop': (runtime) => {
    runtime.chat.current.session.cancel();
    return undefined;
  },
  'gnomon.setApiKey': (runtime) => runtime.setApiKey(),
  'gnomon.clearApiKey': (runtime) => runtime.clearApiKey(),
  'gnomon.selectModel': (runtime) => runtime.selectModel(),
  'gnomon.openSession': (runtime) => runtime.openSession(),
  'gnomon.managePermissions': (runtime) => runtime.managePermissions(),
  'gnomon.showNextApproval': (runtime) => runtime.showNextApproval(),
  'gnomon.deleteSession': (runtime) => runtime.deleteSession(),
};

/**
 * Registers every command of the manifest.
 * @param load gives the rest of the extension, loading it the first time
 * @param showLog opens the log, without loading anything
 */
export function registerCommands(load: () => Promise<Runtime>, showLog: () => void): readonly vscode.Disposable[] {
  const lazy = Object.entries(COMMANDS).map(([id, run]) => vscode.commands.registerCommand(id, async () => run(await load())));
  const focus = vscode.commands.registerCommand('gnomon.focusChat', () => inChat(async () => (await load()).chat.focusComposer()));
  const review = REVIEW_COMMANDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await load()).runReview(id, args)));
  return [...lazy, ...review, focus, vscode.commands.registerCommand('gnomon.showLog', showLog)];
}

async function inChat(act: () => Promise<unknown>): Promise<void> {
  await vscode.commands.executeCommand(`${CHAT_VIEW}.focus`);
  await act();
}
