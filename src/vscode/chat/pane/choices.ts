import type { ModelInfo, ThinkingEffort } from '../../../domain/model/provider.js';
import type { PermissionMode } from '../../../domain/tool/permission.js';
import { t } from '../../../domain/l10n.js';
import type { Choice } from '../../../protocol/host/composer-messages.js';
import { modelKey } from '../../../engine/model-key.js';
import type { CatalogEntry } from '../../models/catalog.js';
import { describeModel } from '../../models/describe.js';

/** The permission modes that are offered. */
export function modeChoices(): readonly (Choice & { readonly id: PermissionMode })[] {
  return [
    { id: 'default', label: t('Ask before changes'), description: t('Reads in the workspace without asking; asks before edits and commands.') },
    { id: 'acceptEdits', label: t('Accept edits'), description: t('Also edits in the workspace without asking; asks before commands and protected files.') },
    { id: 'plan', label: t('Plan'), description: t('Read-only; everything else is denied.') },
    { id: 'ask', label: t('Always ask'), description: t('Asks before everything.') },
    { id: 'bypassPermissions', label: t('Bypass permissions'), description: t('Runs everything except what a rule denies or asks about, or a safety check stops.') },
  ];
}

function efforts(): readonly (Choice & { readonly id: ThinkingEffort })[] {
  return [
    { id: 'off', label: t('No thinking'), description: t('Responds immediately, where the model supports it.') },
    { id: 'low', label: t('Low effort'), description: t('Faster and cheaper.') },
    { id: 'medium', label: t('Medium effort'), description: t('The model’s default.') },
    { id: 'high', label: t('High effort'), description: t('Slower and more expensive, for difficult tasks.') },
  ];
}

/** How much a model can be told to think; empty for one that cannot. */
export function effortChoices(model: ModelInfo): readonly Choice[] {
  return model.supportsThinking ? efforts() : [];
}

/** The models that are offered, under the names of their providers; the current one also where it is not listed. */
export function modelChoices(entries: readonly CatalogEntry[], current: ModelInfo): readonly Choice[] {
  const listed = entries.flatMap(({ source, models }) => models.map((model) => choiceOf(model, source.label)));
  if (listed.some(({ id }) => id === modelKey(current))) return listed;
  const source = entries.find((entry) => entry.source.id === current.provider)?.source;
  return [choiceOf(current, source?.label ?? current.provider), ...listed];
}

function choiceOf(model: ModelInfo, group: string): Choice {
  return { id: modelKey(model), label: model.label, description: describeModel(model), group };
}

/** Display name of a model: as its provider lists it, else its id. */
export function modelName(entries: readonly CatalogEntry[], key: string): string {
  const listed = entries.flatMap(({ models }) => models).find((model) => modelKey(model) === key);
  return listed?.label ?? key.slice(key.indexOf('/') + 1);
}
