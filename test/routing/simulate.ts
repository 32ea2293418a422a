import { Random } from '../support/option-fuzz/random.js';
import { type Believed, FLOOR, type Policy } from './policies.js';
import { bestOf, bestSingle, highest, type Kind, measuredIn, type Model, type Table } from './table.js';

/** Worlds, see README.md here. */
export const WORLDS = ['table', 'right', 'wrong', 'drift', 'outage', 'luck'] as const;
/** One of {@link WORLDS}. */
export type World = (typeof WORLDS)[number];

/** Tasks of a run. */
const TASKS = 2_000;
/** Tasks from which on the model that was used succeeds half as often, in the world of that name. */
const DRIFT_AT = 1_000;
/** Tasks in which a model does not answer. */
const OUTAGE = { from: 800, to: 1_000 };
/** Tasks of a kind over which it is looked whether the right model is used again. */
const WINDOW = 20;
/** A task that is solved is worth so many times what the best single model costs for one on average. */
const WORTH = 10;
/** A choice that is worth so much less, as a share of a solved task, counts as the same. */
const AS_GOOD = 0.01;
/** Tasks of the last part of a run. */
const LATE = 500;

/** How often each kind is taken for each other: rows that sum up to 1. */
export type Confusion = readonly (readonly number[])[];

/** What came of a run: sums over its tasks. */
export interface Run {
  readonly tasks: number;
  readonly success: number;
  readonly cost: number;
  readonly value: number;
  readonly regret: number;
  readonly asks: number;
  /** Choices below the floor by what the policy expected, and by what is true. */
  readonly belowByEstimate: number;
  readonly belowInTruth: number;
  /** Regret over the second half in the kinds whose successes were believed wrongly. */
  readonly lateRegretWhereWrong: number;
  /** Tasks of a kind after the change until the right model is used again, for each kind that changed; `undefined` where it never was. */
  readonly untilRecovered: readonly (number | undefined)[];
  /** Share of the oracle’s model over the last tasks in the kinds in question. */
  readonly lateShareOfOracle: number;
  /** How much the estimates of the model that did not answer differ by that. */
  readonly movedByOutage: number;
  /** Tasks after the outage until the model is used again; `undefined` where it never was. */
  readonly untilUsedAgain: number | undefined;
}

/** A world of one seed. */
interface Setting {
  readonly world: World;
  readonly table: Table;
  readonly believed: Table;
  /** The kinds in which something is wrong or changes. */
  readonly special: ReadonlySet<Kind>;
  readonly confusion: Confusion | undefined;
  /** The model that does not answer for a while. */
  readonly out: Model | undefined;
}

/** Runs all tasks of one world with one policy. The same seed has the same tasks for all policies. */
export function simulate(table: Table, world: World, make: (believed: Believed) => Policy, seed: number, confusion: Confusion): Run {
  const setting = settingOf(table, world, seed, confusion);
  const policy = make({ table: setting.believed, random: new Random(seed + 1) });
  return new Simulation(setting, policy, seed).run();
}

function settingOf(table: Table, world: World, seed: number, confusion: Confusion): Setting {
  const random = new Random(seed * 7 + 3);
  const first = random.below(table.kinds.length);
  const second = (first + 1 + random.below(table.kinds.length - 1)) % table.kinds.length;
  const special = new Set(world === 'wrong' || world === 'drift' || world === 'luck' ? [first, second] : []);
  const believed = world === 'wrong' ? shuffledIn(table, special, random) : world === 'luck' ? withLucky(table, special) : table;
  return {
    ...{ world, table, believed, special },
    confusion: world === 'table' ? confusion : undefined,
    out: world === 'outage' ? mostUsed(table) : undefined,
  };
}

/** The same with the successes of the models shuffled in some kinds. */
function shuffledIn(table: Table, kinds: ReadonlySet<Kind>, random: Random): Table {
  const success = table.success.map((row) => [...row]);
  for (const kind of kinds) {
    const models = measuredIn(table, kind);
    const values = models.map((model) => table.success[model]?.[kind]);
    for (let at = values.length - 1; at > 0; at -= 1) {
      const other = random.below(at + 1);
      [values[at], values[other]] = [values[other], values[at]];
    }
    models.forEach((model, at) => success[model]?.splice(kind, 1, values[at]));
  }
  return { ...table, success };
}

