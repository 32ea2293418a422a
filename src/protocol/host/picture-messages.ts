import { IMAGE_MIME_TYPES } from '../../domain/model/content.js';
import type { Messages } from '../shape.js';
import { anyBytes, count, oneOf } from '../shape.js';

/** What a page is asked to do for the host. */
export type PictureMessage = Messages<typeof PICTURE_MESSAGES>;

/** Its fields, by type. */
export const PICTURE_MESSAGES = {
  /** Makes a picture smaller. Answered with `picture_scaled`, which names the request. */
  scale_picture: { request: count, mimeType: oneOf(IMAGE_MIME_TYPES), data: anyBytes },
};
