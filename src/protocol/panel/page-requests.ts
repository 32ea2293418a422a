import { MAX_ERROR_LENGTH, MAX_RAW_IMAGE_BYTES } from '../limits.js';
import { type Messages, bytes, count, exactly, id, optional, text, upTo } from '../shape.js';

/** The most items that may be asked for at once. */
const MAX_ITEMS = 100;

/** Messages of a page about its own state. */
export type PageRequest = Messages<typeof PAGE_REQUESTS>;

/** Its fields, by type. */
export const PAGE_REQUESTS = {
  /** The panel is ready. With `attached` it still has a copy up to that event. */
  ready: { attached: optional(exactly({ session: id, epoch: id, seq: count })) },
  /** All events up to `seq` are applied: back-pressure for the host. */
  ack: { seq: count },
  /** Some items of the transcript, from an index on. Answered with `items`. */
  load_items: { start: count, count: upTo(MAX_ITEMS) },
  /** An item by its id, with those that follow it. Answered with `items`, which says that it was sought. */
  find_item: { item: id },
  /** The answer to `scale_image`; without `data` the image could not be made smaller. */
  image_scaled: { request: count, data: optional(bytes(MAX_RAW_IMAGE_BYTES)) },
  /** The panel failed; goes to the log. */
  report_error: { message: text(MAX_ERROR_LENGTH) },
};
