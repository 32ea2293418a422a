import type { AgentFile } from '../../domain/config/agent.js';
import type { ConfigOrigin } from '../../domain/config/origin.js';
import type { ConfigProblem, FieldReport } from '../../domain/config/problem.js';
import type { McpDefinition, McpEntry, McpSource } from '../../domain/mcp/config.js';
import type { HookDefinition } from '../../domain/hook/definition.js';
import type { PlainValue, ValuePath } from '../front-matter/yaml-text.js';

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

/** Reads the `hooks` of an agent. @param place has the lines of what is within the value, by paths that begin with `hooks` */
export type HookReader = (
  value: PlainValue,
  place: { readonly origin: ConfigOrigin; readonly lineAt: (path: ValuePath) => number | undefined },
) => { readonly definitions: readonly HookDefinition[]; readonly problems: readonly ConfigProblem[]; readonly fields?: readonly FieldReport[] };

/** The servers that could be read, and what is wrong with the others. */
export interface ServerReading {
  readonly entries: readonly McpEntry[];
  readonly problems: readonly ConfigProblem[];
}

/** Reads the MCP servers that an agent defines, as those of files for servers are read. @param key the field that has them, which names it in problems */
export type ServerReader = (servers: readonly McpDefinition[], key: string, source: Omit<McpSource, 'line'>) => ServerReading;
