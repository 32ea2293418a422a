import type { ViewElf, ViewElfState } from '../../../src/protocol/view-state.js';

/** An agent as a row of the tree. */
export interface AgentRow {
  readonly elf: ViewElf;
  /** Its state as it is shown: one that has ended works as long as one below it does, and it needs the user as long as one below it does. */
  readonly state: ViewElfState;
  /** From 1. */
  readonly level: number;
  /** Its place among those that the same one has started, from 1, and their number. */
  readonly place: number;
  readonly siblings: number;
  /** Number of agents below it, at all levels. */
  readonly below: number;
  /** Id of the one that it is below. */
  readonly parent: string | undefined;
}

/** Whether an agent works, or will. */
export function isActive({ state }: Pick<ViewElf, 'state'>): boolean {
  return state === 'queued' || state === 'working' || state === 'waiting';
}

/** Whether an agent that has ended can go on. */
export function canContinue({ state }: Pick<ViewElf, 'state'>): boolean {
  return state === 'interrupted' || state === 'failed' || state === 'cancelled';
}

/** Those that all go on together: what the user has stopped stays so. */
export function leftOff(elves: readonly ViewElf[]): readonly ViewElf[] {
  return elves.filter(({ state }) => state === 'interrupted' || state === 'failed');
}

/** Whether it has changed something in a worktree, or may have, that the user can take over. */
export function canApply({ state, isolated, rounds, changed = rounds }: Pick<ViewElf, 'state' | 'isolated' | 'rounds' | 'changed'>): boolean {
  return isolated === true && changed > 0 && ['completed', 'failed', 'cancelled', 'interrupted'].includes(state);
}

/** The rows that are to be seen, from the top. @param folded ids of those whose agents are hidden */
export function agentRows(elves: readonly ViewElf[], folded: ReadonlySet<string>): readonly AgentRow[] {
  const started = byParent(elves);
  const sums = sumsOf(elves, started);
  const rows: AgentRow[] = [];
  const add = (parent: string | undefined, level: number): void => {
    const list = started.get(parent) ?? [];
    list.forEach((elf, index) => {
      const { below, waits, works } = sums.get(elf.id) ?? NOTHING;
      const state = waits ? 'waiting' : works && !isActive(elf) ? 'working' : elf.state;
      rows.push({ elf, state, level, place: index + 1, siblings: list.length, below, parent });
      if (!folded.has(elf.id)) add(elf.id, level + 1);
    });
  };
  add(undefined, 1);
  return rows;
}

/** Whom each has started. Only one that was started before can have started another: all others are the chat's. */
function byParent(elves: readonly ViewElf[]): ReadonlyMap<string | undefined, readonly ViewElf[]> {
  const known = new Set<string>();
  const started = new Map<string | undefined, ViewElf[]>();
  for (const elf of elves) {
    const parent = elf.parent !== undefined && known.has(elf.parent) ? elf.parent : undefined;
    const list = started.get(parent);
    if (list === undefined) started.set(parent, [elf]);
    else list.push(elf);
    known.add(elf.id);
  }
  return started;
}

/** What is below an agent, at all levels. */
interface Sum {
  readonly below: number;
  /** Whether one of them waits for the user. */
  readonly waits: boolean;
  /** Whether one of them works, or will. */
  readonly works: boolean;
}
const NOTHING: Sum = { below: 0, waits: false, works: false };

function sumsOf(elves: readonly ViewElf[], started: ReturnType<typeof byParent>): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>();
  // The last ones first, so that those below an agent are summed up before it.
  for (const { id } of elves.toReversed()) {
    const parts = (started.get(id) ?? []).map((elf) => ({ elf, ...(sums.get(elf.id) ?? NOTHING) }));
    sums.set(id, {
      below: parts.reduce((sum, { below }) => sum + below + 1, 0),
      waits: parts.some(({ elf, waits }) => waits || elf.state === 'waiting'),
      works: parts.some(({ elf, works }) => works || isActive(elf)),
    });
  }
  return sums;
}
