import type { AgentHost } from '../../agent-host/agent-host.js';
import { modelKey } from '../../domain/model/model-key.js';
import type { AgentSession } from '../../engine/agent-session.js';
import { toForeign } from '../../hook/foreign-names.js';
import { offeredCommands } from '../offered-commands.js';
import type { HeadlessHost } from '../open-host.js';
import type { OpenedSession } from '../session-setup.js';
import { WireMessages } from './messages.js';
import type { WireMessage } from './wire-content.js';

/** The messages of a session of this host. @param folder absolute path of the current folder, for relative paths in calls */
export function wireMessages(
  session: AgentSession,
  { host: { models }, clean }: Pick<HeadlessHost, 'host' | 'clean'>,
  { partial, folder }: { readonly partial: boolean; readonly folder: string },
): WireMessages {
  return new WireMessages(
    {
      id: session.id,
      folder,
      clean,
      modelNamed: (name) => {
        const listed = models.entries().flatMap((entry) => entry.models);
        return [...listed, session.model].find((model) => modelKey(model) === name);
      },
    },
    { partial, mode: session.effectiveMode },
  );
}

/** What a session begins with: the first message of all. */
export async function initMessage({ session, tools }: OpenedSession, host: AgentHost, folder: string): Promise<WireMessage> {
  const {
    agents,
    servers: { all, configurations },
  } = host;
  const [commands] = await Promise.all([offeredCommands(host), configurations.ready()]);
  return {
    type: 'system',
    subtype: 'init',
    cwd: folder,
    tools: [...new Set(tools.map((name) => toForeign({ name, input: {} }, 'claude', folder).name))],
    // One that nobody has decided about yet has not been started.
    mcp_servers: configurations.current.servers.map(({ id, entry }) => ({ name: entry.name, status: all.state(id)?.status ?? 'pending' })),
    model: session.model.id,
    permissionMode: session.effectiveMode,
    slash_commands: commands.map(({ name }) => name),
    apiKeySource: await keySource(host, session.model.provider),
    output_style: 'default',
    agents: agents.agents.map(({ name }) => name),
    skills: commands.flatMap(({ name, isSkill }) => (isSkill ? [name] : [])),
    plugins: [],
  };
}

/**
 * Where the key of a provider comes from, in the words of the protocol: by its variable where they have that; `user` for one of another variable, as the
 * user has set it.
 */
async function keySource({ models, secrets }: AgentHost, provider: string): Promise<'ANTHROPIC_API_KEY' | 'user' | 'none'> {
  const owner = models.keyOwners().find(({ id }) => id === provider)?.key;
  if (owner === undefined || (await secrets.key(owner)) === undefined) return 'none';
  return owner.keyVariable === 'ANTHROPIC_API_KEY' ? owner.keyVariable : 'user';
}
