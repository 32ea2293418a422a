import * as vscode from 'vscode';
import { isDemo } from '../../domain/demo.js';
import { t } from '../../domain/l10n.js';
import type { Panes } from '../chat/pane/panes.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { ModelSource } from '../models/source.js';
import type { Secrets } from '../settings/secrets.js';
import { BRAVE_KEY } from '../settings/window-search.js';

/** Dependencies of the commands about keys. */
export interface KeyDeps {
  readonly panes: Panes;
  readonly models: ModelRegistry;
  readonly secrets: Secrets;
}

/** Something that takes a key: a provider, or a search. */
type KeyHolder = Pick<ModelSource, 'id' | 'label' | 'key' | 'keyHelp'>;

function braveHolder(): KeyHolder {
  return { id: BRAVE_KEY.id, label: 'Brave Search', key: BRAVE_KEY, keyHelp: t('Get a key at api-dashboard.search.brave.com.') };
}

/**
 * Asks whose key it is and for the key, and stores it. A session on the demo moves to a model of that provider; one that failed for want
 * of the key goes on.
 */
export async function setApiKey({ panes, models, secrets }: KeyDeps): Promise<void> {
  const { current: conversation } = panes.active;
  const { model: current } = conversation.session;
  const owners = [...models.keyOwners()].sort((a, b) => Number(b.id === current.provider) - Number(a.id === current.provider));
  const source = await pickOwner(owners, secrets, t('Set API Key'));
  if (source === undefined) return;
  const key = await askForKey(source);
  if (key === undefined) return;
  await secrets.set(source.id, key);
  const model = isDemo(current) ? await models.defaultOf(source.id) : undefined;
  if (model !== undefined) await panes.active.setModel(model);
  if (source.id === current.provider) conversation.retryWithKey();
  void vscode.window.showInformationMessage(t('The {0} API key was saved.', source.label));
}

/** Asks for the key of Brave's search, and stores it. */
export async function setBraveApiKey({ secrets }: Pick<KeyDeps, 'secrets'>): Promise<void> {
  const brave = braveHolder();
  const key = await askForKey(brave);
  if (key === undefined) return;
  await secrets.set(brave.id, key);
  void vscode.window.showInformationMessage(t('The {0} API key was saved.', brave.label));
}

/** Forgets a stored key; asks whose, where there are several. */
export async function clearApiKey({ models, secrets }: KeyDeps): Promise<void> {
  const stored = await Promise.all([...models.keyOwners(), braveHolder()].map(async (source) => ((await secrets.isStored(source.id)) ? [source] : [])));
  const source = await pickOwner(stored.flat(), secrets, t('Clear API Key'));
  if (source === undefined) {
    if (stored.flat().length === 0) void vscode.window.showInformationMessage(t('No API key is saved.'));
    return;
  }
  await secrets.clear(source.id);
  const variable = source.key?.keyVariable;
  const left = source.key === undefined ? undefined : await secrets.key(source.key);
  const removed =
    left === undefined || variable === undefined
      ? t('The saved {0} API key was removed.', source.label)
      : t('The saved {0} API key was removed. The key in the environment variable {1} is still in use.', source.label, variable);
  void vscode.window.showInformationMessage(removed);
}

/** The only one, or the one that the user chooses; `undefined` when there is none or they back out. */
async function pickOwner<Holder extends KeyHolder>(sources: readonly Holder[], secrets: Secrets, title: string): Promise<Holder | undefined> {
  if (sources.length < 2) return sources[0];
  const items = await Promise.all(sources.map(async (source) => ({ label: source.label, description: await stateOf(source, secrets), source })));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: t('Select a provider') }))?.source;
}

async function stateOf({ id, key }: KeyHolder, secrets: Secrets): Promise<string> {
  if (await secrets.isStored(id)) return t('API key saved');
  const there = key !== undefined && (await secrets.key(key)) !== undefined;
  if (!there) return '';
  return key.keyVariable === undefined ? t('API key set in the environment') : t('API key set in {0}', key.keyVariable);
}

/** Asks for an API key; `undefined` when the user backs out. */
async function askForKey({ label, keyHelp }: KeyHolder): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: t('{0} API Key', label),
    prompt: [t('The key is stored in VS Code’s secret storage.'), ...(keyHelp === undefined ? [] : [keyHelp])].join(' '),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (/^\S+$/.test(value.trim()) ? undefined : t('The API key cannot be empty or contain spaces.')),
  });
  return key?.trim();
}
