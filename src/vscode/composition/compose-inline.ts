import * as vscode from 'vscode';
import type { Panes } from '../chat/pane/panes.js';
import type { Conversations } from '../chat/conversation/conversations.js';
import type { Writing } from '../chat/composer/writing.js';
import type { Host } from './host.js';
import { InlineEdits } from '../inline-edit/inline-edits.js';
import { Marks } from '../inline-edit/marks.js';
import { PendingMarks } from '../inline-edit/pending-marks.js';
import { PromptThreads } from '../inline-edit/prompt-thread.js';
import { StagedEdits } from '../inline-edit/document/staged-edits.js';
import type { WindowPermissions } from '../permission/create-permissions.js';
import type { Review } from '../edits/create-review.js';
import { settings } from '../settings/settings.js';

/** What {@link composeInline} is given beside the host. */
export interface InlineParts {
  readonly conversations: Conversations;
  readonly review: Review;
  readonly writing: Writing;
  readonly permissions: WindowPermissions;
  readonly panes: Panes;
}

/** Builds edits in place. */
export function composeInline({ context, log }: Host, { conversations, review, writing, permissions, panes }: InlineParts): InlineEdits {
  const { workspace, readGuard } = writing.mentions;
  const marks = new Marks();
  const pendingMarks = new PendingMarks(review, marks);
  const staged = new StagedEdits();
  const threads = new PromptThreads();
  const inline = new InlineEdits({
    conversations,
    review,
    workspace,
    readGuard,
    trusted: permissions.trust.trusted,
    openInChat: (id) => panes.open(id),
    isShown: (conversation) => panes.isShown(conversation),
    pendingMarks,
    staged,
    threads,
    promptAbove: () => settings.editPrompt() === 'inputBox',
    log,
    savesItself: (document) => vscode.workspace.getConfiguration('files', document).get('autoSave') !== 'off',
  });
  context.subscriptions.push(inline, threads, staged, pendingMarks, marks);
  return inline;
}
