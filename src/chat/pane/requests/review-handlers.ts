import { t } from '../../../domain/l10n.js';
import type { ReviewRequest } from '../../../protocol/panel/session-requests.js';
import type { ReviewActions } from '../../ports.js';
import type { Conversation } from '../../conversation/conversation.js';
import { messageIndexOf } from '../../projection/item-ids.js';
import type { PaneActions } from '../pane-actions.js';
import type { Handlers } from './handlers.js';

/** Handlers for the changes that a conversation shows. */
export function reviewHandlers(pane: PaneActions, actions: ReviewActions): Handlers<ReviewRequest> {
  return {
    review_file: async ({ action, path, author }) => {
      // A page names only what it was shown.
      if (!changedPaths(pane.current, author).includes(path)) return;
      await (action === 'show' ? actions.show(path) : actions[action]([path], author));
    },
    review_all: ({ action, author }) => actions[action === 'show' ? 'compare' : action](changedPaths(pane.current, author), author),
    restore_files: (message) => restore(message, pane, actions),
    show_proposal: async ({ callId }) => {
      const { current } = pane;
      if (await current.showProposal(callId)) pane.panels.post({ type: 'proposal_shown', session: current.id, call: callId });
    },
  };
}

/** @param author whose changes are meant; absent: all */
function changedPaths({ view }: Conversation, author: string | undefined): readonly string[] {
  const files = view.state.changes;
  return (author === undefined ? files : files.filter(({ authors = [{ id: '' }] }) => authors.some(({ id }) => id === author))).map(({ path }) => path);
}

async function restore({ item, rewind }: Extract<ReviewRequest, { type: 'restore_files' }>, pane: PaneActions, actions: ReviewActions): Promise<void> {
  const conversation = pane.current;
  if (conversation.busy) throw new Error(t('Gnomon is still working. Wait until it finishes, or stop it, before restoring files.'));
  const index = messageIndexOf(item);
  if (index === undefined) return;
  const done = await actions.restore(conversation.id, index);
  // The user may have gone to another conversation while they were asked.
  if (done && rewind && pane.current === conversation) await pane.rewind(index);
}
