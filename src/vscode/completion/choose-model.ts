import { fillsIn, fimTemplateOf } from '../../completion/ask-fim.js';
import { isDemo } from '../../domain/demo.js';
import type { Router } from '../../domain/model/router.js';
import { titleModel } from '../../engine/one-shot/improve-title.js';
import type { FillProvider } from '../../domain/model/fill.js';
import type { ModelInfo, Provider } from '../../domain/model/provider.js';
import { modelKey } from '../../domain/model/model-key.js';
import { type Wait, waitOnTheClock } from '../../engine/turn/pauses.js';
import type { ModelRegistry } from '../../models/model-registry.js';

/** Milliseconds to wait for the model lists, which are requested once. A choice made without them is made again later. */
const LISTS_MS = 2_000;

/** What chooses it. */
export interface SuggestionModels {
  readonly models: ModelRegistry;
  readonly router: Pick<Router, 'forWork'>;
}

/** A model that is asked for suggestions. */
export interface SuggestionModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly fill?: FillProvider;
  /** See {@link Request.reason}. */
  readonly reason?: string;
}

/**
 * The model for suggestions: the one that the setting names; else, of the provider of the model for new sessions, one that fills
 * in the middle, or the cheapest, where Auto does not choose it.
 * @param wait for the lists of models, at most
 * @throws Error for a name that no provider has.
 */
export async function chooseModel(
  { models, router }: SuggestionModels,
  setting: string,
  signal: AbortSignal,
  wait: Wait = waitOnTheClock,
): Promise<SuggestionModel> {
  if (setting !== '') return models.choose(setting);
  await listed(models, signal, wait);
  const own = await models.choose(undefined);
  const others = models
    .entries()
    .flatMap((entry) => entry.models)
    .filter(({ provider }) => provider === own.model.provider);
  const filling = others.find(({ id }) => fimTemplateOf(id) !== undefined);
  if (filling !== undefined && own.fill !== undefined && (await fillsIn(own.fill, filling.id, signal))) return models.choose(modelKey(filling));
  return own.choice.type === 'auto' && !isDemo(own.model) ? router.forWork('suggestion', own, signal) : models.choose(modelKey(titleModel(own.model, others)));
}

/** Resolves when every source has listed its models, or after a while. */
async function listed(models: ModelRegistry, signal: AbortSignal, wait: Wait): Promise<void> {
  const done = new AbortController();
  await Promise.race([models.refresh(), wait(LISTS_MS, AbortSignal.any([signal, done.signal]))]);
  done.abort();
}
