import * as vscode from 'vscode';
import { isDemo } from '../../domain/demo.js';
import { t } from '../../domain/l10n.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { Conversation } from '../../chat/conversation/conversation.js';
import type { Panes } from '../../chat/pane/panes.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { ModelSource } from '../../models/source.js';
import { DEFAULT_KEY, nameProblem } from '../../models/keys/key-choices.js';
import type { Secrets } from '../../models/keys/secrets.js';
import { BRAVE_KEY } from '../../agent-host/web-search.js';

/** Dependencies of the commands about keys. */
export interface KeyDeps {
  readonly panes: Panes;
  readonly models: ModelRegistry;
  readonly secrets: Secrets;
}

/** Something that takes a key: a provider, or a search. */
type KeyHolder = Pick<ModelSource, 'id' | 'label' | 'key' | 'keyHelp'>;

/** The only one, or the one that the user chooses; `undefined` when there is none or they back out. */
async function pickOwner<Holder extends KeyHolder>(sources: readonly Holder[], secrets: Secrets, title: string): Promise<Holder | undefined> {
  if (sources.length < 2) return sources[0];
  const items = await Promise.all(sources.map(async (source) => ({ label: source.label, description: await stateOf(source, secrets), source })));
  return (await vscode.window.showQuickPick(items, { title, placeHolder: t('Select a provider') }))?.source;
}

async function stateOf({ id, key }: KeyHolder, secrets: Secrets): Promise<string> {
  const { length } = await secrets.names(id);
  if (length > 0) return length === 1 ? t('API key saved') : t('{0} API keys saved', length);
  const there = key !== undefined && (await secrets.key(key)) !== undefined;
  return there ? environmentWords(key.keyVariable) : '';
}

function environmentWords(variable: string | undefined): string {
  return variable === undefined ? t('API key set in the environment') : t('API key set in {0}', variable);
}

/** Prompt for one API key of a provider. */
interface KeyQuestion {
  readonly source: KeyHolder;
  readonly title: string;
  readonly names: readonly string[];
  /** The name of the key that is in use where the question comes from. */
  readonly used: string;
  /** Whether another key can be added instead. */
  readonly canAdd?: boolean;
}

/** The key that the user chooses, by its name; without a name when they want to add one, `undefined` when they back out. */
async function pickKey({ source, title, names, used, canAdd = false }: KeyQuestion, secrets: Secrets): Promise<{ readonly name?: string } | undefined> {
  const stored = await secrets.names(source.id);
  const items = names.map((name) => {
    const missing = stored.includes(name) ? [] : [name === DEFAULT_KEY && source.key !== undefined ? environmentWords(source.key.keyVariable) : t('not saved')];
    return { label: name, description: [...(name === used ? [t('in use')] : []), ...missing].join(' · '), name };
  });
  const add = canAdd ? [{ label: `$(add) ${t('Add Another Key…')}`, description: '' }] : [];
  return vscode.window.showQuickPick<vscode.QuickPickItem & { name?: string }>([...items, ...add], {
    title,
    placeHolder: t('Select an API key for {0}', source.label),
  });
}

/**
 * Asks for the name of a key; `undefined` when the user backs out.
 * @param taken the names of the other keys
 */
async function askForName(title: string, taken: readonly string[], value = ''): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title,
    value,
    prompt: t('Enter a name for the key, such as “work”. The name is shown, the key never is.'),
    ignoreFocusOut: true,
    validateInput: (text) => nameProblem(text, taken),
  });
  return name?.trim();
}

/**
 * Asks for an API key; `undefined` when the user backs out.
 * @param name which one it is, where that must be said
 */
async function askForKey({ label, keyHelp }: KeyHolder, name: string | undefined): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: name === undefined ? t('{0} API Key', label) : t('{0} API Key “{1}”', label, name),
    prompt: [t('The key is stored in VS Code’s secret storage.'), ...(keyHelp === undefined ? [] : [keyHelp])].join(' '),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (/^\S+$/.test(value.trim()) ? undefined : t('The API key cannot be empty or contain spaces.')),
  });
  return key?.trim();
}

/** Scope of an API key: one model, all models of its provider, or none yet. */
type KeyUsers = 'model' | 'provider' | 'nobody';

