import type { ThinkingEffort } from '../../domain/model/effort.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import { t } from '../../domain/l10n.js';
import type { Choice } from '../../protocol/host/composer-messages.js';
import { AUTO, DEFAULT_MODEL } from '../../domain/model/model-choice.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { CatalogEntry } from '../../models/catalog.js';
import { describeModel, modelFacts } from '../../models/describe.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { ModelSource } from '../../models/source.js';

/** The permission modes that are offered. @param bypassDisabledBy how users know the place that takes the last one away */
export function modeChoices(bypassDisabledBy?: string): readonly (Choice & { readonly id: PermissionMode })[] {
  return [
    { id: 'default', label: t('Ask before changes'), description: t('Asks before edits and commands') },
    { id: 'acceptEdits', label: t('Accept edits'), description: t('Edits freely, asks before commands') },
    { id: 'plan', label: t('Plan'), description: t('Read-only: explores and plans') },
    { id: 'ask', label: t('Always ask'), description: t('Asks before everything, including reads') },
    {
      id: 'bypassPermissions',
      label: t('Bypass permissions'),
      ...(bypassDisabledBy === undefined
        ? { description: t('Asks only when a rule or safety check requires it') }
        : { description: t('This mode is disabled in {0}.', bypassDisabledBy), disabled: true as const }),
    },
  ];
}

function efforts(): readonly (Choice & { readonly id: ThinkingEffort })[] {
  return [
    { id: 'off', label: t('Off'), description: t('No thinking, if the model supports it.') },
    { id: 'minimal', label: t('Minimal'), description: t('Almost no thinking.') },
    { id: 'low', label: t('Low'), description: t('Faster and cheaper.') },
    { id: 'medium', label: t('Medium'), description: t('Balanced.') },
    { id: 'high', label: t('High'), description: t('Slower and more expensive, for difficult tasks.') },
    { id: 'xhigh', label: t('Extra High'), description: t('Much slower and more expensive, for long and difficult tasks.') },
    { id: 'max', label: t('Max'), description: t('As much as the model can think, at any price.') },
  ];
}

/** Thinking efforts of a model; empty where there is nothing to choose. */
export function effortChoices(model: ModelInfo): readonly Choice[] {
  return model.efforts.length < 2 ? [] : efforts().filter(({ id }) => model.efforts.includes(id));
}

/** The user's favorites and API keys for models. */
type ModelMarks = Pick<ModelRegistry, 'isFavorite' | 'keyOf'>;

const NO_MARKS: ModelMarks = { isFavorite: () => false, keyOf: () => undefined };

/** What can be chosen in place of a model. */
export function automaticChoices(): readonly Choice[] {
  return [
    { id: AUTO, label: t('Auto'), description: t('Chooses a model for each task by what it needs and costs, and says why') },
    { id: DEFAULT_MODEL, label: t('Default'), description: t('The model of new chats, as the settings say') },
  ];
}

/** The models that are offered, under the names of their providers; the current one also where it is not listed. */
export function modelChoices(entries: readonly CatalogEntry[], current: ModelInfo, marks: ModelMarks = NO_MARKS): readonly Choice[] {
  const choiceOf = (model: ModelInfo, source: ModelSource | undefined): Choice => ({
    id: modelKey(model),
    label: model.label,
    description: [describeModel(model, source?.charges), ...keyWords(marks.keyOf(model))].join(' · '),
    group: source?.label ?? model.provider,
    facts: modelFacts(model, source?.charges),
    ...keyChoice(marks.keyOf(model)),
    ...(marks.isFavorite(modelKey(model)) ? { favorite: true } : {}),
  });
  const listed = entries.flatMap(({ source, models }) => models.map((model) => choiceOf(model, source)));
  if (listed.some(({ id }) => id === modelKey(current))) return listed;
  return [choiceOf(current, entries.find(({ source }) => source.id === current.provider)?.source), ...listed];
}

function keyWords(name: string | undefined): readonly string[] {
  return name === undefined ? [] : [t('key “{0}”', name)];
}

function keyChoice(name: string | undefined): Pick<Choice, 'key'> {
  return name === undefined ? {} : { key: name };
}

/** Display name of a model: as its provider lists it, else its id. */
export function modelName(entries: readonly CatalogEntry[], key: string): string {
  const listed = entries.flatMap(({ models }) => models).find((model) => modelKey(model) === key);
  return listed?.label ?? key.slice(key.indexOf('/') + 1);
}
