import { Signal } from '../../concurrency/signal.js';
import { wordsOf } from '../../domain/session/attached.js';
import type { UserContent } from '../../domain/model/content.js';
import type { HostMessage, PanelMessage } from '../../protocol/messages.js';
import { modelName, modeChoices, modelChoices } from './choices.js';
import type { Conversation } from '../conversation/conversation.js';
import { PaneComposer } from '../composer/pane-composer.js';
import { itemOfMessage } from '../projection/item-ids.js';
import { noticeOfError, untrusted } from '../projection/notices.js';
import { ConversationSwitch } from './conversation-switch.js';
import type { ChatDeps, PaneHolder } from './chat-deps.js';
import type { PaneActions } from './pane-actions.js';
import { PaneModels } from './pane-models.js';
import { PaneTheme } from './pane-theme.js';
import { PaneConfiguration } from './pane-configuration.js';
import { PaneServers } from './pane-servers.js';
import { PaneSessions } from './pane-sessions.js';
import { type Page, Panel, type PanelPort, Panels } from './panel.js';
import { PanelRequests } from './panel-requests.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import { type TurnDeps, setMode } from './requests/turn-handlers.js';
import type { SlashActions } from '../composer/built-in.js';
import { assertNever } from '../../domain/assert-never.js';
import type { ApprovalAnswer } from '../../domain/tool/permission.js';

/** A place where a conversation is shown, and the pages that show it. */
export class ChatPane implements PaneActions {
  readonly panels = new Panels();
  private readonly requests: PanelRequests;
  private readonly changed = new Signal<Conversation>();
  private readonly stops: readonly (() => void)[];
  private shown: Conversation;
  private remembered: Conversation | undefined;
  private stopWatching: (() => void) | undefined;

  readonly composer: PaneComposer;

  readonly sessions: PaneSessions;
  readonly servers: PaneServers;
  readonly configuration: PaneConfiguration;

  readonly choices: PaneModels;
  readonly theme: PaneTheme;

  private readonly switching = new ConversationSwitch();

  /** Fires when another conversation is shown and when the one shown changes. */
  readonly onDidChange = this.changed.subscribe;

  constructor(
    private readonly deps: ChatDeps,
    private readonly holder: PaneHolder,
    first: Conversation,
  ) {
    const { runCommand, review, sessionActions, desk, models } = deps;
    const pages = { post: (message: HostMessage): void => this.panels.post(message), report: (error: unknown): void => this.report(error) };
    this.sessions = new PaneSessions({
      ...pages,
      desk,
      reopen: (id, wanted) => this.reopen(id, wanted),
      moved: () => this.changed.emit(this.shown),
      modelName: (key) => modelName(models.entries(), key),
    });
    this.servers = new PaneServers({ ...pages, servers: deps.servers, session: () => this.shown.id, moved: () => this.changed.emit(this.shown) });
    this.configuration = new PaneConfiguration({ ...pages, port: deps.configuration, servers: deps.servers, moved: () => this.changed.emit(this.shown) });
    this.theme = new PaneTheme({ ...pages, codeTheme: deps.codeTheme });
    this.choices = new PaneModels({ ...pages, models, agents: deps.agents, bypass: deps.permissions.bypass, current: () => this.shown });
    const confirmBypass = (): Promise<boolean> => deps.permissions.bypass.confirmBypass();
    const writes = { writing: deps.writing, current: () => this.shown, arrived: () => this.arrived(), remember: holder.remember };
    this.composer = new PaneComposer({
      ...pages,
      ...writes,
      window: deps.window,
      actions: slashActions(this, { models, runCommand, confirmBypass, modes: () => modeChoices(deps.permissions.bypass.disabledBy()) }),
    });
    this.requests = new PanelRequests({
      pane: this,
      servers: deps.servers,
      desk,
      sessionActions,
      imageScaler: deps.writing.imageScaler,
      review,
      window: deps.window,
      includes: deps.permissions.includes,
      runCommand,
      confirmBypass,
      elves: deps.elves,
    });
    this.shown = first;
    this.show(first);
    // What the user asked for last comes first. That it failed is reported where it was asked for.
    const renew = (): void => this.renew();
    const trust = deps.permissions.trust.onDidGrant(() => void this.arrived().then(renew, renew));
    this.stops = [this.choices.stop, this.theme.stop, this.servers.stop, () => this.configuration.dispose(), trust];
  }

