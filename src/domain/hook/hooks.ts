import type { HookDefinition } from './definition.js';
import type { HookContext, HookEvent } from './event.js';
import type { HookOutcome } from './outcome.js';

/** The hooks as a session sees them. */
export interface Hooks {
  /**
   * Runs the hooks that match an event, side by side, and merges what they say. Resolves at once when none does. Never
   * rejects: what goes wrong is in the outcome; when the signal is aborted, those that ran are killed and what they were to decide is blocked.
   * For tool calls the event has Gnomon's names of tools and arguments.
   */
  run(event: HookEvent, context: HookContext, signal: AbortSignal, of?: HookSession): Promise<HookOutcome>;
}

/** What a session has to do with the hooks that are run for it. */
export interface HookSession {
  /** The hooks of the agent that works in it. Those that need an approval run only with it. */
  readonly ofAgent?: readonly HookDefinition[];
  /** Called once with the hooks that start; not called when none does. */
  readonly started?: (hooks: readonly HookDefinition[]) => void;
}
