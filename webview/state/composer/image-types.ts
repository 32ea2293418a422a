import type { ImageMimeType } from '../../../src/domain/model/content.js';

const TYPES: Readonly<Record<ImageMimeType, true>> = { 'image/png': true, 'image/jpeg': true, 'image/gif': true, 'image/webp': true };

/** Types that a page shows as images. None of them can contain scripts. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(Object.keys(TYPES));
