import type { Choice } from '../../../src/protocol/host/composer-messages.js';
import { t } from '../../../src/protocol/l10n.js';
import type { ViewState } from '../../../src/protocol/view-state.js';

type ModelView = Pick<ViewState, 'model' | 'modelChoice' | 'items'>;

/** Models under one heading. */
export interface ModelGroup {
  /** The name of a provider, or `undefined` for the models that the user prefers. */
  readonly name: string | undefined;
  readonly models: readonly Choice[];
}

/** The most models that are shown at once; more cannot be looked through, and cost time. */
export const MAX_MODELS = 60;
/** Minimum of models per provider in a list that is too long. */
const MIN_SHARE = 3;

/** Id of what the user has chosen: a model, or what chooses one in its place. */
export function chosenId({ model, modelChoice = 'default' }: ModelView): string {
  return modelChoice === 'pinned' ? model : modelChoice;
}

/** What it is called that the user has chosen so. */
export function choiceLabel({ modelChoice = 'default' }: ModelView): string {
  return { auto: t('Auto'), default: t('Default'), pinned: t('Pinned') }[modelChoice];
}

/** The model that is in use; `undefined` while none has been chosen for the first task of a chat. */
export function modelInUse({ model, modelChoice, items }: ModelView): string | undefined {
  return modelChoice === 'auto' && !items.some(({ kind }) => kind === 'answer') ? undefined : model;
}

/** What can be chosen in place of a model, if its name begins as what is searched for: letters from the middle of it are those of a model. */
export function automaticFor(automatic: readonly Choice[], query: string): readonly Choice[] {
  const beginning = query.trim().toLowerCase();
  return automatic.filter(({ label }) => label.toLowerCase().startsWith(beginning));
}

/** The models that fit what is searched for: every word of it is somewhere in their names or that of their provider. */
export function modelsFor(models: readonly Choice[], query: string): readonly Choice[] {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return models.filter(({ id, label, group = '' }) => words.every((word) => `${label} ${id} ${group}`.toLowerCase().includes(word)));
}

/**
 * Models by provider, those that the user prefers before all others. Of more than {@link MAX_MODELS} each provider shows its
 * first ones, and the current one is always among them; `left` says how many are not shown.
 */
export function groupModels(models: readonly Choice[], current: string): { readonly groups: readonly ModelGroup[]; readonly left: number } {
  const favorites = models.filter(({ favorite }) => favorite === true);
  const others = models.filter(({ favorite }) => favorite !== true);
  const byName = new Map<string, Choice[]>();
  for (const model of others) {
    const group = byName.get(model.group ?? '');
    if (group === undefined) byName.set(model.group ?? '', [model]);
    else group.push(model);
  }
  const room = Math.max(1, MAX_MODELS - favorites.length);
  const share = others.length <= room ? room : Math.max(MIN_SHARE, Math.floor(room / byName.size));
  const groups = [...byName].map(([name, all]) => ({ name, models: all.filter(({ id }, index) => index < share || id === current) }));
  const shown = groups.reduce((sum, group) => sum + group.models.length, favorites.length);
  return { groups: favorites.length === 0 ? groups : [{ name: undefined, models: favorites }, ...groups], left: models.length - shown };
}
