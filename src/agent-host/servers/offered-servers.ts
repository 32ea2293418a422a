import { present } from '../../domain/present.js';
import type { AgentFile } from '../../domain/config/agent.js';
import type { Log } from '../../domain/log.js';
import type { McpToolInfo } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import type { SeenTool } from '../../mcp/consent/tool-fingerprint.js';
import type { Tool } from '../../domain/tool/tool.js';
import { type AgentTools, hasServer, hasTool } from '../../engine/agents/narrow.js';
import type { RunningCalls } from '../../mcp/asking/running-calls.js';
import { connectedOf } from '../../mcp/connected-servers.js';
import { withResourceTool } from '../../mcp/resources/resource-tool.js';
import type { McpServers } from '../../mcp/servers/servers.js';
import { createToolset, type OfferedServer, type ToolLoading, type Toolset } from '../../mcp/tools/toolset.js';
import type { KeepText } from '../../mcp/tools/result.js';
import { createCommandLog } from '../../node/process/output/command-log.js';
import type { AgentsInUse } from './agents-in-use.js';
import type { Approvals } from './approvals.js';
import type { ServerChoices } from './server-choices.js';

/** Milliseconds that a turn waits for servers that are starting; their tools come with the next one otherwise. */
const READY_MS = 3_000;
/** Bytes of a result that are kept in a file. */
const MAX_KEPT = 32 * 1024 * 1024;

/** Services that turn connected servers into tools for the model, limited to what the user has chosen and approved. */
export interface OfferedServersDeps {
  readonly servers: McpServers;
  /** Those that say which servers there are. */
  readonly configurations: { readonly ready: () => Promise<void> };
  readonly agentsInUse: AgentsInUse;
  /** The calls that servers are working on. */
  readonly calls: RunningCalls;
  readonly approvals: Approvals;
  readonly choices: ServerChoices;
  readonly keep: KeepText;
  readonly log: Log;
}

/** The tools of the connected servers as tools of the agent. They stay the same values for as long as nothing about them changes. */
export class OfferedServers {
  /** By the servers that are in it, and what the agent may use of them. */
  private readonly made = new Map<string, Toolset>();
  /** By server, what the tools that were made last were made of. */
  private readonly listed = new Map<string, readonly McpToolInfo[]>();
  /** Servers with resources to read, for which they have one tool more. */
  private readonly readable = new Set<string>();

  constructor(private readonly deps: OfferedServersDeps) {
    deps.servers.subscribe((event) => {
      if (event.type === 'state') this.follow(event.state);
      if (event.type === 'removed') this.changed(event.id);
    });
  }

  /** Tools that the connected servers offer now, including those of agents, for the user to see. */
  get toolset(): Toolset {
    return this.toolsetOf(connectedOf(this.deps.servers));
  }

  /** Tools for turns with an agent. It can neither find nor call tools that it may not use, or of servers that other agents define. */
  toolsetFor(agent: WorkingAgent | undefined): Toolset {
    return this.toolsetOf(
      connectedOf(this.deps.servers).filter(({ entry }) => hasServer(entry, agent)),
      agent,
    );
  }

  /** The tools for a turn with an agent. All servers that may start do so, and those that are starting are waited for a little. */
  async forTurn(agent: WorkingAgent | undefined, signal: AbortSignal): Promise<readonly Tool[]> {
    await this.started(READY_MS, signal);
    return this.toolsetFor(agent).tools;
  }

  /** Starts all servers that may, and waits for those that are starting, so many milliseconds at most. */
  async started(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const { servers, agentsInUse, configurations } = this.deps;
    servers.want();
    await configurations.ready();
    // One whose agent works from this turn on is not starting before it is judged.
    await agentsInUse.recheck(servers);
    await servers.ready(timeoutMs, signal);
  }

  /** To be called when the user has chosen something else. */
  refresh(): void {
    this.made.clear();
  }