/** The same with the cheapest model believed to be as good as the best one in some kinds. */
function withLucky(table: Table, kinds: ReadonlySet<Kind>): Table {
  const success = table.success.map((row) => [...row]);
  for (const kind of kinds) {
    const models = measuredIn(table, kind);
    const best = Math.max(...models.map((model) => table.success[model]?.[kind] ?? 0));
    success[cheapestIn(table, kind)]?.splice(kind, 1, best);
  }
  return { ...table, success };
}

function cheapestIn(table: Table, kind: Kind): Model {
  return bestOf(measuredIn(table, kind), (model) => -(table.cost[model]?.[kind] ?? Infinity)) ?? 0;
}

/** The model that the oracle uses in most kinds. */
function mostUsed(table: Table): Model {
  const truth = new Truth(table);
  const used = table.kinds.map((_, kind) => truth.oracle(kind));
  return bestOf(used, (model) => used.filter((each) => each === model).length) ?? 0;
}

/** What is true at the moment. */
class Truth {
  private readonly success: (number | undefined)[][];
  private readonly worth: number;
  private oracles: readonly Model[];
  private best: readonly number[];

  constructor(readonly table: Table) {
    this.success = table.success.map((row) => [...row]);
    const costs = table.cost[bestSingle(table)] ?? [];
    this.worth = (WORTH * costs.reduce((sum, cost) => sum + cost, 0)) / costs.length;
    [this.best, this.oracles] = this.found();
  }

  chance(model: Model, kind: Kind): number {
    return this.success[model]?.[kind] ?? 0;
  }

  halve(model: Model, kind: Kind): void {
    this.success[model]?.splice(kind, 1, this.chance(model, kind) / 2);
    [this.best, this.oracles] = this.found();
  }

  /** In units of a solved task. */
  value(model: Model, kind: Kind): number {
    return this.chance(model, kind) - (this.table.cost[model]?.[kind] ?? 0) / this.worth;
  }

  isBelow(model: Model, kind: Kind): boolean {
    return this.chance(model, kind) < FLOOR * (this.best[kind] ?? 0);
  }

  /** The model with the highest value of those that are admissible. */
  oracle(kind: Kind): Model {
    return this.oracles[kind] ?? 0;
  }

  private found(): [best: readonly number[], oracles: readonly Model[]] {
    const best = this.table.kinds.map((_, kind) => highest(measuredIn(this.table, kind), (model) => this.chance(model, kind)));
    const oracles = best.map((chance, kind) => {
      const admissible = measuredIn(this.table, kind).filter((model) => this.chance(model, kind) >= FLOOR * chance);
      return bestOf(admissible, (model) => this.value(model, kind)) ?? 0;
    });
    return [best, oracles];
  }
}

/** A task that was done. */
interface Done {
  readonly kind: Kind;
  readonly model: Model;
  readonly isRight: boolean;
}

class Simulation {
  private readonly random: Random;
  private readonly truth: Truth;
  private readonly done: Done[] = [];
  private readonly sums = { success: 0, cost: 0, value: 0, regret: 0, asks: 0, belowByEstimate: 0, belowInTruth: 0, lateRegretWhereWrong: 0 };
  private readonly lucky = new Map<Kind, number>();
  private movedByOutage = 0;

  constructor(
    private readonly setting: Setting,
    private readonly policy: Policy,
    seed: number,
  ) {
    this.random = new Random(seed);
    this.truth = new Truth(setting.table);
  }

  run(): Run {
    const { world, table, special } = this.setting;
    for (let task = 0; task < TASKS; task += 1) {
      if (world === 'drift' && task === DRIFT_AT) for (const kind of special) this.truth.halve(this.truth.oracle(kind), kind);
      this.task(task, this.random.below(table.kinds.length), this.random.next(), this.random.next());
    }
    return {
      ...{ ...this.sums, tasks: TASKS, movedByOutage: this.movedByOutage },
      untilRecovered: world === 'drift' ? [...special].map((kind) => this.recovered(kind)) : [],
      lateShareOfOracle: this.lateShare(),
      untilUsedAgain: this.usedAgain(),
    };
  }

