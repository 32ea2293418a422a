import * as vscode from 'vscode';
import type { SessionSummary } from '../../domain/session-store.js';

/** Lets the person choose a session; `undefined` when they back out or there is none. */
export async function askForSession(sessions: readonly SessionSummary[], title: string): Promise<SessionSummary | undefined> {
  if (sessions.length === 0) {
    await vscode.window.showInformationMessage('There are no saved sessions yet.');
    return undefined;
  }
  const items = sessions.map((session) => ({
    label: session.title,
    description: new Date(session.updatedAt).toLocaleString(),
    detail: session.problem ?? `${session.messageCount} messages`,
    session,
  }));
  const chosen = await vscode.window.showQuickPick(items, { title, placeHolder: 'Type to search the titles', matchOnDetail: true });
  return chosen?.session;
}

/** Asks before something is deleted for good. */
export async function confirmDelete(title: string): Promise<boolean> {
  const answer = await vscode.window.showWarningMessage(`Delete the session “${title}”?`, { modal: true, detail: 'Its files are removed. This cannot be undone.' }, 'Delete');
  return answer === 'Delete';
}
