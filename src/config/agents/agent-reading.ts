import type { AgentFile } from '../../domain/config/agent.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem } from '../../domain/config/problem.js';
import type { McpDefinition, McpEntry, McpSource } from '../../domain/mcp/config.js';

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

/** The servers that could be read, and what is wrong with the others. */
export interface ServerReading {
  readonly entries: readonly McpEntry[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads the MCP servers that an agent defines, as those of files for servers are read. @param key the field that has them, which names it in problems */
export type ServerReader = (servers: readonly McpDefinition[], key: string, source: Omit<McpSource, 'line'>) => ServerReading;
