import { t } from '../../../../domain/l10n.js';
import type { ReviewRequest } from '../../../../protocol/panel/review-requests.js';
import type { ApplyCode } from '../../code/apply-code.js';
import type { PaneActions } from '../pane-actions.js';
import type { Conversation } from '../../conversation/conversation.js';
import { messageIndexOf } from '../../projection/item-ids.js';
import type { Handlers } from './handlers.js';

/** Keeps, undoes and shows changes. */
export interface ReviewActions {
  keep(paths: readonly string[]): Promise<void>;
  /** Takes changes back; asks first when there are several files. */
  undo(paths: readonly string[]): Promise<void>;
  /** Opens files beside what they were. */
  show(paths: readonly string[]): Promise<void>;
  /** Brings the files of a session back to before a message. Resolves to whether that was done, or called off. */
  restore(sessionId: string, messageIndex: number): Promise<boolean>;
  /** Puts code of an answer into a file. */
  readonly apply: ApplyCode;
}

/** What is done about the changes that a conversation shows. */
export function reviewHandlers(pane: PaneActions, actions: ReviewActions): Handlers<ReviewRequest> {
  return {
    review_file: async ({ action, path }) => {
      // A page names only what it was shown.
      if (changedPaths(pane.current).includes(path)) await actions[action]([path]);
    },
    review_all: ({ action }) => actions[action](changedPaths(pane.current)),
    restore_files: (message) => restore(message, pane, actions),
    show_proposal: ({ callId }) => pane.current.showProposal(callId),
  };
}

function changedPaths({ view }: Conversation): readonly string[] {
  return view.state.changes.map(({ path }) => path);
}

async function restore({ item, rewind }: Extract<ReviewRequest, { type: 'restore_files' }>, pane: PaneActions, actions: ReviewActions): Promise<void> {
  const conversation = pane.current;
  if (conversation.running) throw new Error(t('Gnomon is still at work. Wait until it has finished, or stop it, before files are restored.'));
  const index = messageIndexOf(item);
  if (index === undefined) return;
  const done = await actions.restore(conversation.id, index);
  // The person may have gone to another conversation while they were asked.
  if (done && rewind && pane.current === conversation) await pane.rewind(index);
}
