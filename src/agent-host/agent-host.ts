import type { ProjectChecks } from '../checks/project-checks.js';
import { MoreBound } from '../consent/more-bound.js';
import { type Permissions, createPermissions } from '../consent/create-permissions.js';
import { createRuleBook } from '../consent/rules/create-rule-book.js';
import { Agents } from '../customization/agents.js';
import { CommandFiles } from '../customization/commands.js';
import { Layers } from '../customization/layers.js';
import { once } from '../concurrency/once.js';
import { linkGuards, repositoryGuard } from '../customization/link-guards.js';
import { ConfigPlaces } from '../customization/places.js';
import { FileSettings } from '../customization/settings.js';
import { Skills } from '../customization/skills.js';
import { OutputStyles } from '../customization/styles.js';
import { UserSettings } from '../customization/user-settings.js';
import { type Disposable, together } from '../domain/host/disposable.js';
import { present } from '../domain/present.js';
import type { WorkspaceFolder } from '../domain/workspace/workspace.js';
import { joinedPlaces } from '../domain/workspace/binding.js';
import type { LinkGuards } from '../node/config/bases.js';
import { leaveProgramsOut } from '../node/process/find-program.js';
import { AutoRouter } from '../models/auto-router.js';
import { createModels } from '../models/create-models.js';
import { KeyChoices } from '../models/keys/key-choices.js';
import { Secrets } from '../models/keys/secrets.js';
import type { Router } from '../domain/model/router.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { RequestLog } from '../provider/http/request-log.js';
import { redact, secretsOf } from '../text/redact.js';
import type { SessionIdentity } from '../domain/session/identity.js';
import { SharedWrites } from '../tool/calls/shared-writes.js';
import { EstimatesFile } from './estimates-file.js';
import { createHostElves, type HostElves } from './elves.js';
import type { Elves } from '../elf/elves.js';
import { type Apart, type Ground, createGround } from './ground.js';
import { type HostHooks, createHostHooks } from './hooks.js';
import type { AgentHostPorts } from './host-ports.js';
import { OpenSessions } from './open-sessions.js';
import { type HostServers, createHostServers } from './servers/host-servers.js';
import { createHostApprovals, type HostApprovals } from './approvals.js';
import type { HostChecks } from './checks.js';
import { SessionFactory } from './session-factory.js';
import { type ToldSettings, toldSettings } from './told-settings.js';
import { ObservedChecks, type ObservedChecksDeps } from './observed-checks.js';
import { TurnOutcomes } from './turn-outcomes.js';
import { WindowSearch } from './web-search.js';
import { Worktrees } from './worktrees/worktrees.js';

/** Everything that sessions need, whatever shows them: in a window of VS Code, in a terminal, or in a program of somebody else. */
export interface AgentHost extends Customization {
  readonly layers: Layers;
  readonly fileSettings: FileSettings;
  readonly userSettings: UserSettings;
  readonly secrets: Secrets;
  readonly models: ModelRegistry;
  /** Chooses models where the user has left that to Gnomon. */
  readonly router: Router;
  /** The requests to models, for the user. */
  readonly requests: RequestLog;
  readonly permissions: Permissions;
  /** Stored approvals of servers, hooks, and rules. */
  readonly approvals: HostApprovals;
  readonly servers: HostServers;
  /** Workspace services for sessions without folders of their own. */
  readonly ground: Ground;
  /** Makes a ground for sessions that work elsewhere; to be disposed when they are closed. @param folders those on this machine, now */
  readonly groundIn: (folders: () => readonly WorkspaceFolder[], apart?: Apart) => Ground;
  /** Those that are open. */
  readonly sessions: OpenSessions;
  /** Makes them. */
  readonly factory: SessionFactory;
  /** What was observed of models, for the user to see and to begin anew. */
  readonly estimates: Pick<EstimatesFile, 'path' | 'prepare' | 'reset'>;
  /** The agents that work on parts of the tasks of sessions. */
  readonly elves: Elves;
  /** Writes what was changed in a worktree into the files of the user, see {@link HostElves.applyChanges}. */
  readonly applyChanges: HostElves['applyChanges'];
  /** Working trees in which they work apart from the user. */
  readonly worktrees: Worktrees;
  /** Finds and runs the checks of projects in the folders of a ground. Loaded when it is needed. @param ground absent: {@link AgentHost.ground} */
  readonly checks: (ground?: Ground) => Promise<ProjectChecks>;
  /** The settings and rules that count, for another program: nothing that can have a key in it, and texts without what looks like one. */
  readonly toldSettings: () => Promise<ToldSettings>;
  /** Ends everything; sessions are to be closed before. */
  close(): Promise<void>;
}

