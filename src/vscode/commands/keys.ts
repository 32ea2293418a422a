import * as vscode from 'vscode';
import type { ChatPane } from '../chat/chat-pane.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { ModelSource } from '../models/source.js';
import type { Secrets } from '../settings/secrets.js';

/** What the commands about keys work with. */
export interface KeyParts {
  readonly chat: ChatPane;
  readonly models: ModelRegistry;
  readonly secrets: Secrets;
}

/** Asks whose key it is and for the key, and stores it. A session on the demo moves to a model of that provider. */
export async function setApiKey({ chat, models, secrets }: KeyParts): Promise<void> {
  const current = chat.current.session.model.provider;
  const owners = [...models.keyOwners()].sort((a, b) => Number(b.id === current) - Number(a.id === current));
  const source = await pickOwner(owners, secrets, 'Whose API key do you want to set?');
  if (source === undefined) return;
  const key = await askForKey(source);
  if (key === undefined) return;
  await secrets.set(source.id, key);
  const model = current === 'demo' ? await models.defaultOf(source.id) : undefined;
  if (model !== undefined) await chat.setModel(model);
  void vscode.window.showInformationMessage(`The ${source.label} API key is stored.`);
}

/** Forgets a stored key; asks whose, where there are several. */
export async function clearApiKey({ models, secrets }: KeyParts): Promise<void> {
  const stored = await Promise.all(models.keyOwners().map(async (source) => ((await secrets.isStored(source.id)) ? [source] : [])));
  const source = await pickOwner(stored.flat(), secrets, 'Whose API key do you want to clear?');
  if (source === undefined) {
    if (stored.flat().length === 0) void vscode.window.showInformationMessage('No API key is stored.');
    return;
  }
  await secrets.clear(source.id);
  const variable = source.key?.keyVariable;
  const left = source.key === undefined ? undefined : await secrets.key(source.key);
  const still = left === undefined || variable === undefined ? '' : ` The one in the environment variable ${variable} stays in effect.`;
  void vscode.window.showInformationMessage(`The stored ${source.label} API key is removed.${still}`);
}

/** The only one, or the one that the person chooses; `undefined` when there is none or they back out. */
async function pickOwner(sources: readonly ModelSource[], secrets: Secrets, title: string): Promise<ModelSource | undefined> {
  if (sources.length < 2) return sources[0];
  const items = await Promise.all(sources.map(async (source) => ({ label: source.label, description: await stateOf(source, secrets), source })));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: 'The provider' }))?.source;
}

async function stateOf({ id, key }: ModelSource, secrets: Secrets): Promise<string> {
  if (await secrets.isStored(id)) return 'a key is stored';
  const there = key !== undefined && (await secrets.key(key)) !== undefined;
  return there ? `a key is in ${key.keyVariable ?? 'the environment'}` : '';
}

/** Asks for an API key; `undefined` when the person backs out. */
async function askForKey({ label, keyHelp }: ModelSource): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: `${label} API key`,
    prompt: `It is kept in the secret storage of VS Code.${keyHelp === undefined ? '' : ` ${keyHelp}`}`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (/^\S+$/.test(value.trim()) ? undefined : 'The key must not be empty and holds no spaces.'),
  });
  return key?.trim();
}
