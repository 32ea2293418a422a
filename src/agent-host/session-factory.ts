import * as os from 'node:os';
import { join } from 'node:path';
import { present } from '../domain/present.js';
import type { BypassConfirmation } from '../consent/bypass-confirmation.js';
import type { FileSettings } from '../customization/settings.js';
import type { Skills } from '../customization/skills.js';
import type { OutputStyles } from '../customization/styles.js';
import type { UserSettings } from '../customization/user-settings.js';
import type { AgentFile } from '../domain/config/agent.js';
import type { Hooks, SessionsAbove } from '../domain/hook/hooks.js';
import type { Message } from '../domain/model/message.js';
import type { ModelChoice } from '../domain/model/model-choice.js';
import type { ModelInfo, Provider } from '../domain/model/provider.js';
import type { TaskKind } from '../domain/model/task-kind.js';
import type { Router } from '../domain/model/router.js';
import type { Purse } from '../domain/model/purse.js';
import type { FoundInstructions } from '../domain/session/context.js';
import type { EnvironmentFact } from '../domain/session/environment.js';
import type { SessionIdentity, WorksFor } from '../domain/session/identity.js';
import type { OpenSession } from '../domain/session/session-store.js';
import type { Questions } from '../domain/tool/interaction.js';
import type { Gate, PermissionMode } from '../domain/tool/permission.js';
import type { Tool } from '../domain/tool/tool.js';
import type { ChangeRecorder, OpenRecord } from '../domain/workspace/changes.js';
import { pathsOfChange } from '../domain/workspace/documents.js';
import { isWithin } from '../node/files/within.js';
import type { Jobs } from '../domain/workspace/jobs.js';
import type { Workspace } from '../domain/workspace/workspace.js';
import type { AgentSession, SessionDeps } from '../engine/agent-session.js';
import { NOTHING_MORE, type ReadTurnSettings, type TurnAsked } from '../engine/turn/turn-settings.js';
import { createAgentSession } from '../engine/live-session.js';
import { systemPrompt } from '../engine/system-prompt.js';
import { createSearchTool, createSkillLoader } from '../tool/index.js';
import type { SessionRules } from '../permission/rules/session-rules.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { elfAuthor } from '../elf/elf-author.js';
import { elfFolder } from './elf-folder.js';
import type { Ground } from './ground.js';
import type { AgentHostPorts } from './host-ports.js';
import type { OpenSessions } from './open-sessions.js';
import { workspaceInstructions } from './project-instructions.js';
import type { OfferedServers } from './servers/offered-servers.js';
import type { TurnOutcomes } from './turn-outcomes.js';
import type { WindowSearch } from './web-search.js';

/** A model with what runs it. */
export interface ChosenModel {
  readonly provider: Provider;
  readonly model: ModelInfo;
  /** Who has chosen it, and chooses the next one. Default: the user. */
  readonly choice?: ModelChoice;
}

/** Kind of a session: the one place that defines what a chat, an inline edit, or a review is. */
export interface SessionShape {
  /** The tools that it has, of all there are or its own; of those that come and go, too, where it has what the user set up. */
  readonly tools: (all: readonly Tool[]) => readonly Tool[];
  /** Permission gate of its calls. */
  readonly gate: (gate: Gate) => Gate;
  /** Those that it has of the tools of others, such as other extensions. Default: none. */
  readonly offered?: (all: readonly Tool[]) => readonly Tool[];
  /** Whether it has what the user set up for chats, too: the web search, MCP servers, the output style, skills, and where it works. Default: it has not. */
  readonly asSetUp?: true;
  /** The kind of its tasks. Default: what each message says. */
  readonly kind?: TaskKind;
  /** Whether it can have agents work on parts of its task. Default: where it has what the user set up. */
  readonly agents?: true;
}

/** A chat has everything. */
export const CHAT: SessionShape = { tools: (all) => all, gate: (gate) => gate, offered: (all) => all, asSetUp: true };

/** Options of a new or continued session. */
export interface SessionStart extends ChosenModel {
  readonly open: OpenSession;
  /** The call of another session that it works for: it draws on the purse of that, has its rules, and never more than its mode. Absent: it is the user’s. */
  readonly parent?: ParentCall;
  /** The instructions that there are; those of a new session are in its system prompt. */
  readonly instructions: FoundInstructions;
  readonly mode: PermissionMode;
  /** The agent that works. */
  readonly agent?: AgentFile | undefined;
  /** Takes the questions of its model. */
  readonly questions: Questions;
  /** Chooses its models. Default: as those of all sessions are. */
  readonly router?: Router;
  /** Budget of its requests, if shared with other sessions. Default: that of its parent, else its own, with the caps of the settings. */
  readonly purse?: Purse;
  /** Default: {@link CHAT}. */
  readonly shape?: SessionShape;
  /** Requests to the model for one message at most. Default: as the settings say. */
  readonly maxRounds?: number;
  /** Is added to the system prompt, behind what the settings add. */
  readonly addition?: string;
  /** Whether it takes the place of a chat that the user cleared. */
  readonly clears?: true;
}

