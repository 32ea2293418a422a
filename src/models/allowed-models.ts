import { isDemo } from '../domain/demo.js';
import { NoModelError } from '../domain/errors.js';
import { t } from '../domain/l10n.js';
import type { FillProvider } from '../domain/model/fill.js';
import { modelKey } from '../domain/model/model-key.js';
import type { ModelInfo, Provider } from '../domain/model/provider.js';
import type { AllowedModels } from '../customization/settings.js';
import { present } from '../domain/present.js';
import { PartStream } from '../provider/part-stream.js';
import type { ModelSource } from './source.js';

type NamedModel = Pick<ModelInfo, 'provider' | 'id'>;

/** The first place that does not allow a model; `undefined` where all do. The demo, which asks nobody, is always allowed. */
export function refusalOf(model: NamedModel, places: readonly AllowedModels[]): AllowedModels | undefined {
  if (isDemo(model)) return undefined;
  return places.find(({ names }) => !names.includes(modelKey(model)) && !names.includes(model.provider));
}

/**
 * A source that asks no model which is not allowed, whoever wants that: what is chosen for a chat, an agent, a suggestion, or by another extension is sent
 * nowhere else.
 */
export function withinAllowed(source: ModelSource, refusal: (model: NamedModel) => AllowedModels | undefined): ModelSource {
  const { provider, fill } = source;
  const { servedWindow } = provider;
  const problemOf = (id: string): NoModelError | undefined => {
    const model = { provider: source.id, id };
    const refused = refusal(model);
    return refused && notAllowed(source.info(id).label, modelKey(model), refused);
  };
  const guarded: Provider = {
    ...provider,
    stream: (request, signal) => {
      const problem = problemOf(request.model);
      return problem === undefined ? provider.stream(request, signal) : new PartStream(() => failing(problem), signal, undefined, { sent: () => false });
    },
    ...present({
      webSearch: provider.webSearch && ((model: ModelInfo) => (problemOf(model.id) === undefined ? provider.webSearch?.(model) : undefined)),
      // To say how large its window is, a server loads a model.
      servedWindow: servedWindow && {
        ...servedWindow,
        read: (id: string, signal: AbortSignal) => (problemOf(id) === undefined ? servedWindow.read(id, signal) : Promise.resolve(undefined)),
      },
    }),
  };
  const fills: FillProvider | undefined = fill && {
    way: (id, signal) => (problemOf(id) === undefined ? fill.way(id, signal) : Promise.resolve('none')),
    fill: (request, signal) => {
      const problem = problemOf(request.model);
      return problem === undefined ? fill.fill(request, signal) : Promise.reject(problem);
    },
  };
  return { ...source, provider: guarded, ...present({ fill: fills }) };
}

function notAllowed(label: string, key: string, { by, place }: AllowedModels): NoModelError {
  const words = t('{0} is not one of the models that {1} allows (“allowedModels”). Choose another model.', label, place);
  return new NoModelError(words, { type: 'pinned', key, removed: { type: 'notAllowed', by } });
}

function failing(problem: Error): AsyncIterable<never> {
  return { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(problem) }) };
}
