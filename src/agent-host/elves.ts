import type { Agents } from '../customization/agents.js';
import type { UserSettings } from '../customization/user-settings.js';
import { createAgentTool } from '../elf/agent-tool.js';
import { createAgentsTool, lineOf } from '../elf/agents-tool.js';
import type { Elf } from '../elf/elf.js';
import type { ElfStart } from '../elf/elf-runs.js';
import { Elves } from '../elf/elves.js';
import { elfAuthor } from '../elf/elf-author.js';
import type { Household } from '../elf/household.js';
import { type ElfType, elfTypes, startableBy } from '../elf/elf-types.js';
import type { AgentFile } from '../domain/config/agent.js';
import type { OpenElf } from '../elf/held-session.js';
import type { Router } from '../domain/model/router.js';
import { present } from '../domain/present.js';
import type { EnvironmentFact } from '../domain/session/environment.js';
import { mayWork } from '../domain/host/folders.js';
import { t } from '../domain/l10n.js';
import { pathsOfChange } from '../domain/workspace/documents.js';
import type { AppliedState, ElfWorktrees } from '../elf/brought.js';
import type { OpenSession } from '../domain/session/session-store.js';
import type { Tool } from '../domain/tool/tool.js';
import { modelKey } from '../domain/model/model-key.js';
import type { ModelRegistry } from '../models/model-registry.js';
import type { AgentSession } from '../engine/agent-session.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { redact, secretsOf } from '../text/redact.js';
import { ElfCostsFile } from './elf-costs.js';
import { elfModels, startedWith } from './elf-models.js';
import { elfStorage, elfStore } from './elf-storage.js';
import type { Ground } from './ground.js';
import type { AgentHostPorts } from './host-ports.js';
import type { OpenSessions } from './open-sessions.js';
import { CHAT, type SessionFactory, type SessionShape, type SessionStart } from './session-factory.js';
import { bring, write } from './worktrees/bring.js';
import { type AppliedWorktree, applyChanges, worktreeAuthor } from './worktrees/apply-changes.js';
import type { Worktrees } from './worktrees/worktrees.js';

/** Services that the elves of a host are made from. */
export interface HostElvesDeps {
  readonly ports: AgentHostPorts;
  readonly factory: SessionFactory;
  readonly sessions: OpenSessions;
  readonly agents: Pick<Agents, 'agents' | 'ready'>;
  readonly models: Pick<ModelRegistry, 'choose' | 'entries' | 'find' | 'refresh'>;
  readonly router: Router;
  readonly userSettings: Pick<UserSettings, 'elfLimits'>;
  readonly worktrees: Worktrees;
  /** The folders that are open. */
  readonly ground: Pick<Ground, 'sandbox' | 'gate'>;
}

/** The elves of a host, and the tools by which models have them work. */
export interface HostElves {
  readonly elves: Elves;
  /**
   * With what can be started now.
   * @param depth of the session that gets them, see {@link SessionIdentity}
   * @param by the agent that works there, which can be limited in what it starts
   */
  readonly tools: (depth: number, by: AgentFile | undefined) => Promise<readonly Tool[]>;
  /**
   * Writes what was changed in a worktree, named itself or by its agent, into the files of the user, who is shown it first. It is undone with the last message
   * of the session.
   * @throws Error with a sentence for the user where it cannot be
   */
  readonly applyChanges: (session: AgentSession, of: { readonly elf: string } | { readonly worktree: string }) => Promise<void>;
  /** Facts for the model of a session about the agents that it has started. */
  readonly facts: (session: string) => readonly EnvironmentFact[];
}

/** Tools that an elf never has: it reports to who started it. */
const NOT_FOR_ELVES: ReadonlySet<string> = new Set(['ask', 'todo']);

/** A chat but for these tools; the agent that an elf has limits them further. */
const ELF: SessionShape = { ...CHAT, tools: (all) => all.filter(({ spec }) => !NOT_FOR_ELVES.has(spec.name)) };

