import type { Random } from '../support/option-fuzz/random.js';
import type { Results, RunRecord } from './results.js';
import { type Interval, bootstrap, drawn, mean, newcombe } from './statistics.js';
import { counted } from './summary.js';
import type { Table } from './table.js';

/** One figure before and after. */
export interface Difference {
  readonly figure: string;
  readonly before: number;
  readonly after: number;
  /** Of `after - before`; absent where nothing is known about how much runs vary, as with one run of a task. */
  readonly interval?: Interval;
  /** Whether the interval does not contain zero. */
  readonly shown: boolean;
}

/** Two sets of runs side by side. */
export interface Comparison {
  readonly names: readonly [before: string, after: string];
  /** Tasks of both, in the same version. */
  readonly tasks: number;
  /** Runs of each side. */
  readonly runs: number;
  /** Tasks of one side only, or of different versions, which do not count. */
  readonly leftOut: readonly string[];
  /** Empty when the two have no task in common. A figure that is not known of all runs is not there. */
  readonly differences: readonly Difference[];
}

/** What is compared beside the successes. */
const FIGURES: Readonly<Record<string, (run: RunRecord) => number | undefined>> = {
  rounds: ({ rounds }) => rounds,
  'tokens in': ({ inputTokens }) => inputTokens,
  'tokens in, not cached': ({ inputTokens, cacheReadTokens }) => inputTokens - cacheReadTokens,
  'tokens out': ({ outputTokens }) => outputTokens,
  US$: ({ costUsd }) => costUsd,
  calls: ({ toolCalls }) => toolCalls,
  errors: ({ toolErrors }) => toolErrors,
  seconds: ({ seconds }) => seconds,
};

/** From how many tasks on these are what a sample is drawn from; below, it is the runs of each task. */
const ENOUGH_TASKS = 10;
/** Runs of a task on each side that a sample can be drawn from. */
const ENOUGH_RUNS = 3;

/** The runs of a task on both sides, as many on the one as on the other. */
interface Pair {
  readonly before: readonly RunRecord[];
  readonly after: readonly RunRecord[];
}

/** Compares two sets of runs, task by task. */
export function compare(before: readonly RunRecord[], after: readonly RunRecord[], names: Comparison['names']): Comparison {
  const [ofBefore, ofAfter] = [byTask(before), byTask(after)];
  const all = [...new Set([...ofBefore.keys(), ...ofAfter.keys()])];
  const pairs = new Map(all.flatMap((key) => pairOf(key, ofBefore, ofAfter)));
  const leftOut = new Set(all.filter((key) => !pairs.has(key)).map((key) => key.split(' ')[0] ?? key));
  const list = [...pairs.values()];
  const runs = list.reduce((sum, pair) => sum + pair.before.length, 0);
  const others = Object.entries(FIGURES).flatMap(([figure, value]) => differenceOf(figure, value, list));
  return { names, tasks: list.length, runs, leftOut: [...leftOut], differences: list.length === 0 ? [] : [successes(list, runs), ...others] };
}

/**
 * The runs of two files, or of the two prompts of one.
 * @throws Error when it is not clear which runs are to be compared.
 */
export function compareResults(files: readonly { readonly name: string; readonly results: Results }[]): Comparison {
  const models = new Set(files.map(({ results }) => results.about.model));
  const sides = files.flatMap(({ name, results: { about, runs } }) => {
    const title = models.size > 1 ? `${name} (${about.model})` : name;
    return about.prompts.map((prompt, at) => ({ name: files.length === 1 ? prompt.name : title, runs: runs.filter((run) => run.prompt === at) }));
  });
  const [before, after] = sides;
  if (before === undefined || after === undefined || sides.length !== 2) throw new Error('Give two files with one system prompt each, or one with two.');
  return compare(before.runs, after.runs, [before.name, after.name]);
}

function byTask(runs: readonly RunRecord[]): ReadonlyMap<string, readonly RunRecord[]> {
  const found = new Map<string, RunRecord[]>();
  for (const run of counted(runs)) {
    const key = `${run.task} ${run.version}`;
    found.set(key, [...(found.get(key) ?? []), run]);
  }
  return found;
}

