import { homedir } from 'node:os';
import { join } from 'node:path';
import { ApiSessions } from '../../../src/api/api-sessions.js';
import type { GnomonSession } from '../../../src/api/gnomon-api.js';
import { OfferedTools } from '../../../src/api/offered-tools.js';
import { DraftStore } from '../../../src/chat/composer/draft-store.js';
import { Drafts } from '../../../src/chat/composer/drafts.js';
import { PageScaler } from '../../../src/chat/composer/page-scaler.js';
import type { Conversation } from '../../../src/chat/conversation/conversation.js';
import { ChatElves } from '../../../src/chat/conversation/chat-elves.js';
import { followElves } from '../../../src/chat/conversation/follow-elves.js';
import { Conversations, followAgents } from '../../../src/chat/conversation/conversations.js';
import { followBypass } from '../../../src/chat/conversation/follow-settings.js';
import type { ChatDeps } from '../../../src/chat/pane/chat-deps.js';
import { ChatPane } from '../../../src/chat/pane/chat-pane.js';
import type { ServersWindow } from '../../../src/chat/ports.js';
import { WindowServers } from '../../../src/chat/servers/window-servers.js';
import { SessionActivity } from '../../../src/chat/sessions/session-activity.js';
import { StoredSessions } from '../../../src/chat/sessions/stored-sessions.js';
import { Trash } from '../../../src/chat/sessions/trash.js';
import { createWriteLock } from '../../../src/customization/write-lock.js';
import { followApprovals } from '../../../src/consent/follow-approvals.js';
import { type HeadlessHost, openHost } from '../../../src/headless/open-host.js';
import { DrivingProgram } from '../../../src/headless/ndjson/driving-program.js';
import { placesOf } from '../../../src/headless/places.js';
import type { MentionDeps, Mentions } from '../../../src/mentions/mention-deps.js';
import { resolveMentions } from '../../../src/mentions/resolve.js';
import { ResourceMentions } from '../../../src/mentions/resource-mentions.js';
import { createDiskDocuments } from '../../../src/node/files/disk-documents.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { createReadGuard } from '../../../src/permission/files/read-guard.js';
import { createNodePorts } from '../../../src/node/host/node-ports.js';
import { MessageOptionsResolver } from '../../../src/slash/message-options.js';
import { NO_LOG } from './no-log.js';
import { MODEL, type Place } from './entry.js';
import { PROGRAM } from './program-here.js';

const nobody = (): Promise<never> => Promise.reject(new Error('There is no window here.'));
const never = (): (() => void) => () => undefined;

/** What a page of the panel can have VS Code do. */
const NO_WINDOW: Pick<ChatDeps, 'sessionActions' | 'runCommand' | 'review' | 'window' | 'configuration' | 'codeTheme'> = {
  sessionActions: { openInTab: () => undefined, remove: nobody, purge: nobody, import: nobody },
  runCommand: () => undefined,
  review: { keep: nobody, undo: nobody, show: nobody, compare: nobody, restore: nobody },
  window: {
    ...{ pickFiles: nobody, attachDropped: nobody, openLink: nobody, openInstruction: nobody, filesAmong: nobody },
    ...{ openFile: nobody, insertCode: nobody, copy: nobody, applyCode: nobody },
  },
  configuration: { view: nobody, read: nobody, onDidChange: never, details: nobody, act: nobody, open: nobody, tryHook: nobody },
  codeTheme: { current: nobody, onDidChange: never },
};
const NO_SERVERS_WINDOW: ServersWindow = { open: nobody, add: nobody, configure: nobody, copy: nobody, progress: nobody };

/** All of a window but VS Code: its conversations, a pane of the chat, and the API for other extensions, on the same host as the program. */
export class TestWindow {
  private constructor(
    private readonly opened: HeadlessHost,
    private readonly chat: ChatDeps,
    readonly pane: ChatPane,
    private readonly api: ApiSessions,
  ) {}

  static async open({ folder, environment }: Place): Promise<TestWindow> {
    const places = placesOf(folder, environment);
    const startedWith = { servers: [], onlyTheseServers: false };
    const wish = { trusted: false, bypassConfirmed: false, settings: { 'gnomon.model': MODEL }, log: NO_LOG, keys: new Set<string>() };
    const opened = await openHost(PROGRAM, { folders: [folder], places, startedWith, driven: new DrivingProgram(), ...wish });
    const chat = chatOf(opened, folder, places.project);
    // A user begins to write later than that is known.
    await opened.host.ground.environment.refresh();
    const { conversations, writing, desk } = chat;
    const pane = new ChatPane(chat, { remember: () => undefined, focused: () => undefined }, await conversations.create());
    const api = new ApiSessions({
      ...{ conversations, draftOf: (conversation: Conversation) => writing.drafts.of(conversation), resolve: writing.mentions.resolve },
      ...{ rename: (id: string, title: string) => desk.rename(id, title), show: nobody, isShown: () => false, log: NO_LOG, offered: new OfferedTools() },
      elves: opened.host.elves,
      defaultMode: opened.host.fileSettings.permissionMode,
    });
    return new TestWindow(opened, chat, pane, api);
  }