/** Makes the elves of a host. */
export function createHostElves(deps: HostElvesDeps): HostElves {
  const { ports, factory, sessions, agents, userSettings } = deps;
  const worktrees = elfWorktrees(deps);
  const types = (): readonly ElfType[] => elfTypes(agents.agents.map(({ agent, name }) => ({ ...agent, name })));
  const costs = new ElfCostsFile({ storage: ports.storage.workspace, files: createNodeFileLayer(), log: ports.log });
  const elves = new Elves({
    clock: ports.clock,
    log: ports.log,
    find: (id) => sessions.find(id),
    ...elfStorage(ports, factory),
    open: (start) => openElf(deps, start),
    costs,
    typeOf: async (name) => {
      await agents.ready();
      return types().find((type) => type.name === name);
    },
    limits: userSettings.elfLimits,
    worktrees,
    clean: (text) => redact(text, secretsOf(ports.keys)),
  });
  const agentsTool = createAgentsTool({ elves, worktrees });
  const whyNoWorktree = (session: string): string | undefined => againstWorktree(factory, sessions.find(session));
  const choose = elfModels(deps, elves);
  // The list of agents is a part of it; while that is the same, so is the tool.
  let made: { readonly of: string; readonly tool: Tool } | undefined;
  const tools: HostElves['tools'] = async (depth, by) => {
    if (depth >= userSettings.elfLimits().depth) return [];
    await agents.ready();
    const startable = (): readonly ElfType[] => startableBy(by, types());
    if (startable().length === 0) return [agentsTool];
    const of = JSON.stringify([by?.startable, ...startable().map(({ name, description }) => [name, description])]);
    if (made?.of !== of) made = { of, tool: createAgentTool({ elves, costs, types: startable, ...choose, worktrees, whyNoWorktree }) };
    return [made.tool, agentsTool];
  };
  /** Those of whom the user has taken over something, by the session. */
  const taken = new Map<string, Set<Elf>>();
  const apply: HostElves['applyChanges'] = async (from, of) => {
    // What agents change is undone with the chat that they work for.
    const session = elves.chatOf(from);
    const elf = elfOf(await elves.of(session), of);
    const by = { trash: deps.worktrees, dialogs: ports.dialogs, gate: deps.ground.gate, noted: (state: AppliedState) => elf?.noteApplied(state) };
    const { wrote, told } = await applyChanges({ ...ports.workspace, worktrees, ...by }, session, appliedOf(of, elf));
    await elf?.lookAgain();
    if (wrote && elf !== undefined) taken.set(session.id, (taken.get(session.id) ?? new Set<Elf>()).add(elf));
    await told;
  };
  const facts = (session: string): readonly EnvironmentFact[] => factsOf(elves, session, [...(taken.get(session) ?? [])]);
  return { elves, tools, applyChanges: apply, facts };
}

/** Facts about the agents of a session. @param taken those of whom the user has taken over something */
function factsOf(elves: Elves, session: string, taken: readonly Elf[]): readonly EnvironmentFact[] {
  const lines = elves.news(session).map((elf) => lineOf(elf));
  const names = taken.map(({ name, facts }) => (facts.applied === true ? name : `${name} (not all of it)`)).join(', ');
  return [
    ...(lines.length === 0 ? [] : [{ label: 'Your agents (the tool agents gets what they found)', value: lines.join('\n') }]),
    ...(names === '' ? [] : [{ label: 'The user has applied to the workspace what these agents have changed in their worktrees', value: names }]),
  ];
}

function elfOf(household: Household, of: Parameters<HostElves['applyChanges']>[1]): Elf | undefined {
  return 'elf' in of ? household.find(of.elf) : household.inWorktree(of.worktree);
}

/** What is to be applied. @throws Error with a sentence for the user where that cannot be */
function appliedOf(of: Parameters<HostElves['applyChanges']>[1], elf: Elf | undefined): AppliedWorktree {
  if ('elf' in of) return isolatedOf(elf, of.elf);
  return elf === undefined ? { ...of, title: of.worktree, by: worktreeAuthor(of.worktree) } : isolatedOf(elf, elf.name);
}

/** Why the agents of a session get no worktrees of their own, for its model; `undefined` where they can. */
function againstWorktree(factory: SessionFactory, session: AgentSession | undefined): string | undefined {
  if (factory.groundOf(session).apart) return 'You work in a worktree, and so do the agents that you start.';
  return session?.effectiveMode === 'plan' ? 'Nothing is changed in plan mode, so an agent needs no worktree.' : undefined;
}

/** The worktree of an agent that has ended. @throws Error with a sentence for the user where there is none */
function isolatedOf(elf: Elf | undefined, name: string): AppliedWorktree {
  if (elf === undefined) throw new Error(t('There is no agent “{0}” in this chat.', name));
  const { worktree, session = name, type, task } = elf.facts;
  if (worktree === undefined) throw new Error(t('This agent works in your own files, not in a worktree.'));
  if (elf.isWorking) throw new Error(t('This agent is still working. Wait until it is done, or stop it.'));
  return { worktree, title: task, by: elfAuthor(session, type, task) };
}

