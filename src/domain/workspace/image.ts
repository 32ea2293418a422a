import type { ImageBlock } from '../model/content.js';

/** The bytes of an image, and of which kind they are. */
export type ImageBytes = Pick<ImageBlock, 'data' | 'mimeType'>;

/**
 * The longest side of an image that every request takes, in pixels: with more than 20 images in it the API refuses larger ones. Source: Anthropic Messages
 * API, "Vision".
 */
export const MAX_IMAGE_SIDE = 2_000;

/** Makes images smaller. */
export interface ImageScaler {
  /**
   * The image with at most {@link MAX_IMAGE_SIDE} pixels on a side.
   * @returns `undefined` where that cannot be done now. What comes back is not checked yet.
   * @throws AbortError
   */
  smaller(image: ImageBytes, signal: AbortSignal): Promise<ImageBytes['data'] | undefined>;
}
