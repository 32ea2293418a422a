import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ThinkingEffort } from '../../src/domain/model/effort.js';
import { ProviderError, errorMessage } from '../../src/domain/errors.js';
import { textContent } from '../../src/domain/model/message.js';
import type { ModelInfo, Provider } from '../../src/domain/model/provider.js';
import { totalInputTokens } from '../../src/domain/model/usage.js';
import type { Turn } from '../../src/engine/events.js';
import { createAgentSession } from '../../src/engine/live-session.js';
import { systemPrompt } from '../../src/engine/system-prompt.js';
import { memorySession } from '../support/memory-session.js';
import { type CallCounts, countCalls } from './count-calls.js';
import { type Surroundings, createSurroundings } from './surroundings.js';
import type { EvalTask } from './tasks/task.js';
import { type RunIn, checkedWorkspace, makeWorkspace, startOf } from './workspace.js';

/** What works on a task. */
export interface Agent {
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly effort: ThinkingEffort;
  /** In place of Gnomon's own system prompt. The facts about the workspace are added to either. */
  readonly prompt?: string;
}

/** How a run is bounded. */
export interface RunLimits {
  readonly sandboxed: boolean;
  /** Milliseconds that the agent may take. */
  readonly timeMs: number;
  /** Requests after a failure that passes. */
  readonly maxRetries: number;
  /** Ends the run; it does not count then. */
  readonly signal: AbortSignal;
  /** US dollars that the run may still cost, asked for before every request; `undefined` without a limit. */
  readonly moneyLeft: () => number | undefined;
  /** Is told what the run has cost so far, in US dollars. */
  readonly onCost: (costUsd: number | undefined) => void;
}

/** What came of a run. */
export interface RunResult extends CallCounts {
  /** `not measured` when it ended for a reason that says nothing about the agent: its server failed, or it was stopped. */
  readonly outcome: 'solved' | 'failed' | 'not measured';
  /** Why it is not solved. */
  readonly problem?: string;
  readonly rounds: number;
  readonly inputTokens: number;
  /** How many of these came from the provider's cache. */
  readonly cacheReadTokens: number;
  readonly outputTokens: number;
  /** US dollars; absent when the price is not known. */
  readonly costUsd?: number;
  readonly seconds: number;
}

/** A {@link RunResult} with the failure that no other run would escape, such as a wrong key. */
export interface MeasuredRun {
  readonly result: RunResult;
  readonly hopeless?: ProviderError;
}

/** The most requests of a run. The hardest task takes a careful agent about 20. */
const MAX_ROUNDS = 60;
/** Milliseconds that a command of a check may take. */
const CHECK_LIMIT_MS = 30_000;
/** What will fail the same way in every run. */
const HOPELESS: ReadonlySet<string> = new Set(['no_key', 'authentication', 'permission', 'not_found', 'quota', 'consent']);
/** Failures of a server that say nothing about the agent. Others, such as a request that is refused, are Gnomon's own. */
const PASSING: ReadonlySet<string> = new Set(['rate_limit', 'overloaded', 'server', 'network', 'stalled', 'interrupted', 'not_a_stream']);

/** Has an agent work on a task in a folder of its own, with the real tools, and checks what came of it. */
export async function runTask(task: EvalTask, agent: Agent, limits: RunLimits): Promise<MeasuredRun> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'gnomon-eval-')));
  const folder = join(home, 'workspace');
  try {
    await makeWorkspace(folder, task);
    const surroundings = await createSurroundings(home, folder, { sandboxed: limits.sandboxed, network: task.network === true });
    try {
      const { turn, calls, late } = await work(task, agent, surroundings, limits);
      const problem = await problemOf(turn, late, () =>
        task.check(checkedWorkspace(folder, { said: lastWords(turn), start: startOf(task) }, runnerOf(surroundings))),
      );
      return measured(turn, calls, problem?.replaceAll(`${folder}/`, ''), limits.signal.aborted);
    } finally {
      await surroundings.close();
    }
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

interface Worked {
  readonly turn: Turn;
  readonly calls: CallCounts;
  /** Whether it took longer than it may. */
  readonly late: boolean;
}

async function work(task: EvalTask, agent: Agent, { tools, gate, instructions, promptEnd }: Surroundings, limits: RunLimits): Promise<Worked> {
  const session = createAgentSession({
    ...memorySession({ systemPrompt: (agent.prompt ?? systemPrompt('')) + promptEnd, tools, gate, maxRounds: MAX_ROUNDS }),
    ...agent,
    instructions,
    maxRetries: limits.maxRetries,
    mode: 'bypassPermissions',
    environment: { facts: () => [] },
    caps: () => {
      const left = limits.moneyLeft();
      return left === undefined ? {} : { maxCostUsd: left };
    },
  });
  session.onEvent((event) => {
    if (event.type === 'usage') limits.onCost(event.costUsd);
  });
  const counted = countCalls(session);
  const timer = AbortSignal.timeout(limits.timeMs);
  const stop = (): void => session.cancel();
  for (const signal of [timer, limits.signal]) signal.addEventListener('abort', stop, { once: true });
  const { turn } = session.send([{ type: 'text', text: task.prompt }]);
  if (limits.signal.aborted) stop();
  const ended = await turn;
  for (const signal of [timer, limits.signal]) signal.removeEventListener('abort', stop);
  await session.close();
  return { turn: ended, calls: counted(), late: timer.aborted };
}

function runnerOf({ processes, confined }: Surroundings): RunIn {
  return async (command, cwd) => {
    const request = { command, cwd, timeoutMs: CHECK_LIMIT_MS, ...(confined === undefined ? {} : { confined }) };
    const { exitCode, output } = await processes.run(request, new AbortController().signal, () => undefined);
    return { ok: exitCode === 0, output };
  };
}

function lastWords({ messages }: Turn): string {
  const last = messages.at(-1);
  return last?.role === 'assistant' ? textContent(last) : '';
}

async function problemOf(turn: Turn, late: boolean, check: () => Promise<string | undefined>): Promise<string | undefined> {
  if (turn.end === 'end_turn') return check();
  if (late) return 'It took longer than it may.';
  return `The turn ended with ${turn.end}${turn.error === undefined ? '' : `: ${errorMessage(turn.error)}`}`;
}

function measured(turn: Turn, calls: CallCounts, problem: string | undefined, stopped: boolean): MeasuredRun {
  const kind = turn.end === 'error' && turn.error instanceof ProviderError ? turn.error.kind : '';
  const says = !stopped && turn.end !== 'cap' && !PASSING.has(kind) && !HOPELESS.has(kind);
  const result: RunResult = {
    outcome: !says ? 'not measured' : problem === undefined ? 'solved' : 'failed',
    ...(problem === undefined ? {} : { problem }),
    rounds: turn.rounds,
    inputTokens: totalInputTokens(turn.usage),
    cacheReadTokens: turn.usage.cacheReadTokens,
    outputTokens: turn.usage.outputTokens,
    ...(turn.costUsd === undefined ? {} : { costUsd: turn.costUsd }),
    ...calls,
    seconds: turn.durationMs / 1000,
  };
  return HOPELESS.has(kind) && turn.error instanceof ProviderError ? { result, hopeless: turn.error } : { result };
}
