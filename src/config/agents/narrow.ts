import type { AgentFile } from '../../domain/config/agent.js';
import type { PermissionMode } from '../../domain/tool/permission.js';
import { toolPart } from '../tool-names.js';

/**
 * Modes from the one in which an agent does most without asking to the one in which it does least: in `plan`, which denies all that is
 * not reading (docs/permissions.md).
 */
const STRICTNESS: readonly PermissionMode[] = ['bypassPermissions', 'acceptEdits', 'default', 'ask', 'plan'];
/** Tools that find and call those of servers that models are not told of (src/mcp/tools/meta-tools.ts). */
const TOOLS_FOR_DEFERRED: ReadonlySet<string> = new Set(['find_tools', 'call_tool']);

/** How the names of tools of servers begin. */
const SERVER = 'mcp__';

/** The fields of an agent that say which tools it has. */
export type AgentTools = Pick<AgentFile, 'allowedTools' | 'disallowedTools' | 'mcpServers'>;

/** The tools of a session that an agent has, in their order. */
export function narrowTools(names: readonly string[], agent: AgentTools): readonly string[] {
  return names.filter((name) => hasTool(name, agent));
}

/**
 * Whether an agent may use a tool, be it offered to its model or called by it. Of a call that is made through `call_tool`, the tool that
 * it is about has to be asked for.
 */
export function hasTool(name: string, agent: AgentTools): boolean {
  if (TOOLS_FOR_DEFERRED.has(name)) return hasToolsOfServers(agent);
  if (!agent.allowedTools.some((pattern) => fits(pattern, name)) || agent.disallowedTools.some((pattern) => fits(pattern, name))) return false;
  const server = name.startsWith(SERVER) ? name.slice(SERVER.length).split('__', 1)[0] : undefined;
  return server === undefined || agent.mcpServers === undefined || agent.mcpServers.some((each) => toolPart(each) === server);
}

/** The mode in which an agent works in a chat: the stricter one of theirs. */
export function narrowMode(chat: PermissionMode, { permissionMode }: Pick<AgentFile, 'permissionMode'>): PermissionMode {
  return permissionMode !== undefined && STRICTNESS.indexOf(permissionMode) > STRICTNESS.indexOf(chat) ? permissionMode : chat;
}

function hasToolsOfServers({ allowedTools, disallowedTools, mcpServers }: AgentTools): boolean {
  if (mcpServers?.length === 0 || disallowedTools.some((pattern) => pattern === '*' || pattern === 'mcp__*')) return false;
  return allowedTools.some((pattern) => pattern === '*' || pattern.startsWith(SERVER));
}

function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
