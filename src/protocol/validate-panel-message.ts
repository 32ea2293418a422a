import type { PanelMessage } from './messages.js';
import { COMPOSER_REQUESTS } from './panel/composer-requests.js';
import { CONFIGURATION_REQUESTS } from './panel/configuration-requests.js';
import { PAGE_REQUESTS } from './panel/page-requests.js';
import { SERVER_REQUESTS } from './panel/server-requests.js';
import { REVIEW_REQUESTS, SESSION_REQUESTS } from './panel/session-requests.js';
import { TRANSCRIPT_REQUESTS } from './panel/transcript-requests.js';
import { TURN_REQUESTS } from './panel/turn-requests.js';
import { exactly, messageOf } from './shape.js';

const isPanelMessage = messageOf(exactly, {
  ...PAGE_REQUESTS,
  ...COMPOSER_REQUESTS,
  ...SESSION_REQUESTS,
  ...TRANSCRIPT_REQUESTS,
  ...REVIEW_REQUESTS,
  ...TURN_REQUESTS,
  ...SERVER_REQUESTS,
  ...CONFIGURATION_REQUESTS,
});

/**
 * Checks what a panel posted, field by field. The page shows text that anyone may have written, so nothing in it is
 * trusted: an unknown type, a missing, additional or wrongly typed field, or one over its limit makes it `undefined`.
 * Never throws for data that crossed a message channel.
 */
export function validatePanelMessage(raw: unknown): PanelMessage | undefined {
  return isPanelMessage(raw) ? raw : undefined;
}
