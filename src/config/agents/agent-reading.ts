import type { AgentFile } from '../../domain/config/agent.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';

/** An agent that cannot be used, and why. Others of the same file can. */
export interface SkippedAgent {
  readonly origin: ConfigOrigin;
  /** Where it has one. */
  readonly name?: string;
  /** A sentence for the user. */
  readonly why: string;
}

/** The agents of one file. */
export interface AgentReading {
  readonly agents: readonly AgentFile[];
  readonly skipped: readonly SkippedAgent[];
  /** Also those because of which agents are skipped. */
  readonly problems: readonly ConfigProblem[];
}
