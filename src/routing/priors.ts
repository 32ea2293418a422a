import { modelKey } from '../domain/model/model-key.js';
import { type ModelInfo, priceOf } from '../domain/model/provider.js';
import { TASK_KINDS, type TaskKind } from '../domain/model/task-kind.js';
import type { ByModelAndKind, Prior } from './estimates.js';
import table from './priors.json';

/** The share of tasks in which the best model of the published table is believed to succeed in each kind: benchmarks are harder than work. */
const BEST = 0.85;
/** What is assumed of models that the table does not have, as a share of that: those with the lowest and the highest price among the user’s models. */
const ASSUMED = { lowest: 0.6, unknown: 0.75, highest: 0.95 };
/** Dollars per million tokens of output from which on a higher price is assumed to say nothing: else the floor would demand the dearest model of all. */
const SATURATES = 15;

type Successes = Readonly<Partial<Record<TaskKind, number>>>;
const MODELS: readonly { readonly ids: readonly string[]; readonly successPercent: Successes }[] = table.models;

/** The highest success of the table in a kind, in percent. */
const HIGHEST = Object.fromEntries(TASK_KINDS.map((kind) => [kind, Math.max(...MODELS.map(({ successPercent }) => successPercent[kind] ?? 0))]));

/** What is believed of the user’s models before anything was observed: by the published table, or where that does not have them, by their prices. */
export function priorsOf(models: readonly ModelInfo[]): ByModelAndKind<Prior> {
  const prices = models.flatMap((model) => outputPrice(model) ?? []);
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  return Object.fromEntries(
    models.map((model) => {
      const published = MODELS.find(({ ids }) => ids.includes(nameOf(model.id)))?.successPercent ?? {};
      const assumed: Prior = { value: BEST * assumedOf(outputPrice(model), low, high), source: 'assumed' };
      return [modelKey(model), Object.fromEntries(TASK_KINDS.map((kind) => [kind, priorOf(kind, published[kind], assumed)]))];
    }),
  );
}

function priorOf(kind: TaskKind, percent: number | undefined, assumed: Prior): Prior {
  return percent === undefined ? assumed : { value: (BEST * percent) / (HIGHEST[kind] ?? 100), source: 'published' };
}

/** By where its price is between the lowest and the highest, each doubling counting the same. */
function assumedOf(price: number | undefined, low: number, high: number): number {
  if (price === undefined) return ASSUMED.unknown;
  const position = high > low ? Math.log((1 + price) / (1 + low)) / Math.log((1 + high) / (1 + low)) : 1;
  return ASSUMED.lowest + (ASSUMED.highest - ASSUMED.lowest) * position;
}

function outputPrice(model: ModelInfo): number | undefined {
  const price = priceOf(model)?.output;
  return price !== undefined && Number.isFinite(price) && price >= 0 ? Math.min(price, SATURATES) : undefined;
}

/** The last part of an id without the date at its end, in lower case: `openai/gpt-5-2025-08-07` is `gpt-5`. */
function nameOf(id: string): string {
  const name = id.toLowerCase().slice(id.lastIndexOf('/') + 1);
  return name.replace(/:.*$/, '').replace(/-(?:20\d{6}|20\d\d-\d\d-\d\d)$/, '');
}
