import { randomUUID } from 'node:crypto';
import type { UserContent } from '../../domain/model/content.js';
import { assertNever } from '../../domain/assert-never.js';
import { AbortError, errorMessage } from '../../domain/errors.js';
import { t } from '../../domain/l10n.js';
import type { ColdCache } from '../../domain/session/context.js';
import type { ConnectedServers } from '../../mcp/connected-servers.js';
import type { Mentions, ResolveOptions } from '../../mentions/mention-deps.js';
import type { FillForm, ModelProposal } from '../../protocol/host/composer-messages.js';
import type { ComposerRequest } from '../../protocol/panel/composer-requests.js';
import type { HostMessage } from '../../protocol/messages.js';
import type { Conversation } from '../conversation/conversation.js';
import { parseSlash, type WrittenCommand } from '../../slash/written-command.js';
import type { SlashActions } from './built-in.js';
import type { CommandFiles } from '../../customization/commands.js';
import { coldCacheText } from '../projection/summary.js';
import type { CommandPlace, SlashMessage } from '../../slash/file-forms.js';
import type { Submitted } from './fill-forms.js';
import type { MessageOptionsResolver } from '../../slash/message-options.js';
import { PaneCommands, type ShownFilled } from './pane-commands.js';
import { withoutSkills } from '../../slash/skill-commands.js';
import type { Draft } from './draft.js';
import { ModelProposals } from './model-proposals.js';
import { saidIn } from './said.js';
import type { Skills } from '../../customization/skills.js';
import type { PageWindow } from '../ports.js';
import type { PageScaler } from './page-scaler.js';
import type { Drafts } from './drafts.js';

/** Services of the composer of one pane: file pickers, shared text services, and the conversation that the pane shows. */
export interface PaneComposerDeps {
  readonly window: Pick<PageWindow, 'pickFiles' | 'attachDropped'>;
  readonly writing: ComposerServices;
  /** The conversation that the pane shows. */
  readonly current: () => Conversation;
  /** Resolves when the pane shows the conversation that the user asked for last; rejects when it cannot be shown. */
  readonly arrived: () => Promise<void>;
  /** Posts to every page of the pane. */
  readonly post: (message: HostMessage) => void;
  /** Remembers the conversation for the next start. */
  readonly remember: (id: string) => void;
  readonly actions: SlashActions;
}

type Send = Extract<ComposerRequest, { type: 'send' }>;

/** Outcome of a `send`. */
export type SendOutcome =
  | { readonly type: 'taken' }
  /** It was not sent, as the user should know first what it costs. */
  | { readonly type: 'cooled'; readonly cold: ColdCache }
  /** It was not sent, as the user wants to see first which model it gets. */
  | { readonly type: 'proposed'; readonly proposal: ModelProposal }
  /** It was the command of a prompt, and this is the expanded prompt. */
  | { readonly type: 'prompt'; readonly filled: ShownFilled };

/** The composer of one place: handles the requests of its pages and updates them. */
export class PaneComposer {
  readonly commands: PaneCommands;
  private readonly proposals: ModelProposals;
  private readonly stopSelection: () => void;
  private stopDraft: (() => void) | undefined;
  /** Stops the search that was asked for last. */
  private finding = new AbortController();
  /** Stop messages that wait for something, by their ids. */
  private readonly sending = new Map<string, AbortController>();

  constructor(private readonly deps: PaneComposerDeps) {
    const {
      actions,
      post,
      current,
      writing: { mentions, servers, imageScaler, commandFiles, skills, messageOptions },
    } = deps;
    const session = (): Conversation['session'] => current().session;
    this.proposals = new ModelProposals(deps.writing.showsModels);
    this.commands = new PaneCommands({
      ...{ actions, post, servers, files: commandFiles, imageScaler, turns: { messageOptions, session } },
      skills: { skills, session, turns: messageOptions },
    });
    this.stopSelection = mentions.selection.onDidChange(() => this.postSelection());
  }

  /** Draft of the conversation that is shown. */
  get draft(): Draft {
    return this.deps.writing.drafts.of(this.deps.current());
  }

  dispose(): void {
    this.finding.abort();
    this.stopDraft?.();
    this.stopSelection();
    this.commands.dispose();
  }

  /** Another conversation is shown: tells what is written in it. */
  shown(): void {
    this.commands.forms.close();
    this.stopDraft?.();
    this.stopDraft = this.draft.onDidChange(() => this.postAttachments());
    void this.postDraft();
  }