/** A call that another session works for, and who does it, see {@link WorksFor}. */
export interface ParentCall extends Pick<WorksFor, 'callId' | 'agent' | 'task'> {
  readonly session: AgentSession;
}

/** Services of the window that every session is created with: shared hooks, skills, styles, search, and tools of servers. */
export interface SessionFactoryDeps {
  readonly ports: AgentHostPorts;
  /** Workspace services for sessions without folders of their own. */
  readonly ground: Ground;
  readonly sessions: OpenSessions;
  readonly hooks: Hooks;
  readonly skills: Skills;
  readonly styles: OutputStyles;
  readonly fileSettings: FileSettings;
  readonly models: Pick<ModelRegistry, 'find' | 'inPlan'>;
  readonly router: Router;
  /** Observes what comes of the turns of chats. */
  readonly outcomes: Pick<TurnOutcomes, 'follow'>;
  readonly bypass: Pick<BypassConfirmation, 'startingMode'>;
  readonly sessionRules: Pick<SessionRules, 'share'>;
  readonly userSettings: UserSettings;
  readonly search: WindowSearch;
  /** The tools of MCP servers, for a turn. */
  readonly offeredServers: Pick<OfferedServers, 'forTurn'>;
  /** The tools by which a model has other agents work on parts of a task, now. @param depth of its session @param by the agent that works there */
  readonly agentTools: (depth: number, by: AgentFile | undefined) => Promise<readonly Tool[]>;
  /** Facts about the resources of servers that a session has mentioned, for its model. */
  readonly resources: { facts(session: string): readonly EnvironmentFact[] };
  /** Facts about the agents that a session has started, for its model. */
  readonly agentFacts: (session: string) => readonly EnvironmentFact[];
}

/** The record of a call whose changes are not recorded. */
const NOT_RECORDED: OpenRecord = { end: () => Promise.resolve() };

/** Makes every session, from what it is started with and what there is here. */
export class SessionFactory {
  /** What sessions were made with: those which work for them have no more. */
  private readonly madeWith = new WeakMap<
    AgentSession,
    { readonly shape: SessionShape; readonly maxRounds: number; readonly ground: Ground; readonly open: OpenSession }
  >();

  constructor(private readonly deps: SessionFactoryDeps) {}

  /**
   * The system prompt of a new session.
   * @param instructions those that there are
   * @param ground what it will work on. Default: the folders that are open
   */
  systemPrompt({ files }: FoundInstructions, { workspace }: Ground = this.deps.ground): string {
    return systemPrompt(environmentOf(workspace), files, { isInVsCode: this.deps.ports.workspace.diagnostics !== undefined });
  }

  /**
   * The project's instructions as they are now. Does not reject and does not take long.
   * @param ground the folders whose they are. Default: those that are open
   */
  instructions({ instructions }: Ground = this.deps.ground): Promise<FoundInstructions> {
    return workspaceInstructions(instructions, this.deps.ports.log);
  }

  /** What a session works on. @param session absent: one of the user's, in the folders that are open */
  groundOf(session: AgentSession | undefined): Ground {
    return (session && this.madeWith.get(session)?.ground) ?? this.deps.ground;
  }

  /** Where a session is stored. @param session made here */
  storedOf(session: AgentSession): OpenSession | undefined {
    return this.madeWith.get(session)?.open;
  }

