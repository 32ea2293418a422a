import { isDemo } from '../../domain/demo.js';
import type { Log } from '../../domain/log.js';
import { modelKey } from '../../domain/model/model-key.js';
import { improveTitle, titleModel } from '../../engine/one-shot/improve-title.js';
import type { ModelRegistry } from '../../models/model-registry.js';
import type { Conversation } from '../conversation/conversation.js';
import type { SessionDesk } from './session-desk.js';

/** Dependencies of {@link followTitles}. */
export interface FollowTitleDeps {
  readonly models: ModelRegistry;
  readonly desk: SessionDesk;
  /** Whether the user wants titles by the model. */
  readonly wanted: () => boolean;
  readonly log: Log;
}

/** Has a model improve the title of a conversation, unless the user gave one. Returns what ends that. */
export function followTitles(conversation: Conversation, { models, desk, wanted, log }: FollowTitleDeps): () => void {
  const { session } = conversation;
  return improveTitle(session, {
    wanted: () => wanted() && conversation.titleBy === undefined,
    asked: async () => {
      if (isDemo(session.model)) return undefined;
      const known = models.entries().flatMap((entry) => entry.models);
      return models.choose(modelKey(titleModel(session.model, known)));
    },
    apply: (title) => {
      desk.entitle(conversation, title).catch((error: unknown) => log.error('A title could not be saved', error));
    },
    log,
  });
}
