import type { Panes } from '../chat/pane/panes.js';
import type { Conversations } from '../chat/conversation/conversations.js';
import type { Writing } from '../chat/composer/pane-composer.js';
import type { Host } from './host.js';
import { InlineEdits } from '../inline-edit/inline-edits.js';
import { PromptThreads } from '../inline-edit/prompts.js';
import { StagedEdits } from '../inline-edit/staged-edits.js';
import type { WindowPermissions } from '../permission/create-permissions.js';
import type { Review } from '../edits/create-review.js';

/** Dependencies of {@link composeInline} beside the host. */
export interface InlineDeps {
  readonly conversations: Conversations;
  readonly review: Review;
  readonly writing: Writing;
  readonly permissions: WindowPermissions;
  readonly panes: Panes;
}

/** Builds inline edits. */
export function composeInline({ context, log }: Host, { conversations, review, writing, permissions, panes }: InlineDeps): InlineEdits {
  const { workspace, readGuard } = writing.mentions;
  const staged = new StagedEdits();
  const threads = new PromptThreads();
  const inline = new InlineEdits({ conversations, review, workspace, readGuard, trusted: permissions.trust.trusted, panes, marks: review.marks, staged, log }, threads);
  context.subscriptions.push(inline, threads, staged);
  return inline;
}