  /** Tells a page that is there again everything about where the user writes. */
  postAll(): void {
    this.commands.post(true);
    this.postSelection();
    void this.postDraft();
  }

  /** Tells what is attached. */
  postAttachments(): void {
    this.deps.post({ type: 'attachments', attachments: this.draft.attachments.list() });
  }

  /**
   * Sends a message, queues it, or runs the command in it.
   * @param progress gets messages about what takes long
   * @throws Error with a message for the user; AbortError when it was canceled.
   */
  async send(message: Send, progress: (text: string) => void): Promise<SendOutcome> {
    const stop = new AbortController();
    this.sending.set(message.sendId, stop);
    try {
      return await this.sendNow(message, { signal: stop.signal, progress });
    } catch (error) {
      throw stop.signal.aborted ? new AbortError() : error;
    } finally {
      this.sending.delete(message.sendId);
    }
  }

  /** Stops a message that waits for something; it is not sent then. */
  cancelSend(sendId: string): void {
    this.sending.get(sendId)?.abort();
  }

  private async sendNow(message: Send, options: Required<ResolveOptions>): Promise<SendOutcome> {
    const { text, attachments, anyway = message.proposal !== undefined } = message;
    await this.deps.arrived();
    const conversation = this.deps.current();
    const { draft } = this;
    await draft.ready;
    const written = parseSlash(text, (name) => this.commands.all.isKnown(name));
    if (written !== undefined) return this.runCommand(written, { text, attachments }, { draft, conversation }, options);
    const cold = anyway || !this.deps.writing.warnsOfCold() ? undefined : draft.outbox.coldCache;
    if (cold !== undefined) return { type: 'cooled', cold };
    const attached = [...(await this.deps.writing.mentions.selection.blocks()), ...draft.attachments.contents(attachments)];
    const proposal = await this.proposals.submit({ id: randomUUID(), text, attached }, { send: message, conversation, outbox: draft.outbox }, options);
    if (proposal !== undefined) return { type: 'proposed', proposal };
    this.deps.remember(conversation.id);
    draft.sent(text, attachments);
    return { type: 'taken' };
  }

  private async runCommand(
    { name, argument }: WrittenCommand,
    { text, attachments }: Pick<Send, 'text' | 'attachments'>,
    { draft, conversation }: { readonly draft: Draft; readonly conversation: Conversation },
    options: Required<ResolveOptions>,
  ): Promise<SendOutcome> {
    await this.commands.all.refresh(name);
    const command = this.commands.all.find(name);
    switch (command.kind) {
      case 'file': {
        const grant = this.deps.writing.commandFiles.grantOf(command.chosen.command);
        const form = await this.commands.forms.file({ chosen: command.chosen, argument, place: this.place(conversation), grant });
        return this.showForm(form, text, { draft, conversation });
      }
      case 'prompt': {
        const filled = await this.commands.run(command, { draft, argument }, options);
        // Attachments stay for the message that the command expands to.
        draft.sent(text, []);
        if (this.deps.current() === conversation) return { type: 'prompt', filled };
        // It is there when the user comes back.
        if (filled.type === 'text') draft.replace(filled.text);
        return { type: 'taken' };
      }
      case 'skill': {
        const activated = await command.activate(argument);
        if (activated.isNews) return this.showForm(await this.commands.forms.preview(activated), text, { draft, conversation });
        await this.submitSlash(activated.message, { draft, conversation, attached: draft.attachments.contents(attachments) }, options);
        break;
      }
      case 'built_in':
        if (attachments.length > 0) throw new Error(t('{0} does not accept attachments. Remove them and try again.', command.name));
        await command.run(argument);
        break;
      default:
        assertNever(command);
    }
    draft.sent(text, attachments);
    return { type: 'taken' };
  }

  /** Shows a form. Attachments stay for the message that results from it. */
  private showForm(form: FillForm, text: string, { draft, conversation }: { readonly draft: Draft; readonly conversation: Conversation }): SendOutcome {
    if (this.deps.current() === conversation) {
      draft.sent(text, []);
      return { type: 'prompt', filled: { type: 'form', form } };
    }
    // What was typed is there again when the user comes back.
    this.commands.forms.close(form.id);
    draft.replace(text);
    return { type: 'taken' };
  }

