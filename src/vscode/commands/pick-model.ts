import * as vscode from 'vscode';
import { t } from '../../domain/l10n.js';
import { modelKey } from '../../domain/model/model-key.js';
import { automaticChoices } from '../../chat/pane/choices.js';
import type { Panes } from '../../chat/pane/panes.js';
import type { CatalogEntry } from '../../models/catalog.js';
import { describeModel } from '../../models/describe.js';
import type { ModelRegistry } from '../../models/model-registry.js';

interface Item extends vscode.QuickPickItem {
  /** The model that is meant; absent on lines that only say something. */
  readonly key?: string;
}

/** Lets the user choose the model of the active chat. */
export async function selectModel({ models, panes }: { readonly models: ModelRegistry; readonly panes: Panes }): Promise<void> {
  const { model, auto } = panes.active.current.session;
  const first = automaticChoices().map(({ id, label, description = '' }): Item => {
    return { key: id, label, description: id === auto.choice.type ? t('{0} (current)', description) : description };
  });
  const key = await pickModel(models, modelKey(model), t('Select a model for this chat'), first);
  if (key !== undefined) await panes.active.choices.choose(key);
}

/**
 * Lets the user choose a model; `undefined` when they back out. What is known is shown at once, lists that come
 * meanwhile are added.
 * @param first what can be chosen in place of a model. Default: nothing
 */
export async function pickModel(models: ModelRegistry, current: string, purpose: string, first: readonly Item[] = []): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<Item>();
  Object.assign(pick, { title: t('Select Model'), placeholder: purpose, matchOnDescription: true, matchOnDetail: true });
  const show = (): void => {
    const active = pick.activeItems[0]?.key ?? current;
    pick.items = [...first, ...models.entries().flatMap((entry) => itemsOf(entry, current, models))];
    pick.activeItems = pick.items.filter(({ key }) => key === active);
  };
  show();
  pick.busy = true;
  const forget = models.onDidChange(show);
  void models.refresh().then(() => (pick.busy = false));
  try {
    return await chosen(pick);
  } finally {
    forget();
    pick.dispose();
  }
}

function chosen(pick: vscode.QuickPick<Item>): Promise<string | undefined> {
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const key = pick.selectedItems[0]?.key;
      if (key !== undefined) resolve(key);
    });
    pick.onDidTriggerItemButton(({ item }) => {
      pick.hide();
      void vscode.commands.executeCommand('gnomon.useApiKey', item.key);
    });
    pick.onDidHide(() => resolve(undefined));
    pick.show();
  });
}

function itemsOf({ source, models, problem, cut }: CatalogEntry, current: string, registry: ModelRegistry): readonly Item[] {
  const heading: Item = { label: source.label, kind: vscode.QuickPickItemKind.Separator };
  const trouble: Item[] =
    problem === undefined ? [] : [{ label: `$(warning) ${t('Could not list models from {0}', source.label)}`, detail: problem, alwaysShow: true }];
  const left: Item[] = cut === undefined ? [] : [{ label: `$(info) ${t('Not all models of {0} are listed', source.label)}`, detail: cut, alwaysShow: true }];
  const buttons = source.key === undefined ? [] : [{ iconPath: new vscode.ThemeIcon('key'), tooltip: t('Use Another Key') }];
  const items = models.map((model): Item => {
    const key = modelKey(model);
    const keyName = registry.keyOf(model);
    const detail = [describeModel(model, source.charges), ...(keyName === undefined ? [] : [t('key “{0}”', keyName)])].join(' · ');
    return { label: model.label, description: key === current ? t('{0} (current)', key) : key, detail, key, buttons };
  });
  return [heading, ...trouble, ...left, ...items];
}