function pairOf(
  key: string,
  ofBefore: ReadonlyMap<string, readonly RunRecord[]>,
  ofAfter: ReadonlyMap<string, readonly RunRecord[]>,
): readonly (readonly [string, Pair])[] {
  const [before = [], after = []] = [ofBefore.get(key), ofAfter.get(key)];
  const length = Math.min(before.length, after.length);
  return length === 0 ? [] : [[key, { before: before.slice(0, length), after: after.slice(0, length) }]];
}

function successes(pairs: readonly Pair[], of: number): Difference {
  const solved = (side: keyof Pair): number => pairs.flatMap((pair) => pair[side]).filter(({ outcome }) => outcome === 'solved').length;
  const [before, after] = [solved('before'), solved('after')];
  return differing('solved', before / of, after / of, newcombe({ successes: before, of }, { successes: after, of }));
}

function differenceOf(figure: string, value: (run: RunRecord) => number | undefined, pairs: readonly Pair[]): readonly Difference[] {
  const known = (runs: readonly RunRecord[]): readonly number[] => runs.map(value).filter((each) => each !== undefined);
  const values = pairs.map(({ before, after }) => ({ before: known(before), after: known(after) }));
  if (values.length === 0 || values.some(({ before, after }, at) => before.length + after.length !== 2 * (pairs[at]?.before.length ?? 0))) return [];
  const mid = (side: keyof Pair): number => mean(values.map((pair) => mean(pair[side])));
  const changes = values.map(({ before, after }) => mean(after) - mean(before));
  if (values.length >= ENOUGH_TASKS)
    return [
      differing(
        figure,
        mid('before'),
        mid('after'),
        bootstrap((random) => mean(drawn(changes, random))),
      ),
    ];
  if (values.some(({ before }) => before.length < ENOUGH_RUNS)) return [{ figure, before: mid('before'), after: mid('after'), shown: false }];
  const change = (random: Random): number => mean(values.map(({ before, after }) => mean(drawn(after, random)) - mean(drawn(before, random))));
  return [differing(figure, mid('before'), mid('after'), bootstrap(change))];
}

function differing(figure: string, before: number, after: number, interval: Interval): Difference {
  return { figure, before, after, interval, shown: interval.low > 0 || interval.high < 0 };
}

/** The figures side by side. */
export function comparisonTable({ names, differences }: Comparison): Table {
  const rows = differences.map(({ figure, before, after, interval, shown }) => {
    const text = figure === 'solved' ? (share: number): string => `${(share * 100).toFixed(1)} %` : plain;
    const verdict = shown ? (after > before ? 'more' : 'less') : 'no difference shown';
    const range = interval === undefined ? 'too few runs' : `${signed(interval.low, text)} to ${signed(interval.high, text)}`;
    return [figure, text(before), text(after), signed(after - before, text), range, verdict];
  });
  return { head: ['figure', `before: ${names[0]}`, `after: ${names[1]}`, 'difference', '95 %', 'verdict'], rows };
}

/** What the table is about, and what it says, in sentences. */
export function comparisonLines({ tasks, runs, leftOut, differences }: Comparison): readonly string[] {
  if (tasks === 0) return ['There is no task that both sides have in the same version, so nothing can be compared.'];
  const shown = differences.filter((difference) => difference.shown).map(({ figure }) => figure);
  return [
    `${runs} runs of ${tasks} tasks on each side.`,
    ...(leftOut.length === 0 ? [] : [`Left out, as only one side has them in this version: ${leftOut.join(', ')}.`]),
    shown.length === 0 ? 'No difference shown.' : `A difference is shown in: ${shown.join('; ')}.`,
    ...(differences.some(({ interval }) => interval === undefined)
      ? [`How much runs vary is not known: make at least ${ENOUGH_RUNS} of each task, or measure at least ${ENOUGH_TASKS} tasks.`]
      : []),
  ];
}

function plain(value: number): string {
  const size = Math.abs(value);
  return value.toFixed(size >= 100 ? 0 : size >= 1 || size === 0 ? 1 : 4);
}

function signed(value: number, text: (value: number) => string): string {
  return value > 0 ? `+${text(value)}` : text(value);
}
