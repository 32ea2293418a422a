import { errorMessage } from '../../../../domain/errors.js';
import type { ComposerRequest } from '../../../../protocol/panel/composer-requests.js';
import type { PaneActions } from '../pane-actions.js';
import type { PaneComposer } from '../../composer/pane-composer.js';
import type { Panel } from '../panel.js';
import type { Handlers } from './handlers.js';

/** What is done at the wishes of who writes. */
export function composerHandlers(pane: PaneActions): Handlers<ComposerRequest> {
  const { composer } = pane;
  return {
    send: (message, panel) => send(composer, message, panel),
    pick_attachments: () => composer.pick(),
    attach_picture: ({ name, data }) => composer.paste(name, data),
    attach_files: ({ uris }) => composer.drop(uris),
    remove_attachment: ({ id }) => composer.remove(id),
    load_picture: ({ id }, panel) => sendPicture(composer, id, panel),
    save_draft: ({ session, text, at }) => composer.save(session, text, at),
    find_mentions: async ({ request, query }, panel) => {
      const offers = await composer.find(query);
      if (offers !== undefined) panel.post({ type: 'mentions', request, offers });
    },
    list_said: ({ request }, panel) => panel.post({ type: 'said', request, texts: composer.said() }),
    include_selection: ({ on }) => composer.include(on),
    ...queueHandlers(pane),
  };
}

type QueueRequest = Extract<ComposerRequest, { type: `queue_${string}` }>;

function queueHandlers(pane: PaneActions): Handlers<QueueRequest> {
  const { composer } = pane;
  return {
    queue_edit: ({ id }, panel) => {
      const text = composer.edit(id);
      if (text !== undefined) panel.post({ type: 'compose', session: pane.current.id, text });
    },
    queue_remove: ({ id }) => void composer.draft.outbox.take(id),
    queue_move: ({ id, to }) => composer.draft.outbox.move(id, to),
    queue_send: ({ id }) => composer.draft.outbox.sendNow(id),
  };
}

function sendPicture({ draft }: PaneComposer, id: string, panel: Panel): void {
  const picture = draft.attachments.picture(id);
  // A part of a larger buffer would cross as all of it.
  if (picture !== undefined) panel.post({ type: 'picture', id, mimeType: picture.mimeType, data: new Uint8Array(picture.data) });
}

async function send(composer: PaneComposer, message: Extract<ComposerRequest, { type: 'send' }>, panel: Panel): Promise<void> {
  const { sendId } = message;
  try {
    await composer.send(message);
  } catch (error) {
    panel.post({ type: 'rejected', sendId, reason: errorMessage(error) });
    return;
  }
  panel.post({ type: 'accepted', sendId });
}