  get current(): Conversation {
    return this.shown;
  }

  arrived(): Promise<void> {
    return this.switching.settled();
  }

  /** Connects a page to the current conversation. */
  connect(page: Page): PanelPort {
    const panel = new Panel(page, this.deps.log);
    this.panels.add(panel, this.shown);
    return {
      receive: (raw) => {
        const message = panel.receive(raw);
        if (message !== undefined) this.requests.handle(panel, message).catch((error: unknown) => this.report(error));
      },
      dispose: () => this.panels.remove(panel),
    };
  }

  async send(content: readonly UserContent[]): Promise<void> {
    await this.shown.send(content).recorded;
  }

  answer(message: Extract<PanelMessage, { type: 'answer_approval' }>): void {
    const answer = approvalAnswer(message);
    if (answer === undefined) this.deps.log.warn('An answer to a permission prompt was refused: it is not complete.');
    else this.shown.answer(message.callId, answer, message.revision ?? 1);
  }

  async newSession(): Promise<void> {
    await this.goTo(() => (this.shown.session.messages.length > 0 ? this.deps.conversations.create() : Promise.resolve(this.shown)));
  }

  async clear(): Promise<void> {
    const { shown } = this;
    await this.goTo(() => (shown.session.messages.length > 0 ? this.deps.conversations.clear(shown) : Promise.resolve(shown)));
  }

  openSession(id: string, index?: number): Promise<void> {
    return this.sessions.open(id, async () => {
      if (!(await this.goTo(() => this.deps.conversations.get(id)))) return;
      const item = index === undefined ? undefined : itemOfMessage(this.shown.view.state.items, index);
      if (item !== undefined) this.panels.post({ type: 'go_to_item', session: id, item });
    });
  }

  async takeOver(id: string): Promise<void> {
    await this.goTo(() => this.deps.conversations.takeOver(id));
  }

  async fork(id: string): Promise<void> {
    await this.goTo(() => this.deps.conversations.fork(id));
  }

  branch(count: number): Promise<boolean> {
    return this.goTo(() => this.deps.conversations.branch(this.shown.id, count));
  }

  async rewind(index: number): Promise<void> {
    const message = this.shown.session.messages[index];
    const there = await this.branch(index);
    if (there && message?.role === 'user') this.panels.post({ type: 'compose', session: this.shown.id, text: wordsOf(message) });
  }

  /** Shows an empty conversation in place of one that goes away. */
  async closeSession(id: string): Promise<void> {
    if (id === this.shown.id) this.show(await this.deps.conversations.create());
  }

  focused(): void {
    this.holder.focused();
  }

  /** Releases the conversation and removes all listeners. */
  dispose(): void {
    this.stopWatching?.();
    this.sessions.dispose();
    this.composer.dispose();
    for (const stop of this.stops) stop();
    this.changed.clear();
    this.leave(this.shown);
  }

  /** Shows one of the pages beside the conversation, or the conversation again where it is shown. */
  toggle(page: 'history' | 'servers' | 'configuration'): void {
    const { listed } = { history: this.sessions, servers: this.servers, configuration: this.configuration }[page];
    this.panels.ask({ type: listed ? 'focus_composer' : `show_${page}` });
  }

  logPanelError(message: string): void {
    this.deps.log.error(`The panel failed: ${message}`);
  }

  /** Reports the failure of fire-and-forget work, in the transcript and the log. */
  private report(error: unknown): void {
    this.deps.log.error('An action in the chat failed', error);
    this.shown.notify({ ...noticeOfError(error), actions: ['show_log'] });
  }

  /** Shows a conversation that was waited for. The user may have begun something else meanwhile: the focus, and what the page shows, stay. */
  private async reopen(id: string, wanted: () => boolean): Promise<void> {
    const conversation = await this.deps.conversations.get(id);
    if (wanted()) await this.arriveAt(() => Promise.resolve(conversation));
    else this.leave(conversation);
  }

  /** Shows a conversation that the user wants to continue with. Returns whether it is shown: they may ask for another one before it is found. */
  private async goTo(find: () => Promise<Conversation>): Promise<boolean> {
    const there = await this.arriveAt(find);
    if (there) this.panels.ask({ type: 'focus_composer' });
    return there;
  }

