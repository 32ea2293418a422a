import type { Agents } from '../customization/agents.js';
import { createAgentTool, type ElfModel } from '../elf/agent-tool.js';
import { Elves, type ElfStart } from '../elf/elves.js';
import { type ElfType, elfTypes } from '../elf/elf-types.js';
import type { SessionStore } from '../domain/session/session-store.js';
import type { Tool } from '../domain/tool/tool.js';
import type { AgentSession } from '../engine/agent-session.js';
import { agentWithin } from '../engine/agents/narrow.js';
import { modelKey } from '../domain/model/model-key.js';
import type { ModelRegistry } from '../models/model-registry.js';
import { wantedModel, type WantedModelAnswer } from '../models/wanted-model.js';
import { createNodeFileLayer } from '../node/files/node-file-layer.js';
import { createSessions } from '../session/create-sessions.js';
import { redact, secretsOf } from '../text/redact.js';
import { elfFolder } from './elf-folder.js';
import type { AgentHostPorts } from './host-ports.js';
import type { OpenSessions } from './open-sessions.js';
import { CHAT, type SessionFactory, type SessionShape } from './session-factory.js';

/** Services that the elves of a host are made from. */
export interface HostElvesDeps {
  readonly ports: AgentHostPorts;
  readonly factory: SessionFactory;
  readonly sessions: OpenSessions;
  readonly agents: Pick<Agents, 'agents' | 'ready'>;
  readonly models: Pick<ModelRegistry, 'choose' | 'entries' | 'find' | 'refresh'>;
}

/** Tools that an elf never has: it reports to who started it, and starts no others. */
const NOT_FOR_ELVES: ReadonlySet<string> = new Set(['agent', 'ask', 'todo']);

/** A chat but for these tools; the agent that an elf has limits them further. */
const ELF: SessionShape = { ...CHAT, tools: (all) => all.filter(({ spec }) => !NOT_FOR_ELVES.has(spec.name)) };

/** Makes the tool by which a model has elves work, with what can be started now. */
export function createElfTool(deps: HostElvesDeps): () => Promise<Tool> {
  const { ports, sessions, agents, models } = deps;
  const elves = new Elves({
    find: (id) => sessions.find(id),
    earlier: async ({ id }) => (await elfStore(ports, id).list()).length,
    open: (start) => openElf(deps, start),
    clean: (text) => redact(text, secretsOf(ports.keys)),
  });
  const types = (): readonly ElfType[] => elfTypes(agents.agents.map(({ agent, name }) => ({ ...agent, name })));
  const modelOf = async ({ agent }: ElfType, session: string): Promise<ElfModel> => {
    const own = sessions.find(session)?.model;
    const look = (): WantedModelAnswer => wantedModel(agent.model, own, models.entries());
    // The lists may not have come yet.
    if (look().type === 'missing') await models.refresh();
    const wanted = look();
    if (wanted.type === 'missing') return { kind: 'missing' };
    if (wanted.type === 'inherit' || (own !== undefined && wanted.key === modelKey(own))) return { kind: 'own' };
    return { kind: 'other', key: wanted.key, label: models.find(wanted.key)?.label ?? wanted.key };
  };
  // The list of agents is a part of it; while that is the same, so is the tool.
  let made: { readonly of: string; readonly tool: Tool } | undefined;
  return async () => {
    await agents.ready();
    const of = JSON.stringify(types().map(({ name, description }) => [name, description]));
    if (made?.of !== of) made = { of, tool: createAgentTool({ elves, types, modelOf }) };
    return made.tool;
  };
}

async function openElf({ ports, factory, models }: HostElvesDeps, { parent, callId, type, task, model }: ElfStart): Promise<AgentSession> {
  const [instructions, chosen] = await Promise.all([factory.instructions(), models.choose(model ?? modelKey(parent.model))]);
  const open = await elfStore(ports, parent.id).create(factory.systemPrompt(instructions));
  const session = factory.open({
    ...chosen,
    open,
    instructions,
    mode: parent.effectiveMode,
    parent: { session: parent, callId, agent: type.name, task },
    // What the agent of the chat may not do, and the hooks that it has, hold for it, too.
    agent: agentWithin(type.agent, parent.activeAgent),
    questions: { ask: () => Promise.resolve({ type: 'dismissed' }) },
    shape: ELF,
    addition:
      'You work on a part of a task for another agent, which sees nothing of what you do but your last message. Do what you are asked and no more. ' +
      'End with a message that has everything that was asked for, with paths and lines.',
  });
  session.setEffort(type.agent.effort ?? parent.effort);
  return session;
}

function elfStore({ storage: { workspace, sessions = workspace }, clock, log }: AgentHostPorts, parent: string): SessionStore {
  return createSessions({ folder: elfFolder(sessions, parent), files: createNodeFileLayer(), clock, log }).store;
}
