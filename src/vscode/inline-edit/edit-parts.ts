import type * as vscode from 'vscode';
import type { Log } from '../../domain/log.js';
import type { Conversation } from '../chat/conversation/conversation.js';
import type { Conversations } from '../chat/conversation/conversations.js';
import type { Showing } from '../permission/showing.js';
import type { Review } from '../edits/create-review.js';
import type { PendingMarks } from './pending-marks.js';
import type { StagedEdits } from './document/staged-edits.js';

/** What edits in place are made with. */
export interface EditParts extends Showing {
  readonly conversations: Pick<Conversations, 'create' | 'leave' | 'release'>;
  readonly review: Pick<Review, 'streamed' | 'pending'>;
  /** Shows a conversation in the chat. */
  readonly openInChat: (id: string) => Promise<void>;
  /** Whether a conversation is shown in the chat. */
  readonly isShown: (conversation: Conversation) => boolean;
  readonly pendingMarks: PendingMarks;
  readonly staged: StagedEdits;
  readonly log: Log;
  /** Whether a document is written to the disk without the person saying so. */
  readonly savesItself: (document: vscode.TextDocument) => boolean;
}
