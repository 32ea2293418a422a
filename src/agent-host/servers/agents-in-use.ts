import { Signal } from '../../concurrency/signal.js';
import type { McpEntry } from '../../domain/mcp/config.js';
import { hasServer } from '../../engine/agents/narrow.js';
import type { AgentSession } from '../../engine/agent-session.js';
import type { McpServers } from '../../mcp/servers/servers.js';

/** The part of a conversation that {@link AgentsInUse} follows. */
interface FollowedConversation {
  readonly id: string;
  readonly session: Pick<AgentSession, 'agent' | 'state' | 'onEvent'>;
}

/** The agents that work in the open chats of this window: a server that agents define runs only while one of them does. */
export class AgentsInUse {
  private readonly changed = new Signal();
  /** Fires when other agents may be in use. */
  readonly onDidChange = this.changed.subscribe;
  /** Names of agents by chat: that of the chat, and that of the turn which runs. */
  private readonly names = new Map<string, readonly string[]>();
  /** By server, whether it was needed when it was judged last. */
  private readonly judged = new Map<string, boolean>();
  private judging: Promise<unknown> = Promise.resolve();

  /** Whether a server is needed: always one that all chats have. */
  needs(entry: McpEntry): boolean {
    return hasServer(entry, undefined) || [...this.names.values()].flat().some((name) => hasServer(entry, { name }));
  }

  /** Follows the agents of a chat for as long as it is open. Returns what ends that. */
  follow({ id, session }: FollowedConversation): () => void {
    const look = (active = session.agent?.name): void => {
      // A turn keeps the agent that it began with, also when the user chooses another one meanwhile.
      const before = session.state === 'idle' ? [] : (this.names.get(id) ?? []);
      const now = [session.agent?.name, active].filter((name) => name !== undefined);
      this.set(id, [...new Set([...before, ...now])]);
    };
    look();
    const stop = session.onEvent((event) => {
      if (event.type === 'settings_changed') look(event.agent);
      if (event.type === 'turn_ended' || event.type === 'compaction_ended') look();
    });
    return () => {
      stop();
      this.set(id, []);
    };
  }

  /** Has the servers of agents judged anew that are needed now, or no longer. Resolves when that is done for all, also from earlier on. Does not reject. */
  async recheck(servers: Pick<McpServers, 'states' | 'recheck'>): Promise<void> {
    const ofAgents = servers.states.filter(({ entry }) => entry.source.agents !== undefined);
    const changed = ofAgents.filter(({ id, entry, waitsFor }) => {
      const needed = this.needs(entry);
      // The state alone does not say it: that of one which is being judged is out of date.
      const isRight = this.judged.get(id) === needed && !(needed && waitsFor === 'agent');
      this.judged.set(id, needed);
      return !isRight;
    });
    this.judging = Promise.all([this.judging, ...changed.map(({ id }) => servers.recheck(id))]);
    await this.judging;
  }

  private set(id: string, names: readonly string[]): void {
    const before = this.names.get(id) ?? [];
    if (names.length === 0) this.names.delete(id);
    else this.names.set(id, names);
    if (before.join('\n') !== names.join('\n')) this.changed.emit();
  }
}
