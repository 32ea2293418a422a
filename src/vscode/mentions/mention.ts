import type { SpecialMention } from '../../protocol/mention-syntax.js';
import type { LineRange } from '../../text/text-edit.js';

/** Something that a user named with an `@`. */
export type Mention =
  /** A file, or a folder. `sure` when nothing else can be meant, so that a missing one is worth telling. */
  | { readonly kind: 'path'; readonly path: string; readonly lines?: LineRange; readonly sure: boolean }
  | { readonly kind: 'symbol'; readonly name: string }
  | { readonly kind: 'url'; readonly url: string }
  /** With `path`, only what is about that file or folder, or those lines of it. */
  | { readonly kind: SpecialMention; readonly path?: string; readonly lines?: LineRange };
