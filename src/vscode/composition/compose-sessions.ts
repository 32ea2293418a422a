import { join } from 'node:path';
import { removeLogsOf } from '../../node/process/output/command-log.js';
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import { systemClock } from '../../node/system-clock.js';
import { createSessions, type Sessions } from '../../session/create-sessions.js';
import type { OtherStorage } from '../../session/other-workspaces/storage-index.js';
import { Conversations, followAgents } from '../../chat/conversation/conversations.js';
import type { Surfaces } from '../../chat/conversation/surfaces.js';
import type { Drafts } from '../../chat/composer/drafts.js';
import { followTitles, StoredSessions } from '../../chat/sessions/stored-sessions.js';
import { SessionActivity } from '../../chat/sessions/session-activity.js';
import { Trash } from '../../chat/sessions/trash.js';
import * as vscode from 'vscode';
import { draftsIn } from './compose-writing.js';
import type { Host } from './host.js';
import type { AgentHost } from '../../agent-host/agent-host.js';
import { bringLeft, removeLeft } from '../../agent-host/changes/bring-changes.js';
import { chatOfElf, removeElves } from '../../agent-host/elf-folder.js';
import { outputFolderIn } from '../../agent-host/ground.js';
import { besidesOf } from '../../agent-host/servers/window-asking.js';
import type { ChosenModel } from '../../agent-host/session-factory.js';
import { followBypass, followSettings } from '../../chat/conversation/follow-settings.js';
import { goOnAfterAgents } from '../../chat/conversation/go-on-after-agents.js';
import { followElves } from '../../chat/conversation/follow-elves.js';
import { followResources } from '../../chat/conversation/follow-resources.js';
import { tellOfSandbox } from '../../chat/conversation/tell-of-sandbox.js';
import { followApprovals } from '../../consent/follow-approvals.js';
import type { SessionStore } from '../../domain/session/session-store.js';
import type { Mentions } from '../../mentions/mention-deps.js';
import type { Review } from '../edits/create-review.js';
import { WINDOW } from './window-ports.js';
import { Notes } from '../../node/files/notes.js';
import { otherSessionFolders } from '../../agent-host/other-session-folders.js';

/** Services that open conversations, and list, rename, and delete stored ones. */
export interface ComposedSessions {
  readonly conversations: Conversations;
  readonly desk: StoredSessions;
  readonly activity: SessionActivity;
}

/** Parts of the window that follow each session, beside the host: review, drafts, and mentioned resources. */
export interface SessionDeps {
  readonly agentHost: AgentHost;
  readonly storage: string;
  readonly review: Review;
  readonly mentions: Pick<Mentions, 'resources'>;
  readonly drafts: Drafts;
  readonly surfaces: Surfaces;
}

/** Builds them, and has each conversation followed by all that keeps track of it. */
export function composeSessions(host: Host, deps: SessionDeps): ComposedSessions {
  const { log, context } = host;
  const { agentHost, surfaces, drafts, storage } = deps;
  const { store, library } = storeIn(host, deps);
  const besides = besidesOf(agentHost.servers.asking);
  const activity = new SessionActivity(surfaces, new Notes(join(storage, 'unread'), log), besides);
  activity.restore(Date.now()).catch((error: unknown) => log.error('What was not read could not be found out', error));
  const conversations = conversationsOf(host, deps, store);
  const trash = new Trash({ library, purge: (id) => store.delete(id), log, now: () => Date.now() });
  const desk = new StoredSessions({ conversations, library, activity, trash, log });
  const titles = { models: agentHost.models, router: agentHost.router, desk, wanted: agentHost.fileSettings.improveTitles, log };
  follow(conversations, host, deps);
  conversations.addFollower((conversation) => followApprovals(agentHost.permissions.queue, conversation, besides));
  conversations.addFollower((conversation) => activity.follow(conversation));
  conversations.addFollower((conversation) => desk.follow(conversation));
  conversations.addFollower((conversation) => drafts.follow(conversation));
  conversations.addFollower((conversation) => followTitles(conversation, titles));
  // Messages that the user has queued go first.
  conversations.addFollower((conversation) => goOnAfterAgents(conversation, { elves: agentHost.elves, wanted: agentHost.userSettings.goOnAfterAgents }));
  // Conversations about a folder that joins the workspace belong to it, too.
  context.subscriptions.push(trash, { dispose: WINDOW.folders.onDidChange(() => desk.tell()) });
  void trash.watch();
  return { conversations, desk, activity };
}