/** Customization files of the workspace and the user: agents, skills, commands, hooks, and output styles. */
interface Customization {
  readonly places: ConfigPlaces;
  readonly agents: Agents;
  readonly styles: OutputStyles;
  readonly skills: Skills;
  readonly commandFiles: CommandFiles;
  readonly hooks: HostHooks;
  /** Tells of approvals that are bound to more than when they were given. */
  readonly moreBound: MoreBound;
}

/** Builds it. The settings of files are read before anything is decided with them. */
export async function createAgentHost(ports: AgentHostPorts): Promise<AgentHost> {
  const { log } = ports;
  // Before anything is looked up in the folders, which Git is asked about.
  const stopLeavingOut = leaveProgramsOut(ports.folders.paths);
  const layers = new Layers(ports, log);
  const fileSettings = new FileSettings(ports, layers);
  const [approvals] = await Promise.all([createHostApprovals(ports), layers.read()]);
  const userSettings = new UserSettings(ports.settings);
  const { secrets, models, requests, stopModels } = modelsOf(ports, { fileSettings, userSettings });
  const rules = createRuleBook({ ports, host: ports.rules, globalStorage: ports.storage.global, layers, approvals, check: ports.rules.check, log });
  const permissions = createPermissions(ports, { rules, fileSettings, approvals, bypassConfirmed: ports.bypassConfirmed === true, log });
  const customization = customizationOf(ports, { layers, fileSettings, permissions, approvals });
  const sessions = new OpenSessions();
  const servers = createHostServers(ports, {
    ...customization,
    allApprovals: approvals,
    sessions,
    sampling: userSettings.sampling,
    choose: (key) => models.choose(key),
  });
  const checks = checksOf(ports, { approvals, userSettings });
  const parts = { sessions, servers, secrets, models, fileSettings, userSettings, permissions };
  const { stopObserving, ...work } = workOf(ports, { ...customization, ...parts, checksIn: checks.in });
  const ending = together(
    { dispose: stopLeavingOut },
    checks,
    stopModels,
    layers,
    fileSettings,
    rules,
    approvals,
    ...partsOf(customization),
    work.ground,
    work.worktrees,
  );
  return {
    ...customization,
    ...work,
    ...{ layers, fileSettings, userSettings, secrets, models, requests, permissions, approvals, servers, sessions },
    checks: (ground = work.ground) => checks.in(ground),
    toldSettings: () => toldSettings({ settings: fileSettings, book: permissions.book }, (text) => redact(text, secretsOf(ports.keys))),
    close: once(async () => {
      await Promise.all([servers.close(), stopObserving()]);
      ending.dispose();
    }),
  };
}

/** The checks of projects, loaded when the first are looked for. */
function checksOf(
  ports: AgentHostPorts,
  deps: Pick<AgentHost, 'approvals' | 'userSettings'>,
): Disposable & { readonly in: (ground: Ground) => Promise<ProjectChecks> } {
  let loaded: Promise<HostChecks> | undefined;
  return {
    in: async (ground) => (await (loaded ??= import('./checks.js').then(({ HostChecks }) => new HostChecks(ports, deps)))).in(ground),
    dispose: () => void loaded?.then((checks) => checks.dispose()),
  };
}

/** Parts in which sessions work, and what makes them. `stopObserving` takes what is known of their turns. */
type Work = Pick<AgentHost, 'router' | 'ground' | 'groundIn' | 'worktrees' | 'factory' | 'elves' | 'applyChanges' | 'estimates'> & {
  readonly stopObserving: () => Promise<void>;
};

/** Makes the sessions with all that they work in, and those of the agents that work for them. */
function workOf(
  ports: AgentHostPorts,
  parts: Customization &
    Pick<AgentHost, 'sessions' | 'servers' | 'secrets' | 'models' | 'fileSettings' | 'userSettings' | 'permissions'> & {
      readonly checksIn: (ground: Ground) => Promise<ProjectChecks>;
    },
): Work {
  const { sessions, servers, secrets, models, fileSettings, userSettings, permissions, agents, skills, styles, hooks } = parts;
  const boundPlaces = async (): ReturnType<typeof hooks.registered.boundPlaces> =>
    joinedPlaces([await hooks.registered.boundPlaces(), servers.approvals.boundPlaces]);
  const writes = new SharedWrites((id) => workerIn(sessions.find(id)?.identity));
  const groundIn: AgentHost['groundIn'] = (folders, apart) =>
    createGround({ ports, permissions, fileSettings, userSettings, skills, writes, boundPlaces }, folders, apart);
  const ground = groundIn(ports.folders.local);
  const worktrees = new Worktrees({ folders: ports.folders, groundIn, log: ports.log });
  const { router, estimates, outcomes } = routingOf(ports, { models, userSettings, checks: () => parts.checksIn(ground) });
  const factory = new SessionFactory({
    ...{ ports, ground, sessions, skills, styles, fileSettings, userSettings, models, router, outcomes },
    hooks: hooks.hooks,
    bypass: permissions.bypass,
    sessionRules: permissions.sessionRules,
    search: new WindowSearch(secrets, () => ({ provider: userSettings.searchProvider(), searxngUrl: fileSettings.searxngUrl() })),
    offeredServers: servers.offered,
    resources: servers.watched,
    agentTools: (depth, by) => tools(depth, by),
    agentFacts: (session) => facts(session),
  });
  const { elves, tools, applyChanges, facts } = createHostElves({ ports, factory, sessions, agents, models, router, userSettings, worktrees, ground });
  return { ...{ router, ground, groundIn, worktrees, factory, elves, applyChanges, estimates }, stopObserving: () => outcomes.close() };
}