  /**
   * Starts a session. Closing it ends its commands.
   * @param ground what it works on. Default: what its parent works on, else the folders that are open
   */
  open(start: SessionStart, ground: Ground = this.groundOf(start.parent?.session)): AgentSession {
    const { questions, instructions, addition, parent, purse = parent?.session.purse, shape: wanted = CHAT, ...begin } = start;
    const above = parent && this.madeWith.get(parent.session);
    const shape = within(wanted, above?.shape);
    const maxRounds = start.maxRounds ?? above?.maxRounds ?? this.deps.fileSettings.maxRounds();
    const { ports, sessions, bypass } = this.deps;
    const { id, messages } = start.open.session;
    const current = (): readonly Message[] => sessions.find(id)?.messages ?? messages;
    const own = ground.forSession({ id, questions, messages: current });
    const unshare = parent && this.deps.sessionRules.share(id, parent.session.id);
    const session = createAgentSession({
      ...begin,
      ...this.limits(),
      router: routerFor(shape, start.router ?? this.deps.router),
      findModel: (key) => this.deps.models.find(key),
      inPlan: () => this.deps.models.inPlan(),
      maxRounds,
      ...present({ purse, identity: parent && identityOf(id, parent, ground) }),
      tools: shape.tools(own.tools),
      gate: shape.gate(own.gate),
      mayUseMode: (mode) => bypass.startingMode(mode) === mode,
      // An answer to what it asks is one for the chat, whose mode it follows.
      ...present({ setMode: parent && ((mode: PermissionMode) => parent.session.setMode(mode)) }),
      turnSettings: this.turnSettings(shape, parent === undefined ? 0 : parent.session.identity.depth + 1, addition),
      // What is changed in a worktree is not the user's yet: there is nothing to keep or undo.
      changes: this.changesOf(ground, own.jobs, { id, parent }),
      hooks: {
        hooks: this.deps.hooks,
        transcriptPath: sessionFile(ports.storage, id, parent && this.ownerOf(parent.session).sessionId),
        cwd: () => ground.workspace.cwd(),
        ...present({ above: parent && (() => this.aboveOf(parent.session)) }),
      },
      instructions: { workspace: instructions, finder: ground.instructions },
      ...this.setUp(shape, id, ground),
      clock: ports.clock,
      log: ports.log,
      released: async () => {
        unfollow?.();
        leave();
        unshare?.();
        await own.close();
      },
    });
    this.madeWith.set(session, { shape, maxRounds, ground, open: start.open });
    const leave = sessions.add(session, own.jobs);
    const unfollow = shape.asSetUp === true && parent === undefined ? this.deps.outcomes.follow(session, start.open.meta.parent) : undefined;
    return session;
  }

  /**
   * Records what its calls change; changes are told from those of other sessions by the folders they work in. What is in a worktree is recorded when it is
   * applied, and until then only what an edit changes elsewhere.
   */
  private changesOf(
    { workspace, apart }: Ground,
    jobs: Pick<Jobs, 'list'>,
    { id, parent }: { readonly id: string; readonly parent?: ParentCall | undefined },
  ): ChangeRecorder {
    const own = parent && elfAuthor(id, parent.agent, parent.task);
    const runsInBackground = (): boolean => jobs.list().some(({ ended }) => ended === undefined);
    return {
      begin: (call) => {
        const folders = workspace.folders().map(({ path }) => path);
        const changes = call.plan.changes.filter((change) => !apart || pathsOfChange(change).some((path) => !folders.some((folder) => isWithin(folder, path))));
        if (apart && changes.length === 0) return Promise.resolve(NOT_RECORDED);
        const owner = parent && this.ownerOf(parent.session);
        const by = call.plan.madeBy ?? own;
        return this.deps.ports.workspace.changes.begin({
          ...call,
          plan: { ...call.plan, changes },
          ...owner,
          ...present({ by }),
          ground: { folders, runsInBackground },
        });
      },
    };
  }

  /** The session of the user that another one works for in the end, and its message: what is changed for it is undone with that. */
  private ownerOf(session: AgentSession): { readonly sessionId: string; readonly messageIndex: number } {
    const above = session.identity.worksFor && this.deps.sessions.find(session.identity.worksFor.session);
    if (above !== undefined) return this.ownerOf(above);
    return { sessionId: session.id, messageIndex: session.messages.findLastIndex(({ role }) => role === 'user') };
  }

  /** What hooks of a session depend on that works for another one, and for all that this works for. */
  private aboveOf(session: AgentSession): SessionsAbove {
    const above = session.identity.worksFor && this.deps.sessions.find(session.identity.worksFor.session);
    const { messages, activeAgent: agent } = session;
    if (above === undefined) return { messages, chat: { messages, agent } };
    const further = this.aboveOf(above);
    return { ...further, messages: [...further.messages, ...messages] };
  }

  /** Settings read for each turn: web search, tools of servers and extensions, and the user's additions to the prompt. */
  private turnSettings(shape: SessionShape, depth: number, addition = ''): ReadTurnSettings {
    const { ports, offeredServers, styles, fileSettings } = this.deps;
    const offered = (): readonly Tool[] => shape.offered?.(ports.offered.all) ?? [];
    if (shape.asSetUp !== true)
      return async ({ agent }) => {
        // A shape can have tools of its own, whatever there is.
        const ofTurn = shape.agents === true ? shape.tools(await this.deps.agentTools(depth, agent)) : [];
        return { ...NOTHING_MORE, moreTools: [...ofTurn, ...offered()], additions: { text: addition } };
      };
    return async (asked, signal) => {
      const [style, ofServers, ofTurn] = await Promise.all([styles.chosen(), offeredServers.forTurn(asked.agent, signal), this.turnTools(asked, depth)]);
      return {
        moreTools: shape.tools([...ofTurn, ...ofServers, ...offered()]),
        additions: { style, text: [fileSettings.promptAddition(), addition].filter((text) => text !== '').join('\n\n') },
      };
    };
  }

