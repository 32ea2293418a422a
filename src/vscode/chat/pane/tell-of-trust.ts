import type { Conversation } from '../conversation/conversation.js';
import { untrusted } from '../projection/notices.js';
import type { ChatDependencies } from './chat-dependencies.js';

/** Says once in each conversation that this workspace is only read, where it is not trusted. */
export function tellOfTrust({ permissions, toldOfTrust }: Pick<ChatDependencies, 'permissions' | 'toldOfTrust'>, conversation: Conversation): void {
  if (permissions.trust.trusted() || toldOfTrust.has(conversation)) return;
  toldOfTrust.add(conversation);
  conversation.notify(untrusted());
}
