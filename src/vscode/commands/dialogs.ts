import * as vscode from 'vscode';
import type { ModelInfo } from '../../domain/provider.js';
import type { SessionSummary } from '../../domain/session-store.js';
import { modelKey } from '../../engine/model-key.js';

/** Asks for an API key; `undefined` when the person backs out. */
export async function askForKey(): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: 'Anthropic API key',
    prompt: 'It is kept in the secret storage of VS Code. You get one at console.anthropic.com.',
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (/^\S+$/.test(value.trim()) ? undefined : 'The key must not be empty and holds no spaces.'),
  });
  return key?.trim();
}

/** Lets the person choose a model; `undefined` when they back out. */
export async function askForModel(models: readonly ModelInfo[], current: string): Promise<string | undefined> {
  const items = models.map((model) => ({
    label: model.label,
    description: modelKey(model) === current ? `${modelKey(model)} (current)` : modelKey(model),
    key: modelKey(model),
  }));
  const chosen = await vscode.window.showQuickPick(items, { title: 'Select a model', placeHolder: 'The model for this session' });
  return chosen?.key;
}

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