  private toolsetOf(states: readonly McpServerState[], agent?: AgentTools): Toolset {
    const key = JSON.stringify([states.map(({ id }) => id), limitsOf(agent)]);
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const mayUse = (name: string): boolean => agent === undefined || hasTool(name, agent);
    const toolset = createToolset(
      states.map((state) => withResourceTool(this.offeredOf(state), this.deps)),
      new Set(),
      mayUse,
    );
    this.made.set(key, toolset);
    return toolset;
  }

  private follow(state: McpServerState): void {
    const tools = state.status === 'connected' ? state.tools : [];
    this.followResources(state);
    if (this.listed.get(state.id) === tools || (tools.length === 0 && !this.listed.has(state.id))) return;
    this.changed(state.id);
    if (tools.length === 0) return;
    this.listed.set(state.id, tools);
    // What a server has when it first answers is what the user approved it for; all that comes later is compared with that.
    if (this.deps.approvals.acceptedTools(state.entry).size === 0) this.accept(state, tools);
  }

  private followResources({ id, status, resources, templates }: McpServerState): void {
    const isReadable = status === 'connected' && resources.length + templates.length > 0;
    if (isReadable === this.readable.has(id)) return;
    if (isReadable) this.readable.add(id);
    else this.readable.delete(id);
    this.refresh();
  }

  private changed(id: string): void {
    this.listed.delete(id);
    this.refresh();
  }

  private accept({ entry }: McpServerState, tools: readonly McpToolInfo[]): void {
    this.deps.approvals.accept(entry, tools).then(
      () => this.refresh(),
      (error: unknown) => this.deps.log.error('The tools of a server could not be remembered', error),
    );
  }

  private offeredOf(state: McpServerState): OfferedServer {
    const { servers, calls, approvals, choices, keep } = this.deps;
    const { id, entry, agreement } = state;
    const choice = choices.of(entry);
    const accepted = approvals.acceptedTools(entry);
    return {
      id,
      name: entry.name,
      tools: state.tools.filter(({ name }) => !choice.off.includes(name)),
      call: (tool, args, { session, ...options }) => calls.during(id, session, () => servers.call(id, tool, args, options)),
      current: (name) => servers.state(id)?.tools.find((tool) => tool.name === name),
      // What Gnomon adds to a server is not what the server says.
      accepted: { before: (tool) => (state.tools.includes(tool) ? beforeOf(tool, accepted) : undefined), accept: (tool) => this.accept(state, [tool]) },
      keep,
      ...present({ timeoutMs: entry.timeoutMs }),
      loading: loadingOf(choice.loading, entry.alwaysLoad),
      ...present({ instructions: agreement?.instructions }),
    };
  }
}

/** An agent that works in a turn. */
type WorkingAgent = Pick<AgentFile, 'name'> & AgentTools;

/** Comparison key of an agent's tool limits. */
function limitsOf(agent: AgentTools | undefined): unknown {
  return agent && [agent.allowedTools, agent.disallowedTools, agent.mcpServers ?? null, limitsOf(agent.within) ?? null];
}

function loadingOf(chosen: ToolLoading | undefined, alwaysLoad: true | undefined): ToolLoading {
  return chosen ?? (alwaysLoad === true ? 'always' : 'auto');
}

/** The accepted tool of the same name. One that is new on a known server is compared with nothing, so that it needs approval, too. */
function beforeOf({ name }: McpToolInfo, accepted: ReadonlyMap<string, SeenTool>): SeenTool | undefined {
  if (accepted.size === 0) return undefined;
  return accepted.get(name) ?? { name, fingerprint: '', text: '' };
}

/** Keeps long results beside the outputs of commands, which models may read. @param folder absolute path */
export function keepIn(folder: string): KeepText {
  return async (text, session) => {
    const log = await createCommandLog(folder, MAX_KEPT, session);
    await log.append(text);
    await log.close();
    if (log.problem !== undefined) throw new Error(log.problem);
    return log.path;
  };
}
