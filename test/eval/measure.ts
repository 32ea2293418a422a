import { errorMessage } from '../../src/domain/errors.js';
import { type RunRecord, versionOf } from './results.js';
import { type Agent, type RunLimits, runTask } from './run-task.js';
import type { EvalTask } from './tasks/task.js';

/** A run that is to be made. */
export interface PlannedRun {
  readonly task: EvalTask;
  /** Counts from 1. */
  readonly run: number;
  /** Index of the system prompt. */
  readonly prompt: number;
}

/** What runs are made with. */
export interface MeasureDeps {
  readonly agentOf: (planned: PlannedRun) => Agent;
  readonly limits: Pick<RunLimits, 'sandboxed' | 'timeMs' | 'maxRetries' | 'signal'>;
  /** Runs at the same time. */
  readonly jobs: number;
  /** US dollars for all runs together; `undefined` without a limit. */
  readonly maxCostUsd: number | undefined;
  /** US dollars of runs that were made before. */
  readonly spentUsd: number;
  /** Takes each run when it is over, those that are not measured, too. Awaited before the next one of the same job begins. */
  readonly note: (record: RunRecord) => Promise<void>;
}

/** Runs in a row that are not measured, after which no more are tried: the server is down. */
const MAX_LOST = 3;

/**
 * All runs, each prompt and task once before any of them again, so that what changes with time, such as the load of a server, meets all
 * alike; which prompt goes first changes from run to run.
 */
export function planRuns(tasks: readonly EvalTask[], runs: number, prompts: number): readonly PlannedRun[] {
  const numbers = Array.from({ length: runs }, (_, at) => at + 1);
  const order = Array.from({ length: prompts }, (_, at) => at);
  return numbers.flatMap((run) => tasks.flatMap((task, at) => ((run + at) % 2 === 1 ? order : [...order].reverse()).map((prompt) => ({ task, run, prompt }))));
}

/** Makes runs. Returns why it ended before all were made; `undefined` when none is missing. */
export async function measure(planned: readonly PlannedRun[], deps: MeasureDeps): Promise<string | undefined> {
  const budget = new Budget(deps.maxCostUsd, deps.spentUsd);
  const waiting = [...planned];
  let lost = 0;
  let ended: string | undefined;
  const job = async (): Promise<void> => {
    for (;;) {
      if (deps.limits.signal.aborted) ended ??= 'It was interrupted.';
      if (budget.isSpent) ended ??= 'The cost limit is reached.';
      const next = ended === undefined ? waiting.shift() : undefined;
      if (next === undefined) return;
      const run = budget.open();
      const { result, hopeless } = await runTask(next.task, deps.agentOf(next), { ...deps.limits, moneyLeft: run.left, onCost: run.cost });
      await deps.note({ task: next.task.name, version: versionOf(next.task), prompt: next.prompt, run: next.run, ...result });
      lost = result.outcome === 'not measured' ? lost + 1 : 0;
      if (hopeless !== undefined) ended ??= errorMessage(hopeless);
      if (lost >= MAX_LOST && !deps.limits.signal.aborted && !budget.isSpent)
        ended ??= `${lost} runs in a row could not be measured, the last one: ${result.problem ?? 'no reason given'}`;
    }
  };
  await Promise.all(Array.from({ length: deps.jobs }, job));
  return ended;
}

/** What may be spent, shared by runs at the same time. */
class Budget {
  private readonly costs: number[] = [];

  constructor(
    private readonly maxUsd: number | undefined,
    private readonly before: number,
  ) {}

  get isSpent(): boolean {
    return this.maxUsd !== undefined && this.spent() >= this.maxUsd;
  }

  /** The budget as one run sees it: what it may cost in all, and where it tells what it has. */
  open(): { readonly left: () => number | undefined; readonly cost: (costUsd: number | undefined) => void } {
    const at = this.costs.push(0) - 1;
    return {
      left: () => (this.maxUsd === undefined ? undefined : this.maxUsd - this.spent() + (this.costs[at] ?? 0)),
      cost: (costUsd) => void (this.costs[at] = costUsd ?? 0),
    };
  }

  private spent(): number {
    return this.costs.reduce((sum, cost) => sum + cost, this.before);
  }
}
