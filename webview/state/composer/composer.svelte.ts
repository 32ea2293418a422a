import { assertNever } from '../../../src/protocol/assert-never.js';
import type { Attachment, ComposerMessage, ModelProposal, SlashOffer } from '../../../src/protocol/host/composer-messages.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import type { TaskKind } from '../../../src/protocol/task-kind-labels.js';
import { type PendingSend, inFront, storedDraft, textAfterSend, textSince } from './draft.js';
import { DraftKeeper } from './draft-keeper.js';
import type { Host } from '../connection/host.js';
import { type FormNews, FillFormState } from './fill-form.svelte.js';
import { MentionSearch } from './mention-search.svelte.js';
import { AttachedImages } from '../transcript/attached-images.svelte.js';
import { ResourceNamesState } from './resource-names.svelte.js';
import { SaidBefore } from './said-before.js';

/** Messages that are about where the user writes; the choices of the selectors are not. */
export type ComposerNews = Exclude<ComposerMessage, { type: 'choices' | 'focus_composer' }>;

/** Those of them that are about the text. */
type TextNews = Extract<ComposerNews, { type: 'accepted' | 'rejected' | 'send_progress' | 'cooled' | 'model_proposed' | 'draft' | 'compose' | 'said' }>;

/** The message that is being written. It is kept until the host says that it has it. */
export class ComposerState {
  text = $state('');
  /** Where the cursor is. */
  caret = $state(0);
  attachments = $state.raw<readonly Attachment[]>([]);
  commands = $state.raw<readonly SlashOffer[]>([]);
  selection = $state.raw<{ readonly name: string; readonly on: boolean }>({ name: '', on: true });
  /** The file in the active editor, and how it is mentioned; empty without one. */
  currentFile = $state.raw<{ readonly name: string; readonly insert: string }>({ name: '', insert: '' });
  /** Why the last message was not taken, or something not attached. */
  rejection = $state('');
  /** Hint about pasted or dropped files that could not be attached. */
  hint = $state('');
  /** Cost warning for the message, while the user is asked about it; else empty. */
  cooled = $state('');
  /** The model that the message gets, while the user is shown it before the message is sent. */
  proposal = $state.raw<ModelProposal | undefined>();
  pending = $state.raw<PendingSend | undefined>();
  /** Counts the requests to focus the composer. */
  focusRequests = $state(0);
  /** Progress of the message that is being sent; empty for none. */
  progress = $state('');
  readonly form: FillFormState;
  readonly resources: ResourceNamesState;
  readonly mentions: MentionSearch;
  readonly images: AttachedImages;
  /** The text area, once there is one. */
  box: HTMLTextAreaElement | undefined;
  private readonly said = new SaidBefore();
  private readonly keeper: DraftKeeper;
  private saidRequest = 0;
  /** Steps back that the user has asked for while what was said is still to come. */
  private stepsBack = 0;
  /** The message that was last said beside what is written. */
  private aside = '';
  /** Draft text when the user switched conversations, until the other one is shown. */
  private leaving: string | undefined;

  constructor(private readonly host: Host) {
    this.form = new FillFormState(host);
    this.resources = new ResourceNamesState(host);
    this.mentions = new MentionSearch(host);
    this.images = new AttachedImages(host);
    this.keeper = new DraftKeeper(host, () => this.text);
    this.text = storedDraft(host.getState()).text;
  }

  /** Whether there is nothing to send. */
  get isEmpty(): boolean {
    return this.text.trim() === '' && this.attachments.length === 0;
  }

  /** Whether there is something to send and nothing is being sent. */
  get ready(): boolean {
    return this.pending === undefined && !this.isEmpty;
  }

  /** Sends what is written, also when the user was asked whether to. @param now whether it goes with the turn that runs, rather than behind it. */
  send(now = false): void {
    if (!this.ready) return;
    const { cooled, proposal } = this;
    this.cooled = '';
    this.proposal = undefined;
    this.post({ now, ...(cooled === '' ? {} : { anyway: true }), ...(proposal === undefined ? {} : { proposal: { id: proposal.id } }) });
  }

  /** Has another model proposed for the message: for another kind of task, or the one that is wanted. */
  proposeAgain(wish: { readonly kind: TaskKind } | { readonly model: string }): void {
    if (this.ready && this.proposal !== undefined) this.post({ now: false, proposal: { id: this.proposal.id, ...wish } });
  }

  /** Stops the message that is being sent while it waits for something. */
  cancelSend(): void {
    if (this.pending !== undefined) this.host.post({ type: 'cancel_send', sendId: this.pending.sendId });
  }

  /** Says something beside what is written, which stays. */
  say(text: string): void {
    this.aside = crypto.randomUUID();
    this.rejection = '';
    this.host.post({ type: 'send', sendId: this.aside, text, attachments: [], now: false, anyway: true, aside: true });
  }

