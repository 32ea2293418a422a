import { formatCost, formatDollars, formatNumber, t } from '../../domain/l10n.js';
import { totalInputTokens } from '../../domain/model/usage.js';
import { present } from '../../domain/present.js';
import type { ElfFacts } from '../../elf/elf.js';
import type { ElfRun, ReachedElfLimit } from '../../domain/session/elf.js';
import type { Household } from '../../elf/household.js';
import type { ViewActivity, ViewElf, ViewElfLimit, ViewElfState, ViewState } from '../../protocol/view-state.js';

/** Display names of a model and of who runs it. @param key `provider/model` */
export type NamesOfModel = (key: string) => Pick<ViewElf, 'model' | 'provider'>;

/** Characters of what is said about a problem that the tree has, from its end. */
const MAX_DETAILS = 1_000;

/** Agents that work on parts of the task, as the tree shows them. One that never began a run is not among them. */
export function elfViews({ facts, left }: Pick<Household, 'facts' | 'left'>, namesOf: NamesOfModel): readonly ViewElf[] {
  return facts.flatMap((elf): readonly ViewElf[] => {
    const { name, parent, callId, type, task, background, model, usage, costUsd, position, runs, worktree, changed, conflicts, applied } = elf;
    const run = runs.at(-1);
    if (run === undefined) return [];
    const earlierMs = runs.slice(0, -1).reduce((sum, { durationMs = 0 }) => sum + durationMs, 0);
    const tokens = totalInputTokens(usage) + usage.outputTokens;
    return [
      {
        ...{ id: name, callId, type, task, background, tokens, runs: runs.length },
        ...(model === '' ? { model: '', provider: '' } : namesOf(model)),
        ...workOf(elf),
        rounds: runs.reduce((sum, { rounds }) => sum + rounds, 0),
        cost: costUsd === undefined ? t('n/a') : tokens === 0 ? '' : formatCost(costUsd),
        since: run.since,
        // What they may use is one budget, so it is that of each.
        ...present({
          parent,
          position,
          durationMs: run.durationMs,
          ...problemOf(run),
          left: budgetText(left),
          changed,
          conflicts,
          applied,
          earlierMs: earlierMs === 0 ? undefined : earlierMs,
        }),
        ...(worktree === undefined ? {} : { isolated: true }),
      },
    ];
  });
}

/** How it stands, and what it does. One that has a place and has not begun gets its worktree ready: that is work, too. */
function workOf(elf: ElfFacts): Pick<ViewElf, 'state' | 'now'> {
  const { now, runs, interrupted, position, worktree } = elf;
  const state = stateOf(elf);
  if (worktree === undefined || interrupted || position !== undefined || runs.at(-1)?.state !== 'pending') return { state, now };
  return { state: state === 'queued' ? 'working' : state, now: now === '' ? t('Setting up the worktree') : t('Setting up: {0}', now) };
}

/** Why a run failed: what happened on the first line, and the rest below it. */
function problemOf({ problem }: ElfRun): { readonly problem: string | undefined; readonly details: string | undefined } {
  const end = problem?.indexOf('\n') ?? -1;
  if (problem === undefined || end < 0) return { problem, details: undefined };
  return { problem: problem.slice(0, end), details: problem.slice(end + 1).slice(-MAX_DETAILS) };
}

function budgetText({ costUsd, tokens }: Household['left']): string | undefined {
  if (costUsd !== undefined) return formatCost(costUsd);
  return tokens === undefined ? undefined : t('{0} tokens', formatNumber(tokens));
}

/** A limit that was reached, as the card about it shows it. @param wanted names of agents that go on once it is raised, as the user wants */
export function limitView({ limit, value, used, higher, ...counts }: ReachedElfLimit, wanted: ReadonlySet<string> = new Set()): ViewElfLimit {
  const textOf = (amount: number): string => (limit === 'money' ? moneyText(amount) : formatNumber(amount));
  return {
    limit,
    value: textOf(value),
    used: used === undefined ? t('n/a') : textOf(used),
    ...(higher === undefined ? {} : { higher: { value: higher, text: textOf(higher) } }),
    ...counts,
    ...(wanted.size === 0 ? {} : { wanted: [...wanted] }),
  };
}

const CENT_USD = 0.01;

/** To the cent; an amount below a cent with as many digits as it needs, because a limit must not look like another one. */
function moneyText(amount: number): string {
  const digits = amount > 0 && amount < CENT_USD ? Math.ceil(-Math.log10(amount)) + 1 : 2;
  return formatDollars(amount, Math.min(digits, 20));
}

/** What an agent does, for users. */
export function stateOf({ runs, interrupted, needsUser }: ElfFacts): ViewElfState {
  const state = runs.at(-1)?.state ?? 'pending';
  if (interrupted) return 'interrupted';
  if (state === 'pending') return needsUser ? 'waiting' : 'queued';
  if (state === 'running') return needsUser ? 'waiting' : 'working';
  return state;
}

/** What a conversation does, with the agents that work for it: it is never idle while one of them works or waits. */
export function wholeActivity({ activity, elves }: Pick<ViewState, 'activity' | 'elves'>): ViewActivity {
  if (activity === 'waiting' || elves.some(({ state }) => state === 'waiting')) return 'waiting';
  return activity === 'running' || elves.some(({ state }) => state === 'working' || state === 'queued') ? 'running' : 'idle';
}