  /** The tools of a turn that depend on its model and on what there is now, without those of servers. */
  async turnTools(asked: Pick<TurnAsked, 'provider' | 'model'> & Partial<Pick<TurnAsked, 'agent'>>, depth = 0): Promise<readonly Tool[]> {
    return [...this.searchTools(asked), ...(await this.deps.agentTools(depth, asked.agent))];
  }

  /** The tool that searches the web, where someone does for a model. */
  private searchTools({ provider, model }: Pick<TurnAsked, 'provider' | 'model'>): readonly Tool[] {
    const webSearch = this.deps.search.current(provider.webSearch?.(model));
    return webSearch === undefined ? [] : [createSearchTool(webSearch)];
  }

  /** Skills and environment facts for chats, and what others that have agents are to know of these. */
  private setUp({ asSetUp, agents }: SessionShape, id: string, { workspace, environment }: Ground): Pick<SessionDeps, 'skills' | 'environment'> {
    const { skills, resources, agentFacts } = this.deps;
    if (asSetUp !== true) return agents === true ? { environment: { facts: () => agentFacts(id) } } : {};
    return {
      skills: { source: skills, texts: skills, tool: createSkillLoader({ skills, workspace }) },
      environment: { facts: () => [...environment.facts(), ...resources.facts(id), ...agentFacts(id)], underWay: () => agentFacts(id) },
    };
  }

  /** Limits of a new session, its automatic compaction, and its thinking effort. Cost caps are read again before every request. */
  private limits(): Pick<SessionDeps, 'maxRetries' | 'caps' | 'effort' | 'autoCompactPercent' | 'autoCompactTokens'> {
    const { fileSettings, userSettings } = this.deps;
    return {
      maxRetries: userSettings.maxRetries(),
      caps: fileSettings.caps,
      effort: fileSettings.thinkingEffort(),
      autoCompactPercent: fileSettings.autoCompactThreshold(),
      autoCompactTokens: userSettings.autoCompactMaxTokens(),
    };
  }
}

/** A shape within that of the session that another one works for: it has nothing that this one has not, and no call passes that this one would not let pass. */
function within(shape: SessionShape, outer: SessionShape | undefined): SessionShape {
  if (outer === undefined) return shape;
  return {
    tools: (all) => shape.tools(outer.tools(all)),
    gate: (gate) => shape.gate(outer.gate(gate)),
    offered: (all) => shape.offered?.(outer.offered?.(all) ?? []) ?? [],
    ...present({ asSetUp: shape.asSetUp && outer.asSetUp, agents: (shape.asSetUp ?? shape.agents) && outer.agents }),
  };
}

/** Chooses the models of sessions of a shape. */
function routerFor({ kind }: SessionShape, router: Router): Router {
  if (kind === undefined) return router;
  return {
    choose: (task, signal) => router.choose({ kind, ...task }, signal),
    get waits() {
      return router.waits;
    },
    holds: (routing, task) => router.holds(routing, task),
    forWork: (...work) => router.forWork(...work),
    mayStandIn: () => router.mayStandIn(),
    answered: (key, well) => router.answered(key, well),
  };
}

function identityOf(session: string, { session: parent, callId, agent, task }: ParentCall, { apart }: Pick<Ground, 'apart'>): SessionIdentity {
  const worksFor = { session: parent.id, callId, agent, task, ...(apart ? { isApart: true as const } : {}) };
  return { session, worksFor, depth: parent.identity.depth + 1 };
}

/** Where a session is stored. @param chat the one that it works for in the end, where it does */
function sessionFile({ workspace, sessions = workspace }: AgentHostPorts['storage'], id: string, chat: string | undefined): string {
  return join(chat === undefined ? join(sessions, 'sessions') : elfFolder(sessions, chat), `${id}.json`);
}

/** Where the agent works, for the system prompt. */
function environmentOf(workspace: Workspace): string {
  const folders = workspace.folders().map((folder) => `${folder.name}: ${folder.path}`);
  const shell = process.platform === 'win32' ? 'Windows PowerShell' : 'bash';
  return [
    `Platform: ${process.platform} (${os.type()} ${os.release()}, ${os.arch()})`,
    `Shell of the bash tool: ${shell}`,
    `Working directory: ${workspace.cwd()}`,
    `Workspace folders: ${folders.length === 0 ? 'none' : folders.join(', ')}`,
  ].join('\n');
}