  private arriveAt(find: () => Promise<Conversation>): Promise<boolean> {
    return this.switching.to({ find, take: (found) => this.switchTo(found), drop: (found) => this.leave(found) });
  }

  private switchTo(conversation: Conversation): void {
    const before = this.shown;
    // They came back to it from one that another window has open.
    if (before === conversation) return this.sessions.busy.set(undefined);
    this.show(conversation);
    this.leave(before);
  }

  /** A turn that still runs there may take long; it is not awaited here. */
  private leave(conversation: Conversation): void {
    const { conversations, isShown } = this.deps;
    conversations.leave(conversation, isShown).catch((error: unknown) => this.report(error));
  }

  /** Makes an empty conversation anew, so that it begins with the instructions of a workspace that is trusted now. What is written in it stays. */
  private renew(): void {
    const {
      shown: before,
      deps: { conversations, writing },
    } = this;
    const isUntouched = (): boolean => before.session.messages.length === 0 && !before.busy;
    if (!isUntouched()) return;
    const find = async (): Promise<Conversation> => {
      const [fresh] = await Promise.all([conversations.create(), this.composer.draft.ready]);
      return fresh;
    };
    const take = (fresh: Conversation): void => {
      if (!isUntouched()) return this.leave(fresh);
      writing.drafts.handOver(before, fresh);
      this.switchTo(fresh);
    };
    this.switching.to({ find, take, drop: (fresh) => this.leave(fresh) }).catch((error: unknown) => this.report(error));
  }

  private show(conversation: Conversation): void {
    this.stopWatching?.();
    this.shown = conversation;
    this.sessions.busy.set(undefined);
    this.choices.tellOfChoice(conversation);
    noticeTrust(this.deps, conversation);
    this.panels.show(conversation);
    this.composer.shown();
    this.servers.refresh();
    this.stopWatching = conversation.view.onFlush(() => this.noteShown(conversation));
    this.noteShown(conversation);
  }

  /** Remembers the shown conversation, once it has a message and is stored. The first message may be sent in another place. */
  private noteShown(conversation: Conversation): void {
    const stored = conversation.session.messages.length > 0;
    if (stored && this.remembered !== conversation) this.holder.remember(conversation.id);
    if (stored) this.remembered = conversation;
    this.choices.keepUp();
    this.changed.emit(conversation);
  }
}

/** Actions of the built-in slash commands in one pane. */
function slashActions(
  pane: PaneActions,
  { models, modes, runCommand, confirmBypass }: Omit<TurnDeps, 'elves'> & Pick<SlashActions, 'modes'> & { readonly models: ModelRegistry },
): SlashActions {
  return {
    compact: (wish) => pane.current.compact(wish),
    clear: () => pane.clear(),
    models: () => modelChoices(models.entries(), pane.current.session.model),
    setModel: (key) => pane.choices.choose(key),
    modes,
    setMode: (mode) => setMode(pane, mode, confirmBypass),
    agents: () => pane.choices.agents(),
    setAgent: (name) => pane.choices.chooseAgent(name),
    runCommand,
    tell: (text) => pane.current.notify({ level: 'info', text, actions: [] }),
  };
}

/** Parses a page's answer to a permission prompt; `undefined` when it is inconsistent. */
function approvalAnswer(message: Extract<PanelMessage, { type: 'answer_approval' }>): ApprovalAnswer | undefined {
  const { answer, feedback, command, rules, scope } = message;
  switch (answer) {
    case 'deny':
      return feedback === undefined ? { type: 'deny' } : { type: 'deny', feedback };
    case 'allow':
      return command === undefined ? { type: 'allow' } : { type: 'allow', amendment: { type: 'command', command } };
    case 'always':
      return rules === undefined || rules.length === 0 || scope === undefined ? undefined : { type: 'always', rules, scope };
    default:
      return assertNever(answer);
  }
}

/** Says once in each conversation that this workspace is only read, where it is not trusted. */
function noticeTrust({ permissions, trustNoticed }: Pick<ChatDeps, 'permissions' | 'trustNoticed'>, conversation: Conversation): void {
  if (permissions.trust.trusted() || trustNoticed.has(conversation)) return;
  trustNoticed.add(conversation);
  conversation.notify(untrusted());
}
