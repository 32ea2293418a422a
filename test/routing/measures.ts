import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { mean } from '../eval/statistics.js';
import { type Run, type World, WORLDS } from './simulate.js';

/** The policy that the lines are about. */
export const JUDGED = 'product';
/** Lines that it misses, which docs/routing.md explains. A line that begins to hold has to be taken from here and from there. */
export const KNOWN_MISSES: readonly string[] = ['L5'];

/** Runs by world, then by the name of the policy. */
export type Runs = Readonly<Record<World, Readonly<Record<string, readonly Run[]>>>>;

/** What came of a line in the worlds that it is about. */
export interface Judgement {
  readonly line: string;
  readonly world: string;
  readonly measure: string;
  readonly wanted: string;
  readonly values: readonly number[];
  readonly holds: boolean;
}

const LINES = z.array(
  z.object({ line: z.string(), world: z.enum(['all', ...WORLDS]), measure: z.string(), atLeast: z.optional(z.number()), atMost: z.optional(z.number()) }),
);

/** Judges the lines that were written down before. */
export function judge(runs: Runs): readonly Judgement[] {
  return LINES.parse(JSON.parse(readFileSync('test/routing/lines.json', 'utf8'))).map(({ line, world, measure, atLeast, atMost }) => {
    const worlds = world === 'all' ? WORLDS : [world];
    const values = worlds.map((each) => (MEASURES[measure] ?? unknown)(runs[each]));
    const holds = values.every((value) => value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity));
    return { line, world, measure, wanted: atLeast === undefined ? `≤ ${String(atMost)}` : `≥ ${atLeast}`, values, holds };
  });
}

function unknown(): number {
  throw new Error('There is no such measure.');
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
