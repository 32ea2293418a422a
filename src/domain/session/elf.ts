import type { Timestamp } from '../model/message.js';
import type { ThinkingEffort } from '../model/effort.js';
import type { LimitReached, Limits } from '../model/purse.js';

/** Ways in which a run of an elf ends. None of them changes any more. */
export type ElfEnd = 'completed' | 'failed' | 'cancelled';

/** States of a run of an elf: it waits for a place, works, or has ended. */
export type ElfRunState = 'pending' | 'running' | ElfEnd;

/** Work of an elf from one message to it on until it has nothing more to do. An elf that is told something else has another one. */
export interface ElfRun {
  readonly state: ElfRunState;
  readonly since: Timestamp;
  /** Requests to its model. */
  readonly rounds: number;
  /** Milliseconds; absent until it has ended. */
  readonly durationMs?: number;
  /** Why it failed, or what its last words lack; a sentence. */
  readonly problem?: string;
  /** The limit for which it failed; absent where it failed for something else. */
  readonly limit?: LimitReached;
  /** Whether a message of the user to it has begun it, which is no start that a limit counts. */
  readonly byUser?: true;
}

/** What is known of an elf beside its conversation, stored with that. A run that was under way is stored without its end. */
export interface StoredElf {
  /** Unique among those of a chat, such as `agent-3`. */
  readonly name: string;
  /** Name of the elf that has started it; absent: the chat has. */
  readonly parent?: string;
  /** The call that it was started by. */
  readonly callId: string;
  /** Name of its agent. */
  readonly type: string;
  /** The work in a few words. */
  readonly task: string;
  /** Whether who has started it did not wait for it. */
  readonly background: boolean;
  /** Name of the worktree that it works in; absent: it works in the folders of who has started it. */
  readonly worktree?: string;
  /** Its runs, oldest first; at least one. */
  readonly runs: readonly ElfRun[];
}

/** What an elf was given to do and its conversation does not contain yet, stored beside that, so that it is not lost with the window. */
export interface ElfOrder {
  /** Messages to it, oldest first; at least one. */
  readonly prompts: readonly string[];
  /** Runs before that never began, and are stored nowhere else. */
  readonly before?: readonly ElfRun[];
  /** `provider/model` and effort that it was started with, if any. */
  readonly model?: string;
  readonly effort?: ThinkingEffort;
  /** The run that these begin; absent: they came when its last run had begun. */
  readonly run?: ElfRun;
}

/** The limits of the elves of a chat. */
export interface ElfLimits {
  /** Elves that work at the same time; more wait for one of them to end. */
  readonly atOnce: number;
  /** Runs of elves in all, but for those that messages of the user have begun. */
  readonly inAll: number;
  /** For how many sessions in a row one may work: 1, and no elf starts another one. */
  readonly depth: number;
  /** What all of them may use together, beside the limits of the chat. */
  readonly budget: Pick<Limits, 'costUsd' | 'tokens'>;
}

/** Limits of the agents of a chat for which the user is asked: what they use together, and how many runs they have. */
export const ELF_LIMITS = ['money', 'tokens', 'agents'] as const;
/** One of {@link ELF_LIMITS}. */
export type ElfLimit = (typeof ELF_LIMITS)[number];

/** What a chat stores about the limits of its agents. */
export interface StoredElfLimits {
  /** Limits that the user has raised for this chat alone, in US dollars or as numbers. */
  readonly raised?: Partial<Readonly<Record<ElfLimit, number>>>;
  /** Starts that were refused since the user last answered, by limit. */
  readonly refused?: Partial<Readonly<Record<ElfLimit, number>>>;
  /** Runs that had failed for each limit when the user last answered. */
  readonly answered?: Partial<Readonly<Record<ElfLimit, number>>>;
}

/** A limit of the agents of a chat that was reached, as the user is asked about it. */
export interface ReachedElfLimit {
  readonly limit: ElfLimit;
  /** Its value for this chat, in US dollars or as a number. */
  readonly value: number;
  /** Usage that counts against it. `undefined` where the cost is not known. */
  readonly used: number | undefined;
  /** The value that the user can raise it to. Absent where more would not help, because a price or the cost is not known. */
  readonly higher?: number;
  /** Agents whose last run failed for it. */
  readonly stopped: number;
  /** Starts of agents that were refused for it. */
  readonly refused: number;
}

/** How the files of an agent’s worktree stood to those of the user when that was last looked at. */
export interface ElfTreeState {
  /** How many of them differ from what it began with; absent until that is known. */
  readonly changed?: number;
  /** How many of them the user has to merge with their own; absent for none. */
  readonly conflicts?: number;
  /** Whether all of them were applied, also where lines of that were undone since. Absent where none was. */
  readonly applied?: boolean;
}

/** Whether a run has ended. */
export function hasEnded({ state }: ElfRun): boolean {
  return state !== 'pending' && state !== 'running';
}

/** For a model whose agents have ended while it did nothing. */
export const AGENTS_ENDED = 'Agents that you have started in the background have ended. Finish the task with what they found.';
