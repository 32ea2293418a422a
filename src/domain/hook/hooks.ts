import type { AgentFile } from '../config/agent.js';
import type { Message } from '../model/message.js';
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
  /**
   * Comparison key of the hooks that an event would run now, which changes when one of them does: added, changed, approved, or no longer
   * approved. Runs none of them and never rejects. Left out: they do not change.
   */
  applying?(event: HookEvent, scope: HookScope): Promise<string>;
}

/** Options of a session for its hooks: their scope, and a callback for those that start. */
export interface HookSession {
  readonly scope?: HookScope;
  /** Called once with the hooks that start; not called when none does. */
  readonly started?: (hooks: readonly HookDefinition[]) => void;
}

/** Agent, skills, and commands of a session that bring hooks. These run beside the hooks of all sessions; those that need an approval only with it. */
export interface HookScope {
  /** The hooks of the agent that works, as they were when it was chosen. */
  readonly ofAgent: readonly HookDefinition[];
  /** Absolute paths of the folders of the skills that were used. */
  readonly skills: readonly string[];
  /** The files of the commands that were used, as users know them (`display` of their origins). */
  readonly commands: readonly string[];
  /** What the chat uses that the session works for: hooks that run in this session alone allow nothing. Absent: it works for none. */
  readonly ofChat?: HookScope;
}

/** The sessions that another one works for, as far as its hooks depend on them. */
export interface SessionsAbove {
  /** Messages of all of them: hooks of what is used there run below, too. */
  readonly messages: readonly Message[];
  /** The one that the user has: what its hooks do not allow, none of an agent below allows. */
  readonly chat: { readonly messages: readonly Message[]; readonly agent: Pick<AgentFile, 'hooks'> | undefined };
}

/** The scope of a session that uses nothing with hooks. */
export const NO_SCOPE: HookScope = { ofAgent: [], skills: [], commands: [] };
