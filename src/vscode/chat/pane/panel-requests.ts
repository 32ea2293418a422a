import type { ReviewActions } from '../../edits/create-review.js';
import type { ApplyCode } from '../code/apply-code.js';
import type { PaneActions } from './pane-actions.js';
import type { PageScaler } from '../composer/page-scaler.js';
import type { Panel } from './panel.js';
import { composerHandlers } from './requests/composer-handlers.js';
import type { Handlers, PanelRequest } from './requests/handlers.js';
import { reviewHandlers } from './requests/review-handlers.js';
import type { SessionActions } from './requests/session-handlers.js';
import { sessionHandlers } from './requests/session-handlers.js';
import { transcriptHandlers } from './requests/transcript-handlers.js';
import type { TurnDeps } from './requests/turn-handlers.js';
import { turnHandlers } from './requests/turn-handlers.js';
import type { PageRequest } from '../../../protocol/panel/page-requests.js';

/** Dependencies of {@link PanelRequests}. */
export interface RequestDeps extends TurnDeps {
  readonly pane: PaneActions;
  readonly review: ReviewActions;
  readonly applyCode: ApplyCode;
  readonly sessionActions: SessionActions;
  readonly pictures: PageScaler;
}

/** Carries out what a page asks for. */
export class PanelRequests {
  private readonly handlers: Handlers<PanelRequest>;

  constructor({ pane, review, applyCode, sessionActions, pictures, ...deps }: RequestDeps) {
    this.handlers = {
      ...pageHandlers(pane, pictures),
      ...composerHandlers(pane),
      ...sessionHandlers(pane, sessionActions),
      ...transcriptHandlers(pane, applyCode),
      ...turnHandlers(pane, deps),
      ...reviewHandlers(pane, review),
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

/** What is done when a page says something about itself. */
function pageHandlers(pane: PaneActions, pictures: PageScaler): Handlers<Exclude<PageRequest, { type: 'ack' }>> {
  return {
    ready: ({ attached }, panel) => {
      panel.attach(attached);
      pane.composer.postAll();
      pane.choices.postChoices();
      pane.theme.postColors();
      pane.sessions.greet();
    },
    load_items: ({ start, count }, panel) => panel.sendItems(start, count),
    find_item: ({ item }, panel) => panel.sendItem(item),
    picture_scaled: ({ request, data }) => pictures.answered(request, data),
    report_error: ({ message }) => pane.logPanelError(message),
  };
}
