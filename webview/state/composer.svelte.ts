import type { Attachment } from '../../src/protocol/messages.js';
import type { PendingSend } from './draft.js';
import { storedDraft, textAfterSend } from './draft.js';
import type { Host } from './host.js';

/** Characters of a draft that is stored at every key: nothing of it is lost when the page is closed. */
const STORED_AT_ONCE = 10_000;
/** Milliseconds that typing may rest before a longer draft is stored. */
const STORE_DELAY_MS = 300;

/** The message that is being written. It is kept until the host says that it has it. */
export class ComposerState {
  text = $state('');
  attachments = $state.raw<readonly Attachment[]>([]);
  /** Why the last message was not taken. */
  rejection = $state('');
  pending = $state.raw<PendingSend | undefined>();
  /** Counts the wishes to have the cursor in the composer. */
  focusRequests = $state(0);
  private readonly host: Host;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host) {
    this.host = host;
    this.text = storedDraft(host.getState());
  }

  /** Whether there is something to send and nothing on its way. */
  get ready(): boolean {
    return this.pending === undefined && (this.text.trim() !== '' || this.attachments.length > 0);
  }

  /** Sends what is written. */
  send(): void {
    if (!this.ready) return;
    const sendId = crypto.randomUUID();
    this.pending = { sendId, text: this.text };
    this.rejection = '';
    this.host.post({ type: 'send', sendId, text: this.text, attachments: this.attachments.map(({ id }) => id) });
  }

  /** The host has the message. */
  accepted(sendId: string): void {
    if (this.pending?.sendId !== sendId) return;
    this.write(textAfterSend(this.text, this.pending.text));
    this.pending = undefined;
  }

  /** The host did not take the message. */
  rejected(sendId: string, reason: string): void {
    if (this.pending?.sendId !== sendId) return;
    this.pending = undefined;
    this.rejection = reason;
  }

  /** Replaces the text. */
  write(text: string): void {
    this.text = text;
    this.store();
  }

  /** Puts a suggestion into the composer, for the person to change or send. */
  suggest(text: string): void {
    this.write(text);
    this.focus();
  }

  /** Puts the cursor into the composer. */
  focus(): void {
    this.focusRequests += 1;
  }

  /** Keeps the draft for when the page comes back. A long one is kept once typing rests. */
  store(): void {
    clearTimeout(this.timer);
    const save = (): void => this.host.setState({ draft: this.text });
    if (this.text.length <= STORED_AT_ONCE) save();
    else this.timer = setTimeout(save, STORE_DELAY_MS);
  }
}
