import type { Log } from '../../domain/log.js';
import { SessionBusyError } from '../../session/errors.js';
import type { Conversation } from '../conversation/conversation.js';
import type { Conversations } from '../conversation/conversations.js';
import { noticeOfError } from '../projection/notices.js';

/** The first conversation of a pane. */
export interface FirstConversation {
  readonly conversation: Conversation;
  /** The conversation that should be shown and that another window has open. */
  readonly busy?: { readonly id: string; readonly title: string };
}

/** Opens the conversation that a place showed last; where that cannot be, a new one that says why. */
export async function openFirst(conversations: Conversations, id: string | undefined, log: Log): Promise<FirstConversation> {
  if (id === undefined) return { conversation: await conversations.create() };
  try {
    return { conversation: await conversations.get(id) };
  } catch (error) {
    const [conversation, sessions] = await Promise.all([conversations.create(), conversations.list()]);
    const known = sessions.find((session) => session.id === id);
    // One without a message was never stored, and one that was deleted is not missed.
    if (known === undefined) return { conversation };
    if (error instanceof SessionBusyError) return { conversation, busy: { id, title: known.title } };
    log.error('The last session could not be opened', error);
    conversation.notify({ ...noticeOfError(error), actions: ['show_log'] });
    return { conversation };
  }
}
