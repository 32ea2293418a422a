import type { ImageMimeType } from '../../domain/model/content.js';
import type { HostChecks } from './fields.js';
import { hasTexts, isCount } from './fields.js';

/** What a page is asked to do for the host. */
export type PictureMessage =
  /** Makes a picture smaller. Answered with `picture_scaled`, which names the request. */
  { readonly type: 'scale_picture'; readonly request: number; readonly mimeType: ImageMimeType; readonly data: Uint8Array };

/** How they are checked on arrival. */
export const PICTURE_CHECKS: HostChecks<PictureMessage> = {
  scale_picture: (message) => isCount(message['request']) && hasTexts(message, ['mimeType']) && message['data'] instanceof Uint8Array,
};
