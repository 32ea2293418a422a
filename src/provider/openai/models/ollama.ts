import { USUAL_EFFORTS } from '../../../domain/model/effort.js';
import type { ModelInfo } from '../../../domain/model/provider.js';
import { authorization } from '../client.js';
import { parseEndpoint } from '../endpoint.js';
import { count, list, record, text } from '../json.js';
import type { OpenAiOptions } from '../options.js';
import { type Question, askJson } from './get-json.js';
import { sizes } from './model-entry.js';

/** How many models are asked about at once. */
const AT_ONCE = 4;

/** How long the list of running models may take, in milliseconds. It is asked for in the middle of a turn. */
const RUNNING_MS = 2_000;

/**
 * The context that Ollama gives a model at least when nothing sets it, in tokens; with more graphics memory it gives
 * more. Source: docs.ollama.com, "Context length".
 */
const LEAST_CONTEXT = 4_096;

/**
 * Adds what Ollama reports per model on request: its context and capabilities. A model whose request fails keeps what was
 * known. Sources: docs.ollama.com, "Show model details" and "List running models".
 */
export async function withOllamaFacts(question: Question, models: readonly ModelInfo[]): Promise<readonly ModelInfo[]> {
  const running = runningContexts(question);
  const found: (ModelInfo | undefined)[] = [...models];
  const left = models.map((_, place) => place);
  const work = async (): Promise<void> => {
    for (let place = left.shift(); place !== undefined; place = left.shift()) {
      const model = models[place];
      // Only a part of the list is poorer without it: a server that is no Ollama has no such address.
      const facts = model === undefined ? undefined : await askJson(question, ownUrl(question, 'show'), { model: model.id }).catch(() => undefined);
      if (model !== undefined && facts !== undefined) found[place] = shown(model, facts);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const contexts = await running;
  return found.flatMap((model) => (model === undefined ? [] : [withContext(model, contexts.get(model.id))]));
}

/** The context of a model that is loaded now. Never rejects. */
export async function runningContext(options: OpenAiOptions, model: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    const endpoint = parseEndpoint(options, await options.keyName?.(model));
    const headers = await authorization(options, endpoint);
    const limited = AbortSignal.any([signal, AbortSignal.timeout(RUNNING_MS)]);
    const contexts = await runningContexts({ endpoint, headers, signal: limited, fetch: options.fetch });
    // A name without a tag is the one with this tag.
    return contexts.get(model) ?? contexts.get(`${model}:latest`);
  } catch {
    // The answer itself has come; its window stays what was known.
    return undefined;
  }
}

/** The contexts of all models that are loaded now, by id; empty where the server does not say. */
async function runningContexts(question: Question): Promise<ReadonlyMap<string, number>> {
  const document = await askJson(question, ownUrl(question, 'ps')).catch(() => undefined);
  const entries = list(record(document)?.['models']).map(record);
  return new Map(
    entries.flatMap((entry): [string, number][] => {
      const context = count(entry?.['context_length']) ?? 0;
      return context > 0 ? [text(entry?.['model']), text(entry?.['name'])].filter((id) => id !== '').map((id) => [id, context]) : [];
    }),
  );
}

/** An address of Ollama's own API, which lies beside the one for chat completions. */
function ownUrl({ endpoint }: Question, name: 'show' | 'ps'): string {
  return `${endpoint.baseUrl.replace(/\/v1$/, '')}/api/${name}`;
}

/** The model after what `/api/show` says of it; `undefined` when it cannot talk. */
function shown(model: ModelInfo, facts: unknown): ModelInfo | undefined {
  const details = record(facts);
  const capabilities = details?.['capabilities'];
  if (Array.isArray(capabilities) && !capabilities.includes('completion')) return undefined;
  const can = (what: string): boolean => list(capabilities).includes(what);
  const certain = certainContext(details);
  return {
    ...withContext(model, certain > 0 ? certain : contextMadeFor(details?.['model_info'])),
    contextWindow: certain,
    ...(Array.isArray(capabilities) ? { supportsTools: can('tools'), supportsImages: can('vision'), efforts: can('thinking') ? USUAL_EFFORTS : [] } : {}),
  };
}

function withContext(model: ModelInfo, context: number | undefined): ModelInfo {
  return context === undefined ? model : { ...model, ...sizes(context, undefined, model) };
}

/**
 * The context that a model surely gets when it is loaded: what its file sets; where Ollama's own servers run it, and
 * where it is no more than the least, what it was made for. Otherwise it depends on the server's memory and settings: 0.
 */
function certainContext(details: ReturnType<typeof record>): number {
  const made = contextMadeFor(details?.['model_info']);
  const set = Number(/^\s*num_ctx\s+(\d+)/m.exec(text(details?.['parameters']))?.[1] ?? Number.NaN);
  if (set > 0) return Math.min(set, made ?? set);
  const remote = text(details?.['remote_host']) !== '';
  return made !== undefined && (remote || made <= LEAST_CONTEXT) ? made : 0;
}

/** The largest context that the model was made for. */
function contextMadeFor(modelInfo: unknown): number | undefined {
  const entry = Object.entries(record(modelInfo) ?? {}).find(([key]) => key.endsWith('.context_length'));
  const made = count(entry?.[1]) ?? 0;
  return made > 0 ? made : undefined;
}
