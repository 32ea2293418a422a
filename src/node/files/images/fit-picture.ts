import { MAX_IMAGE_BYTES } from '../../../domain/model/content.js';
import { type Picture, type PictureScaler, MAX_PICTURE_SIDE } from '../../../domain/workspace/picture.js';
import { type ImageSize, imageSizeOf, isWholeImage } from './image-bytes.js';
import { imageTypeOf } from '../../../domain/model/image-type.js';

/** The most pixels on a side that a model takes at all. Source: Anthropic Messages API, "Vision". */
export const MAX_SENT_SIDE = 8_000;
/** The most pixels that are decoded to make a picture smaller; each takes four bytes then. */
const MAX_DECODED_PIXELS = 64_000_000;

/** What became of a picture that is to go to a model. */
export type FittedPicture =
  /** `scaledFrom` is the size that it had. */
  | { readonly type: 'fits'; readonly picture: Picture; readonly scaledFrom?: ImageSize }
  | { readonly type: 'large'; readonly size: ImageSize }
  /** It is broken, or cut off. */
  | { readonly type: 'broken' };

/** How {@link fitPicture} makes a picture smaller. */
export interface Fitting {
  readonly pictures: PictureScaler | undefined;
  readonly signal: AbortSignal;
}

/**
 * Makes sure that a model can take a picture: one that it cannot would make the whole request fail. One that is
 * larger than it needs to be is made smaller where that is possible.
 */
export async function fitPicture(picture: Picture, { pictures, signal }: Fitting): Promise<FittedPicture> {
  const size = wholeSize(picture);
  if (size === undefined) return { type: 'broken' };
  if (isTaken(picture, size, MAX_PICTURE_SIDE)) return { type: 'fits', picture };
  const scaled = size.width * size.height > MAX_DECODED_PIXELS ? undefined : await smaller(picture, pictures, signal);
  if (scaled !== undefined) return { type: 'fits', picture: scaled, scaledFrom: size };
  return isTaken(picture, size, MAX_SENT_SIDE) ? { type: 'fits', picture } : { type: 'large', size };
}

/** What a scaler gives is looked at like any other file. */
async function smaller(picture: Picture, pictures: PictureScaler | undefined, signal: AbortSignal): Promise<Picture | undefined> {
  const data = await pictures?.smaller(picture, signal);
  const mimeType = data === undefined ? undefined : imageTypeOf(data);
  if (data === undefined || mimeType === undefined) return undefined;
  const scaled = { data, mimeType };
  const size = wholeSize(scaled);
  return size !== undefined && isTaken(scaled, size, MAX_PICTURE_SIDE) ? scaled : undefined;
}

function wholeSize({ data, mimeType }: Picture): ImageSize | undefined {
  return isWholeImage(data, mimeType) ? imageSizeOf(data, mimeType) : undefined;
}

function isTaken({ data }: Picture, { width, height }: ImageSize, side: number): boolean {
  return base64Length(data) <= MAX_IMAGE_BYTES && Math.max(width, height) <= side;
}

/** The API measures pictures as they are sent, in base64, which takes a third more than the bytes. */
function base64Length(data: Uint8Array): number {
  return Math.ceil(data.length / 3) * 4;
}
