import * as vscode from 'vscode';
import {
  ACTION_COMMANDS,
  TITLE_COMMANDS,
  inTitle,
  SESSION_COMMANDS,
  FINDING_COMMANDS,
  REVIEW_COMMANDS,
  INLINE_COMMANDS,
  PROMPT_COMMANDS,
  REQUEST_COMMANDS,
  SCM_COMMANDS,
  PROPOSAL_COMMANDS,
  SHOWN_CHANGES_COMMANDS,
} from '../command-ids.js';
import { t } from '../../domain/l10n.js';
import type { ChatPane } from '../../chat/pane/chat-pane.js';
import type { Places } from '../../chat/pane/place.js';
import type { SessionTabs } from '../chat/pane/session-tabs.js';
import type { Explanation } from '../../chat/configuration/explain.js';
import { ruleProblems } from '../../permission/rules/rule-set.js';
import type { EditPrompt } from '../inline-edit/edit-prompt.js';
import type { Runtime } from './runtime.js';

type Run = (runtime: Runtime, args: readonly unknown[]) => unknown;

/** The commands that need the rest of the extension; it is loaded when the first one runs. */
const COMMANDS: Readonly<Record<string, Run>> = {
  'gnomon.stop': ({ panes }) => panes.active.current.session.cancel(),
  'gnomon.setApiKey': async (runtime) => (await import('../commands/keys.js')).setApiKey(runtime),
  'gnomon.addApiKey': async (runtime) => (await import('../commands/keys.js')).addApiKey(runtime),
  'gnomon.useApiKey': async (runtime, [model]) => (await import('../commands/keys.js')).useApiKey(runtime, typeof model === 'string' ? model : undefined),
  'gnomon.renameApiKey': async (runtime) => (await import('../commands/keys.js')).renameApiKey(runtime),
  'gnomon.clearApiKey': async (runtime) => (await import('../commands/keys.js')).clearApiKey(runtime),
  'gnomon.setBraveApiKey': async (runtime) => (await import('../commands/keys.js')).setBraveApiKey(runtime),
  'gnomon.selectModel': async (runtime) => (await import('../commands/pick-model.js')).selectModel(runtime),
  'gnomon.chooseEditorTools': async ({ editorTools }) => (await import('../mcp/choose-editor-tools.js')).chooseEditorTools(editorTools),
  'gnomon.managePermissions': async ({ permissions, panes }) => {
    const { id, grants } = panes.active.current.session;
    const { managePermissions } = await import('../permission/manage-permissions.js');
    return managePermissions({ ...permissions, check: ruleProblems, session: { id, rules: permissions.sessionRules, grants } });
  },
  'gnomon.showSkills': async ({ skills, commandFiles: commands, permissions: { grants, trust } }) =>
    (await import('../skill/show-skills.js')).showSkills({ skills, commands, grants, trusted: trust.trusted }),
  'gnomon.manageAgents': ({ manageAgents }) => manageAgents(),
  'gnomon.manageWorktrees': async ({ worktrees, applyChanges, chatTitles, panes }) => {
    const { manageWorktrees } = await import('../worktrees/manage-worktrees.js');
    await manageWorktrees(worktrees, { apply: (worktree) => applyChanges(panes.active.current.session, { worktree }), chatTitles });
  },
  ...each(SHOWN_CHANGES_COMMANDS, async (id) => (await import('../dialogs/confirm-changes.js')).answerShownChanges(id)),
  'gnomon.newWorktreeChat': async ({ worktrees, memory }) => (await import('../worktrees/new-worktree-chat.js')).newWorktreeChat(worktrees, memory),
  'gnomon.runChecks': async (runtime) => (await import('../checks/run-checks.js')).runChecks(runtime),
  'gnomon.selectOutputStyle': async ({ styles }) => (await import('../output-style/select-style.js')).selectOutputStyle(styles),
  'gnomon.explainSetting': ({ configuration, panes }, [key]) => explainOnPage(configuration, panes, key),
  'gnomon.showNextApproval': ({ alerts }) => alerts.showNext(),
  'gnomon.showRequests': ({ requests }) => requests.show(),
  'gnomon.showModelEstimates': async (runtime) => (await import('../commands/model-estimates.js')).showModelEstimates(runtime),
  'gnomon.resetModelEstimates': async (runtime) => (await import('../commands/model-estimates.js')).resetModelEstimates(runtime),
  ...each(REQUEST_COMMANDS, (id, { requests }, [uri]) => requests.run(id, uri)),
  ...each(SESSION_COMMANDS, (id, { sessions }, [argument]) => sessions.run(id, argument)),
  ...each(REVIEW_COMMANDS, (id, { review }, args) => review.run(id, args)),
  ...each(PROPOSAL_COMMANDS, (id, { review }, args) => review.proposals.run(id, args)),
  ...each(ACTION_COMMANDS, (id, { editorActions }, args) => editorActions.run(id, args)),
  ...each(SCM_COMMANDS, (id, { commitMessages }, args) => commitMessages.run(id, args)),
  ...each(INLINE_COMMANDS, (id, { inline }, args) => inline.run(id, args)),
  ...each(FINDING_COMMANDS, (id, { changeReviews }, args) => changeReviews.run(id, args)),
};

