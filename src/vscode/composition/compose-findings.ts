import type { Panes } from '../../chat/pane/panes.js';
import type { Conversations } from '../../chat/conversation/conversations.js';
import type { ComposerServices } from '../../chat/composer/pane-composer.js';
import { ChangeReviews } from '../code-review/change-reviews.js';
import { FindingActions } from '../code-review/finding-actions.js';
import { ShownFindings } from '../code-review/shown-findings.js';
import type { Host } from './host.js';
import type { InlineEdits } from '../inline-edit/inline-edits.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { Permissions } from '../../consent/create-permissions.js';

/** Parts of the window that code reviews use, beside the host: conversations, models, and inline edits for fixes. */
export interface FindingDeps {
  readonly conversations: Conversations;
  readonly models: ModelRegistry;
  readonly inline: InlineEdits;
  readonly writing: ComposerServices;
  readonly permissions: Permissions;
  readonly panes: Panes;
}

/** Builds reviews of changes and what shows their findings. */
export function composeFindings({ context, log }: Host, { conversations, models, inline, writing, permissions, panes }: FindingDeps): ChangeReviews {
  const { workspace, readGuard } = writing.mentions;
  const findings = new ShownFindings();
  context.subscriptions.push(findings, FindingActions.register(findings));
  return new ChangeReviews({
    conversations,
    models,
    inline,
    findings,
    workspace,
    readGuard,
    trusted: permissions.trust.trusted,
    openInChat: (id) => panes.open(id),
    isShown: (conversation) => panes.isShown(conversation),
    log,
  });
}
