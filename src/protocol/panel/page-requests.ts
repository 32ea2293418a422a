import { MAX_ERROR_LENGTH, MAX_PICTURE_BYTES } from '../limits.js';
import type { Shapes } from './shape.js';
import { bytes, count, id, object, optional, text } from './shape.js';

/** The most items that may be asked for at once. */
const MAX_ITEMS = 100;

/** What a page says about itself. */
export type PageRequest =
  /** The panel is there. With `attached` it still holds a copy up to that event. */
  | { readonly type: 'ready'; readonly attached?: { readonly session: string; readonly epoch: string; readonly seq: number } }
  /** All events up to `seq` are applied: back-pressure for the host. */
  | { readonly type: 'ack'; readonly seq: number }
  /** Some items of the transcript, from an index on. Answered with `items`. */
  | { readonly type: 'load_items'; readonly start: number; readonly count: number }
  /** An item by its id, with those that follow it. Answered with `items`, which says that it was sought. */
  | { readonly type: 'find_item'; readonly item: string }
  /** The answer to `scale_picture`; without `data` the picture could not be made smaller. */
  | { readonly type: 'picture_scaled'; readonly request: number; readonly data?: Uint8Array }
  /** The panel failed; goes to the log. */
  | { readonly type: 'report_error'; readonly message: string };

/** Their fields. */
export const PAGE_SHAPES: Shapes<PageRequest> = {
  ready: { attached: optional(object({ session: id, epoch: id, seq: count })) },
  ack: { seq: count },
  load_items: { start: count, count: (value) => count(value) && typeof value === 'number' && value <= MAX_ITEMS },
  find_item: { item: id },
  picture_scaled: { request: count, data: optional(bytes(MAX_PICTURE_BYTES)) },
  report_error: { message: text(MAX_ERROR_LENGTH) },
};
