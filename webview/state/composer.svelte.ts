import { assertNever } from '../../src/protocol/assert-never.js';
import type { Attachment, ComposerMessage, SlashOffer } from '../../src/protocol/host/composer-messages.js';
import type { PendingSend } from './draft.js';
import { inFront, storedDraft, textAfterSend } from './draft.js';
import type { Host } from './host.js';
import { MentionSearch } from './mention-search.svelte.js';
import { Pictures } from './pictures.svelte.js';
import { SaidBefore } from './said-before.js';

/** Characters of a draft that is stored at every key: nothing of it is lost when the page is closed. */
const STORED_AT_ONCE = 10_000;
/** Milliseconds that typing may rest before a longer draft is stored, and before the host is told of any. */
const STORE_DELAY_MS = 300;

/** Messages that are about where the person writes; the choices of the selectors are not. */
export type ComposerNews = Exclude<ComposerMessage, { type: 'choices' | 'focus_composer' }>;

/** The message that is being written. It is kept until the host says that it has it. */
export class ComposerState {
  text = $state('');
  /** Where the cursor is. */
  caret = $state(0);
  attachments = $state.raw<readonly Attachment[]>([]);
  commands = $state.raw<readonly SlashOffer[]>([]);
  selection = $state.raw<{ readonly name: string; readonly on: boolean }>({ name: '', on: true });
  /** Why the last message was not taken, or something not attached. */
  rejection = $state('');
  pending = $state.raw<PendingSend | undefined>();
  /** Counts the wishes to have the cursor in the composer. */
  focusRequests = $state(0);
  readonly mentions: MentionSearch;
  readonly pictures: Pictures;
  /** The box that the text stands in, once there is one. */
  box: HTMLTextAreaElement | undefined;
  private readonly said = new SaidBefore();
  private readonly host: Host;
  /** The conversation that the text is for; empty while none is known. */
  private session: string;
  /** When the text was changed last. */
  private changedAt: number;
  private saidRequest = 0;
  private storing: ReturnType<typeof setTimeout> | undefined;
  private telling: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Host) {
    this.host = host;
    this.mentions = new MentionSearch(host);
    this.pictures = new Pictures(host);
    const { text, session, at } = storedDraft(host.getState());
    this.text = text;
    this.session = session;
    this.changedAt = at;
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

  /** Takes what the host says. */
  receive(message: ComposerNews): void {
    switch (message.type) {
      case 'accepted':
        return this.accepted(message.sendId);
      case 'rejected':
        return this.rejected(message.sendId, message.reason);
      case 'attachments':
        this.attachments = message.attachments;
        return this.pictures.follow(message.attachments);
      case 'attachment_problem':
        this.rejection = message.reason;
        return;
      case 'picture':
        return this.pictures.loaded(message.id, message.mimeType, message.data);
      case 'draft':
        return this.takeDraft(message);
      case 'compose':
        this.change(message.session);
        return this.suggest(inFront(message.text, this.text));
      case 'commands':
        this.commands = message.commands;
        return;
      case 'mentions':
        return this.mentions.found(message.request, message.offers);
      case 'said':
        return this.takeSaid(message.request, message.texts);
      case 'selection':
        this.selection = { name: message.name, on: message.on };
        return;
      default:
        assertNever(message);
    }
  }

  /** Replaces the text. */
  write(text: string): void {
    this.text = text;
    this.caret = text.length;
    this.store();
  }

  /** Replaces a part of the text, and puts the cursor behind it. */
  replace(start: number, end: number, text: string): void {
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
    this.placeCaret(start + text.length);
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

  /** Goes back through what was said. Returns whether the key was meant for that. */
  back(): boolean {
    const cursor = this.cursor();
    if (cursor === undefined || !this.said.goesBack(this.text, cursor)) return false;
    if (this.said.needsEntries(this.text)) {
      this.saidRequest += 1;
      this.host.post({ type: 'list_said', request: this.saidRequest });
    } else this.show(this.said.back());
    return true;
  }

  /** Goes forward again. Returns whether the key was meant for that. */
  forward(): boolean {
    const cursor = this.cursor();
    if (cursor === undefined || !this.said.goesForward(this.text, cursor)) return false;
    this.show(this.said.forward());
    return true;
  }

  /** Keeps the draft for when the page comes back, and tells the host. A long one is kept once typing rests. */
  store(): void {
    this.changedAt = Date.now();
    clearTimeout(this.storing);
    const save = (): void => this.host.setState({ draft: this.text, draftSession: this.session, draftAt: this.changedAt });
    if (this.text.length <= STORED_AT_ONCE) save();
    else this.storing = setTimeout(save, STORE_DELAY_MS);
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.tell(), STORE_DELAY_MS);
  }

  private accepted(sendId: string): void {
    if (this.pending?.sendId !== sendId) return;
    const rest = textAfterSend(this.text, this.pending.text);
    // What was put aside to find an earlier message is there again.
    this.write(rest === '' ? this.said.sent() : rest);
    this.pending = undefined;
  }

  private rejected(sendId: string, reason: string): void {
    if (this.pending?.sendId !== sendId) return;
    this.pending = undefined;
    this.rejection = reason;
  }

  private takeDraft({ session, text, at }: { readonly session: string; readonly text: string; readonly at: number }): void {
    const unknown = this.session === '';
    if (unknown && this.text !== '') this.session = session;
    this.change(session);
    if (at > this.changedAt) {
      this.text = text;
      this.changedAt = at;
      this.host.setState({ draft: text, draftSession: session, draftAt: at });
    } else if (this.text !== text) this.tell();
  }

  /** Goes over to another conversation; what was written for the one before is told first. */
  private change(session: string): void {
    if (session === this.session) return;
    if (this.session !== '') this.tell();
    this.session = session;
    this.text = '';
    this.changedAt = 0;
    this.rejection = '';
    this.said.forget();
  }

  private tell(): void {
    clearTimeout(this.telling);
    if (this.session !== '') this.host.post({ type: 'save_draft', session: this.session, text: this.text, at: this.changedAt });
  }

  private takeSaid(request: number, texts: readonly string[]): void {
    const cursor = this.cursor();
    if (request !== this.saidRequest || cursor === undefined || !this.said.goesBack(this.text, cursor)) return;
    this.said.begin(texts, this.text);
    this.show(this.said.back());
  }

  private show(text: string | undefined): void {
    if (text === undefined) return;
    this.write(text);
    this.placeCaret(text.length);
  }

  private cursor(): { start: number; end: number } | undefined {
    return this.box === undefined ? undefined : { start: this.box.selectionStart, end: this.box.selectionEnd };
  }

  private placeCaret(at: number): void {
    this.caret = at;
    if (this.box === undefined) return;
    this.box.value = this.text;
    this.box.setSelectionRange(at, at);
  }
}
