import type { MentionOffer } from '../../src/protocol/host/composer-messages.js';
import type { Host } from './host.js';

/** Milliseconds that typing rests before it is searched. */
const REST_MS = 60;

/** What may stand behind an `@`, asked of the host. */
export class MentionSearch {
  offers = $state.raw<readonly MentionOffer[]>([]);
  private readonly host: Host;
  private request = 0;
  private query: string | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host) {
    this.host = host;
  }

  /** Looks for a query; `undefined` when none is written. What was found before stays until the answer is there. */
  look(query: string | undefined): void {
    if (query === this.query) return;
    const first = this.query === undefined;
    this.query = query;
    clearTimeout(this.timer);
    if (query === undefined) this.offers = [];
    else if (first) this.ask(query);
    else this.timer = setTimeout(() => this.ask(query), REST_MS);
  }

  /** Takes the answer to a request; older ones are passed over. */
  found(request: number, offers: readonly MentionOffer[]): void {
    if (request === this.request && this.query !== undefined) this.offers = offers;
  }

  private ask(query: string): void {
    this.request += 1;
    this.host.post({ type: 'find_mentions', request: this.request, query });
  }
}
