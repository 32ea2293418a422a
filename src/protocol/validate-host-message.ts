import { COMPOSER_MESSAGES, IMAGE_MESSAGES } from './host/composer-messages.js';
import { CONFIGURATION_MESSAGES } from './host/configuration-messages.js';
import { SERVER_MESSAGES } from './host/server-messages.js';
import { SESSION_MESSAGES } from './host/session-messages.js';
import { TRANSCRIPT_MESSAGES } from './host/transcript-messages.js';
import { VIEW_MESSAGES } from './host/view-messages.js';
import type { HostMessage } from './messages.js';
import { fields, messageOf } from './shape.js';

const isHostMessage = messageOf(fields, {
  ...VIEW_MESSAGES,
  ...COMPOSER_MESSAGES,
  ...SESSION_MESSAGES,
  ...TRANSCRIPT_MESSAGES,
  ...IMAGE_MESSAGES,
  ...SERVER_MESSAGES,
  ...CONFIGURATION_MESSAGES,
});

/**
 * Checks what arrived in a panel: enough that no code after it can fail on a missing field, cheap enough for every
 * batch (constant work per event, nothing of a text is read). `undefined` for anything that is not of the protocol.
 */
export function validateHostMessage(raw: unknown): HostMessage | undefined {
  if (!isHostMessage(raw)) return undefined;
  // The items of a snapshot are the end of the transcript that its window names.
  if (raw.type === 'snapshot' && raw.window !== undefined && raw.window.start + raw.state.items.length !== raw.window.total) return undefined;
  return raw;
}
