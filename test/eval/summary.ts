import type { RunRecord } from './results.js';
import { type Interval, mean, wilson } from './statistics.js';

/** What the runs of a task, or of all, come to. All figures but the first four are means of a run. */
export interface Summary {
  readonly name: string;
  readonly runs: number;
  readonly solved: number;
  /** Of the share of solved runs. */
  readonly interval: Interval;
  readonly rounds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The share of all input tokens that came from the provider's cache. */
  readonly cacheShare: number;
  /** US dollars; `null`, as JSON has no better word, when a price is not known. */
  readonly costUsd: number | null;
  readonly toolCalls: number;
  readonly toolErrors: number;
  readonly failedCommands: number;
  readonly seconds: number;
}

/** The runs that say something about the agent. */
export function counted(runs: readonly RunRecord[]): readonly RunRecord[] {
  return runs.filter(({ outcome }) => outcome !== 'not measured');
}

/** One for each task, in the order in which they come. */
export function summariesOf(runs: readonly RunRecord[]): readonly Summary[] {
  const names = [...new Set(counted(runs).map(({ task }) => task))];
  return names.map((name) =>
    summaryOf(
      name,
      runs.filter(({ task }) => task === name),
    ),
  );
}

/** What some runs come to. */
export function summaryOf(name: string, all: readonly RunRecord[]): Summary {
  const runs = counted(all);
  const solved = runs.filter(({ outcome }) => outcome === 'solved').length;
  const meanOf = (value: (run: RunRecord) => number): number => (runs.length === 0 ? 0 : mean(runs.map(value)));
  const [input, cached] = [meanOf(({ inputTokens }) => inputTokens), meanOf(({ cacheReadTokens }) => cacheReadTokens)];
  const costs = runs.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  return {
    name,
    runs: runs.length,
    solved,
    interval: wilson(solved, runs.length),
    rounds: meanOf(({ rounds }) => rounds),
    inputTokens: input,
    outputTokens: meanOf(({ outputTokens }) => outputTokens),
    cacheShare: input === 0 ? 0 : cached / input,
    costUsd: runs.length > 0 && costs.length === runs.length ? mean(costs) : null,
    toolCalls: meanOf(({ toolCalls }) => toolCalls),
    toolErrors: meanOf(({ toolErrors }) => toolErrors),
    failedCommands: meanOf(({ failedCommands }) => failedCommands),
    seconds: meanOf(({ seconds }) => seconds),
  };
}
