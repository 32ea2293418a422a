import * as vscode from 'vscode';
import { ACTION_COMMANDS } from '../actions/action-ids.js';
import type { Places } from '../chat/pane/place.js';
import { SESSION_COMMANDS } from '../chat/sessions/session-command-ids.js';
import { FINDING_COMMANDS } from '../code-review/command-ids.js';
import { INLINE_COMMANDS } from '../inline-edit/command-ids.js';
import { REVIEW_COMMANDS } from '../edits/command-ids.js';
import { PROPOSAL_COMMANDS } from '../edits/proposals/proposal-command-ids.js';
import type { Runtime } from './runtime.js';
import { SCM_COMMANDS } from '../scm/command-ids.js';

type Run = (runtime: Runtime) => Promise<unknown> | undefined;

/** The commands that need the rest of the extension; the rest is loaded when the first one runs. */
const COMMANDS: Readonly<Record<string, Run>> = {
  'gnomon.stop': (runtime) => {
    runtime.chat.current.session.cancel();
    return undefined;
  },
  'gnomon.setApiKey': (runtime) => runtime.setApiKey(),
  'gnomon.clearApiKey': (runtime) => runtime.clearApiKey(),
  'gnomon.selectModel': (runtime) => runtime.selectModel(),
  'gnomon.managePermissions': (runtime) => runtime.managePermissions(),
  'gnomon.showNextApproval': (runtime) => runtime.showNextApproval(),
};

/** Dependencies of {@link registerCommands}. */
export interface CommandParts {
  /** Gives the rest of the extension, loading it the first time. */
  readonly load: () => Promise<Runtime>;
  readonly places: Places;
  /** Opens the log, without loading anything. */
  readonly showLog: () => void;
}

/** Registers every command of the manifest. */
export function registerCommands({ load, places, showLog }: CommandParts): readonly vscode.Disposable[] {
  const lazy = Object.entries(COMMANDS).map(([id, run]) => vscode.commands.registerCommand(id, async () => run(await load())));
  // The page is shown at once; what answers it may still be loading.
  const inChat = async (act: () => Promise<unknown>): Promise<void> => {
    await places.active.reveal();
    await act();
  };
  const focus = vscode.commands.registerCommand('gnomon.focusChat', () => inChat(async () => (await load()).chat.focusComposer()));
  const newSession = vscode.commands.registerCommand('gnomon.newSession', () => inChat(async () => (await load()).chat.newSession()));
  const sessions = SESSION_COMMANDS.map((id) => vscode.commands.registerCommand(id, async (argument: unknown) => (await load()).runSession(id, argument)));
  const review = REVIEW_COMMANDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await load()).runReview(id, args)));
  const proposals = PROPOSAL_COMMANDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await load()).runProposal(id, args)));
  const actions = ACTION_COMMANDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await load()).runAction(id, args)));
  const scm = SCM_COMMANDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await load()).runScm(id, args)));
  const inline = INLINE_COMMANDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await load()).runInline(id, args)));
  const findings = FINDING_COMMANDS.map((id) => vscode.commands.registerCommand(id, async (...args: unknown[]) => (await load()).runFinding(id, args)));
  return [...lazy, ...inline, ...findings, ...actions, ...scm, ...sessions, newSession, ...review, ...proposals, focus, vscode.commands.registerCommand('gnomon.showLog', showLog)];
}
