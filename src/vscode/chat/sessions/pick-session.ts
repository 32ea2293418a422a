import * as vscode from 'vscode';
import { t, textsInUse } from '../../../domain/l10n.js';
import type { SessionSummary } from '../../../domain/session/session-store.js';

/** What can be done about a conversation in the list. */
export type PickAction = 'open' | 'tab' | 'rename' | 'pin' | 'delete';

/** What the user chose in the list. */
export interface Picked {
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
export function pickSession(sessions: readonly SessionSummary[], title: string): Promise<Picked | undefined> {
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

/** VS Code draws pictures where a label says `$(name)`; a title is text only. */
function withoutIcons(title: string): string {
  return title.replaceAll('$(', '$\u200b(');
}

function isAction(button: vscode.QuickInputButton): button is ActionButton {
  return 'action' in button;
}