  /**
   * Uses what was filled into a form, for what is written here; `undefined` for a command that is sent.
   * @throws Error with a message for the user; AbortError when it was closed.
   */
  async submit(submitted: Submitted, progress: (text: string) => void): Promise<ShownFilled | undefined> {
    const { draft } = this;
    const conversation = this.deps.current();
    const filled = await this.commands.submit(draft, submitted, progress);
    if (!('turn' in filled)) return filled;
    // Its commands may take long, and ask: that is seen in the chat.
    void this.sendSeen(filled, { draft, conversation });
    return undefined;
  }

  /** Sends what the user has seen, with what is attached. */
  private async sendSeen(message: SlashMessage, { draft, conversation }: { readonly draft: Draft; readonly conversation: Conversation }): Promise<void> {
    const held = draft.attachments.all;
    try {
      draft.attachments.remove(held.map(({ attachment }) => attachment.id));
      draft.attachmentsChanged();
      await this.submitSlash(message, { draft, conversation, attached: held.map(({ content }) => content) }).catch((error: unknown) => {
        draft.attachments.restore(held);
        draft.attachmentsChanged();
        throw error;
      });
    } catch (error) {
      if (!(error instanceof AbortError)) conversation.notify({ level: 'error', text: errorMessage(error), actions: [] });
      if (draft.text === '') this.putBack(message.typed, { draft, conversation });
    }
  }

  /** Sends or queues the message of a command or of a skill. @throws Error with a message for the user */
  private async submitSlash(
    { typed, expanded, blocks, turn }: SlashMessage,
    { draft, conversation, attached }: { readonly draft: Draft; readonly conversation: Conversation; readonly attached: readonly UserContent[] },
    options?: ResolveOptions,
  ): Promise<void> {
    const { mentions } = this.deps.writing;
    const message = { id: randomUUID(), text: typed, turn };
    if (expanded === undefined) await draft.outbox.submit({ ...message, attached: [...withoutSkills(attached), ...blocks] }, false, options);
    else {
      const selected = await mentions.selection.blocks();
      await draft.outbox.submit({
        ...message,
        attached: [...selected, ...attached],
        expanded: { script: expanded.script, blocks: [...blocks, ...(await mentions.resolve(expanded.mentioning))] },
      });
    }
    this.deps.remember(conversation.id);
  }

  /** The user gets back what they have typed. */
  private putBack(text: string, { draft, conversation }: { readonly draft: Draft; readonly conversation: Conversation }): void {
    draft.replace(text);
    if (this.deps.current() === conversation) this.deps.post({ type: 'draft', session: conversation.id, text: draft.text, at: draft.at });
  }

  private place({ id }: Conversation): CommandPlace {
    const { mentions, warnsOfCold } = this.deps.writing;
    const cold = warnsOfCold() ? this.draft.outbox.coldCache : undefined;
    return { sessionId: id, folders: mentions.workspace.folders().map(({ path }) => path), ...(cold === undefined ? {} : { warning: coldCacheText(cold) }) };
  }

  /** Names of the resources that a text mentions; empty where there is no such server. */
  namesOf(mentions: readonly string[]): readonly { readonly mention: string; readonly name: string }[] {
    return mentions.map((mention) => ({ mention, name: this.deps.writing.mentions.resources.nameIn(mention) }));
  }

  /**
   * Sends or queues a message from an action; the selection goes along only where the text names it.
   * @param attached goes before the text.
   * @throws Error with a message for the user.
   */
  async say(text: string, attached: readonly UserContent[] = []): Promise<void> {
    await this.deps.arrived();
    const conversation = this.deps.current();
    const { draft } = this;
    await draft.ready;
    await draft.outbox.submit({ id: randomUUID(), text, attached });
    this.deps.remember(conversation.id);
  }

  /** Adds a text to what is written, for the user to continue with. A page that is not there yet gets it when it is. */
  async add(text: string): Promise<void> {
    await this.deps.arrived();
    const { draft } = this;
    await draft.ready;
    const between = draft.text === '' || /\s$/.test(draft.text) ? '' : ' ';
    draft.replace(draft.text + between + text);
    this.deps.post({ type: 'draft', session: this.deps.current().id, text: draft.text, at: draft.at });
  }

  /** Lets the user choose files to attach. */
  pick(): Promise<void> {
    const { imageScaler } = this.deps.writing;
    return this.attach(({ attachments }) => this.deps.window.pickFiles({ attachments, imageScaler }));
  }

