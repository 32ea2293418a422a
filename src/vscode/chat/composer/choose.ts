import { t } from '../../../domain/l10n.js';
import type { Choice } from '../../../protocol/host/composer-messages.js';

/**
 * The choice that a person means by some words: one with just this id or name, else the only one that holds them.
 * @throws Error that lists what there is.
 */
export function choose(choices: readonly Choice[], words: string, what: 'model' | 'permission mode'): Choice {
  const wanted = words.toLowerCase();
  const exact = choices.find(({ id, label }) => id.toLowerCase() === wanted || label.toLowerCase() === wanted);
  const near = choices.filter(({ id, label }) => id.toLowerCase().includes(wanted) || label.toLowerCase().includes(wanted));
  const found = exact ?? (near.length === 1 ? near[0] : undefined);
  if (found !== undefined) return found;
  const names = (near.length === 0 ? choices : near).slice(0, MAX_NAMES).map(({ id }) => id);
  if (near.length > 0) throw new Error(t('“{0}” fits several: {1}.', words, names.join(', ')));
  if (what === 'model') throw new Error(t('There is no model “{0}”. There are: {1}.', words, names.join(', ')));
  throw new Error(t('There is no permission mode “{0}”. There are: {1}.', words, names.join(', ')));
}

/** Names that an error lists. */
const MAX_NAMES = 20;