function each<Id extends string>(ids: readonly Id[], run: (id: Id, runtime: Runtime, args: readonly unknown[]) => Promise<unknown>): Record<string, Run> {
  return Object.fromEntries(ids.map((id): [string, Run] => [id, (runtime, args) => run(id, runtime, args)]));
}

/** Explains something on the page that shows it. @returns what counts; `undefined` where the user chose nothing */
async function explainOnPage(configuration: Runtime['configuration'], panes: Runtime['panes'], key: unknown): Promise<Explanation | undefined> {
  const { explainSetting } = await import('../configuration/explain-setting.js');
  const found = await explainSetting(configuration, key);
  if (found === undefined) return undefined;
  await panes.reveal();
  panes.active.panels.ask({ type: 'show_configuration', target: found.row });
  return found.explanation;
}

/** Leads to the agents of a chat. A shortcut of the user can ask for that where there are none. */
async function focusAgents(chat: ChatPane): Promise<void> {
  if (chat.current.view.state.elves.length === 0) await vscode.window.showInformationMessage(t('This chat has no agents.'));
  else chat.panels.ask({ type: 'focus_agents' });
}

/** Parts of the window that commands act on. What is loaded later is behind `load`. */
export interface CommandDeps {
  /** Gives the rest of the extension, loading it the first time. */
  readonly load: () => Promise<Runtime>;
  readonly places: Places;
  readonly tabs: SessionTabs;
  readonly editPrompt: EditPrompt;
  /** Opens the log, without loading anything. */
  readonly showLog: () => void;
}

/** Registers every command of the manifest. */
export function registerCommands({ load, places, tabs, editPrompt, showLog }: CommandDeps): readonly vscode.Disposable[] {
  const lazy = Object.entries(COMMANDS).map(([id, run]) => vscode.commands.registerCommand(id, async (...args: unknown[]) => run(await load(), args)));
  // The page is shown at once; what answers it may still be loading.
  const inChat = (id: string, act: (chat: ChatPane, given: unknown) => unknown): vscode.Disposable =>
    vscode.commands.registerCommand(id, async (given: unknown) => {
      await places.active.reveal();
      await act((await load()).panes.active, given);
    });
  // VS Code says which editor the title bar belongs to; the title bar of a view says nothing.
  const fromTitle = TITLE_COMMANDS.map((id) =>
    vscode.commands.registerCommand(inTitle(id), async (from: unknown) => {
      places.activate((from instanceof vscode.Uri ? tabs.active : undefined) ?? places.fixed);
      const { panes } = await load();
      await vscode.commands.executeCommand(id, { sessionId: panes.active.current.id });
    }),
  );
  return [
    ...lazy,
    ...fromTitle,
    // The prompt is shown at once, too.
    ...PROMPT_COMMANDS.map((id) => vscode.commands.registerCommand(id, (...args: unknown[]) => editPrompt.run(id, args))),
    inChat('gnomon.focusChat', (chat) => chat.panels.ask({ type: 'focus_composer' })),
    inChat('gnomon.newSession', (chat) => chat.newSession()),
    inChat('gnomon.showHistory', (chat) => chat.toggle('history')),
    inChat('gnomon.showServers', (chat) => chat.toggle('servers')),
    inChat('gnomon.showConfiguration', (chat, section) =>
      typeof section === 'string' ? chat.panels.ask({ type: 'show_configuration', target: section }) : chat.toggle('configuration'),
    ),
    inChat('gnomon.manageHooks', (chat) => chat.panels.ask({ type: 'show_configuration', target: 'hooks' })),
    inChat('gnomon.focusAgents', focusAgents),
    inChat('gnomon.findInChat', (chat) => chat.panels.ask({ type: 'open_search' })),
    vscode.commands.registerCommand('gnomon.showLog', showLog),
  ];
}
