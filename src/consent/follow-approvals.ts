import type { ViewState } from '../protocol/view-state.js';
import type { ApprovalQueue } from './approval-queue.js';
import { type AskedBesides, NOTHING_BESIDES, waitingCalls } from './waiting-calls.js';

/** A conversation, as far as its prompts are looked after. */
export interface FollowedConversation {
  readonly id: string;
  readonly view: { readonly state: ViewState; onFlush(listener: () => void): () => void };
}

/** Keeps a queue up with what waits in a conversation, and with what servers ask in it. Returns what to call when the conversation is closed. */
export function followApprovals(queue: ApprovalQueue, { id, view }: FollowedConversation, besides: AskedBesides = NOTHING_BESIDES): () => void {
  const look = (): void => queue.update(id, view.state.title, [...waitingCalls(view.state), ...besides.of(id)]);
  look();
  const stops = [view.onFlush(look), besides.onDidChange(look)];
  return () => {
    for (const stop of stops) stop();
    queue.remove(id);
  };
}
