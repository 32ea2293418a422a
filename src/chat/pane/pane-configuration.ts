import { LatestState } from '../../concurrency/latest-state.js';
import { errorMessage } from '../../domain/errors.js';
import type { HostMessage } from '../../protocol/messages.js';
import type { ConfigurationPort } from '../configuration/configuration-port.js';
import type { WindowServers } from '../servers/window-servers.js';

/** Services of the configuration page of one pane: what is configured, and the number of MCP servers. */
export interface PaneConfigurationDeps {
  readonly port: ConfigurationPort;
  readonly servers: Pick<WindowServers, 'count' | 'onDidChange'>;
  readonly post: (message: HostMessage) => void;
  /** The page went to what is configured, or left it. */
  readonly moved: () => void;
}

/** Keeps the pages of one place informed about what is configured, and tries hooks for them. */
export class PaneConfiguration {
  readonly port: ConfigurationPort;
  private readonly telling: LatestState;
  private readonly stops: readonly (() => void)[];
  /** Hooks that are being tried, by their rows. */
  private readonly trials = new Map<string, AbortController>();
  private watched = false;

  constructor(private readonly deps: PaneConfigurationDeps) {
    this.port = deps.port;
    this.telling = new LatestState(
      () => this.tell(),
      (error) => this.fail(error),
    );
    this.stops = [deps.port.onDidChange(() => this.refresh()), deps.servers.onDidChange(() => this.refresh())];
  }

  /** Whether the page shows what is configured. */
  get listed(): boolean {
    return this.watched;
  }

  /** The page shows what is configured, or does not any more. */
  async watch(watched: boolean): Promise<void> {
    this.watched = watched;
    this.deps.moved();
    if (!watched) {
      this.stopTrials();
      return;
    }
    await this.attempt(() => this.port.read());
    await this.telling.now();
  }

  /** A page that has just come begins with the chat, also where the one before it showed what is configured. */
  async greet(): Promise<void> {
    if (this.watched) await this.watch(false);
  }

  /** Tries a hook, once at a time. Does not reject. */
  async tryHook(id: string): Promise<void> {
    if (this.trials.has(id)) return;
    const stop = new AbortController();
    this.trials.set(id, stop);
    await this.attempt(async () => this.deps.post({ type: 'hook_trial', id, ...(await this.port.tryHook(id, stop.signal)) }));
    this.trials.delete(id);
  }

  /** Ends the trial of a hook. */
  stopHook(id: string): void {
    this.trials.get(id)?.abort();
  }

  /** Does what the user wants; a failure is shown to them. Does not reject. */
  async attempt(act: () => Promise<void>): Promise<void> {
    await act().catch((error: unknown) => this.fail(error));
  }

  /** Ends following what is configured. */
  dispose(): void {
    this.stopTrials();
    this.telling.dispose();
    for (const stop of this.stops) stop();
  }

  private refresh(): void {
    if (this.watched) void this.telling.now();
  }

  private async tell(): Promise<void> {
    const view = await this.port.view();
    if (this.watched) this.deps.post({ type: 'configuration', view, servers: this.deps.servers.count });
  }

  private fail(error: unknown): void {
    this.deps.post({ type: 'configuration_told', level: 'error', text: errorMessage(error) });
  }

  private stopTrials(): void {
    for (const stop of this.trials.values()) stop.abort();
  }
}
