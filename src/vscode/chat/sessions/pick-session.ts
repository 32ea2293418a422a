import * as vscode from 'vscode';
import type { SessionSummary } from '../../../domain/session-store.js';

/** What can be done about a conversation in the list. */
export type PickAction = 'open' | 'tab' | 'rename' | 'pin' | 'delete';

/** What the person chose in the list. */
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

const TAB: ActionButton = { action: 'tab', iconPath: new vscode.ThemeIcon('split-horizontal'), tooltip: 'Open in editor tab' };
const RENAME: ActionButton = { action: 'rename', iconPath: new vscode.ThemeIcon('edit'), tooltip: 'Rename' };
const PIN: ActionButton = { action: 'pin', iconPath: new vscode.ThemeIcon('pin'), tooltip: 'Pin' };
const UNPIN: ActionButton = { action: 'pin', iconPath: new vscode.ThemeIcon('pinned'), tooltip: 'Unpin' };
const DELETE: ActionButton = { action: 'delete', iconPath: new vscode.ThemeIcon('trash'), tooltip: 'Delete' };

/** Lets the person choose a conversation, or do something about one by its buttons; `undefined` when they back out. */
export function pickSession(sessions: readonly SessionSummary[], title: string): Promise<Picked | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  Object.assign(pick, { title, placeholder: 'Type to search the titles', matchOnDetail: true });
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
    description: new Date(updatedAt).toLocaleString(),
    detail: problem ?? (messageCount === 1 ? '1 message' : `${messageCount} messages`),
    buttons: problem === undefined ? [TAB, RENAME, pinned === true ? UNPIN : PIN, DELETE] : [DELETE],
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