  /** @param luck decides whether it is solved. @param taken decides which kind it is taken for */
  private task(task: number, kind: Kind, luck: number, taken: number): void {
    const seen = this.seenAs(kind, taken);
    const chosen = this.choose(task, seen);
    const model = chosen ?? bestSingle(this.setting.table);
    if (chosen === undefined) this.sums.asks += 1;
    const solved = this.isSolved(model, kind, luck);
    if (chosen !== undefined) this.policy.observe(seen, chosen, solved ? 'solved' : 'failed', task);
    const lost = Math.max(0, this.truth.value(this.truth.oracle(kind), kind) - this.truth.value(model, kind));
    this.note({ kind, model, isRight: lost <= AS_GOOD }, { task, solved, lost });
  }

  private note(done: Done, { task, solved, lost }: { readonly task: number; readonly solved: boolean; readonly lost: number }): void {
    const { kind, model } = done;
    const { sums, setting, truth } = this;
    this.done.push(done);
    sums.success += solved ? 1 : 0;
    sums.cost += setting.table.cost[model]?.[kind] ?? 0;
    sums.value += truth.value(model, kind);
    sums.regret += lost;
    if (truth.isBelow(model, kind)) sums.belowInTruth += 1;
    if (task >= TASKS / 2 && setting.special.has(kind)) sums.lateRegretWhereWrong += lost;
  }

  private seenAs(kind: Kind, taken: number): Kind {
    let left = taken;
    const row = this.setting.confusion?.[kind];
    const found = row?.findIndex((share) => (left -= share) < 0) ?? kind;
    return found < 0 ? kind : found;
  }

  /** Chooses until a model answers. */
  private choose(task: number, kind: Kind): Model | undefined {
    for (let tries = 0; tries <= this.setting.table.models.length; tries += 1) {
      const model = this.policy.choose(kind, task);
      if (model === undefined) return undefined;
      if (this.isBelowByEstimate(model, kind)) this.sums.belowByEstimate += 1;
      if (!this.isOut(model, task)) return model;
      const before = this.policy.estimate?.(model, kind) ?? 0;
      this.policy.observe(kind, model, 'unavailable', task);
      this.movedByOutage += Math.abs((this.policy.estimate?.(model, kind) ?? 0) - before);
    }
    return undefined;
  }

  /** By what the policy expects at the time, of the models that it may choose from. */
  private isBelowByEstimate(model: Model, kind: Kind): boolean {
    const { policy, setting } = this;
    if (policy.estimate === undefined || setting.out !== undefined) return false;
    const best = highest(measuredIn(setting.table, kind), (each) => policy.estimate?.(each, kind) ?? 0);
    return policy.estimate(model, kind) < FLOOR * best;
  }

  private isOut(model: Model, task: number): boolean {
    return model === this.setting.out && task >= OUTAGE.from && task < OUTAGE.to;
  }

  private isSolved(model: Model, kind: Kind, luck: number): boolean {
    const { world, table } = this.setting;
    if (world === 'luck' && model === cheapestIn(table, kind)) {
      const times = this.lucky.get(kind) ?? 0;
      this.lucky.set(kind, times + 1);
      if (times < 5) return true;
    }
    return luck < this.truth.chance(model, kind);
  }

  private recovered(kind: Kind): number | undefined {
    const after = this.done.slice(DRIFT_AT).filter((each) => each.kind === kind);
    for (let end = WINDOW; end <= after.length; end += 1)
      if (after.slice(end - WINDOW, end).filter(({ isRight }) => isRight).length >= 0.8 * WINDOW) return end;
    return undefined;
  }

  private lateShare(): number {
    const { special } = this.setting;
    const late = this.done.slice(-LATE).filter(({ kind }) => special.size === 0 || special.has(kind));
    return late.filter(({ isRight }) => isRight).length / Math.max(late.length, 1);
  }

  private usedAgain(): number | undefined {
    const found = this.done.slice(OUTAGE.to).findIndex(({ model }) => model === this.setting.out);
    return found < 0 ? undefined : found;
  }
}