/**
 * Asks what is to use a key; `undefined` when the user backs out.
 * @param model the one that the question comes from
 * @param isNew whether nothing may use the key for now
 */
async function askForUsers(source: ModelSource, name: string, model: ModelInfo, isNew: boolean): Promise<KeyUsers | undefined> {
  const items: readonly (vscode.QuickPickItem & { users: KeyUsers })[] = [
    { label: t('All {0} Models', source.label), users: 'provider' },
    { label: t('Only {0}', model.label), users: 'model' },
    ...(isNew ? [{ label: t('Nothing for Now'), users: 'nobody' as const }] : []),
  ];
  return (await vscode.window.showQuickPick(items, { title: t('Use API Key “{0}”', name), placeHolder: t('Select what uses this key') }))?.users;
}

/**
 * Asks whose key it is, which one where there are several, and for the key, and stores it. A session on the demo moves to
 * a model of that provider; one that failed for want of the key goes on.
 */
export async function setApiKey(deps: KeyDeps): Promise<void> {
  const { secrets } = deps;
  const conversation = deps.panes.active.current;
  const { model } = conversation.session;
  const title = t('Set API Key');
  const source = await pickOwner(owners(deps, model), secrets, title);
  if (source === undefined) return;
  const used = secrets.nameFor(source.id, model.provider === source.id ? model.id : undefined);
  // One that is in use and not there is what the user came for.
  const names = [...new Set([used, ...(await secrets.names(source.id))])];
  const named = names.some((name) => name !== DEFAULT_KEY);
  const picked = named ? await pickKey({ source, title, names, used, canAdd: true }, secrets) : { name: DEFAULT_KEY };
  if (picked === undefined) return;
  if (picked.name === undefined) return addTo(deps, source, conversation);
  const key = await askForKey(source, named ? picked.name : undefined);
  if (key === undefined) return;
  await secrets.set(source.id, key, picked.name);
  await goOn(deps, source, conversation);
  tell(named ? t('The API key “{0}” for {1} was saved.', picked.name, source.label) : t('The {0} API key was saved.', source.label));
}

function braveHolder(): KeyHolder {
  return { id: BRAVE_KEY.id, label: 'Brave Search', key: BRAVE_KEY, keyHelp: t('Get a key at api-dashboard.search.brave.com.') };
}

/** Asks for the key of Brave's search, and stores it. */
export async function setBraveApiKey({ secrets }: Pick<KeyDeps, 'secrets'>): Promise<void> {
  const brave = braveHolder();
  const key = await askForKey(brave, undefined);
  if (key === undefined) return;
  await secrets.set(brave.id, key, DEFAULT_KEY);
  tell(t('The {0} API key was saved.', brave.label));
}

/** Asks for another key of a provider, under a name, and what is to use it. */
export async function addApiKey(deps: KeyDeps): Promise<void> {
  const conversation = deps.panes.active.current;
  const source = await pickOwner(owners(deps, conversation.session.model), deps.secrets, t('Add API Key'));
  if (source !== undefined) await addTo(deps, source, conversation);
}

/**
 * Has the model of the active chat, or another one, use another key of its provider. A session that failed because of the
 * key goes on.
 * @param name the name of the other model
 */
export async function useApiKey(deps: KeyDeps, name?: string): Promise<void> {
  const { secrets, models } = deps;
  const conversation = deps.panes.active.current;
  const model = name === undefined ? conversation.session.model : (await models.choose(name)).model;
  const title = t('Use API Key');
  const own = models.keyOwners().find(({ id }) => id === model.provider);
  const source = own ?? (await pickOwner(owners(deps, model), secrets, title));
  if (source?.key === undefined) return;
  const stored = await secrets.names(source.id);
  const inEnvironment = !stored.includes(DEFAULT_KEY) && (await secrets.key(source.key, DEFAULT_KEY)) !== undefined;
  const used = secrets.nameFor(source.id, own === undefined ? undefined : model.id);
  const picked = await pickKey({ source, title, names: [...(inEnvironment ? [DEFAULT_KEY] : []), ...stored], used, canAdd: true }, secrets);
  if (picked === undefined) return;
  if (picked.name === undefined) return addTo(deps, source, conversation, model);
  const users = own === undefined ? 'provider' : await askForUsers(source, picked.name, model, false);
  if (users === undefined) return;
  await secrets.use(source.id, users === 'model' ? model.id : undefined, picked.name);
  if (users === 'provider' || model.id === conversation.session.model.id) await goOn(deps, source, conversation);
  tell(t('{0} now uses the API key “{1}”.', users === 'model' ? model.label : source.label, picked.name));
}

