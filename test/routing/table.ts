import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';

/** Kinds of work, in the order of the table. */
export type Kind = number;
/** A model, as its index in the table. */
export type Model = number;

/** Models by kinds of work: by the model, then by the kind. */
export interface Table {
  readonly kinds: readonly string[];
  readonly models: readonly string[];
  /** Chance of success, 0 to 1; `undefined` where it was not measured. */
  readonly success: readonly (readonly (number | undefined)[])[];
  /** In the units of the table. */
  readonly cost: readonly (readonly number[])[];
  /** Milliseconds to the first text. */
  readonly latency: readonly number[];
  /** The models that were measured in each kind. */
  readonly measured: readonly (readonly Model[])[];
}

const FILE = z.object({
  kinds: z.record(z.string(), z.string()),
  models: z.record(
    z.string(),
    z.object({ successPercent: z.record(z.string(), z.number()), cost: z.record(z.string(), z.number()), filledIn: z.object({ latencyMs: z.number() }) }),
  ),
});

/** Reads the table that was published, see README.md here. @throws Error when it is not as expected */
export function readTable(): Table {
  const { kinds: named, models } = FILE.parse(JSON.parse(readFileSync('test/routing/world.json', 'utf8')));
  const kinds = Object.keys(named);
  const rows = Object.values(models);
  // Where both are 0, nothing was measured.
  const success = rows.map(({ successPercent, cost }) =>
    kinds.map((kind) => (successPercent[kind] === 0 && cost[kind] === 0 ? undefined : (successPercent[kind] ?? NaN) / 100)),
  );
  const cost = rows.map((row) => kinds.map((kind) => row.cost[kind] ?? NaN));
  const broken = [...success.flat(), ...cost.flat()].some((value) => Number.isNaN(value));
  if (broken) throw new Error('A number is missing in the table of models.');
  const measured = kinds.map((_, kind) => success.flatMap((row, model) => (row[kind] === undefined ? [] : [model])));
  return { kinds, models: Object.keys(models), success, cost, latency: rows.map(({ filledIn }) => filledIn.latencyMs), measured };
}

/** The highest of some values; `undefined` of none. */
export function bestOf<T>(items: readonly T[], valueOf: (item: T) => number): T | undefined {
  return items.reduce<T | undefined>((best, item) => (best === undefined || valueOf(item) > valueOf(best) ? item : best), undefined);
}

/** The models that were measured in a kind. */
export function measuredIn({ measured }: Table, kind: Kind): readonly Model[] {
  return measured[kind] ?? [];
}

/** The highest value of some models, which are at least one. */
export function highest(models: readonly Model[], valueOf: (model: Model) => number): number {
  let found = -Infinity;
  for (const model of models) found = Math.max(found, valueOf(model));
  return found;
}

/** The best single model in hindsight: that with the highest mean success over all kinds, among those that were measured in all. */
export function bestSingle(table: Table): Model {
  const all = table.models.map((_, model) => model).filter((model) => table.success[model]?.every((value) => value !== undefined));
  const best = bestOf(all, (model) => (table.success[model] ?? []).reduce<number>((sum, value) => sum + (value ?? 0), 0));
  if (best === undefined) throw new Error('No model was measured in all kinds.');
  return best;
}
