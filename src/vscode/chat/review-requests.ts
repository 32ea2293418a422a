import { assertNever } from '../../domain/assert-never.js';
import type { PanelMessage } from '../../protocol/messages.js';
import type { Conversation } from './conversation.js';

/** What a page can ask for about what the agent changed. */
export type ReviewRequest = Extract<PanelMessage, { type: 'review_file' | 'review_all' | 'restore_files' }>;

/** Keeps, undoes and shows changes. */
export interface ReviewActions {
  keep(paths: readonly string[]): Promise<void>;
  /** Takes changes back; asks first when there are several files. */
  undo(paths: readonly string[]): Promise<void>;
  /** Opens files beside what they were. */
  show(paths: readonly string[]): Promise<void>;
  /** Brings the files of a session back to before a message. */
  restore(sessionId: string, messageIndex: number): Promise<void>;
}

/** Carries out what a page asks for about the changes that its conversation shows. */
export async function handleReview(message: ReviewRequest, conversation: Conversation, actions: ReviewActions): Promise<void> {
  switch (message.type) {
    case 'review_file': {
      const { path } = message;
      // A page names only what it was shown.
      if (changedPaths(conversation).includes(path)) await actions[message.action]([path]);
      return;
    }
    case 'review_all':
      return actions[message.action](changedPaths(conversation));
    case 'restore_files':
      return restore(message.item, conversation, actions);
    default:
      assertNever(message);
  }
}

function changedPaths({ view }: Conversation): readonly string[] {
  return view.state.changes.map(({ path }) => path);
}

async function restore(item: string, conversation: Conversation, actions: ReviewActions): Promise<void> {
  if (conversation.running) throw new Error('Gnomon is still at work. Wait until it has finished, or stop it, before files are restored.');
  const index = messageIndexOf(item);
  if (index !== undefined) await actions.restore(conversation.id, index);
}

/** The item of a person's message is called `u` and its index in the conversation. */
function messageIndexOf(item: string): number | undefined {
  const digits = /^u(\d{1,9})$/.exec(item)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
