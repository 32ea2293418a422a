import type { ImageBlock } from '../model/content.js';

/** The bytes of a picture, and of which kind they are. */
export type Picture = Pick<ImageBlock, 'data' | 'mimeType'>;

/**
 * The longest side of a picture that every request takes, in pixels: with more than 20 pictures in it the API refuses larger ones. Source: Anthropic Messages
 * API, "Vision".
 */
export const MAX_PICTURE_SIDE = 2_000;

/** Makes pictures smaller. */
export interface PictureScaler {
  /**
   * The picture with at most {@link MAX_PICTURE_SIDE} pixels on a side.
   * @returns `undefined` where that cannot be done now. What comes back is not checked yet.
   * @throws AbortError
   */
  smaller(picture: Picture, signal: AbortSignal): Promise<Picture['data'] | undefined>;
}