  /** Attaches files that were dropped. */
  drop(uris: readonly string[]): Promise<void> {
    const isInside = async (path: string): Promise<boolean> => (await this.deps.writing.mentions.workspace.locate(path)).inside;
    const { imageScaler } = this.deps.writing;
    return this.attach(({ attachments }) => this.deps.window.attachDropped(uris, { attachments, imageScaler }, isInside));
  }

  /** Attaches an image that was pasted or dropped. */
  async paste(name: string, data: Uint8Array): Promise<void> {
    await this.attach(async ({ attachments }) => {
      await attachments.addImage(name, data, this.deps.writing.imageScaler);
      return [];
    });
  }

  /** Attaches a text file that was pasted or dropped from elsewhere. */
  pasteText(name: string, text: string): Promise<void> {
    return this.attach(({ attachments }) => {
      attachments.addText(name, text);
      return Promise.resolve([]);
    });
  }

  /** Takes something attached back. */
  remove(id: string): void {
    this.draft.attachments.remove([id]);
    this.draft.attachmentsChanged();
  }

  /** Keeps what a page says is written; it may have been in a conversation that is not shown any more. */
  save(session: string, text: string, at: number): void {
    if (session === this.deps.current().id) this.draft.write(text, at);
    else this.deps.writing.drafts.find(session)?.write(text, at);
  }

  /** Offers mentions after an `@`; `undefined` when a newer search replaced this one. */
  async find(query: string): Promise<HostMessageOf<'mentions'>['offers'] | undefined> {
    this.finding.abort();
    this.finding = new AbortController();
    const { signal } = this.finding;
    try {
      return await this.deps.writing.mentions.offers(query, signal);
    } catch (error) {
      if (signal.aborted || error instanceof AbortError) return undefined;
      throw error;
    }
  }

  /** The user's messages in the conversation, oldest first, for the input history. */
  said(): readonly string[] {
    return saidIn(this.deps.current().session.messages);
  }

  /** Takes a queued message back: returns its text for the page, and adds its attachments to those of the draft. */
  edit(id: string): string | undefined {
    const { draft } = this;
    const message = draft.outbox.take(id);
    if (message === undefined) return undefined;
    draft.attachments.takeBack(message.attached);
    draft.attachmentsChanged();
    return message.text;
  }

  /** Lets what is selected in the editor go with messages, or not. */
  include(on: boolean): void {
    this.deps.writing.mentions.selection.include(on);
  }

  private async attach(act: (draft: Draft) => Promise<readonly string[]>): Promise<void> {
    await this.deps.arrived();
    const { draft } = this;
    const problems = await act(draft).catch((error: unknown) => [errorMessage(error)]);
    draft.attachmentsChanged();
    if (problems.length > 0) this.deps.post({ type: 'attachment_problem', reason: problems.join('\n') });
  }

  private postSelection(): void {
    const { state, currentFile } = this.deps.writing.mentions.selection;
    this.deps.post({ type: 'selection', ...state });
    this.deps.post({ type: 'current_file', ...currentFile });
  }

  private async postDraft(): Promise<void> {
    const conversation = this.deps.current();
    const { draft } = this;
    await draft.ready;
    // Another one may be shown by now.
    if (this.deps.current() !== conversation) return;
    this.deps.post({ type: 'draft', session: conversation.id, text: draft.text, at: draft.at });
    this.postAttachments();
  }
}

type HostMessageOf<Type extends HostMessage['type']> = Extract<HostMessage, { readonly type: Type }>;

/** Services that the text inputs of a window share. */
export interface ComposerServices {
  readonly drafts: Drafts;
  readonly mentions: Mentions;
  /** The MCP servers of the window. */
  readonly servers: ConnectedServers;
  readonly imageScaler: PageScaler;
  /** The commands of files. */
  readonly commandFiles: CommandFiles;
  /** The skills of the window. */
  readonly skills: Skills;
  /** Resolves the options that commands and skills set for their turns. */
  readonly messageOptions: MessageOptionsResolver;
  /** Whether the user wants to know before a message goes out whose conversation is not in the provider's cache any more. */
  readonly warnsOfCold: () => boolean;
  /** Whether the user wants to see which model is chosen for a message before it is sent. */
  readonly showsModels: () => boolean;
}
