import type { ImageBlock } from './content.js';

/**
 * Limit for the estimated tokens of an image: they grow with its pixels, but models scale large images down.
 * Source: Anthropic, "Vision": about 1,600 tokens at most.
 */
const MAX_IMAGE_TOKENS = 1_600;
const MIN_IMAGE_TOKENS = 100;
const IMAGE_BYTES_PER_TOKEN = 100;

/** Roughly the tokens of an image. */
export function imageTokens({ data }: ImageBlock): number {
  return Math.min(MAX_IMAGE_TOKENS, MIN_IMAGE_TOKENS + Math.ceil(data.length / IMAGE_BYTES_PER_TOKEN));
}
