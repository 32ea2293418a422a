import type { Clock } from '../../domain/clock.js';
import { errorMessage } from '../../domain/errors.js';
import type { Log } from '../../domain/log.js';
import type { EnvironmentFact } from '../../domain/session/environment.js';
import { headOf, showName } from '../../text/show.js';
import type { ConnectedServers } from '../connected-servers.js';
import type { ResourceAddress } from './read-resource.js';

/** Resources of one chat that are watched; the newest count. */
const MAX_WATCHED = 20;
/** Characters of a name or an address in a note. */
const MAX_NAME = 200;

/** The connected servers whose resources are subscribed to, with the clock and log of the window. */
export interface WatchedResourcesDeps {
  readonly servers: Pick<ConnectedServers, 'state' | 'subscribe' | 'use'>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The resources that were mentioned in open chats. Where a server can tell, it is asked to say when one changes; the next message of the
 * chat notes that, and never the content, which the model or the user has to ask for.
 */
export class WatchedResources {
  /** The chats, and what each of them watches: by the key of the resource, since when it is another one than the chat has seen. */
  private readonly chats = new Map<string, Map<string, string | undefined>>();
  /** Abort controllers of subscriptions, from the moment they are requested. */
  private readonly subscriptions = new Map<string, AbortController>();
  /** Resources whose subscription ended with the connection. */
  private readonly unheard = new Set<string>();
  private readonly stop: () => void;

  constructor(private readonly deps: WatchedResourcesDeps) {
    this.stop = deps.servers.subscribe((event) => {
      if (event.type === 'resource') this.changed(keyOf({ server: event.id, uri: event.uri }));
      else if (event.type === 'removed') this.lost(event.id);
      else if (event.type === 'state' && event.state.status === 'connected') this.connected(event.state.id);
      else if (event.type === 'state') this.lost(event.state.id);
    });
  }

  /** Watches a resource that a message of a chat has brought along just now: what was noted of it before is settled. */
  watch(chat: string, address: ResourceAddress): void {
    const watched = this.chats.get(chat) ?? new Map<string, string | undefined>();
    const key = keyOf(address);
    watched.delete(key);
    watched.set(key, undefined);
    this.chats.set(chat, watched);
    const [oldest] = watched.keys();
    if (watched.size > MAX_WATCHED && oldest !== undefined) watched.delete(oldest);
    this.tidy();
    this.open(address);
  }

  /** Forgets a chat that was closed. */
  forget(chat: string): void {
    this.chats.delete(chat);
    this.tidy();
  }

  /** Facts about changed resources for the next message of a chat. A later change is another value, so that it is sent, too. */
  facts(chat: string): readonly EnvironmentFact[] {
    const changed = [...(this.chats.get(chat) ?? [])].filter((entry): entry is [string, string] => entry[1] !== undefined);
    if (changed.length === 0) return [];
    const lines = changed.map(([key, since]) => {
      const { server, uri } = addressOf(key);
      return `${brief(uri)} of the MCP server ${brief(server)}, at ${since}`;
    });
    return [{ label: 'MCP resources that have changed, or may have, since they were attached', value: lines.join('\n') }];
  }

  /** Ends all subscriptions. */
  dispose(): void {
    this.stop();
    this.chats.clear();
    this.tidy();
  }

  private changed(key: string): void {
    const now = this.deps.clock.timestamp();
    for (const watched of this.chats.values()) if (watched.has(key)) watched.set(key, now);
  }

  /** The connection is gone, and the subscriptions with it. */
  private lost(server: string): void {
    for (const key of this.subscriptions.keys()) {
      if (addressOf(key).server !== server) continue;
      this.subscriptions.delete(key);
      this.unheard.add(key);
    }
  }

  private connected(server: string): void {
    for (const key of this.wanted) {
      const address = addressOf(key);
      if (address.server !== server) continue;
      // Changes between subscriptions are not known.
      if (this.unheard.delete(key)) this.changed(key);
      this.open(address);
    }
  }

  private open(address: ResourceAddress): void {
    const key = keyOf(address);
    const { servers } = this.deps;
    if (this.subscriptions.has(key) || servers.state(address.server)?.agreement?.capabilities.subscriptions !== true) return;
    const ended = new AbortController();
    this.subscriptions.set(key, ended);
    void this.subscribe(address, ended.signal);
  }

  /** Never rejects: the resource can be read all the same, only its changes are not noticed. */
  private async subscribe({ server, uri }: ResourceAddress, ended: AbortSignal): Promise<void> {
    const { servers, log } = this.deps;
    try {
      const unsubscribe = await servers.use(server, (connection) => connection.subscribe(uri, ended), ended);
      const end = (): void =>
        void unsubscribe().catch((error: unknown) => log.warn(`A subscription with the MCP server ${server} could not be ended: ${errorMessage(error)}`));
      // It may have been ended while the server was asked.
      if (ended.aborted) end();
      else ended.addEventListener('abort', end, { once: true });
    } catch (error) {
      if (!ended.aborted) log.warn(`The MCP server ${server} does not tell of changes of ${brief(uri)}: ${errorMessage(error)}`);
    }
  }

  /** Ends what no chat watches any more. */
  private tidy(): void {
    const { wanted } = this;
    for (const [key, ended] of this.subscriptions) {
      if (wanted.has(key)) continue;
      this.subscriptions.delete(key);
      ended.abort();
    }
    for (const key of this.unheard) if (!wanted.has(key)) this.unheard.delete(key);
  }

  private get wanted(): ReadonlySet<string> {
    return new Set([...this.chats.values()].flatMap((watched) => [...watched.keys()]));
  }
}

function keyOf({ server, uri }: ResourceAddress): string {
  return `${server} ${uri}`;
}

/** Ids of servers have no spaces. */
function addressOf(key: string): ResourceAddress {
  const at = key.indexOf(' ');
  return { server: key.slice(0, at), uri: key.slice(at + 1) };
}

/** On one line, not too long, with nothing hidden in it. */
function brief(text: string): string {
  return showName(headOf(text, MAX_NAME));
}
