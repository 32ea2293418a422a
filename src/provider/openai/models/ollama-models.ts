import type { ModelInfo } from '../../../domain/model/provider.js';
import type { Question } from './get-json.js';
import { askJson } from './get-json.js';
import { count, list, record, text } from '../json.js';
import { sizes } from './model-entry.js';

/** How many models are asked about at once. */
const AT_ONCE = 4;

/**
 * Adds what Ollama reports per model on request: its context and capabilities. A model whose request fails keeps what was
 * known. Source: docs.ollama.com, "Show model details".
 */
export async function withOllamaFacts(question: Question, models: readonly ModelInfo[]): Promise<readonly ModelInfo[]> {
  const url = `${question.endpoint.baseUrl.replace(/\/v1$/, '')}/api/show`;
  const found: (ModelInfo | undefined)[] = [...models];
  const left = models.map((_, place) => place);
  const work = async (): Promise<void> => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const model = models[place];
      // Only a part of the list is poorer without it: a server that is no Ollama has no such address.
      const facts = model === undefined ? undefined : await askJson(question, url, { model: model.id }).catch(() => undefined);
      if (model !== undefined && facts !== undefined) found[place] = shown(model, facts);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return found.filter((model) => model !== undefined);
}

/** The model after what `/api/show` says of it; `undefined` when it cannot talk. */
function shown(model: ModelInfo, facts: unknown): ModelInfo | undefined {
  const details = record(facts);
  const capabilities = details?.['capabilities'];
  if (Array.isArray(capabilities) && !capabilities.includes('completion')) return undefined;
  const context = contextOf(details?.['model_info'], text(details?.['parameters']));
  const can = (what: string): boolean => list(capabilities).includes(what);
  return {
    ...model,
    ...(context === undefined ? {} : sizes(context, undefined, model)),
    ...(Array.isArray(capabilities) ? { supportsTools: can('tools'), supportsImages: can('vision'), supportsThinking: can('thinking') } : {}),
  };
}

/** The context that the model was made for, or the smaller one that its file sets. */
function contextOf(modelInfo: unknown, parameters: string): number | undefined {
  const entry = Object.entries(record(modelInfo) ?? {}).find(([key]) => key.endsWith('.context_length'));
  const set = Number(/^\s*num_ctx\s+(\d+)/m.exec(parameters)?.[1] ?? Number.NaN);
  const made = count(entry?.[1]);
  const context = Number.isNaN(set) ? made : Math.min(set, made ?? set);
  return context !== undefined && context > 0 ? context : undefined;
}
