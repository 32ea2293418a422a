import { Signal } from '../../concurrency/signal.js';
import { type McpCallOptions, type McpConnection, McpError } from '../../domain/mcp/connection.js';
import type { McpCallResult, McpToolInfo } from '../../domain/mcp/feature.js';
import type { McpServerState } from '../../domain/mcp/server.js';
import { t } from '../../domain/l10n.js';
import type { McpServerEntry, McpServersDeps, McpServersEvent } from './ports.js';
import { McpServer } from './server.js';
import { Slots } from './slots.js';
import type { McpTrafficLine } from './traffic-log.js';

/** Servers that start at the same time; the rest queue, so that many servers do not overload the machine. */
const MAX_STARTING = 20;
/** Milliseconds after which a server that has not answered makes room for the next. */
const START_SLOT_MS = 10_000;
/** Milliseconds after which the window no longer waits for processes to end: VS Code gives extensions only a few seconds. */
const DISPOSE_MS = 3_000;

/**
 * The servers of a window. None starts because of an entry: that takes {@link McpServers.want} or the user, and the gate's permission
 * each time. A server that hangs or crashes does not affect the others.
 */
export class McpServers {
  private readonly slots: Slots;
  private readonly events = new Signal<McpServersEvent>();
  private servers: ReadonlyMap<string, McpServer> = new Map();
  /** Removed servers that are still ending. */
  private readonly leaving = new Set<Promise<void>>();
  /** Servers for which waiting timed out: one that never answers must not delay every message. */
  private readonly slow = new Set<string>();
  private wanted = false;
  private disposed = false;

  constructor(private readonly deps: McpServersDeps) {
    this.slots = new Slots(MAX_STARTING, START_SLOT_MS, deps.wait);
  }

  /** The servers in the order of their entries; without those that have not been judged yet. */
  get states(): readonly McpServerState[] {
    return [...this.servers.values()].filter(({ isJudged }) => isJudged).map(({ state }) => state);
  }

  /** The state of a server, if there is one with this id. */
  state(id: string): McpServerState | undefined {
    const server = this.servers.get(id);
    return server?.isJudged === true ? server.state : undefined;
  }

  /** Subscribes to the events of all servers, synchronously, so that the status shown is never behind. Returns what unsubscribes. */
  subscribe(listener: (event: McpServersEvent) => void): () => void {
    return this.events.subscribe(listener);
  }

  /**
   * Takes over the entries that are effective now: what has changed or is gone ends at once, all else keeps running. Resolves when all
   * are judged.
   */
  async update(entries: readonly McpServerEntry[]): Promise<void> {
    if (this.disposed) return;
    const before = this.servers;
    this.servers = new Map(entries.map((entry) => [entry.id, before.get(entry.id) ?? this.create(entry)]));
    for (const [id, server] of before) if (!this.servers.has(id)) this.remove(server);
    await Promise.all(entries.map(async ({ id, entry }) => this.servers.get(id)?.update(entry)));
  }

  /**
   * Judges servers anew: after the user approved one or gave a value, and after trust or an approval was revoked, which stops them
   * immediately, as they may run only while they are approved. @param id of one; absent: all
   */
  async recheck(id?: string): Promise<void> {
    const servers = [...this.servers.values()].filter((server) => id === undefined || server.id === id);
    await Promise.all(servers.map((server) => server.judge()));
  }

  /** Starts all that may start, now and as soon as they may: for the first chat or command that needs servers. */
  want(): void {
    this.wanted = true;
    for (const server of this.servers.values()) server.want();
  }

