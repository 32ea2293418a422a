import type * as vscode from 'vscode';
import type { Log } from '../../domain/log.js';
import type { MayShow } from '../../domain/search.js';
import type { Workspace } from '../../domain/workspace.js';
import type { Conversation } from '../chat/conversation.js';
import type { Conversations } from '../chat/conversations.js';
import type { Review } from '../review/create-review.js';
import type { PendingMarks } from './pending-marks.js';
import type { StagedEdits } from './staged-edits.js';

/** What edits in place are made with. */
export interface EditParts {
  readonly conversations: Pick<Conversations, 'create' | 'leave' | 'release'>;
  readonly review: Pick<Review, 'streamed' | 'pending'>;
  readonly workspace: Workspace;
  /** Makes what says, with the rules that hold now, which files may be shown to a model. */
  readonly readGuard: () => Promise<MayShow>;
  /** Whether the person trusts the workspace. */
  readonly trusted: () => boolean;
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
