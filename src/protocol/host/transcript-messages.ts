import { type CodeColors, CODE_KINDS } from '../code-kinds.js';
import { type Messages, type Of, anyBytes, anyText, count, fields, flag, known, listOf, optional } from '../shape.js';

const foundPlace = fields({
  item: anyText,
  /** Index of the part of an answer that it is in; absent for other items. */
  block: optional(count),
  /** Number of occurrences. */
  count,
});
/** A place in the conversation where a text was found. */
export type FoundPlace = Of<typeof foundPlace>;

const loadedImage = fields({ mimeType: anyText, data: anyBytes });
/** An image as it crosses to a page, which says so when it cannot show its type. */
export type LoadedImage = Of<typeof loadedImage>;

/** Messages to a page about the transcript that it shows. */
export type TranscriptMessage = Messages<typeof TRANSCRIPT_MESSAGES>;

/** Its fields, by type. */
export const TRANSCRIPT_MESSAGES = {
  /** Of the paths `asked`, those `found` are files of the workspace. */
  files: { asked: listOf(anyText), found: listOf(anyText) },
  /** The colors that the user's theme gives to code. */
  code_colors: { colors: known<CodeColors>(Object.fromEntries(CODE_KINDS.map((kind) => [kind, optional(isColor)]))) },
  /** A diff editor shows the whole proposed file of a call. */
  proposal_shown: { session: anyText, call: anyText },
  /** A message is in the clipboard. */
  copied: { item: anyText },
  /** The answer to `load_image`; without `image`, it is missing or cannot be shown. */
  image: { session: anyText, item: anyText, call: optional(anyText), index: count, image: optional(loadedImage) },
  /** The answer to `find_text`. `total` counts all; `more` says that not all places are named. */
  found: { session: anyText, request: count, places: listOf(foundPlace), total: count, more: flag },
};

function isColor(value: unknown): value is string {
  return typeof value === 'string' && /^#(?:[\da-f]{6}|[\da-f]{8})$/i.test(value);
}