  /** Begins a session as another extension does. */
  begin(mode: Place['mode']): Promise<GnomonSession> {
    return this.api.start('acme.words', mode === undefined || mode === 'bypassPermissions' ? {} : { mode });
  }

  /** A conversation that is open. */
  find(id: string): Conversation | undefined {
    return this.chat.conversations.find(id);
  }

  async close(): Promise<void> {
    await this.chat.conversations.close();
    this.pane.dispose();
    await this.chat.writing.drafts.flush();
    await this.opened.close();
  }
}

/** What VS Code makes of the same parts in `src/vscode/composition`. */
function chatOf({ host, store, library }: HeadlessHost, folder: string, storage: string): ChatDeps {
  const { models, agents, skills, commandFiles, hooks, permissions, servers, sessions, fileSettings, factory, ground } = host;
  const { bypass, acceptedEdits, queue, trust, grants } = permissions;
  const imageScaler = new PageScaler(() => false);
  const conversations = new Conversations({
    ...{ store, log: NO_LOG, factory, branched: () => Promise.resolve(), agentOf: (name: string) => agents.named(name) },
    chooseModel: async (key) => {
      await fileSettings.ready();
      return models.choose(key);
    },
    defaultMode: fileSettings.permissionMode,
    startingMode: (mode) => bypass.startingMode(mode),
    resumedMode: (id, stored) => acceptedEdits.resumedMode(id, stored),
  });
  const activity = new SessionActivity({ isSeen: () => true });
  const trash = new Trash({ library, purge: (id) => store.delete(id), log: NO_LOG, now: () => Date.now() });
  const desk = new StoredSessions({ conversations, library, activity, trash, log: NO_LOG });
  const mentions = mentionsOf(host, imageScaler);
  const messageOptions = new MessageOptionsResolver({ grants, models, agents, hooks: hooks.registered, trusted: trust.trusted });
  const drafts = new Drafts({
    store: new DraftStore({ folder: join(storage, 'drafts'), files: createNodeFileLayer(), log: NO_LOG }),
    resolve: mentions.resolve,
    messageOptions,
  });
  conversations.addFollower((conversation) => followApprovals(queue, conversation));
  conversations.addFollower((conversation) => desk.follow(conversation));
  conversations.addFollower((conversation) => drafts.follow(conversation));
  conversations.addFollower((conversation) => followAgents(conversation, agents));
  conversations.addFollower((conversation) => followElves(conversation, { elves: host.elves, models, onReviewed: () => () => undefined, log: NO_LOG }));
  conversations.addFollower((conversation) => followBypass(conversation, bypass));
  conversations.addFollower(({ session }) => ground.environment.follow(session));
  conversations.addFollower(({ session }) => acceptedEdits.follow(session));
  conversations.addFollower(({ session }) => servers.follow(session));
  const lock = createWriteLock(join(storage, 'locks'), NO_LOG);
  const ports = createNodePorts({ folders: [folder], trusted: trust.trusted(), storage, settings: {}, defaults: {}, log: NO_LOG, lock });
  return {
    ...{ ...NO_WINDOW, conversations, models, agents, log: NO_LOG, desk, permissions, trustNoticed: new WeakSet<Conversation>() },
    isShown: () => false,
    elves: new ChatElves(host.elves, { openSession: () => undefined, showText: () => Promise.resolve() }, host.applyChanges),
    writing: {
      drafts,
      mentions,
      servers: servers.shared,
      imageScaler,
      commandFiles,
      skills,
      messageOptions,
      warnsOfCold: () => false,
      showsModels: () => false,
    },
    servers: new WindowServers({ ...servers, sessions, ports, window: NO_SERVERS_WINDOW, log: NO_LOG }),
  };
}

/** Mentions of files, without an editor in which something is selected. */
function mentionsOf({ ground: { workspace }, permissions, servers }: HeadlessHost['host'], imageScaler: PageScaler): Mentions {
  const resources = new ResourceMentions(servers.shared, imageScaler);
  const readGuard = (): ReturnType<typeof createReadGuard> =>
    createReadGuard({ workspace, rules: permissions.book, home: homedir(), caseInsensitive: process.platform !== 'linux' });
  const deps: MentionDeps = {
    ...{ workspace, documents: createDiskDocuments(), readGuard, resources, trusted: permissions.trust.trusted, editors: () => [] },
    symbols: { search: () => Promise.resolve([]) },
    diagnostics: { current: () => [] },
    terminal: () => Promise.resolve(undefined),
  };
  return {
    ...{ workspace, readGuard, resources, dispose: () => undefined, offers: () => Promise.resolve([]) },
    selection: {
      state: { name: '', on: false },
      currentFile: { name: '', insert: '' },
      onDidChange: never,
      include: () => undefined,
      blocks: () => Promise.resolve([]),
    },
    resolve: (text, { signal = new AbortController().signal, ...options } = {}) => resolveMentions(text, deps, { ...options, signal }),
  };
}
