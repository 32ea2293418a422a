import { present } from '../../domain/present.js';
import type { AgentFile } from '../../domain/config/agent.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import { fitsPattern, meaningsOfName, SERVER_TOOL, serverPrefix } from '../../domain/mcp/tool-name.js';
import type { Tool } from '../../domain/tool/tool.js';
import { narrowMode } from '../../domain/tool/narrow-mode.js';
import type { JudgedDenial } from '../../domain/tool/denial.js';
import type { Judgment } from '../../domain/tool/permission.js';

/** Tools that find and call deferred tools of servers (src/mcp/tools/meta-tools.ts). */
const TOOLS_FOR_DEFERRED: ReadonlySet<string> = new Set(['find_tools', 'call_tool']);

/** The fields of an agent that say which tools it has. */
export type AgentTools = Pick<AgentFile, 'allowedTools' | 'disallowedTools' | 'mcpServers'> & { readonly within?: AgentTools };

/** The tools of a session that an agent has, in their order; all of them without an agent. */
export function toolsOf(agent: AgentTools | undefined, tools: readonly Tool[]): readonly Tool[] {
  return agent === undefined ? tools : tools.filter(({ spec }) => hasTool(spec.name, agent));
}

/**
 * Whether an agent may use a tool, be it offered to its model or called by it. Of a call that is made through `call_tool`, the tool that
 * it is about has to be asked for.
 */
export function hasTool(name: string, agent: AgentTools): boolean {
  if (agent.within !== undefined && !hasTool(name, agent.within)) return false;
  if (TOOLS_FOR_DEFERRED.has(name)) return hasToolsOfServers(agent);
  if (!agent.allowedTools.some((pattern) => fits(pattern, name)) || agent.disallowedTools.some((pattern) => fits(pattern, name))) return false;
  return agent.mcpServers === undefined || !name.startsWith(SERVER_TOOL) || agent.mcpServers.some((server) => name.startsWith(serverPrefix(server)));
}

/** Whether turns with an agent have a server. One that agents define is for turns of these alone, not even for an agent that limits no servers. */
export function hasServer({ source: { agents } }: Pick<McpEntry, 'source'>, agent: Pick<AgentFile, 'name'> | undefined): boolean {
  return agents === undefined || (agent !== undefined && agents.includes(agent.name));
}

/** An agent that works within the limits of another one. */
type LimitedAgent = AgentFile & { readonly within?: AgentTools };

/** Whether a list of names, such as {@link AgentFile.startable}, has that of an agent. */
export function namesAgent(names: readonly string[] | undefined, name: string): boolean {
  return names?.some((each) => each.toLowerCase() === name.toLowerCase()) === true;
}

/** An agent of one turn in a chat that has an agent: what either of them may not do, it may not. */
export function agentWithin(agent: LimitedAgent, chat: AgentFile | undefined): LimitedAgent {
  if (chat === undefined) return agent;
  const [mode, own] = [chat.permissionMode, agent.permissionMode];
  const permissionMode = mode === undefined ? own : narrowMode(mode, own);
  const startable = chat.startable === undefined ? agent.startable : (agent.startable ?? chat.startable).filter((name) => namesAgent(chat.startable, name));
  const rounds = [agent.maxTurns, chat.maxTurns].filter((most) => most !== undefined);
  return {
    ...agent,
    within: toolsWithin(agent.within, chat),
    hooks: [...chat.hooks, ...agent.hooks],
    ...present({ permissionMode, startable }),
    ...(rounds.length === 0 ? {} : { maxTurns: Math.min(...rounds) }),
    ...(chat.deniesPrompts === true ? { deniesPrompts: true } : {}),
  };
}

/** Limits of which one was there before the other: neither is lost. */
function toolsWithin(inner: AgentTools | undefined, outer: AgentTools): AgentTools {
  return inner === undefined ? outer : { ...inner, within: toolsWithin(inner.within, outer) };
}

/** Why a call of a tool is denied because of the agent that works; `undefined` when the agent has the tool. */
export function deniedByAgent(tool: string, agent: AgentFile | undefined): JudgedDenial | undefined {
  return agent === undefined || hasTool(tool, agent) ? undefined : { kind: 'agent', agent: agent.name, cannot: 'use' };
}

/** Applies an agent that denies prompts to a permission decision: what would be asked is denied. */
export function judgedFor(agent: AgentFile | undefined, judgment: Judgment): Judgment {
  return agent?.deniesPrompts === true && judgment.type === 'ask' ? { type: 'deny', denial: { kind: 'agent', agent: agent.name, cannot: 'ask' } } : judgment;
}

function hasToolsOfServers({ allowedTools, disallowedTools, mcpServers }: AgentTools): boolean {
  if (mcpServers?.length === 0 || disallowedTools.some((pattern) => pattern === '*' || pattern === 'mcp__*')) return false;
  return allowedTools.some((pattern) => pattern === '*' || pattern.startsWith(SERVER_TOOL));
}

function fits(pattern: string, name: string): boolean {
  return fitsPattern(pattern, name) || (name.startsWith(SERVER_TOOL) && meaningsOfName(pattern).some((meaning) => fitsPattern(meaning, name)));
}