/** Builds what opens conversations. */
function conversationsOf({ log }: Host, { agentHost, review, storage }: SessionDeps, store: SessionStore): Conversations {
  const { fileSettings, models, factory, agents, permissions, elves } = agentHost;
  const { bypass, acceptedEdits } = permissions;
  // Whatever else settings say of a chat is known with its model: none is opened before.
  const chooseModel = async (key?: string): Promise<ChosenModel> => {
    await fileSettings.ready();
    return models.choose(key);
  };
  return new Conversations({
    store,
    log,
    factory,
    chooseModel,
    onCreated: (conversation) =>
      followSettings(conversation, {
        settings: fileSettings,
        chooseModel,
        startingMode: (mode) => bypass.startingMode(mode),
        failed: (error) => log.error('A new chat could not follow the settings', error),
      }),
    defaultMode: fileSettings.permissionMode,
    agentOf: (name) => agents.named(name),
    startingMode: (mode) => bypass.startingMode(mode),
    resumedMode: (id, stored) => acceptedEdits.resumedMode(id, stored),
    short: shortPath,
    elves: { chatOf: (id) => chatOfElf(storage, id), hold: (chat, id) => elves.holdSession(chat, id) },
    branched: (from, to, count) => review.branched(from, to, count),
  });
}

/** Keeps track of every conversation that is opened. */
function follow(conversations: Conversations, { context, log }: Host, { agentHost, review, mentions, storage }: SessionDeps): void {
  const { ground, permissions, agents, servers, sessions } = agentHost;
  const { sandbox, environment } = ground;
  const { bypass, acceptedEdits } = permissions;
  conversations.addFollower((conversation) => tellOfSandbox(conversation, { sandbox, memory: context.globalState, log }));
  conversations.addFollower(({ session }) => environment.follow(session));
  conversations.addFollower((conversation) => followResources(conversation, { resources: mentions.resources, watched: servers.watched }));
  conversations.addFollower((conversation) => followAgents(conversation, agents));
  const shown = { elves: agentHost.elves, models: agentHost.models, onReviewed: review.pending.onDidChange, log };
  conversations.addFollower((conversation) => followElves(conversation, shown));
  conversations.addFollower((conversation) => followBypass(conversation, bypass));
  conversations.addFollower(({ session }) => acceptedEdits.follow(session));
  conversations.addFollower(({ session }) => servers.follow(session));
  conversations.addFollower((conversation) => review.proposals.follow(conversation));
  conversations.addFollower(({ id }) => {
    // Who has it open is the only one to work with that.
    bringLeft(storage, id, (session, from) => review.bring(session, from)).catch((error: unknown) =>
      log.error('Changes that were made in a terminal could not be shown', error),
    );
    return () => undefined;
  });
  conversations.addFollower((conversation) => {
    const projection = review.project(conversation.id, (changes) => conversation.show({ changes }));
    return () => projection.dispose();
  });
  sessions.onDidTell(({ session, text }) => conversations.find(session)?.notify({ level: 'warning', text, actions: [] }));
}

/** A path as it is shown: below its workspace folder where it is in one. */
function shortPath(path: string): string {
  const isFolder = vscode.workspace.workspaceFolders?.some(({ uri }) => uri.fsPath === path.replace(/[/\\]$/, '')) ?? false;
  return isFolder ? '.' : vscode.workspace.asRelativePath(path).replaceAll('\\', '/');
}

function storeIn({ log, context }: Host, { storage, review, drafts }: SessionDeps): Sessions {
  const folder = join(storage, 'sessions');
  const forget = async (id: string): Promise<void> => {
    drafts.forget(id);
    await review.forget(id);
    await removeLeft(storage, id);
    await removeElves(storage, id);
    await removeLogsOf(outputFolderIn(storage), id);
  };
  const bring = async (id: string, from: OtherStorage): Promise<void> => {
    await review.bring(id, from);
    await bringLeft(from.path, id, (session, left) => review.bring(session, { ...left, moved: from.moved }));
    await drafts.bring(id, draftsIn(from.path));
  };
  const others = otherSessionFolders({ globalStorage: context.globalStorageUri.fsPath, folders: WINDOW.folders, storage, log, bring });
  context.subscriptions.push({ dispose: others.stop });
  return createSessions({ folder, files: createNodeFileLayer(), clock: systemClock, log, forget }, others);
}
