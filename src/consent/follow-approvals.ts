import { type AskSource, idAmongAll } from '../domain/tool/asks.js';
import type { ApprovalQueue } from './approval-queue.js';
import { type OtherQuestions, NOTHING_BESIDES } from './waiting-calls.js';

/** A conversation, as far as what waits in it is looked after. */
export interface FollowedConversation {
  readonly id: string;
  readonly title: string;
  /** Calls back when it has another title. Returns how to stop that. */
  readonly onDidRetitle: (listener: () => void) => () => void;
  readonly session: { readonly asks: AskSource };
}

/** Keeps a queue up with what waits in a conversation, and with what servers ask in it. Returns what to call when the conversation is closed. */
export function followApprovals(queue: ApprovalQueue, conversation: FollowedConversation, besides: OtherQuestions = NOTHING_BESIDES): () => void {
  const { id, onDidRetitle } = conversation;
  const { asks } = conversation.session;
  const look = (): void => queue.update(id, conversation.title, [...asks.waiting.map((ask) => ({ id: idAmongAll(ask), kind: ask.kind })), ...besides.of(id)]);
  look();
  const stops = [asks.onDidChange(look), onDidRetitle(look), besides.onDidChange(look)];
  return () => {
    for (const stop of stops) stop();
    queue.remove(id);
  };
}
