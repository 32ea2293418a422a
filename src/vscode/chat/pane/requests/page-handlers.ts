import type { PageRequest } from '../../../../protocol/panel/page-requests.js';
import type { ChatPane } from '../chat-pane.js';
import type { PageScaler } from '../../composer/page-scaler.js';
import type { Handlers } from './handlers.js';

/** What is done when a page says something about itself. */
export function pageHandlers(pane: ChatPane, pictures: PageScaler): Handlers<Exclude<PageRequest, { type: 'ack' }>> {
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
