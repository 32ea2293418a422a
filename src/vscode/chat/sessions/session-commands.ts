import * as vscode from 'vscode';
import { errorMessage } from '../../../domain/errors.js';
import { t, textsInUse } from '../../../domain/l10n.js';
import type { SessionSummary } from '../../../domain/session/session-store.js';
import { MAX_TITLE_LENGTH } from '../../../protocol/limits.js';
import type { Panes } from '../../../chat/pane/panes.js';
import type { SessionActions } from '../../../chat/pane/requests/session-handlers.js';
import { askHowToExport, type ExportFormat, exportSession } from './export-session.js';
import type { Redact } from '../../../session/export/redact-session.js';
import type { SessionCommand } from '../../command-ids.js';
import type { StoredSessions } from '../../../chat/sessions/stored-sessions.js';
import { withoutIcons } from '../../../text/show.js';

/** Services behind the session commands: panes that show sessions, session actions, and redaction for exports. */
export interface SessionCommandDeps {
  readonly panes: Panes;
  readonly desk: StoredSessions;
  readonly actions: SessionActions;
  readonly redact: Redact;
}

/** Actions on a conversation in the quick pick. */
type PickAction = 'open' | 'tab' | 'rename' | 'pin' | 'delete';

/** The conversation and the action that the user chose in the quick pick. */
interface Picked {
  readonly session: SessionSummary;
  readonly action: PickAction;
}

interface ActionButton extends vscode.QuickInputButton {
  readonly action: PickAction;
}

interface Item extends vscode.QuickPickItem {
  readonly session: SessionSummary;
}

function actionButton(action: PickAction, icon: string, tooltip: string): ActionButton {
  return { action, iconPath: new vscode.ThemeIcon(icon), tooltip };
}

function buttonsOf({ pinned, problem }: SessionSummary): readonly ActionButton[] {
  const remove = actionButton('delete', 'trash', t('Delete'));
  if (problem !== undefined) return [remove];
  const pin = pinned === true ? actionButton('pin', 'pinned', t('Unpin')) : actionButton('pin', 'pin', t('Pin'));
  return [actionButton('tab', 'split-horizontal', t('Open in Editor Tab')), actionButton('rename', 'edit', t('Rename')), pin, remove];
}

/** Lets the user choose a conversation, or do something about one by its buttons; `undefined` when they back out. */
function pickSession(sessions: readonly SessionSummary[], title: string): Promise<Picked | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  Object.assign(pick, { title, placeholder: t('Search chats by title'), matchOnDetail: true });
  pick.items = sessions.map(itemOf);
  return new Promise((resolve) => {
    const done = (picked: Picked | undefined): void => {
      resolve(picked);
      pick.dispose();
    };
    pick.onDidAccept(() => {
      const [item] = pick.selectedItems;
      if (item !== undefined) done({ session: item.session, action: 'open' });
    });
    pick.onDidTriggerItemButton(({ item, button }) => {
      if (isAction(button)) done({ session: item.session, action: button.action });
    });
    pick.onDidHide(() => done(undefined));
    pick.show();
  });
}

function itemOf(session: SessionSummary): Item {
  const { title, updatedAt, messageCount, pinned, problem } = session;
  const mark = pinned === true ? '$(pinned) ' : '';
  return {
    label: `${mark}${withoutIcons(title)}`,
    description: new Date(updatedAt).toLocaleString(textsInUse()?.language),
    detail: problem ?? (messageCount === 1 ? t('1 message') : t('{0} messages', messageCount)),
    buttons: buttonsOf(session),
    session,
  };
}

function isAction(button: vscode.QuickInputButton): button is ActionButton {
  return 'action' in button;
}

/** The commands about conversations: from the palette for the one that is shown, from a menu for the one it was opened on. */
export class SessionCommands {
  private readonly commands: Readonly<Record<SessionCommand, (id: string | undefined) => Promise<unknown>>>;

  constructor(private readonly deps: SessionCommandDeps) {
    this.commands = {
      'gnomon.openSession': (id) => (id === undefined ? this.pick(t('Open Chat')) : this.act(id, 'open')),
      'gnomon.continueLastSession': () => this.continueLast(),
      'gnomon.openInEditorTab': (id) => this.act(id ?? this.shown, 'tab'),
      'gnomon.renameSession': (id) => (id === undefined ? this.askTitle(this.shown) : this.editTitle(id)),
      'gnomon.pinSession': (id) => this.deps.desk.pin(id ?? this.shown, true),
      'gnomon.unpinSession': (id) => this.deps.desk.pin(id ?? this.shown, false),
      'gnomon.forkSession': (id) => this.deps.panes.active.fork(id ?? this.shown),
      'gnomon.exportSession': (id) => this.export(id ?? this.shown, undefined),
      'gnomon.exportSessionMarkdown': (id) => this.export(id ?? this.shown, 'markdown'),
      'gnomon.exportSessionJson': (id) => this.export(id ?? this.shown, 'json'),
      'gnomon.importSession': () => this.import(),
      'gnomon.deleteSession': (id) => (id === undefined ? this.pickToDelete() : this.act(id, 'delete')),
    };
  }

