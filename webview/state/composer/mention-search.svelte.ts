import type { MentionOffer } from '../../../src/protocol/host/composer-messages.js';
import type { Host } from '../connection/host.js';

/** Milliseconds that typing rests before it is searched. */
const REST_MS = 60;
/** Milliseconds that an answer is waited for before what was found earlier can be taken again. */
const PATIENCE_MS = 1_000;

/** Searches mentions for an `@` through the host. */
export class MentionSearch {
  private answer = $state.raw<{ readonly query: string; readonly offers: readonly MentionOffer[] }>({ query: '', offers: [] });
  private request = 0;
  private query: string | undefined;
  private askedFor = '';
  private askedAt = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly host: Host) {}

  /** Last results. */
  get offers(): readonly MentionOffer[] {
    return this.answer.offers;
  }

  /** Whether the answer to what is written is about to come: what is shown may not be what is meant. */
  get awaited(): boolean {
    return this.query !== undefined && this.query !== this.answer.query && Date.now() - this.askedAt < PATIENCE_MS;
  }

  /** Looks for a query; `undefined` when none is written. What was found before stays until the answer is there. */
  look(query: string | undefined): void {
    if (query === this.query) return;
    const first = this.query === undefined;
    this.query = query;
    clearTimeout(this.timer);
    this.askedAt = Date.now();
    if (query === undefined) this.answer = { query: '', offers: [] };
    else if (first) this.ask(query);
    else this.timer = setTimeout(() => this.ask(query), REST_MS);
  }

  /** Takes the answer to a request; older ones are passed over. */
  found(request: number, offers: readonly MentionOffer[]): void {
    if (request === this.request && this.query !== undefined) this.answer = { query: this.askedFor, offers };
  }

  private ask(query: string): void {
    this.request += 1;
    this.askedFor = query;
    this.host.post({ type: 'find_mentions', request: this.request, query });
  }
}
