import type { Choice } from '../../../src/protocol/host/composer-messages.js';

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
