import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { asText } from '../eval/table.js';
import { mean } from '../eval/statistics.js';
import { BASELINES, type Believed, counted, type Policy, specified } from './policies.js';
import { type Confusion, type Run, simulate, type World, WORLDS } from './simulate.js';
import { readTable, type Table } from './table.js';

/** The ways to choose that are compared, by their names. */
const POLICIES: Readonly<Record<string, (believed: Believed) => Policy>> = { ...BASELINES, specified, counted: counted({ prior: 15, keeps: 0.97 }) };
/** The one that the lines are about. */
const JUDGED = 'counted';
const SEEDS = 200;

const LINES = z.array(
  z.object({ line: z.string(), world: z.enum(['all', ...WORLDS]), measure: z.string(), atLeast: z.optional(z.number()), atMost: z.optional(z.number()) }),
);

type Runs = Readonly<Record<World, Readonly<Record<string, readonly Run[]>>>>;

/** Runs `npm run simulate:routing`. Returns the exit code: 1 where a line is missed. */
export function main(args: readonly string[]): Promise<number> {
  const seeds = Number(args[0] ?? SEEDS);
  const table = readTable();
  const confusion: Confusion = table.kinds.map((_, kind) => table.kinds.map((__, other) => (other === kind ? 0.75 : 0.25 / (table.kinds.length - 1))));
  const runs = Object.fromEntries(WORLDS.map((world) => [world, inWorld(table, world, seeds, confusion)])) as Runs;
  for (const world of WORLDS) console.log(`\n${world}\n${asText({ head: HEAD, rows: Object.entries(runs[world]).map(([name, of]) => rowOf(name, of)) })}`);
  const missed = LINES.parse(JSON.parse(readFileSync('test/routing/lines.json', 'utf8'))).filter((line) => {
    const worlds = line.world === 'all' ? WORLDS : [line.world];
    const values = worlds.map((world) => (MEASURES[line.measure] ?? unknown)(runs[world]));
    const holds = values.every((value) => value >= (line.atLeast ?? -Infinity) && value <= (line.atMost ?? Infinity));
    const wanted = line.atLeast === undefined ? `≤ ${String(line.atMost)}` : `≥ ${line.atLeast}`;
    console.log(`${line.line} ${line.world} ${line.measure}: ${values.map((value) => value.toFixed(4)).join(' ')} (${wanted}) ${holds ? 'holds' : 'MISSED'}`);
    return !holds;
  });
  return Promise.resolve(missed.length === 0 ? 0 : 1);
}

function unknown(): number {
  throw new Error('There is no such measure.');
}

function inWorld(table: Table, world: World, seeds: number, confusion: Confusion): Record<string, readonly Run[]> {
  return Object.fromEntries(
    Object.entries(POLICIES).map(([name, make]) => [name, Array.from({ length: seeds }, (_, seed) => simulate(table, world, make, seed + 1, confusion))]),
  );
}

const HEAD = ['policy', 'success', 'cost', 'value', 'regret', 'asks', 'below, expected', 'below, true', 'late share'];

function rowOf(name: string, runs: readonly Run[]): readonly string[] {
  const per = (of: (run: Run) => number): number => mean(runs.map((run) => of(run) / run.tasks));
  return [
    name,
    ...[per((run) => run.success), per((run) => run.cost), per((run) => run.value), per((run) => run.regret), per((run) => run.asks)].map((value) =>
      value.toFixed(4),
    ),
    ...[per((run) => run.belowByEstimate), per((run) => run.belowInTruth), mean(runs.map((run) => run.lateShareOfOracle))].map((value) => value.toFixed(4)),
  ];
}

const judged = (runs: Runs[World]): readonly Run[] => runs[JUDGED] ?? [];
const sumOf = (runs: readonly Run[] | undefined, of: (run: Run) => number): number => (runs ?? []).reduce((sum, run) => sum + of(run), 0);
const ratio = (runs: Runs[World], other: string, of: (run: Run) => number): number => sumOf(judged(runs), of) / sumOf(runs[other], of);
const median = (values: readonly (number | undefined)[]): number =>
  values.map((value) => value ?? Infinity).toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;

const MEASURES: Readonly<Record<string, (runs: Runs[World]) => number>> = {
  successOfBestSingle: (runs) => ratio(runs, 'best single', (run) => run.success),
  costOfBestSingle: (runs) => ratio(runs, 'best single', (run) => run.cost),
  valueOfStatic: (runs) => ratio(runs, 'static', (run) => run.value),
  lateRegretOfStaticWhereWrong: (runs) => ratio(runs, 'static', (run) => run.lateRegretWhereWrong),
  asks: (runs) => mean(judged(runs).map((run) => run.asks / run.tasks)),
  belowFloorByEstimate: (runs) => sumOf(judged(runs), (run) => run.belowByEstimate),
  belowFloorInTruth: (runs) => mean(judged(runs).map((run) => run.belowInTruth / run.tasks)),
  tasksUntilRecovered: (runs) => median(judged(runs).flatMap(({ untilRecovered }) => untilRecovered)),
  lateShareOfOracle: (runs) => mean(judged(runs).map((run) => run.lateShareOfOracle)),
  estimateMovedByOutage: (runs) => sumOf(judged(runs), (run) => run.movedByOutage),
  tasksUntilUsedAgain: (runs) => median(judged(runs).map(({ untilUsedAgain }) => untilUsedAgain)),
};
