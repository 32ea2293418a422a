import { join } from 'node:path';
import * as vscode from 'vscode';
import { removeLogsOf } from '../../node/process/output/command-log-files.js';
import { createNodeFileLayer } from '../../node/files/node-file-layer.js';
import { systemClock } from '../../node/system-clock.js';
import { type Sessions, createSessions } from '../../session/create-sessions.js';
import type { OtherStorage } from '../../session/other-workspaces/storage-index.js';
import type { Conversations } from '../chat/conversation/conversations.js';
import type { Surfaces } from '../chat/conversation/surfaces.js';
import type { Drafts } from '../chat/composer/drafts.js';
import { followTitles } from '../chat/sessions/follow-titles.js';
import { SessionActivity } from '../chat/sessions/session-activity.js';
import { SessionDesk } from '../chat/sessions/session-desk.js';
import { Trash } from '../chat/sessions/trash.js';
import { type Deps, composeConversations, outputFolderIn } from './compose-conversations.js';
import { draftsIn } from './compose-writing.js';
import type { Host } from './host.js';
import { Notes } from '../storage/notes.js';
import { otherSessionFolders } from '../storage/other-session-folders.js';

/** What opens conversations and what keeps order among them. */
export interface ComposedSessions {
  readonly conversations: Conversations;
  readonly desk: SessionDesk;
  readonly activity: SessionActivity;
}

/** Dependencies of {@link composeSessions} beside the host. */
export interface SessionDeps extends Omit<Deps, 'store'> {
  readonly drafts: Drafts;
  readonly surfaces: Surfaces;
}

/** Builds them, and has each conversation followed by all that keeps track of it. */
export function composeSessions(host: Host, deps: SessionDeps): ComposedSessions {
  const { log, context } = host;
  const { store, library } = storeIn(host, deps);
  const activity = new SessionActivity(deps.surfaces, new Notes(join(deps.storage, 'unread'), log), deps.besides);
  activity.restore(Date.now()).catch((error: unknown) => log.error('What was not read could not be found out', error));
  const conversations = composeConversations(host, { ...deps, store });
  const trash = new Trash({ library, purge: (id) => store.delete(id), log, now: () => Date.now() });
  const desk = new SessionDesk({ conversations, library, activity, trash, log });
  const titles = { models: deps.models, desk, wanted: deps.windowSettings.improveTitles, log };
  conversations.addFollower((conversation) => activity.follow(conversation));
  conversations.addFollower((conversation) => desk.follow(conversation));
  conversations.addFollower((conversation) => deps.drafts.follow(conversation));
  conversations.addFollower((conversation) => followTitles(conversation, titles));
  // Conversations about a folder that joins the workspace belong to it, too.
  context.subscriptions.push(
    trash,
    vscode.workspace.onDidChangeWorkspaceFolders(() => desk.tell()),
  );
  void trash.watch();
  return { conversations, desk, activity };
}

function storeIn({ log, context }: Host, { storage, review, drafts }: Pick<SessionDeps, 'storage' | 'review' | 'drafts'>): Sessions {
  const folder = join(storage, 'sessions');
  const forget = async (id: string): Promise<void> => {
    drafts.forget(id);
    await review.forget(id);
    await removeLogsOf(outputFolderIn(storage), id);
  };
  const bring = async (id: string, from: OtherStorage): Promise<void> => {
    await review.bring(id, from);
    await drafts.bring(id, draftsIn(from.path));
  };
  return createSessions({ folder, files: createNodeFileLayer(), clock: systemClock, log, forget }, otherSessionFolders({ context, storage, log, bring }));
}
