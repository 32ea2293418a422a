import { assertNever } from '../../../domain/assert-never.js';
import type { ImageMimeType } from '../../../domain/model/content.js';

/** Width and height in pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/**
 * The size that an image states in its header; `undefined` when it is cut off or broken there.
 * Sources: PNG specification (IHDR), GIF89a (logical screen), JPEG (ITU T.81, frame header), WebP container specification.
 */
export function imageSizeOf(bytes: Uint8Array, type: ImageMimeType): ImageSize | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return sizeIn(buffer, type);
  } catch (error) {
    // The header ends before the size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function sizeIn(buffer: Buffer, type: ImageMimeType): ImageSize | undefined {
  switch (type) {
    case 'image/png':
      return buffer.toString('latin1', 12, 16) === 'IHDR' ? positive(buffer.readUInt32BE(16), buffer.readUInt32BE(20)) : undefined;
    case 'image/gif':
      return positive(buffer.readUInt16LE(6), buffer.readUInt16LE(8));
    case 'image/jpeg':
      return jpegSize(buffer);
    case 'image/webp':
      return webpSize(buffer);
    default:
      return assertNever(type);
  }
}

/** Goes from segment to segment until the one that begins the frame. */
function jpegSize(buffer: Buffer): ImageSize | undefined {
  for (let at = 2; buffer.readUInt8(at) === 0xff; at += 2 + buffer.readUInt16BE(at + 2)) {
    while (buffer.readUInt8(at + 1) === 0xff) at += 1;
    const marker = buffer.readUInt8(at + 1);
    // SOF0–SOF15 but for DHT, JPG and DAC, which lie among them.
    const frame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (frame) return positive(buffer.readUInt16BE(at + 7), buffer.readUInt16BE(at + 5));
  }
  return undefined;
}

function webpSize(buffer: Buffer): ImageSize | undefined {
  switch (buffer.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return positive(buffer.readUInt16LE(26) & 0x3fff, buffer.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = buffer.readUInt32LE(21);
      return positive((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return positive(buffer.readUIntLE(24, 3) + 1, buffer.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}

function positive(width: number, height: number): ImageSize | undefined {
  return width > 0 && height > 0 ? { width, height } : undefined;
}
