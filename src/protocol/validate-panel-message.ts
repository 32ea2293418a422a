import type { PanelMessage } from './messages.js';
import { COMPOSER_SHAPES } from './panel/composer-requests.js';
import { PAGE_SHAPES } from './panel/page-requests.js';
import { REVIEW_SHAPES } from './panel/review-requests.js';
import { SESSION_SHAPES } from './panel/session-requests.js';
import type { Shapes } from './panel/shape.js';
import { isPlainObject, matches } from './panel/shape.js';
import { TRANSCRIPT_SHAPES } from './panel/transcript-requests.js';
import { TURN_SHAPES } from './panel/turn-requests.js';

const SHAPES: Shapes<PanelMessage> = {
  ...PAGE_SHAPES,
  ...COMPOSER_SHAPES,
  ...SESSION_SHAPES,
  ...TRANSCRIPT_SHAPES,
  ...REVIEW_SHAPES,
  ...TURN_SHAPES,
};

/**
 * Checks what a panel posted, field by field. The page shows text that anyone may have written, so nothing in it is
 * trusted: an unknown type, a missing, additional or wrongly typed field, or one over its limit makes it `undefined`.
 * Never throws for data that crossed a message channel.
 */
export function validatePanelMessage(raw: unknown): PanelMessage | undefined {
  return isPanelMessage(raw) ? raw : undefined;
}

function isPanelMessage(raw: unknown): raw is PanelMessage {
  if (!isPlainObject(raw)) return false;
  const type = raw['type'];
  if (typeof type !== 'string' || !isType(type)) return false;
  return matches(raw, { type: () => true, ...SHAPES[type] });
}

function isType(type: string): type is PanelMessage['type'] {
  return Object.hasOwn(SHAPES, type);
}
