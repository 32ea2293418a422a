import type { Amount } from '../domain/model/purse.js';
import { present } from '../domain/present.js';
import { ELF_LIMITS, type ElfLimit, type ElfLimits, type ElfRun, type ReachedElfLimit, type StoredElfLimits } from '../domain/session/elf.js';

/** Where a chat stores what the user has answered about the limits of its agents. */
export interface ElfLimitsStore {
  /** As it was when the chat was opened. */
  readonly stored: StoredElfLimits;
  /** Does not reject. */
  readonly save: (limits: StoredElfLimits) => void;
}

/** What the agents of a chat have used of their limits. */
export interface ElfUse {
  readonly spent: Amount;
  /** Runs in all, but for those that messages of the user have begun. */
  readonly runs: number;
}

/** The limits of the agents of one chat: those of the settings, or what the user has raised them to for this chat, and what was refused for them. */
export class HouseholdLimits {
  private kept: StoredElfLimits;
  /** The limit for which the user could not have an agent go on since they last answered: they are asked, though no start was refused. */
  private wanted: ElfLimit | undefined;

  /** @param settings the limits of the settings, read anew each time */
  constructor(
    private readonly settings: () => ElfLimits,
    private readonly store: ElfLimitsStore,
  ) {
    this.kept = store.stored;
  }

  /** Limits in effect. What has no limit in the settings has none here. */
  get current(): ElfLimits {
    const limits = this.settings();
    const { raised = {} } = this.kept;
    const { costUsd, tokens } = limits.budget;
    const budget = present({ costUsd: atLeast(costUsd, raised.money), tokens: atLeast(tokens, raised.tokens) });
    return { ...limits, inAll: Math.max(limits.inAll, raised.agents ?? 0), budget };
  }

  /** The limit that leaves no room for another run; `undefined` where there is some. */
  exhausted(use: ElfUse): ElfLimit | undefined {
    return ELF_LIMITS.find((limit) => {
      const value = this.valueOf(limit);
      const used = usedOf(limit, use);
      return value !== undefined && (used === undefined || used >= value);
    });
  }

  /** Counts a start that was refused for a limit. */
  noteRefused(limit: ElfLimit): void {
    const { refused = {} } = this.kept;
    this.keep({ ...this.kept, refused: { ...refused, [limit]: (refused[limit] ?? 0) + 1 } });
  }

  /** The limit that the user is asked about. @param elves the runs of each */
  reached(use: ElfUse, elves: readonly (readonly ElfRun[])[]): ReachedElfLimit | undefined {
    for (const limit of ELF_LIMITS) {
      const reached = this.reachedOf(limit, use, elves);
      if (reached !== undefined) return reached;
    }
    return undefined;
  }

  /** Notes that the user wants more than a limit leaves. */
  noteWanted(limit: ElfLimit): void {
    this.wanted = limit;
  }

  /** Notes that the user has answered: until a limit stops or refuses another agent, there is nothing to ask about. */
  noteAnswered(elves: readonly (readonly ElfRun[])[]): void {
    const answered = Object.fromEntries(ELF_LIMITS.map((limit) => [limit, failedFor(limit, elves.flat())]));
    this.wanted = undefined;
    this.keep({ ...present({ raised: this.kept.raised }), answered });
  }

  /** Raises a limit for this chat, which answers about that one alone. @param elves the runs of each */
  raise(limit: ElfLimit, to: number, elves: readonly (readonly ElfRun[])[]): void {
    const { raised, refused, answered } = this.kept;
    if (this.wanted === limit) this.wanted = undefined;
    this.keep({ raised: { ...raised, [limit]: to }, refused: { ...refused, [limit]: 0 }, answered: { ...answered, [limit]: failedFor(limit, elves.flat()) } });
  }

  private reachedOf(limit: ElfLimit, use: ElfUse, elves: readonly (readonly ElfRun[])[]): ReachedElfLimit | undefined {
    const [value, used] = [this.valueOf(limit), usedOf(limit, use)];
    if (value === undefined) return undefined;
    const refused = this.kept.refused?.[limit] ?? 0;
    const last = elves.flatMap((runs) => runs.at(-1) ?? []);
    const stopped = failedFor(limit, last);
    const isNew = stopped > 0 && failedFor(limit, elves.flat()) > (this.kept.answered?.[limit] ?? 0);
    const isOver = used !== undefined && used >= value;
    // A price that is not known keeps an agent from working while others still can.
    const isUnknown = used === undefined || last.some((run) => isStoppedBy(limit, run) && run.limit?.unknown !== undefined);
    if ((refused === 0 && !isNew && this.wanted !== limit) || (!isOver && !isUnknown)) return undefined;
    return { limit, value, used, stopped, refused, ...present({ higher: isOver ? this.higher(limit, value, used) : undefined }) };
  }

  /** The double, or more where that is used up, too; of the number of agents as many again as the settings have. */
  private higher(limit: ElfLimit, value: number, used: number): number {
    const step = limit === 'agents' ? this.settings().inAll : value;
    return value + step * Math.max(1, Math.floor((used - value) / step) + 1);
  }

  private valueOf(limit: ElfLimit): number | undefined {
    const { inAll, budget } = this.current;
    switch (limit) {
      case 'money':
        return budget.costUsd;
      case 'tokens':
        return budget.tokens;
      case 'agents':
        return inAll;
    }
  }

  private keep(limits: StoredElfLimits): void {
    this.kept = limits;
    this.store.save(limits);
  }
}

function atLeast(set: number | undefined, raised: number | undefined): number | undefined {
  return set === undefined ? undefined : Math.max(set, raised ?? 0);
}

function usedOf(limit: ElfLimit, { spent, runs }: ElfUse): number | undefined {
  switch (limit) {
    case 'money':
      return spent.costUsd;
    case 'tokens':
      return spent.tokens;
    case 'agents':
      return runs;
  }
}

/** Whether a run failed for a limit of all agents of its chat, and not for one of the chat. */
export function isStoppedBy(limit: ElfLimit, run: ElfRun): boolean {
  return run.state === 'failed' && run.limit?.of === 'agents' && run.limit.limit === limit;
}

function failedFor(limit: ElfLimit, runs: readonly ElfRun[]): number {
  return runs.filter((run) => isStoppedBy(limit, run)).length;
}
