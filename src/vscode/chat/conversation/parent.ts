import type { SessionSummary } from '../../../domain/session/session-store.js';
import type { Conversation } from './conversation.js';

/** Says in a branch which conversation it left, where that is still there. */
export async function tellOfParent(conversation: Conversation, id: string, list: () => Promise<readonly SessionSummary[]>): Promise<void> {
  const parent = (await list()).find((session) => session.id === id);
  if (parent !== undefined) conversation.view.push({ type: 'meta', patch: { parent: { id, title: parent.title } } });
}
