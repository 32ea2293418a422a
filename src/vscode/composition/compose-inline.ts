import { t } from '../../domain/l10n.js';
import { AUTO } from '../../domain/model/model-choice.js';
import { modelKey } from '../../domain/model/model-key.js';
import { pickModel } from '../commands/pick-model.js';
import type { Panes } from '../../chat/pane/panes.js';
import type { Conversations } from '../../chat/conversation/conversations.js';
import type { ComposerServices } from '../../chat/composer/pane-composer.js';
import type { Host } from './host.js';
import { type EditModels, InlineEdits } from '../inline-edit/inline-edits.js';
import { StagedEdits } from '../inline-edit/staged-edits.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { Permissions } from '../../consent/create-permissions.js';
import type { Review } from '../edits/create-review.js';

/** Parts of the window that inline edits use, beside the host: conversations, review marks, and panes. */
export interface InlineDeps {
  readonly conversations: Conversations;
  readonly review: Review;
  readonly writing: ComposerServices;
  readonly permissions: Permissions;
  readonly panes: Panes;
  readonly models: ModelRegistry;
}

/** Builds inline edits. */
export function composeInline({ context, log, editPrompt }: Host, { conversations, review, writing, permissions, panes, models }: InlineDeps): InlineEdits {
  const { workspace, readGuard } = writing.mentions;
  const staged = new StagedEdits();
  const inline = new InlineEdits({
    conversations,
    review,
    workspace,
    readGuard,
    trusted: permissions.trust.trusted,
    panes,
    marks: review.marks,
    staged,
    log,
    prompt: editPrompt,
    models: modelsOf(models),
  });
  context.subscriptions.push(inline, staged);
  return inline;
}

function modelsOf(models: ModelRegistry): EditModels {
  return {
    label: async (key) => {
      const { choice, model } = await models.choose(key);
      return choice.type === AUTO ? t('Auto') : model.label;
    },
    pick: async (current) => pickModel(models, modelKey((await models.choose(current)).model), t('Select a model for inline edits in this window')),
  };
}
