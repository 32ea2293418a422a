import { wordsOf } from '../../domain/session/attached.js';
import type { Message } from '../../domain/model/message.js';
import type { WatchedResources } from '../../mcp/resources/watched-resources.js';
import type { ResourceMentions } from '../../mentions/resource-mentions.js';
import { parseMentions } from '../../mentions/typed-mentions.js';
import type { Conversation } from './conversation.js';

/** The part of a conversation that {@link followResources} follows. */
type FollowedConversation = Pick<Conversation, 'id'> & { readonly session: Pick<Conversation['session'], 'messages' | 'onEvent'> };

/** Where mentions lead, and who watches that. */
export interface FollowResourcesDeps {
  readonly resources: Pick<ResourceMentions, 'addressOf'>;
  readonly watched: Pick<WatchedResources, 'watch' | 'forget'>;
}

/**
 * Watches the resources of MCP servers that are mentioned in a conversation, for as long as it is open: also those of when it was open before. Returns what
 * ends that.
 */
export function followResources({ id, session }: FollowedConversation, { resources, watched }: FollowResourcesDeps): () => void {
  const look = (message: Message): void => {
    if (message.role !== 'user') return;
    // The server of an earlier message may not be known yet, and is when it is connected.
    const mentions = parseMentions(wordsOf(message), () => true).filter((mention) => mention.kind === 'resource');
    for (const mention of mentions) watched.watch(id, resources.addressOf(mention));
  };
  session.messages.forEach(look);
  const stop = session.onEvent((event) => {
    if (event.type === 'turn_started' || event.type === 'message_added') look(event.message);
  });
  return () => {
    stop();
    watched.forget(id);
  };
}