/** What chooses models automatically, and learns from what comes of that. */
function routingOf(
  ports: AgentHostPorts,
  { models, userSettings, checks }: Pick<AgentHost, 'models' | 'userSettings'> & Pick<ObservedChecksDeps, 'checks'>,
): { readonly router: AutoRouter; readonly estimates: EstimatesFile; readonly outcomes: Pick<TurnOutcomes, 'follow' | 'close'> } {
  const { dialogs, clock, log, storage, workspace, folders } = ports;
  const { routedModels, floors, routedFallback, learnsOutcomes } = userSettings;
  const estimates = new EstimatesFile({ folder: storage.global, dialogs, clock, log });
  const observations = (): ReturnType<EstimatesFile['observations']> => (learnsOutcomes() ? estimates.observations() : Promise.resolve({}));
  const router = new AutoRouter({ models, settings: { models: routedModels, floors, fallback: routedFallback }, observations, clock });
  const seen = { ...present({ reviewed: workspace.reviewed }), folders: folders.paths, isOn: learnsOutcomes };
  const observed = new ObservedChecks({ ...seen, checks, log });
  const ofChecks = { checksOf: observed.of, checksPending: observed.pending };
  const outcomes = new TurnOutcomes({ ...seen, ...ofChecks, add: (outcome) => estimates.add(outcome), clock });
  const follow: TurnOutcomes['follow'] = (session, parent) => {
    const stops = [outcomes.follow(session, parent), observed.follow(session)];
    return () => stops.forEach((stop) => stop());
  };
  return { router, estimates, outcomes: { follow, close: () => outcomes.close() } };
}

/** Who works in a session, as models of other sessions know them. */
function workerIn(identity: SessionIdentity | undefined): string {
  const { worksFor } = identity ?? {};
  return worksFor === undefined ? 'the agent of a chat' : `the agent ${worksFor.agent} (${worksFor.task})`;
}

/** The models with the keys for them, and the requests to them. */
function modelsOf(
  ports: AgentHostPorts,
  { fileSettings, userSettings }: Pick<AgentHost, 'fileSettings' | 'userSettings'>,
): Pick<AgentHost, 'secrets' | 'models' | 'requests'> & { readonly stopModels: Disposable } {
  const secrets = new Secrets(ports.secrets, new KeyChoices(ports.memory.global), ports.keys);
  const requests = new RequestLog(() => secretsOf(ports.keys));
  const watching = secrets.watch();
  const made = createModels({ ports, secrets, requests, fileSettings, userSettings, ...ports.models });
  return { secrets, models: made.models, requests, stopModels: together(watching, made) };
}

function customizationOf(
  ports: AgentHostPorts,
  { layers, fileSettings, permissions, approvals }: Pick<AgentHost, 'layers' | 'fileSettings' | 'permissions' | 'approvals'>,
): Customization {
  const { log, dialogs, memory, review } = ports;
  const { book } = permissions;
  const guards = (): LinkGuards => linkGuards(ports.folders, book);
  // Names are looked for, and no contents.
  const search = ports.workspace.search(() => repositoryGuard(ports.folders, book));
  const places = new ConfigPlaces({ ports, guards, onDidChangeGuards: book.onDidChange, search, log });
  const agents = new Agents({ ports, places, log });
  const styles = new OutputStyles({ ports, places, wanted: fileSettings.outputStyles, log });
  const skills = new Skills({ ports, places, memory: memory.global, log });
  const commandFiles = new CommandFiles({ ports, places, log });
  const moreBound = new MoreBound({ dialogs, memory: memory.global, review, log });
  const hooks = createHostHooks(ports, { layers, owners: { agents, skills, commands: commandFiles }, moreBound, approvals });
  return { places, agents, styles, skills, commandFiles, moreBound, hooks };
}

function partsOf({ places, agents, styles, skills, commandFiles, moreBound, hooks }: Customization): readonly Disposable[] {
  return [places, moreBound, agents, styles, skills, commandFiles, hooks];
}
