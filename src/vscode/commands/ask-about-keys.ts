import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { ModelSource } from '../../models/source.js';
import { DEFAULT_KEY, nameProblem } from '../../models/keys/key-names.js';
import type { Secrets } from '../../models/keys/secrets.js';

/** Something that takes a key: a provider, or a search. */
export type KeyHolder = Pick<ModelSource, 'id' | 'label' | 'key' | 'keyHelp'>;

/** The only one, or the one that the user chooses; `undefined` when there is none or they back out. */
export async function pickOwner<Holder extends KeyHolder>(sources: readonly Holder[], secrets: Secrets, title: string): Promise<Holder | undefined> {
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

/** Which key of a provider is asked about. */
export interface KeyQuestion {
  readonly source: KeyHolder;
  readonly title: string;
  readonly names: readonly string[];
  /** The name of the key that is in use where the question comes from. */
  readonly used: string;
  /** Whether another key can be added instead. */
  readonly canAdd?: boolean;
}

/** The key that the user chooses, by its name; without a name when they want to add one, `undefined` when they back out. */
export async function pickKey({ source, title, names, used, canAdd = false }: KeyQuestion, secrets: Secrets): Promise<{ readonly name?: string } | undefined> {
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
export async function askForName(title: string, taken: readonly string[], value = ''): Promise<string | undefined> {
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
export async function askForKey({ label, keyHelp }: KeyHolder, name: string | undefined): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: name === undefined ? t('{0} API Key', label) : t('{0} API Key “{1}”', label, name),
    prompt: [t('The key is stored in VS Code’s secret storage.'), ...(keyHelp === undefined ? [] : [keyHelp])].join(' '),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (/^\S+$/.test(value.trim()) ? undefined : t('The API key cannot be empty or contain spaces.')),
  });
  return key?.trim();
}

/** What is to use a key: one model, all models of its provider, or nothing yet. */
export type KeyUsers = 'model' | 'provider' | 'nobody';

/**
 * Asks what is to use a key; `undefined` when the user backs out.
 * @param model the one that the question comes from
 * @param isNew whether nothing may use the key for now
 */
export async function askForUsers(source: ModelSource, name: string, model: ModelInfo, isNew: boolean): Promise<KeyUsers | undefined> {
  const items: readonly (vscode.QuickPickItem & { users: KeyUsers })[] = [
    { label: t('All {0} Models', source.label), users: 'provider' },
    { label: t('Only {0}', model.label), users: 'model' },
    ...(isNew ? [{ label: t('Nothing for Now'), users: 'nobody' as const }] : []),
  ];
  return (await vscode.window.showQuickPick(items, { title: t('Use API Key “{0}”', name), placeHolder: t('Select what uses this key') }))?.users;
}
