import { type WrittenDraft, inFront, storedDraft } from './draft.js';
import type { Host } from '../connection/host.js';

/** Characters of a draft that is stored at every key: nothing of it is lost when the page is closed. */
const STORED_AT_ONCE = 10_000;
/** Milliseconds that typing may rest before a longer draft is stored, and before the host is notified of any. */
const STORE_DELAY_MS = 300;

/** Keeps what is written: in the page for when it comes back, and at the host, by conversation. */
export class DraftKeeper {
  /** The conversation that the text is for; empty while none is known. */
  private session: string;
  /** When the text was changed last. */
  private at: number;
  /** Whether what the host has of the conversation is still to come. Until then, nothing is sent: the host would take the page's text for the whole draft. */
  private due = false;
  private storing: ReturnType<typeof setTimeout> | undefined;
  private telling: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly host: Host,
    /** Current text of the composer. */
    private readonly text: () => string,
  ) {
    ({ session: this.session, at: this.at } = storedDraft(host.getState()));
  }

  /** To be called when the text has changed. A long one is kept once typing rests. */
  changed(): void {
    this.at = this.now();
    clearTimeout(this.storing);
    if (this.text().length <= STORED_AT_ONCE) this.store();
    else this.storing = setTimeout(() => this.store(), STORE_DELAY_MS);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.tell(), STORE_DELAY_MS);
  }

  /** The composer lost the focus: sends the draft to the host at once, since the conversation may be left next. */
  rest(): void {
    if (this.telling !== undefined) this.tell();
  }

  /**
   * Switches to another conversation; sends the draft of the one before first. Returns whether all of it stays behind.
   * @param stays what stays behind of a text that is for the other one, as is what was written before any was known; otherwise all of it does.
   */
  change(session: string, stays?: string): boolean {
    if (session === this.session) return false;
    const comesAlong = stays !== undefined || (this.session === '' && this.text() !== '');
    const isUntouched = this.due && this.at === 0;
    this.due = false;
    if (this.session !== '' && !isUntouched) this.tell(stays);
    this.session = session;
    this.due = true;
    if (!comesAlong) this.at = 0;
    return !comesAlong;
  }

  /**
   * Merges the host's draft of this conversation with the page's: the newer one wins. The first time after a change,
   * what is written here was added to what the host has, and comes behind it. The host gets the text where it is behind.
   */
  merge({ text, at }: WrittenDraft): string {
    const here = this.text();
    const first = this.due;
    this.due = false;
    if (first ? here === '' : at > this.at) {
      this.hold();
      return this.keep(text, at);
    }
    this.at = Math.max(this.at, at);
    if (here === text) return here;
    const all = first ? this.keep(text === '' ? here : inFront(text, here), this.now()) : here;
    this.tell(all);
    return all;
  }

  /** The clock of the host, which may be another machine, can be ahead of this one. */
  private now(): number {
    return Math.max(Date.now(), this.at + 1);
  }

  private store(): void {
    this.keep(this.text(), this.at);
  }

  private keep(text: string, at: number): string {
    this.at = at;
    this.host.setState({ draft: text, draftSession: this.session, draftAt: at });
    return text;
  }

  /** Nothing is left to send to the host, or it is sent now. */
  private hold(): void {
    clearTimeout(this.telling);
    this.telling = undefined;
  }

  private tell(text = this.text()): void {
    this.hold();
    if (this.session !== '' && !this.due) this.host.post({ type: 'save_draft', session: this.session, text, at: this.at });
  }
}