/** Opens the session of an elf, in its worktree where it has one. */
async function openElf(deps: HostElvesDeps, start: ElfStart): Promise<Omit<OpenElf, 'closed' | 'limit'>> {
  const { factory, worktrees, ports } = deps;
  if (start.worktree === undefined) return openIn(deps, start, factory.groundOf(start.parent));
  const used = await worktrees.use(start.worktree, { type: start.type.name, task: start.task, chat: start.chat }, start.signal);
  try {
    const open = await openIn(deps, start, used.ground, ISOLATED);
    const prepare: OpenElf['prepare'] = async (signal, tell) => {
      if (!mayWork(ports.trust)) return;
      const { prepareWorktree } = await import('./worktrees/prepare.js');
      await prepareWorktree(used, open.session, { signal, tell });
    };
    return { ...open, prepare, released: () => used.close() };
  } catch (error) {
    await used.close();
    throw error;
  }
}

const ISOLATED =
  'You work in a worktree: a working tree of your own, with the files as the user has them now. The user’s own checkout, which paths outside of it lead to, ' +
  'stays as it is: change nothing there. What you leave in the files is what counts; nothing has to be committed.';

async function openIn(deps: HostElvesDeps, start: ElfStart, ground: Ground, more = ''): Promise<Pick<OpenElf, 'session' | 'save'>> {
  const { ports, factory, models } = deps;
  const { parent, callId, type, task, effort = type.agent.effort ?? parent.effort } = start;
  const instructions = await factory.instructions(ground);
  const store = elfStore(ports, start.chat);
  const open: OpenSession = await (start.session === undefined ? store.create(factory.systemPrompt(instructions, ground)) : store.open(start.session));
  const chosen = await models.choose(start.model ?? open.meta.model ?? modelKey(parent.model));
  const begin: SessionStart = {
    ...chosen,
    ...(start.routing === undefined ? {} : { choice: { type: 'auto' }, router: startedWith(start.routing, chosen, deps.router) }),
    open,
    instructions,
    mode: parent.effectiveMode,
    ...present({ purse: start.purse }),
    parent: { session: parent, callId, agent: type.name, task },
    // What the agent of the chat may not do, and the hooks that it has, hold for it, too: see Elves.
    agent: type.agent,
    questions: { ask: () => Promise.resolve({ type: 'dismissed' }) },
    shape: ELF,
    addition: [
      'You work on a part of a task for another agent, which sees nothing of what you do but your last message. Do what you are asked and no more.',
      'End with a message that has everything that was asked for, with paths and lines.',
      ...(more === '' ? [] : [more]),
    ].join(' '),
  };
  const session = factory.open(begin, ground);
  session.setEffort(effort);
  const save: OpenElf['save'] = (elf) => {
    open.recorder.updateMeta({ elf }).catch((error: unknown) => ports.log.error(`What is known of an agent could not be stored`, error));
  };
  return { session, save };
}

/** The worktrees of a host, as agents use them. */
function elfWorktrees({ worktrees, ports, ground }: HostElvesDeps): ElfWorktrees {
  const { documents } = ports.workspace;
  return {
    bytesNeeded: (signal) => worktrees.bytesNeeded(signal),
    look: (name, signal) => worktrees.look(name, signal),
    bring: async (name, signal, again = false) => {
      const found = await worktrees.find(name);
      if (found === undefined) throw new Error(t('The worktree is not there any more.'));
      return bring({ ...found, documents, again }, signal);
    },
    write: async (name, { changes, applied }, signal) => {
      // A command that runs at the same time has not made them.
      for (const path of changes.flatMap(pathsOfChange)) ground.sandbox.noteOwn(path);
      const failed: { readonly path: string; readonly problem: string }[] = [];
      const open = new Set(changes.map(({ path }) => path));
      try {
        for (const change of changes) {
          const problem = await write(change, documents, signal);
          if (problem === undefined) open.delete(change.path);
          else failed.push({ path: change.path, problem });
        }
      } finally {
        await worktrees.noteApplied(
          name,
          [...applied].flatMap(([path, files]) => (open.has(path) ? [] : files)),
        );
      }
      return failed;
    },
  };
}
