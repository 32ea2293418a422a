import type { ImageMimeType } from '../../domain/model/content.js';
import type { CodeColors } from '../code-kinds.js';
import { CODE_KINDS } from '../code-kinds.js';
import type { Fields, HostChecks } from './fields.js';
import { hasTexts, isCount, isFields, isListOf } from './fields.js';

/** A place in the conversation where a text was found. */
export interface FoundPlace {
  readonly item: string;
  /** Which part of an answer it is in; absent for other items. */
  readonly block?: number;
  /** How often it is there. */
  readonly count: number;
}

/** A picture as it crosses to a page. */
export interface LoadedImage {
  readonly mimeType: ImageMimeType;
  readonly data: Uint8Array;
}

/** What a page is told about the messages that it shows. */
export type TranscriptMessage =
  /** Of the paths `asked`, those `found` are files of the workspace. */
  | { readonly type: 'files'; readonly asked: readonly string[]; readonly found: readonly string[] }
  /** The colours that the person's theme gives to code. */
  | { readonly type: 'code_colors'; readonly colors: CodeColors }
  /** A message is in the clipboard. */
  | { readonly type: 'copied'; readonly item: string }
  /** The answer to `load_image`; without `image` there is none, or none that can be shown. */
  | { readonly type: 'image'; readonly session: string; readonly item: string; readonly call?: string; readonly index: number; readonly image?: LoadedImage }
  /** The answer to `find_text`. `total` counts all; `more` says that not all places are named. */
  | {
      readonly type: 'found';
      readonly session: string;
      readonly request: number;
      readonly places: readonly FoundPlace[];
      readonly total: number;
      readonly more: boolean;
    };

/** How they are checked on arrival. */
export const TRANSCRIPT_CHECKS: HostChecks<TranscriptMessage> = {
  files: ({ asked, found }) => isTexts(asked) && isTexts(found),
  code_colors: ({ colors }) => isFields(colors) && CODE_KINDS.every((kind) => colors[kind] === undefined || isColor(colors[kind])),
  copied: (message) => hasTexts(message, ['item']),
  image: (message) => hasTexts(message, ['session', 'item']) && isCount(message['index']) && (message['image'] === undefined || isImage(message['image'])),
  found: (message) =>
    hasTexts(message, ['session']) && isCount(message['request']) && isCount(message['total']) && typeof message['more'] === 'boolean' && isListOf(message['places'], isPlace),
};

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function isColor(value: unknown): boolean {
  return typeof value === 'string' && /^#(?:[\da-f]{6}|[\da-f]{8})$/i.test(value);
}

function isPlace(place: Fields): boolean {
  return hasTexts(place, ['item']) && isCount(place['count']);
}

function isImage(image: unknown): boolean {
  return isListOf([image], (fields) => hasTexts(fields, ['mimeType']) && fields['data'] instanceof Uint8Array);
}
