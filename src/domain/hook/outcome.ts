import type { HookDefinition } from './definition.js';
import type { HookEventName } from './event.js';

/** Exit status of one hook. */
export type HookEnd =
  /** It answered: with exit code 0 and what it printed, or with 2. */
  | 'answered'
  /** Exit code other than 0 and 2, or an HTTP status other than 2xx. */
  | 'failed'
  | 'timed_out'
  /** It could not be started, or not reached. */
  | 'not_started'
  /** The output is not valid hook output. */
  | 'garbage'
  /** It was stopped with the turn, or by a signal from outside. */
  | 'killed';

/** Decisions of a hook. */
export const HOOK_DECISIONS = ['allow', 'ask', 'deny', 'block', 'none'] as const;
/** One of {@link HOOK_DECISIONS}. */
export type HookDecision = (typeof HOOK_DECISIONS)[number];

/** One hook that ran, as it is shown with the call. */
export interface HookRun {
  readonly hook: HookDefinition;
  readonly end: HookEnd;
  readonly exitCode?: number;
  readonly durationMs: number;
  readonly decision: HookDecision;
  /** Reason given by the hook, or why it counts as failed. */
  readonly reason?: string;
  /** Whether it changed the input of the call. */
  readonly rewrote?: true;
  /** Output, cut. */
  readonly stdout: string;
  readonly stderr: string;
}

/** Why a hook blocks. */
export interface HookBlock {
  /** `denied`: it said so. `unanswered`: it was to decide and did not answer, which never counts as permission. */
  readonly kind: 'denied' | 'unanswered';
  /** Display name of the hook: its event and file. */
  readonly by: string;
  readonly reason: string;
}

/** Combined result of all hooks of an event, in the order in which they are registered. */
export interface HookOutcome {
  readonly event: HookEventName;
  readonly runs: readonly HookRun[];
  /** The first that blocks. Any wins over all others. */
  readonly block?: HookBlock;
  /** Why the user is to be asked. */
  readonly ask?: { readonly by: string; readonly reason: string };
  /** The hook that allowed the call; only without {@link block} and {@link ask}. */
  readonly allow?: { readonly by: string; readonly reason: string };
  /** The input of the call in place of the one it had, with Gnomon's names of fields; of the first hook that changed it. */
  readonly rewritten?: {
    readonly by: string;
    readonly input: unknown;
    /** Others that changed it otherwise and were not followed. */ readonly conflicts: readonly string[];
  };
  /** For the model. */
  readonly context: readonly { readonly by: string; readonly text: string }[];
  /** Ends the turn. */
  readonly stop?: { readonly by: string; readonly reason: string };
  /** For the user. */
  readonly messages: readonly { readonly by: string; readonly text: string }[];
}

/** Outcome of an event that no hook matches. */
export function noHooks(event: HookEventName): HookOutcome {
  return { event, runs: [], context: [], messages: [] };
}