  /**
   * Resolves when no server is about to answer any more, or when so many milliseconds are over. Servers in a pause before another attempt, and those that
   * timed out before, are not waited for.
   */
  async ready(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    for (const id of this.slow) if (this.servers.get(id)?.state.waitsFor !== 'connecting') this.slow.delete(id);
    const done = new AbortController();
    const over = signal === undefined ? done.signal : AbortSignal.any([signal, done.signal]);
    const settled = new Promise<void>((resolve) => {
      const stop = this.subscribe(() => {
        if (!this.isStarting) resolve();
      });
      done.signal.addEventListener('abort', stop, { once: true });
    });
    if (this.isStarting) await Promise.race([settled, this.deps.wait(timeoutMs, over)]);
    done.abort();
    if (signal?.aborted === true) return;
    for (const { id, isJudged, state } of this.servers.values()) if (isJudged && state.waitsFor === 'connecting') this.slow.add(id);
  }

  /** Resolves when the lists of the servers that run are known, or when so many milliseconds are over. */
  async listed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const all = Promise.all([...this.servers.values()].map((server) => server.listed()));
    await Promise.race([all, this.deps.wait(timeoutMs, AbortSignal.any([signal, done.signal]))]);
    done.abort();
  }

  /** Starts a server, for the user. Does nothing while it is connecting or connected, or off. */
  start(id: string): void {
    this.servers.get(id)?.start();
  }

  /** Ends a server, for the user; only the user starts it again. Resolves when its process is gone. */
  async stop(id: string): Promise<void> {
    await this.servers.get(id)?.stop();
  }

  /** Ends a server and starts it anew, for the user. */
  restart(id: string): void {
    this.servers.get(id)?.restart();
  }

  /** Switches a server off or on, for this window. Resolves when its process is gone, or it has been judged. */
  async switch(id: string, on: boolean): Promise<void> {
    await this.servers.get(id)?.switch(on);
  }

  /**
   * Calls a tool of a server; one that is starting anew is waited for, up to 30 seconds.
   * @param tool as it was listed when the call was judged: one that has changed since is not called
   * @throws McpError; AbortError when the signal stopped it
   */
  async call(id: string, tool: McpToolInfo, args: Readonly<Record<string, unknown>>, options: McpCallOptions): Promise<McpCallResult> {
    return this.known(id).call(tool, args, options);
  }

  /**
   * Does something else with a server's connection, such as reading a resource; one that is starting anew is waited for.
   * @throws McpError; AbortError when the signal stopped it
   */
  async use<T>(id: string, work: (connection: McpConnection) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.known(id).use(work, signal);
  }

  /** The newest messages of a server, scrubbed, oldest first. */
  traffic(id: string): readonly McpTrafficLine[] {
    return this.servers.get(id)?.traffic ?? [];
  }

  /** State and log of a server as text for a bug report, without secrets. Empty when there is no such server. */
  report(id: string): string {
    return this.servers.get(id)?.report() ?? '';
  }

  /** Ends all servers for good. Resolves when their processes are gone, at the latest after three seconds. */
  async dispose(): Promise<void> {
    this.disposed = true;
    const { servers } = this;
    this.servers = new Map();
    for (const server of servers.values()) this.remove(server);
    const gone = new AbortController();
    await Promise.race([Promise.all(this.leaving), this.deps.wait(DISPOSE_MS, gone.signal)]);
    gone.abort();
    this.events.clear();
  }

  /** Whether a server is about to answer. */
  private get isStarting(): boolean {
    return [...this.servers.values()].some(({ id, isJudged, state }) => !isJudged || (state.waitsFor === 'connecting' && !this.slow.has(id)));
  }

  private create(entry: McpServerEntry): McpServer {
    const server = new McpServer(entry, { ...this.deps, slots: this.slots, tell: (event) => this.events.emit(event) });
    if (this.wanted) server.want();
    return server;
  }

  private remove(server: McpServer): void {
    const gone = server.dispose();
    this.leaving.add(gone);
    void gone.finally(() => this.leaving.delete(gone));
    this.events.emit({ type: 'removed', id: server.id });
  }

  private known(id: string): McpServer {
    const server = this.servers.get(id);
    if (server === undefined) throw new McpError('closed', t('There is no server “{0}” any more.', id));
    return server;
  }
}
