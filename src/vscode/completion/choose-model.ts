import { fillsIn } from '../../completion/ask-fim.js';
import { fimTemplateOf } from '../../completion/fim-template.js';
import { titleModel } from '../../engine/title/title-model.js';
import type { FillProvider } from '../../domain/fill.js';
import type { ModelInfo, Provider } from '../../domain/provider.js';
import { modelKey } from '../../engine/model-key.js';
import type { ModelRegistry } from '../models/model-registry.js';

/** A model that is asked for suggestions. */
export interface SuggestionModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly fill?: FillProvider;
}

/**
 * The model for suggestions: the one that the setting names; else, of the provider of the model for new sessions, one that fills
 * in the middle, or the cheapest.
 * @throws Error for a name that no provider has.
 */
export async function chooseModel(models: ModelRegistry, setting: string, signal: AbortSignal): Promise<SuggestionModel> {
  if (setting !== '') return models.choose(setting);
  const own = await models.choose(undefined);
  const others = models.entries().flatMap((entry) => entry.models).filter(({ provider }) => provider === own.model.provider);
  const filling = others.find(({ id }) => fimTemplateOf(id) !== undefined);
  if (filling !== undefined && own.fill !== undefined && (await fillsIn(own.fill, filling.id, signal))) return models.choose(modelKey(filling));
  return models.choose(modelKey(titleModel(own.model, others)));
}
