import type { PageWindow, ReviewActions } from '../ports.js';
import type { StoredSessions } from '../sessions/stored-sessions.js';
import type { WindowServers } from '../servers/window-servers.js';
import type { PaneActions } from './pane-actions.js';
import type { PageScaler } from '../composer/page-scaler.js';
import type { Panel } from './panel.js';
import type { Handlers, PanelRequest } from './requests/handlers.js';
import { configurationHandlers } from './requests/configuration-handlers.js';
import { formHandlers } from './requests/form-handlers.js';
import { reviewHandlers } from './requests/review-handlers.js';
import { serverHandlers } from './requests/server-handlers.js';
import { type SessionActions, sessionHandlers } from './requests/session-handlers.js';
import { type Includes, transcriptHandlers } from './requests/transcript-handlers.js';
import { type TurnDeps, turnHandlers } from './requests/turn-handlers.js';
import type { PageRequest } from '../../protocol/panel/page-requests.js';
import type { ComposerRequest } from '../../protocol/panel/composer-requests.js';
import type { PaneComposer } from '../composer/pane-composer.js';

/** Services that the requests of the panel use: sessions, servers, review, images, and the VS Code window. */
export interface RequestDeps extends TurnDeps {
  readonly pane: PaneActions;
  readonly servers: WindowServers;
  readonly review: ReviewActions;
  readonly window: PageWindow;
  readonly desk: StoredSessions;
  readonly sessionActions: SessionActions;
  readonly imageScaler: PageScaler;
  readonly includes: Includes;
}

/** Carries out what a page asks for. */
export class PanelRequests {
  private readonly handlers: Handlers<PanelRequest>;

  constructor({ pane, servers, review, window, desk, sessionActions, imageScaler, includes, ...deps }: RequestDeps) {
    this.handlers = {
      ...pageHandlers(pane, imageScaler),
      ...composerHandlers(pane, servers),
      ...sessionHandlers(pane, desk, sessionActions),
      ...transcriptHandlers(pane, window, includes),
      ...turnHandlers(pane, deps),
      ...reviewHandlers(pane, review),
      ...serverHandlers(pane, servers),
      ...configurationHandlers(pane),
    };
  }

  /** Carries out one request. Rejects when that fails. */
  async handle(panel: Panel, message: PanelRequest): Promise<void> {
    await this.run(message.type, message, panel);
  }

  private run<Type extends PanelRequest['type']>(type: Type, message: Extract<PanelRequest, { readonly type: Type }>, panel: Panel): void | Promise<void> {
    return this.handlers[type](message, panel);
  }
}

/** Handlers for messages of a page about its own state. */
function pageHandlers(pane: PaneActions, imageScaler: PageScaler): Handlers<Exclude<PageRequest, { type: 'ack' }>> {
  return {
    ready: async ({ attached }, panel) => {
      pane.panels.attach(panel, attached);
      pane.composer.postAll();
      pane.choices.postChoices();
      pane.theme.postColors();
      pane.sessions.greet();
      pane.servers.greet();
      await pane.configuration.greet();
    },
    load_items: ({ start, count }, panel) => panel.sendItems(start, count),
    find_item: ({ item }, panel) => panel.sendItem(item),
    image_scaled: ({ request, data }) => imageScaler.answered(request, data),
    report_error: ({ message }) => pane.logPanelError(message),
  };
}

/** The handlers of the composer. */
function composerHandlers(pane: PaneActions, servers: WindowServers): Handlers<ComposerRequest> {
  const { composer } = pane;
  return {
    ...formHandlers(pane),
    pick_attachments: () => composer.pick(),
    attach_image: ({ name, data }) => composer.paste(name, data),
    attach_text: ({ name, text }) => composer.pasteText(name, text),
    attach_files: ({ uris }) => composer.drop(uris),
    remove_attachment: ({ id }) => composer.remove(id),
    load_attached_image: ({ id }, panel) => sendImage(composer, id, panel),
    save_draft: ({ session, text, at }) => {
      // While the user writes, servers have the time to start.
      if (text.trim() !== '') servers.parts.all.want();
      return composer.save(session, text, at);
    },
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

function sendImage({ draft }: PaneComposer, id: string, panel: Panel): void {
  const image = draft.attachments.image(id);
  // A part of a larger buffer would cross as all of it.
  if (image !== undefined) panel.post({ type: 'attached_image', id, mimeType: image.mimeType, data: new Uint8Array(image.data) });
}
