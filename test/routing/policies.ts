import type { Random } from '../support/option-fuzz/random.js';
import { bestOf, bestSingle, highest, type Kind, measuredIn, type Model, type Table } from './table.js';

/** What became of a task. `unavailable`: the model did not answer, which says nothing about how good it is. */
export type Outcome = 'solved' | 'failed' | 'unavailable';

/** A way to choose a model for each task, which can learn from what became of them. */
export interface Policy {
  /** @returns a model; `undefined`: the user is asked */
  choose(kind: Kind, task: number): Model | undefined;
  observe(kind: Kind, model: Model, outcome: Outcome, task: number): void;
  /** What it expects of a model; `undefined` where it expects nothing. */
  estimate?(model: Model, kind: Kind): number;
}

/** What a policy begins with. */
export interface Believed {
  /** With the successes that are believed, and the costs that are true. */
  readonly table: Table;
  readonly random: Random;
}

/** A model is admissible when its estimate is at least this share of the best one in the kind. */
export const FLOOR = 0.9;

const nothing = (): void => undefined;

/** Of models that are good enough, the one with the most success for its cost; the quicker one of equals. */
export function ruleOver(table: Table, kind: Kind, available: readonly Model[], estimate: (model: Model) => number): Model | undefined {
  const floor = FLOOR * highest(available, estimate);
  let found: { readonly model: Model; readonly worth: number; readonly latency: number } | undefined;
  for (const model of available) {
    const expected = estimate(model);
    if (expected < floor) continue;
    const worth = expected / Math.max(table.cost[model]?.[kind] ?? Infinity, 1e-9);
    const latency = table.latency[model] ?? 0;
    if (found === undefined || worth > found.worth || (worth === found.worth && latency < found.latency)) found = { model, worth, latency };
  }
  return found?.model;
}

/** Always the same. */
function always(model: Model): Policy {
  return { choose: () => model, observe: nothing };
}

/** The same in each kind. */
function fixed(table: Table, choose: (kind: Kind) => Model | undefined): Policy {
  const chosen = table.kinds.map((_, kind) => choose(kind));
  return { choose: (kind) => chosen[kind], observe: nothing };
}

function believedOf({ success }: Table, kind: Kind): (model: Model) => number {
  return (model) => success[model]?.[kind] ?? 0;
}

/** Baselines that learn nothing, by their names. */
export const BASELINES: Readonly<Record<string, (believed: Believed) => Policy>> = {
  'best single': ({ table }) => always(bestSingle(table)),
  cheapest: ({ table }) => fixed(table, (kind) => bestOf(measuredIn(table, kind), (model) => -(table.cost[model]?.[kind] ?? Infinity))),
  random: ({ table, random }) => ({ choose: (kind) => random.of(measuredIn(table, kind)), observe: nothing }),
  strongest: ({ table }) => fixed(table, (kind) => bestOf(measuredIn(table, kind), believedOf(table, kind))),
  static: ({ table }) => fixed(table, (kind) => ruleOver(table, kind, measuredIn(table, kind), believedOf(table, kind))),
  lookup: ({ table }) => fixed(table, (kind) => lookedUp(table, kind)),
};

/** The cheapest that is not worse than the best single model in the kind. */
function lookedUp(table: Table, kind: Kind): Model | undefined {
  const believed = believedOf(table, kind);
  const single = bestSingle(table);
  const notWorse = measuredIn(table, kind).filter((model) => believed(model) >= believed(single));
  return bestOf(notWorse, (model) => -(table.cost[model]?.[kind] ?? Infinity));
}

/** How a policy that learns estimates what a model can do in a kind. */
interface Learned {
  estimate(prior: number): number;
  observe(solved: boolean): void;
}

/** Tasks for which a model that did not answer is left out first; it doubles each time. */
const FIRST_PAUSE = 2;
const LONGEST_PAUSE = 32;

/** The rule over estimates that move with what is observed. Whether a model answers is kept apart from how good it is. */
function learning(table: Table, newEstimate: () => Learned): Policy {
  const learned = table.models.map(() => table.kinds.map(newEstimate));
  const pauses = new Map<Model, { readonly until: number; readonly length: number }>();
  const estimate = (model: Model, kind: Kind): number => learned[model]?.[kind]?.estimate(table.success[model]?.[kind] ?? 0) ?? 0;
  return {
    estimate,
    choose: (kind, task) => {
      const all = measuredIn(table, kind);
      const available = pauses.size === 0 ? all : all.filter((model) => (pauses.get(model)?.until ?? -1) < task);
      return ruleOver(table, kind, available, (model) => estimate(model, kind));
    },
    observe: (kind, model, outcome, task) => {
      if (outcome !== 'unavailable') {
        pauses.delete(model);
        learned[model]?.[kind]?.observe(outcome === 'solved');
        return;
      }
      const length = Math.min(LONGEST_PAUSE, (pauses.get(model)?.length ?? FIRST_PAUSE / 2) * 2);
      pauses.set(model, { until: task + length, length });
    },
  };
}

/** What a model is better at by its maker’s word counts for so much more. No published table says that of a model, so that the simulation has none. */
const STRENGTH = 0.15;

/** As it was first specified: an average that forgets, which counts for three tenths beside what was believed, after three observations. */
export function specifiedEstimate(isStrength = false): Learned {
  let average: number | undefined;
  let seen = 0;
  return {
    estimate: (prior) => Math.min(1, (average === undefined || seen < 3 ? prior : 0.7 * prior + 0.3 * average) + (isStrength ? STRENGTH : 0)),
    observe: (solved) => {
      const value = solved ? 1 : 0;
      average = average === undefined ? value : 0.3 * value + 0.7 * average;
      seen += 1;
    },
  };
}

/** The rule with these. */
export function specified({ table }: Believed): Policy {
  return learning(table, () => specifiedEstimate());
}

/** How many observations what was believed before counts for, and what an observation is worth after each later one. */
export interface CountedOptions {
  readonly prior: number;
  readonly keeps: number;
}

/** An average of what was believed and what was observed, weighted by how much was observed, in which older observations count less. */
export const counted =
  ({ prior: weight, keeps }: CountedOptions) =>
  ({ table }: Believed): Policy =>
    learning(table, () => {
      let solved = 0;
      let seen = 0;
      return {
        estimate: (prior) => (weight * prior + solved) / (weight + seen),
        observe: (success) => {
          solved = keeps * solved + (success ? 1 : 0);
          seen = keeps * seen + 1;
        },
      };
    });
