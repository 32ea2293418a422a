import type { FoundPlace, TranscriptMessage } from '../../../src/protocol/host/transcript-messages.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';

/** Milliseconds that typing may rest before the host is asked. */
const ASK_DELAY_MS = 120;

/** The place that the search is at. */
export interface CurrentPlace extends FoundPlace {
  /** Index of the match in that place, from 0. */
  readonly nth: number;
}

/** The channel to the host, which searches, and the highlight of the current match. */
export interface SearchDeps {
  readonly post: (message: PanelMessage) => void;
  /** Shows a place and makes its text stand out; without one, nothing stands out any more. */
  readonly reveal: (place: CurrentPlace | undefined, query: string) => void;
}

/** Looking for a text in the conversation: the host finds the places, the page goes from one to the next. */
export class Search {
  open = $state(false);
  query = $state('');
  /** Counts the requests to focus the field. */
  focusRequests = $state(0);
  /** Number of matches; `undefined` before the host has answered. */
  total = $state<number | undefined>();
  /** Index of the current match, from 0. */
  at = $state(0);
  private places = $state.raw<readonly FoundPlace[]>([]);
  private request = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private before: Element | null = null;

  constructor(private readonly deps: SearchDeps) {}

  /** Number of matches that can be navigated to. */
  private get reachable(): number {
    return this.places.reduce((sum, { count }) => sum + count, 0);
  }

  /** The place that is shown. */
  readonly current: CurrentPlace | undefined = $derived.by(() => (this.open ? placeAt(this.places, this.at) : undefined));

  /** Opens the search, or puts the cursor back into it. */
  show(): void {
    if (!this.open) this.before = document.activeElement;
    this.open = true;
    this.focusRequests += 1;
    if (this.query !== '') this.ask();
  }

  /** Opens the search, or closes it. */
  toggle(): void {
    if (this.open) this.close();
    else this.show();
  }

  /** Closes the search; the focus goes back to where it was. */
  close(): void {
    this.open = false;
    this.forget();
    if (this.before instanceof HTMLElement && this.before.isConnected) this.before.focus();
    this.before = null;
  }

  /** Opens the search with its key, before anything else gets that; `true` when it was that key. */
  opens(event: KeyboardEvent): boolean {
    // Control with F moves the cursor in the fields of macOS.
    const command = navigator.userAgent.includes('Macintosh') ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
    if (!command || event.altKey || event.shiftKey || event.isComposing || event.key.toLowerCase() !== 'f') return false;
    this.show();
    return true;
  }

  /** Takes a key that goes down anywhere in the page; `true` when it was for the search. */
  press(event: KeyboardEvent): boolean {
    if (event.altKey || event.isComposing || event.defaultPrevented || !this.open) return false;
    if (event.key === 'F3') this.step(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') this.close();
    else return false;
    return true;
  }

  /** Looks for another text. */
  write(query: string): void {
    this.query = query;
    clearTimeout(this.timer);
    if (query === '') this.forget();
    else this.timer = setTimeout(() => this.ask(), ASK_DELAY_MS);
  }

  /** Goes to the next occurrence, or the one before; around at the ends. */
  step(by: 1 | -1): void {
    const { reachable } = this;
    if (reachable === 0) return;
    this.at = (this.at + by + reachable) % reachable;
    this.reveal();
  }

  /** The host's answer; one to an older question is ignored. */
  answer(found: Extract<TranscriptMessage, { type: 'found' }>): void {
    if (found.request !== this.request || !this.open) return;
    this.places = found.places;
    this.total = found.total;
    this.at = 0;
    this.reveal();
  }

  /** Another conversation is shown. */
  clear(): void {
    this.forget();
    if (this.open && this.query !== '') this.ask();
  }

  private ask(): void {
    this.request += 1;
    this.deps.post({ type: 'find_text', query: this.query, request: this.request });
  }

  private reveal(): void {
    this.deps.reveal(this.current, this.query);
  }

  private forget(): void {
    clearTimeout(this.timer);
    this.request += 1;
    this.places = [];
    this.total = undefined;
    this.at = 0;
    this.deps.reveal(undefined, '');
  }
}

function placeAt(places: readonly FoundPlace[], at: number): CurrentPlace | undefined {
  let left = at;
  for (const place of places) {
    if (left < place.count) return { ...place, nth: left };
    left -= place.count;
  }
  return undefined;
}
