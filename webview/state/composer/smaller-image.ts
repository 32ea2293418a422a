import type { ImageMessage } from '../../../src/protocol/host/composer-messages.js';
import { MAX_RAW_IMAGE_BYTES, MAX_IMAGE_SIDE } from '../../../src/protocol/limits.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';

/** Encodings of an image: the second one where the first result is too large. Screenshots stay sharp as PNG, photos do not fit so. */
const WAYS: Readonly<Record<string, readonly ImageEncodeOptions[]>> = {
  'image/jpeg': [
    { type: 'image/jpeg', quality: 0.9 },
    { type: 'image/jpeg', quality: 0.7 },
  ],
  'image/webp': [
    { type: 'image/webp', quality: 0.9 },
    { type: 'image/webp', quality: 0.7 },
  ],
};
const SHARP: readonly ImageEncodeOptions[] = [{ type: 'image/png' }, { type: 'image/webp', quality: 0.9 }];

/** An image with no more pixels and bytes than models take; itself when it has no more. `undefined` for what is not to be decoded. */
export async function smallerImage(image: Blob): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(image).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  try {
    const scale = Math.min(1, MAX_IMAGE_SIDE / Math.max(bitmap.width, bitmap.height));
    if (scale === 1 && image.size <= MAX_RAW_IMAGE_BYTES) return image;
    return await written(drawn(bitmap, scale), image.type);
  } finally {
    bitmap.close();
  }
}

/** Answers the host, which has no means of its own to decode images. */
export async function scaleImage({ request, mimeType, data }: ImageMessage, post: (message: PanelMessage) => void): Promise<void> {
  const scaled = await smallerImage(new Blob([new Uint8Array(data)], { type: mimeType }));
  post({ type: 'image_scaled', request, ...(scaled === undefined ? {} : { data: new Uint8Array(await scaled.arrayBuffer()) }) });
}

function drawn(bitmap: ImageBitmap, scale: number): OffscreenCanvas {
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(bitmap.width * scale)), Math.max(1, Math.round(bitmap.height * scale)));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The page cannot draw an image.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

async function written(canvas: OffscreenCanvas, type: string): Promise<Blob | undefined> {
  for (const way of WAYS[type] ?? SHARP) {
    const blob = await canvas.convertToBlob(way);
    if (blob.size <= MAX_RAW_IMAGE_BYTES) return blob;
  }
  return undefined;
}
