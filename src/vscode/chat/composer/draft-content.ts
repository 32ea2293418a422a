import type { HeldAttachment } from './attachments.js';
import type { QueuedMessage } from './message-queue.js';

/** What of a conversation is written and not sent. */
export interface DraftContent {
  readonly text: string;
  /** When the text was written, in milliseconds since 1970 by the clock of the page. */
  readonly at: number;
  readonly attachments: readonly HeldAttachment[];
  readonly queue: readonly QueuedMessage[];
}

/** Nothing is written. */
export const EMPTY_DRAFT: DraftContent = { text: '', at: 0, attachments: [], queue: [] };

/** Whether there is nothing worth keeping. */
export function isEmptyDraft({ text, attachments, queue }: DraftContent): boolean {
  return text === '' && attachments.length === 0 && queue.length === 0;
}