  /** Takes what the host says. */
  receive(message: ComposerNews): void {
    switch (message.type) {
      case 'attachments':
        if (message.attachments.length !== this.attachments.length) this.proposal = undefined;
        this.attachments = message.attachments;
        return this.images.follow(message.attachments);
      case 'attachment_problem':
        this.rejection = message.reason;
        return;
      case 'attached_image':
        return this.images.loaded(message.id, message.mimeType, message.data);
      case 'commands':
        this.commands = message.commands;
        return this.resources.forget();
      case 'mentions':
        return this.mentions.found(message.request, message.offers);
      case 'mention_names':
        return this.resources.found(message.names);
      case 'fill_form':
      case 'form_suggestions':
      case 'form_progress':
      case 'form_problem':
      case 'form_done':
        return this.receiveForm(message);
      case 'selection':
        this.selection = { name: message.name, on: message.on };
        return;
      case 'current_file':
        this.currentFile = { name: message.name, insert: message.insert };
        return;
      default:
        return this.receiveText(message);
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

  /** Puts a suggestion into the composer, for the user to change or send. */
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
      this.stepsBack += 1;
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

  /** The user asks for another conversation: what they write from now on is for that one. */
  leave(): void {
    this.leaving = this.text;
  }

  /**
   * Another conversation is shown: what is written from now on is for that one, also before its draft has come. Text that was
   * written since the user asked for it, or is being sent, moves there.
   */
  arrive(session: string): void {
    const stays = this.pending === undefined ? this.leaving : '';
    const since = stays === undefined || stays === this.text ? undefined : textSince(this.text, stays);
    const leaves = this.keeper.change(session, since === undefined ? undefined : stays);
    if (since !== undefined) this.text = since;
    this.leaving = undefined;
    if (leaves) {
      this.text = '';
      this.form.cancel();
      this.rejection = '';
      this.hint = '';
      this.cooled = '';
      this.proposal = undefined;
      this.said.forget();
      this.stepsBack = 0;
    }
  }

  /** Keeps the draft. */
  store(): void {
    this.stepsBack = 0;
    // It was for other words.
    this.proposal = undefined;
    this.keeper.changed();
  }

  /** The user turns to something else. */
  rest(): void {
    this.keeper.rest();
  }

  private receiveForm(message: FormNews): void {
    const insert = this.form.receive(message);
    if (insert !== undefined) this.replace(this.caret, this.caret, `${insert} `);
    if (message.type === 'form_done') this.focus();
  }

  private receiveText(message: TextNews): void {
    switch (message.type) {
      case 'accepted':
        return this.accepted(message.sendId);
      case 'rejected':
        return this.rejected(message.sendId, message.reason);
      case 'send_progress':
        if (message.sendId === this.pending?.sendId) this.progress = message.text;
        return;
      case 'cooled':
        return this.cool(message.sendId, message.text);
      case 'model_proposed':
        return this.propose(message.sendId, message.proposal);
      case 'draft':
        return this.takeDraft(message);
      case 'compose':
        this.arrive(message.session);
        return this.suggest(inFront(message.text, this.text));
      case 'said':
        return this.takeSaid(message.request, message.texts);
      default:
        assertNever(message);
    }
  }

  private accepted(sendId: string): void {
    if (this.pending?.sendId !== sendId) return;
    const rest = textAfterSend(this.text, this.pending.text);
    // What was put aside to find an earlier message is there again.
    this.write(rest === '' ? this.said.sent() : rest);
    this.settle();
  }

  private rejected(sendId: string, reason: string): void {
    if (this.pending?.sendId === sendId) this.stop();
    else if (sendId !== this.aside) return;
    this.rejection = reason;
  }

  private stop(): void {
    this.settle();
    this.proposal = undefined;
  }

  private cool(sendId: string, text: string): void {
    if (this.pending?.sendId !== sendId) return;
    this.settle();
    this.cooled = text;
  }

  private propose(sendId: string, proposal: ModelProposal): void {
    if (this.pending?.sendId !== sendId) return;
    const isForThis = this.pending.text === this.text;
    this.settle();
    this.proposal = isForThis ? proposal : undefined;
  }

  private post(how: Omit<Extract<PanelMessage, { type: 'send' }>, 'type' | 'sendId' | 'text' | 'attachments'>): void {
    const sendId = crypto.randomUUID();
    this.pending = { sendId, text: this.text };
    this.rejection = '';
    this.hint = '';
    this.host.post({ type: 'send', sendId, text: this.text, attachments: this.attachments.map(({ id }) => id), ...how });
  }

  private settle(): void {
    this.pending = undefined;
    this.progress = '';
  }

  private takeDraft(draft: Extract<TextNews, { type: 'draft' }>): void {
    this.arrive(draft.session);
    const text = this.keeper.merge(draft);
    if (text === this.text) return;
    this.proposal = undefined;
    // Who writes meanwhile writes on at the end.
    this.text = text;
    this.caret = text.length;
  }

  private takeSaid(request: number, texts: readonly string[]): void {
    if (request !== this.saidRequest) return;
    const { stepsBack } = this;
    this.stepsBack = 0;
    const cursor = this.cursor();
    if (cursor === undefined || !this.said.goesBack(this.text, cursor)) return;
    this.said.begin(texts, this.text);
    this.show(this.said.back());
    for (let step = 1; step < stepsBack && !this.said.needsEntries(this.text); step += 1) this.back();
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
