import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import { modelKey } from '../../domain/model/model-key.js';
import type { ModelInfo } from '../../domain/model/provider.js';
import { present } from '../../domain/present.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import { effortChoices, modeChoices } from '../../chat/pane/choices.js';
import type { CatalogEntry } from '../../models/catalog.js';
import { describeModel } from '../../models/describe.js';

/** The modes that can be chosen. @param bypass whether the one without questions is among them */
export function modeState(current: PermissionMode, bypass: boolean): SessionModeState {
  const modes = modeChoices().filter(({ id }) => id !== 'bypassPermissions' || bypass);
  return { currentModeId: current, availableModes: modes.map(({ id, label, description }) => ({ id, name: label, ...present({ description }) })) };
}

/** What can be chosen of a session. */
export interface Choices {
  readonly mode: PermissionMode;
  readonly bypass: boolean;
  readonly model: ModelInfo;
  readonly effort: string;
  readonly models: readonly CatalogEntry[];
}

/** The same as {@link modeState}, the model, and how much it thinks: what newer editors show in its place. */
export function configOptions({ mode, bypass, model, effort, models }: Choices): SessionConfigOption[] {
  const { currentModeId, availableModes } = modeState(mode, bypass);
  const current = modelKey(model);
  const groups = models.map(({ source, models: each }) => ({ group: source.id, name: source.label, options: each.map(modelOption) }));
  const isListed = groups.some(({ options }) => options.some(({ value }) => value === current));
  const efforts = effortChoices(model).map(({ id, label, description }) => ({ value: id, name: label, ...present({ description }) }));
  return [
    {
      type: 'select',
      id: 'mode',
      name: 'Permissions',
      category: 'mode',
      currentValue: currentModeId,
      options: availableModes.map(({ id, ...rest }) => ({ value: id, ...rest })),
    },
    {
      type: 'select',
      id: 'model',
      name: 'Model',
      category: 'model',
      currentValue: current,
      options: isListed
        ? groups.filter(({ options }) => options.length > 0)
        : [{ group: model.provider, name: model.provider, options: [modelOption(model)] }, ...groups],
    },
    ...(efforts.length === 0
      ? []
      : [{ type: 'select' as const, id: 'effort', name: 'Thinking', category: 'thought_level', currentValue: effort, options: efforts }]),
  ];
}

function modelOption(model: ModelInfo): { readonly value: string; readonly name: string; readonly description: string } {
  return { value: modelKey(model), name: model.label, description: describeModel(model) };
}