  /** Runs a command with the arguments from VS Code; a failure is shown in a notification. */
  async run(command: SessionCommand, argument: unknown): Promise<void> {
    try {
      await this.commands[command](sessionOf(argument));
    } catch (error) {
      void vscode.window.showErrorMessage(errorMessage(error));
    }
  }

  private get shown(): string {
    return this.deps.panes.active.current.id;
  }

  private async pick(title: string): Promise<void> {
    const sessions = await this.deps.desk.list();
    if (sessions.length === 0) return void vscode.window.showInformationMessage(t('There are no saved chats yet.'));
    const picked = await pickSession(sessions, title);
    if (picked !== undefined) await this.act(picked.session.id, picked.action);
  }

  private async pickToDelete(): Promise<void> {
    const sessions = await this.deps.desk.list();
    if (sessions.length === 0) return void vscode.window.showInformationMessage(t('There are no saved chats yet.'));
    const picked = await pickSession(sessions, t('Delete Chat'));
    if (picked !== undefined) await this.act(picked.session.id, picked.action === 'open' ? 'delete' : picked.action);
  }

  private async act(id: string, action: PickAction): Promise<void> {
    const { panes, actions, desk } = this.deps;
    switch (action) {
      case 'open':
        return panes.open(id);
      case 'tab':
        actions.openInTab(id);
        return;
      case 'rename':
        return this.askTitle(id);
      case 'pin':
        return desk.pin(id, (await desk.list()).find((session) => session.id === id)?.pinned !== true);
      case 'delete':
        return this.delete(id);
    }
  }

  private async continueLast(): Promise<void> {
    const last = (await this.deps.desk.list()).find(({ problem }) => problem === undefined);
    if (last === undefined) return void vscode.window.showInformationMessage(t('There are no saved chats yet.'));
    await this.deps.panes.open(last.id);
  }

  /** Lets the user edit the title: in the list where that is shown. */
  private async editTitle(id: string): Promise<void> {
    const { active } = this.deps.panes;
    if (active.sessions.listed) active.panels.post({ type: 'edit_title', id });
    else await this.askTitle(id);
  }

  private async askTitle(id: string): Promise<void> {
    const value = await this.deps.desk.titleOf(id);
    const title = await vscode.window.showInputBox({
      title: t('Rename Chat'),
      prompt: t('Leave empty to use the beginning of the first message'),
      value,
      validateInput: (text) => (text.length > MAX_TITLE_LENGTH ? t('The title can have at most {0} characters.', MAX_TITLE_LENGTH) : undefined),
    });
    if (title !== undefined) await this.deps.desk.rename(id, title);
  }

  private async delete(id: string): Promise<void> {
    const title = await this.deps.actions.remove(id);
    void this.offerUndo(id, title);
  }

  private async offerUndo(id: string, title: string): Promise<void> {
    // VS Code makes links of what looks like one in Markdown; in a title nothing may.
    const moved = t('The chat “{0}” was moved to the trash.', title.replaceAll('](', '] ('));
    const undo = t('Undo');
    if ((await vscode.window.showInformationMessage(moved, undo)) === undo) await this.deps.desk.restore(id);
  }

  private async export(id: string, format: ExportFormat | undefined): Promise<void> {
    const { desk, redact } = this.deps;
    const stored = await desk.library.read(id);
    const choice = format === undefined ? await askHowToExport() : { format, redacted: true };
    if (choice === undefined) return;
    const file = await exportSession(stored, await desk.titleOf(id), choice, redact);
    if (file === undefined) return;
    const answer = await vscode.window.showInformationMessage(t('The chat was exported to {0}.', vscode.workspace.asRelativePath(file)), t('Open File'));
    if (answer !== undefined) await vscode.commands.executeCommand('vscode.open', file);
  }

  private async import(): Promise<void> {
    const id = await this.deps.actions.import();
    if (id !== undefined) await this.deps.panes.open(id);
  }
}

/** The conversation that a menu was opened on; the page names it, so it is not trusted. */
function sessionOf(argument: unknown): string | undefined {
  const id: unknown = typeof argument === 'object' && argument !== null && 'sessionId' in argument ? argument.sessionId : undefined;
  return typeof id === 'string' ? id : undefined;
}
