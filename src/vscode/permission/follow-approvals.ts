import type { ViewState } from '../../protocol/view-state.js';
import type { ApprovalQueue } from './approval-queue.js';
import { waitingCalls } from './waiting-calls.js';

/** A conversation, as far as its prompts are looked after. */
export interface FollowedConversation {
  readonly id: string;
  readonly view: { readonly state: ViewState; onFlush(listener: () => void): () => void };
}

/** Keeps a queue up with what waits in a conversation. Returns what to call when the conversation is closed. */
export function followApprovals(queue: ApprovalQueue, { id, view }: FollowedConversation): () => void {
  const look = (): void => queue.update(id, view.state.title, waitingCalls(view.state));
  look();
  const stop = view.onFlush(look);
  return () => {
    stop();
    queue.remove(id);
  };
}
