import { present } from '../../domain/present.js';
import type { Client, McpSubscription, SubscriptionFilter } from '@modelcontextprotocol/client';

/** The first wait before listening again, in milliseconds; doubled each time. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** A stream that lasted so long had worked, so that the next wait is the first one again. */
const WORKED_MS = 30_000;

/**
 * Listens to what a server of the modern era tells unasked. When the stream breaks it listens again, after a wait that grows, and says
 * that something may have been missed.
 */
export class Listening {
  private readonly stop = new AbortController();
  private subscription: McpSubscription | undefined;
  private timer: NodeJS.Timeout | undefined;
  private waitMs = FIRST_WAIT_MS;

  private constructor(
    private readonly client: Client,
    private readonly filter: SubscriptionFilter,
    private readonly missed: () => void,
  ) {}

  /** Starts to listen. Rejects when the server refuses. */
  static async start(
    client: Client,
    filter: SubscriptionFilter,
    missed: () => void,
    options: { readonly signal?: AbortSignal; readonly timeoutMs: number },
  ): Promise<Listening> {
    const listening = new Listening(client, filter, missed);
    await listening.open(options.timeoutMs, options.signal);
    return listening;
  }

  /** Ends it. Never rejects. */
  async end(): Promise<void> {
    this.stop.abort();
    clearTimeout(this.timer);
    await this.subscription?.close().catch(() => undefined);
  }

  private async open(timeoutMs: number, signal?: AbortSignal): Promise<void> {
    const opened = performance.now();
    const subscription = await this.client.listen(this.filter, { timeout: timeoutMs, ...present({ signal }) });
    this.subscription = subscription;
    void subscription.closed.then((how) => {
      if (how !== 'local') this.later(timeoutMs, performance.now() - opened);
    });
  }

  private later(timeoutMs: number, lastedMs: number): void {
    if (this.stop.signal.aborted || this.client.transport === undefined) return;
    if (lastedMs > WORKED_MS) this.waitMs = FIRST_WAIT_MS;
    this.timer = setTimeout(() => void this.again(timeoutMs), this.waitMs);
    this.waitMs = Math.min(this.waitMs * 2, LONGEST_WAIT_MS);
  }

  private async again(timeoutMs: number): Promise<void> {
    try {
      await this.open(timeoutMs);
    } catch {
      // The server is not back yet.
      this.later(timeoutMs, 0);
      return;
    }
    this.missed();
    if (this.stop.signal.aborted) await this.end();
  }
}
