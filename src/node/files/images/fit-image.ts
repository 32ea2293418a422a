import { crc32 } from 'node:zlib';
import { assertNever } from '../../../domain/assert-never.js';
import { type ImageMimeType, MAX_IMAGE_BYTES } from '../../../domain/model/content.js';
import { MAX_IMAGE_SIDE, type ImageBytes, type ImageScaler } from '../../../domain/workspace/image.js';
import { imageTypeOf } from '../../../domain/model/image-type.js';

/** The most pixels on a side that a model takes at all. Source: Anthropic Messages API, "Vision". */
export const MAX_SENT_SIDE = 8_000;
/** The most pixels that are decoded to make an image smaller; each takes four bytes then. */
const MAX_DECODED_PIXELS = 64_000_000;

/** Width and height in pixels. */
interface ImageSize {
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

/**
 * Whether an image continues to its end: one that was cut off, or damaged where its format shows that, makes a model's API
 * refuse the whole conversation.
 */
export function isWholeImage(bytes: Uint8Array, type: ImageMimeType): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    return isWhole(buffer, type);
  } catch (error) {
    // It ends where it says that something follows.
    if (error instanceof RangeError) return false;
    throw error;
  }
}

function isWhole(buffer: Buffer, type: ImageMimeType): boolean {
  switch (type) {
    case 'image/png':
      return isWholePng(buffer);
    case 'image/jpeg':
      // Between the begin of the scan and the end-of-image marker lies the image; cameras add bytes after it.
      return buffer.lastIndexOf('\xff\xd9', undefined, 'latin1') > buffer.indexOf('\xff\xda', 0, 'latin1') && buffer.includes('\xff\xda', 0, 'latin1');
    case 'image/gif':
      return isWholeGif(buffer);
    case 'image/webp':
      return buffer.readUInt32LE(4) + 8 <= buffer.length + 1;
    default:
      return assertNever(type);
  }
}

/** Every chunk has its check sum, there is data, and the end is marked. */
function isWholePng(buffer: Buffer): boolean {
  let data = false;
  for (let at = 8; ;) {
    const end = at + 8 + buffer.readUInt32BE(at);
    if (buffer.readUInt32BE(end) !== crc32(buffer.subarray(at + 4, end))) return false;
    const chunk = buffer.toString('latin1', at + 4, at + 8);
    if (chunk === 'IEND') return data;
    data ||= chunk === 'IDAT';
    at = end + 4;
  }
}

/** Goes from block to block until the trailer; at least one must be an image. */
function isWholeGif(buffer: Buffer): boolean {
  let images = 0;
  for (let at = 13 + tableBytes(buffer.readUInt8(10)); ;) {
    const block = buffer.readUInt8(at);
    if (block === 0x3b) return images > 0;
    if (block !== 0x2c && block !== 0x21) return false;
    images += block === 0x2c ? 1 : 0;
    at = afterSubBlocks(buffer, block === 0x2c ? at + 11 + tableBytes(buffer.readUInt8(at + 9)) : at + 2);
  }
}

/** The size of the color table that a byte of flags announces. */
function tableBytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1);
}

function afterSubBlocks(buffer: Buffer, start: number): number {
  let at = start;
  for (let size = buffer.readUInt8(at); size > 0; size = buffer.readUInt8(at)) at += size + 1;
  return at + 1;
}

/** Result of preparing an image for a model. */
export type FittedImage =
  /** `scaledFrom` is the size that it had. */
  | { readonly type: 'fits'; readonly image: ImageBytes; readonly scaledFrom?: ImageSize }
  | { readonly type: 'large'; readonly size: ImageSize }
  /** It is broken, or cut off. */
  | { readonly type: 'broken' };

/** How {@link fitImage} makes an image smaller. */
export interface Fitting {
  readonly imageScaler: ImageScaler | undefined;
  readonly signal: AbortSignal;
}

/**
 * Makes sure that a model can take an image: one that it cannot would make the whole request fail. One that is
 * larger than it needs to be is made smaller where that is possible.
 */
export async function fitImage(image: ImageBytes, { imageScaler, signal }: Fitting): Promise<FittedImage> {
  const size = wholeSize(image);
  if (size === undefined) return { type: 'broken' };
  if (isTaken(image, size, MAX_IMAGE_SIDE)) return { type: 'fits', image };
  const scaled = size.width * size.height > MAX_DECODED_PIXELS ? undefined : await smaller(image, imageScaler, signal);
  if (scaled !== undefined) return { type: 'fits', image: scaled, scaledFrom: size };
  return isTaken(image, size, MAX_SENT_SIDE) ? { type: 'fits', image } : { type: 'large', size };
}

/** What a scaler gives is looked at like any other file. */
async function smaller(image: ImageBytes, imageScaler: ImageScaler | undefined, signal: AbortSignal): Promise<ImageBytes | undefined> {
  const data = await imageScaler?.smaller(image, signal);
  const mimeType = data === undefined ? undefined : imageTypeOf(data);
  if (data === undefined || mimeType === undefined) return undefined;
  const scaled = { data, mimeType };
  const size = wholeSize(scaled);
  return size !== undefined && isTaken(scaled, size, MAX_IMAGE_SIDE) ? scaled : undefined;
}

function wholeSize({ data, mimeType }: ImageBytes): ImageSize | undefined {
  return isWholeImage(data, mimeType) ? imageSizeOf(data, mimeType) : undefined;
}

function isTaken({ data }: ImageBytes, { width, height }: ImageSize, side: number): boolean {
  return base64Length(data) <= MAX_IMAGE_BYTES && Math.max(width, height) <= side;
}

/** The API measures images as they are sent, in base64, which takes a third more than the bytes. */
function base64Length(data: Uint8Array): number {
  return Math.ceil(data.length / 3) * 4;
}
