import { COMPOSER_CHECKS } from './host/composer-messages.js';
import type { HostChecks } from './host/fields.js';
import { isFields } from './host/fields.js';
import { PICTURE_CHECKS } from './host/picture-messages.js';
import { SESSION_CHECKS } from './host/session-messages.js';
import { TRANSCRIPT_CHECKS } from './host/transcript-messages.js';
import { VIEW_CHECKS } from './host/view-messages.js';
import type { HostMessage } from './messages.js';

const CHECKS: HostChecks<HostMessage> = { ...VIEW_CHECKS, ...COMPOSER_CHECKS, ...SESSION_CHECKS, ...TRANSCRIPT_CHECKS, ...PICTURE_CHECKS };

/**
 * Checks what arrived in a panel: enough that no code after it can fail on a missing field, cheap enough for every
 * batch (constant work per event, nothing of a text is read). `undefined` for anything that is not of the protocol.
 */
export function validateHostMessage(raw: unknown): HostMessage | undefined {
  return isHostMessage(raw) ? raw : undefined;
}

function isHostMessage(raw: unknown): raw is HostMessage {
  if (!isFields(raw)) return false;
  const type = raw['type'];
  return typeof type === 'string' && isType(type) && CHECKS[type](raw);
}

function isType(type: string): type is HostMessage['type'] {
  return Object.hasOwn(CHECKS, type);
}
