import { type WrittenDraft, storedDraft } from './draft.js';
import type { Host } from '../connection/host.js';

/** Characters of a draft that is stored at every key: nothing of it is lost when the page is closed. */
const STORED_AT_ONCE = 10_000;
/** Milliseconds that typing may rest before a longer draft is stored, and before the host is notified of any. */
const STORE_DELAY_MS = 300;

/** Keeps what is written: in the page for when it comes back, and at the host, by conversation. */
export class DraftKeeper {
  private readonly host: Host;
  /** What is written now. */
  private readonly text: () => string;
  /** The conversation that the text is for; empty while none is known. */
  private session: string;
  /** When the text was changed last. */
  private at: number;
  private storing: ReturnType<typeof setTimeout> | undefined;
  private telling: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host, text: () => string) {
    this.host = host;
    this.text = text;
    ({ session: this.session, at: this.at } = storedDraft(host.getState()));
  }

  /** To be called when the text has changed. A long one is kept once typing rests. */
  changed(): void {
    this.at = Date.now();
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
    if (this.session !== '') this.tell(stays);
    this.session = session;
    if (!comesAlong) this.at = 0;
    return !comesAlong;
  }

  /** Whether a draft that the host has is newer than what is written; the host is told where it is behind. */
  yields({ text, at, session }: WrittenDraft): boolean {
    if (at > this.at) {
      this.at = at;
      this.host.setState({ draft: text, draftSession: session, draftAt: at });
      return true;
    }
    if (text !== this.text()) this.tell();
    return false;
  }

  private store(): void {
    this.host.setState({ draft: this.text(), draftSession: this.session, draftAt: this.at });
  }

  private tell(text = this.text()): void {
    clearTimeout(this.telling);
    this.telling = undefined;
    if (this.session !== '') this.host.post({ type: 'save_draft', session: this.session, text, at: this.at });
  }
}
