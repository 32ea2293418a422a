import { TASK_KINDS, type TaskKind } from '../../src/domain/model/task-kind.js';
import {
  afterFailure,
  type Availability,
  estimateOf,
  type ModelEstimates,
  expectedIn,
  NO_OBSERVATIONS,
  type Observations,
  unavailableFor,
  withMean,
} from '../../src/routing/estimates.js';

import type { CandidateFacts, RouteFacts, RouteRequest } from '../../src/routing/facts.js';
import { observed } from '../../src/routing/observed.js';
import { route } from '../../src/routing/route.js';
import { type Believed, FLOOR, type Policy } from './policies.js';
import { bestSingle, type Kind, measuredIn, type Model, type Table } from './table.js';

/** Half-life of failures, in tasks. */
const HALF_LIFE = 8;
/** What an attempt costs beside its tokens, in what the best single model costs for a task on average: a solved task is worth ten times that. */
const ATTEMPT = 7;
const KEYS = new Map<string, Model>();

/** The product’s own functions as a policy: the table’s costs are prices of a million tokens, of which each task has so many. */
export function product({ table }: Believed): Policy {
  const state = new ProductState(table);
  return {
    estimate: (model, kind) => state.expected(model, kind),
    choose: (kind, task) => {
      const decision = route(state.request(kind), state.facts(kind, task));
      return decision.type === 'chosen' ? KEYS.get(decision.key) : undefined;
    },
    observe: (kind, model, outcome, task) => state.observe(kind, model, { outcome, task }),
  };
}

function keyOf(model: Model): string {
  const key = `world/${model}`;
  KEYS.set(key, model);
  return key;
}

function kindOf({ kinds }: Table, kind: Kind): TaskKind {
  const found = TASK_KINDS.find((each) => each === kinds[kind]);
  if (found === undefined) throw new Error('The table has a kind that the product does not have.');
  return found;
}

class ProductState {
  private readonly keys: readonly string[];
  private readonly kinds: readonly TaskKind[];
  private readonly estimates: Record<string, ModelEstimates> = {};
  private readonly observations = new Map<string, Observations>();
  private readonly availability = new Map<Model, Availability>();
  private readonly candidates: readonly (readonly CandidateFacts[])[];
  private readonly floors: Readonly<Record<TaskKind, number>>;
  private readonly attemptUsd: number;

  constructor(private readonly table: Table) {
    this.keys = table.models.map((_, model) => keyOf(model));
    this.kinds = table.kinds.map((_, kind) => kindOf(table, kind));
    table.models.forEach((_, model) => table.kinds.forEach((__, kind) => this.estimateAnew(model, kind)));
    this.candidates = table.kinds.map((_, kind) => measuredIn(table, kind).map((model) => this.candidate(model, kind)));
    this.floors = Object.fromEntries(TASK_KINDS.map((kind) => [kind, FLOOR])) as Record<TaskKind, number>;
    const costs = table.cost[bestSingle(table)] ?? [];
    this.attemptUsd = (ATTEMPT * costs.reduce((sum, cost) => sum + cost, 0)) / costs.length;
  }

  request(kind: Kind): RouteRequest {
    return { kind: this.kind(kind), needsTools: true, needsImages: false, inputTokens: 0, reservedOutputTokens: 0, expectedOutputTokens: 1_000_000 };
  }

  facts(kind: Kind, task: number): RouteFacts {
    const all = this.candidates[kind] ?? [];
    const candidates =
      this.availability.size === 0
        ? all
        : all.map((each) => ({ ...each, unavailableForMs: unavailableFor(this.availability.get(KEYS.get(each.key) ?? -1), task, HALF_LIFE) }));
    return { candidates, policy: [], floors: this.floors, estimates: this.estimates, attemptUsd: this.attemptUsd, halfLifeMs: HALF_LIFE };
  }

  expected(model: Model, kind: Kind): number {
    return expectedIn(this.estimates, this.key(model), this.kind(kind));
  }

  observe(kind: Kind, model: Model, { outcome, task }: { readonly outcome: 'solved' | 'failed' | 'unavailable'; readonly task: number }): void {
    if (outcome === 'unavailable') {
      this.availability.set(model, afterFailure(this.availability.get(model), task, HALF_LIFE));
      return;
    }
    this.availability.delete(model);
    const name = `${model} ${kind}`;
    this.observations.set(name, observed(this.observations.get(name) ?? NO_OBSERVATIONS, outcome === 'solved' ? 1 : 0));
    this.estimateAnew(model, kind);
  }

  private estimateAnew(model: Model, kind: Kind): void {
    const value = this.table.success[model]?.[kind];
    if (value === undefined) return;
    const estimate = estimateOf({ value, source: 'published' }, this.observations.get(`${model} ${kind}`));
    this.estimates[this.key(model)] = withMean({ ...this.estimates[this.key(model)]?.byKind, [this.kind(kind)]: estimate });
  }

  private candidate(model: Model, kind: Kind): CandidateFacts {
    const output = this.table.cost[model]?.[kind] ?? 0;
    return {
      ...{ key: this.key(model), label: this.table.models[model] ?? '', contextWindow: 0, maxOutputTokens: 0, tools: true, images: false, hasKey: true },
      ...{ price: { input: 0, output, cacheRead: 0, cacheWrite: 0 }, latencyMs: this.table.latency[model] ?? 0, unavailableForMs: 0 },
    };
  }

  private key(model: Model): string {
    return this.keys[model] ?? '';
  }

  private kind(kind: Kind): TaskKind {
    return this.kinds[kind] ?? 'generation';
  }
}
