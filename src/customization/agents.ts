import { LatestState } from '../concurrency/latest-state.js';
import { Signal } from '../concurrency/signal.js';
import type { AgentReading } from '../config/agents/agent-reading.js';
import { type AgentChoice, type ChosenAgent, chooseAgents, findAgent } from '../config/agents/choose.js';
import type { AgentFile } from '../domain/config/agent.js';
import { isFromRepository } from '../domain/config/origin.js';
import type { ConfigProblem } from '../domain/config/problem.js';
import type { HookDefinition } from '../domain/hook/definition.js';
import type { Log } from '../domain/log.js';
import { agentPaths, readAgentFiles } from '../node/config/agent-files.js';
import type { WindowPlaces } from './places.js';
import type { Disposable } from '../domain/host/disposable.js';
import type { HostPorts } from '../domain/host/host-ports.js';

/** Dependencies of {@link WindowAgents}. */
export interface WindowAgentsDeps {
  readonly ports: Pick<HostPorts, 'trust' | 'keepWatching'>;
  readonly places: WindowPlaces;
  readonly log: Log;
}

/**
 * The agents that can be chosen in this window: those of the user, and where the workspace is trusted those that it brings along.
 * They are read when somebody first asks, and again whenever a file changes.
 */
export class WindowAgents implements Disposable {
  private readonly deps: WindowAgentsDeps;
  private readonly changed = new Signal();
  /** Fires when the agents may have changed. */
  readonly onDidChange = this.changed.subscribe;
  private readonly reading: LatestState;
  private readonly stopTrust: () => void;
  private watching: Disposable | undefined;
  private first: Promise<void> | undefined;
  private found: readonly AgentReading[] = [];
  private choice: AgentChoice = { agents: [], problems: [] };

  constructor(deps: WindowAgentsDeps) {
    this.deps = deps;
    this.reading = new LatestState(
      () => this.readAll(),
      (error) => deps.log.error('Agents could not be read', error),
    );
    this.stopTrust = deps.ports.trust.onDidGrant(() => this.choose());
  }

  /** Those that can be chosen, as they were read last; none before {@link ready}. */
  get agents(): readonly ChosenAgent[] {
    return this.choice.agents;
  }

  /** Those of a workspace that is not trusted, for the user to see: nothing else knows of them. */
  get waiting(): readonly AgentFile[] {
    return this.deps.ports.trust.trusted() ? [] : this.found.flatMap(({ agents }) => agents).filter(({ origin }) => isFromRepository(origin));
  }

  /** The hooks of all of them. */
  get hooks(): readonly HookDefinition[] {
    return this.choice.agents.flatMap(({ agent }) => agent.hooks);
  }

  /** What is wrong with the files, also where it keeps an agent from being used. */
  get problems(): readonly ConfigProblem[] {
    return [...this.found.flatMap(({ problems }) => problems), ...this.choice.problems];
  }

  /** Resolves when the agents are known. Does not reject. */
  ready(): Promise<void> {
    this.watching ??= this.deps.ports.keepWatching(
      () => agentPaths(this.deps.places.watched),
      () => this.reading.soon(),
      this.deps.places.onDidChange,
    );
    this.first ??= this.reading.now();
    return this.first;
  }

  /** Reads the files again. Does not reject. */
  async read(): Promise<void> {
    await this.ready();
    await this.reading.now();
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

  dispose(): void {
    this.reading.dispose();
    this.stopTrust();
    this.watching?.dispose();
    this.changed.clear();
  }

  private async readAll(): Promise<void> {
    const files = await readAgentFiles(await this.deps.places.forAll(), new AbortController().signal);
    // Most workspaces have none: what reads them is loaded for the others.
    this.found = files.length === 0 ? [] : files.map((await import('./agent-reading.js')).agentReading);
    this.choose();
  }

  /** What a workspace that is not trusted says of agents is not even shown to models. */
  private choose(): void {
    const all = this.found.flatMap(({ agents }) => agents);
    this.choice = chooseAgents(all.filter(({ origin }) => this.deps.ports.trust.trusted() || !isFromRepository(origin)));
    this.changed.emit();
  }
}
