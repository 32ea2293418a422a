import type { AgentReading } from '../config/agents/agent-reading.js';
import { type AgentChoice, type ChosenAgent, chooseAgents, findAgent } from '../config/agents/choose.js';
import type { AgentFile } from '../domain/config/agent.js';
import { isFromRepository } from '../domain/config/origin.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import type { HookDefinition } from '../domain/hook/definition.js';
import type { Log } from '../domain/log.js';
import { agentPaths, readAgentFiles } from '../node/config/agent-files.js';
import type { ConfigPlaces } from './places.js';
import type { HostPorts } from '../domain/host/host-ports.js';
import type { WatchedFiles } from '../domain/host/host-ports.js';
import { WatchedSet } from './watched-set.js';

const NONE: readonly AgentReading[] = [];

/** Services that find agent files: Workspace Trust, file watchers, and the folders to search. */
export interface AgentsDeps {
  readonly ports: Pick<HostPorts, 'trust' | 'keepWatching'>;
  readonly places: ConfigPlaces;
  readonly log: Log;
}

/**
 * The agents that can be chosen in this window: those of the user, and where the workspace is trusted those that it brings along.
 * They are read when somebody first asks, and again whenever a file changes.
 */
export class Agents extends WatchedSet<readonly AgentReading[]> {
  /** Cached choice of agents, valid until the files or Workspace Trust change. */
  private chosen: { readonly from: readonly AgentReading[]; readonly trusted: boolean; readonly choice: AgentChoice } | undefined;

  constructor(private readonly deps: AgentsDeps) {
    super({ ...deps, retells: [deps.ports.trust.onDidGrant], failure: 'Agents could not be read' });
  }

  /** Those that can be chosen, as they were read last; none before {@link ready}. */
  get agents(): readonly ChosenAgent[] {
    return this.choice.agents;
  }

  /** Those of a workspace that is not trusted, for the user to see: nothing else knows of them. */
  get waiting(): readonly AgentFile[] {
    return this.deps.ports.trust.trusted() ? [] : this.current.flatMap(({ agents }) => agents).filter(({ origin }) => isFromRepository(origin));
  }

  /** The hooks of all of them. */
  get hooks(): readonly HookDefinition[] {
    return this.agents.flatMap(({ agent }) => agent.hooks);
  }

  /** Problems of the files, including those that disable an agent. */
  get problems(): readonly ConfigProblem[] {
    return [...this.current.flatMap(({ problems }) => problems), ...this.choice.problems];
  }

  /** The agent of a name or a qualified name, named as it is chosen; `undefined` where there is none. */
  find(name: string): AgentFile | undefined {
    const found = findAgent(this.choice, name);
    return found && { ...found.agent, name: found.name };
  }

  /** The same once the agents are known. Does not reject. */
  async named(name: string): Promise<AgentFile | undefined> {
    await this.ready();
    return this.find(name);
  }

  protected watched(): WatchedFiles {
    return agentPaths(this.deps.places.watched);
  }

  protected async readFiles(signal: AbortSignal): Promise<readonly AgentReading[]> {
    const files = await readAgentFiles(await this.deps.places.forAll(), signal);
    // Most workspaces have none: what reads them is loaded for the others.
    return files.length === 0 ? [] : files.map((await import('./agent-reading.js')).agentReading);
  }

  protected override get current(): readonly AgentReading[] {
    return super.current ?? NONE;
  }

  /** The agents in effect. Those of an untrusted workspace are not even shown to models. */
  private get choice(): AgentChoice {
    const [from, trusted] = [this.current, this.deps.ports.trust.trusted()];
    if (this.chosen?.from !== from || this.chosen.trusted !== trusted) {
      const usable = from.flatMap(({ agents }) => agents).filter(({ origin }) => trusted || !isFromRepository(origin));
      this.chosen = { from, trusted, choice: chooseAgents(usable) };
    }
    return this.chosen.choice;
  }
}
