import { mkdirSync, writeFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { mean } from '../eval/statistics.js';
import { asText } from '../eval/table.js';
import { type Judgement, judge, JUDGED, KNOWN_MISSES, type Runs } from './measures.js';
import { BASELINES, type Believed, counted, type Policy, specified } from './policies.js';
import { product } from './product.js';
import { accuracy, confusionOf, type Matrix, promptMatrices } from './prompts.js';
import { type Confusion, type Run, simulate, type World, WORLDS } from './simulate.js';
import { readTable } from './table.js';

/** The ways to choose that are compared, by their names. */
const POLICIES: Readonly<Record<string, (believed: Believed) => Policy>> = {
  ...{ ...BASELINES, specified, counted: counted({ prior: 15, keeps: 0.97 }) },
  [JUDGED]: product,
};
const SEEDS = 200;
/** The 97.5 % quantile of the normal distribution, for intervals around means of so many seeds. */
const Z = 1.959964;
const RESULTS = 'test-results/routing';

/** Runs `npm run simulate:routing`. Returns the exit code: 1 where a line is missed that held, or holds that was missed. */
export async function main(args: readonly string[]): Promise<number> {
  const seeds = Number(args[0] ?? SEEDS);
  const table = readTable();
  const { tuned, heldOut } = promptMatrices();
  for (const matrix of [tuned, heldOut]) console.log(textOf(matrix, table.kinds));
  const confusion = confusionOf(heldOut, table.kinds);
  const runs = Object.fromEntries(await Promise.all(WORLDS.map(async (world) => [world, await apart({ world, seeds, confusion })] as const))) as Runs;
  for (const world of WORLDS) console.log(`\n${world}\n${asText({ head: HEAD, rows: Object.entries(runs[world]).map(([name, of]) => rowOf(name, of)) })}`);
  const judgements = judge(runs);
  for (const each of judgements) console.log(lineOf(each));
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(`${RESULTS}/simulation.json`, JSON.stringify({ seeds, prompts: [tuned, heldOut], judgements, runs }));
  return judgements.every(({ line, holds }) => holds !== KNOWN_MISSES.includes(line)) ? 0 : 1;
}

function textOf(matrix: Matrix, kinds: readonly string[]): string {
  const rows = matrix.counts.map((row, at) => [kinds[at] ?? '', ...row.map(String)]);
  return `\nprompts ${matrix.name}: ${(100 * accuracy(matrix)).toFixed(1)} % right\n${asText({ head: ['', ...kinds.map((kind) => kind.slice(0, 6))], rows })}`;
}

function lineOf({ line, world, measure, values, wanted, holds }: Judgement): string {
  const says = holds ? 'holds' : KNOWN_MISSES.includes(line) ? 'missed, as is known' : 'MISSED';
  return `${line} ${world} ${measure}: ${values.map((value) => value.toFixed(4)).join(' ')} (${wanted}) ${says}`;
}

/** What a thread of its own simulates. */
interface Part {
  readonly world: World;
  readonly seeds: number;
  readonly confusion: Confusion;
}

/** Simulates a world in a thread of its own: this module is what it runs, too. */
function apart(workerData: Part): Promise<Runs[World]> {
  return new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url), { workerData }).once('message', resolve).once('error', reject);
  });
}

function inWorld({ world, seeds, confusion }: Part): Runs[World] {
  const table = readTable();
  return Object.fromEntries(
    Object.entries(POLICIES).map(([name, make]) => [name, Array.from({ length: seeds }, (_, seed) => simulate(table, world, make, seed + 1, confusion))]),
  );
}

const HEAD = ['policy', 'success', 'cost', 'value', 'regret ± 95 %', 'asks', 'below, expected', 'below, true', 'late share ± 95 %'];

function rowOf(name: string, runs: readonly Run[]): readonly string[] {
  const per = (of: (run: Run) => number): string => mean(runs.map((run) => of(run) / run.tasks)).toFixed(4);
  const within = (values: readonly number[]): string => `${mean(values).toFixed(4)} ± ${interval(values).toFixed(4)}`;
  return [
    name,
    ...[per((run) => run.success), per((run) => run.cost), per((run) => run.value), within(runs.map((run) => run.regret / run.tasks))],
    ...[per((run) => run.asks), per((run) => run.belowByEstimate), per((run) => run.belowInTruth), within(runs.map((run) => run.lateShareOfOracle))],
  ];
}

/** Half of the 95 % interval around the mean of the seeds. */
function interval(values: readonly number[]): number {
  const center = mean(values);
  const variance = values.reduce((sum, value) => sum + (value - center) ** 2, 0) / Math.max(1, values.length - 1);
  return Z * Math.sqrt(variance / values.length);
}

if (!isMainThread) parentPort?.postMessage(inWorld(workerData as Part));
