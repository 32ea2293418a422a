import type { ImageMimeType } from '../../../src/domain/model/content.js';

const TYPES: Readonly<Record<ImageMimeType, true>> = { 'image/png': true, 'image/jpeg': true, 'image/gif': true, 'image/webp': true };

/** What a page shows as a picture. None of them can hold scripts. */
export const IMAGE_TYPES: ReadonlySet<string> = new Set(Object.keys(TYPES));