/** Gives a stored key another name. */
export async function renameApiKey(deps: KeyDeps): Promise<void> {
  const title = t('Rename API Key');
  const picked = await pickStored(deps, title);
  if (picked === undefined) return;
  const { source, name } = picked;
  const others = (await deps.secrets.names(source.id)).filter((other) => other !== name);
  const renamed = await askForName(title, others, name);
  if (renamed === undefined || renamed === name) return;
  await deps.secrets.rename(source.id, name, renamed);
  tell(t('The API key “{0}” for {1} is now called “{2}”.', name, source.label, renamed));
}

/** Forgets a stored key; asks whose and which, where there are several. */
export async function clearApiKey(deps: KeyDeps): Promise<void> {
  const picked = await pickStored(deps, t('Clear API Key'));
  if (picked === undefined) return;
  const { source, name } = picked;
  await deps.secrets.clear(source.id, name);
  if (name !== DEFAULT_KEY) {
    tell(t('The API key “{0}” for {1} was removed.', name, source.label));
    return;
  }
  const variable = source.key?.keyVariable;
  const left = source.key === undefined ? undefined : await deps.secrets.key(source.key, DEFAULT_KEY);
  tell(
    left === undefined || variable === undefined
      ? t('The saved {0} API key was removed.', source.label)
      : t('The saved {0} API key was removed. The key in the environment variable {1} is still in use.', source.label, variable),
  );
}

/** The providers that take a key, that of a model first. */
function owners({ models }: KeyDeps, { provider }: ModelInfo): readonly ModelSource[] {
  return [...models.keyOwners()].sort((a, b) => Number(b.id === provider) - Number(a.id === provider));
}

/** A stored key that the user chooses, where there are several; `undefined` when there is none or they back out. */
async function pickStored({ models, secrets, panes }: KeyDeps, title: string): Promise<{ readonly source: KeyHolder; readonly name: string } | undefined> {
  const stored = await Promise.all([...models.keyOwners(), braveHolder()].map(async (source) => ((await secrets.names(source.id)).length > 0 ? [source] : [])));
  if (stored.flat().length === 0) tell(t('No API key is saved.'));
  const source = await pickOwner(stored.flat(), secrets, title);
  if (source === undefined) return undefined;
  const names = await secrets.names(source.id);
  const { model } = panes.active.current.session;
  const used = secrets.nameFor(source.id, model.provider === source.id ? model.id : undefined);
  const name = names.length < 2 ? names[0] : (await pickKey({ source, title, names, used }, secrets))?.name;
  return name === undefined ? undefined : { source, name };
}

/** @param model the one that may be the only one to use the key */
async function addTo(deps: KeyDeps, source: ModelSource, conversation: Conversation, model: ModelInfo = conversation.session.model): Promise<void> {
  const { secrets } = deps;
  const name = await askForName(t('Add API Key for {0}', source.label), await secrets.names(source.id));
  if (name === undefined) return;
  const key = await askForKey(source, name);
  if (key === undefined) return;
  // The first key of a provider is for all that it does.
  const isFirst = source.key === undefined || (await secrets.key(source.key)) === undefined;
  await secrets.set(source.id, key, name);
  const users = isFirst ? 'provider' : model.provider === source.id ? await askForUsers(source, name, model, true) : 'nobody';
  if (users === 'provider' || users === 'model') {
    await secrets.use(source.id, users === 'model' ? model.id : undefined, name);
    await goOn(deps, source, conversation);
  }
  tell(t('The API key “{0}” for {1} was saved.', name, source.label));
}

/** Goes on where a key was wanting: with a model of the provider in place of the demo, or with the request that was refused. */
async function goOn({ models, panes }: KeyDeps, source: ModelSource, conversation: Conversation): Promise<void> {
  const { model } = conversation.session;
  const better = isDemo(model) ? await models.defaultOf(source.id) : undefined;
  if (better !== undefined) await panes.active.choices.choose(better);
  if (source.id === model.provider) conversation.retryWithKey();
}

function tell(words: string): void {
  void vscode.window.showInformationMessage(words);
}
