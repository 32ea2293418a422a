import { MAX_PATH_LENGTH, MAX_PICTURE_BYTES, MAX_SEND_LENGTH } from '../limits.js';
import type { Shapes } from './shape.js';
import { bytes, count, flag, id, listOf, oneOf, text } from './shape.js';

const MAX_ATTACHMENTS = 100;
const MAX_QUERY_LENGTH = 1_000;
const MAX_NAME_LENGTH = 1_000;

/** What a page asks for from where the person writes. */
export type ComposerRequest =
  /** Says something, or queues it while a turn runs. */
  | { readonly type: 'send'; readonly sendId: string; readonly text: string; readonly attachments: readonly string[] }
  | { readonly type: 'pick_attachments' }
  /** A picture that was pasted or dropped. */
  | { readonly type: 'attach_picture'; readonly name: string; readonly data: Uint8Array }
  /** Files that were dropped, as addresses. */
  | { readonly type: 'attach_files'; readonly uris: readonly string[] }
  | { readonly type: 'remove_attachment'; readonly id: string }
  /** Asks for the bytes of an attached picture, to show it small. */
  | { readonly type: 'load_picture'; readonly id: string }
  /** What is written and not sent. `at` is the page's clock, in milliseconds since 1970: the newest counts. */
  | { readonly type: 'save_draft'; readonly session: string; readonly text: string; readonly at: number }
  /** Looks for what may stand behind an `@`; the answer names the request. A later one takes the place of an earlier one. */
  | { readonly type: 'find_mentions'; readonly request: number; readonly query: string }
  /** Asks for what the person said in this conversation. */
  | { readonly type: 'list_said'; readonly request: number }
  /** Whether what is selected in the editor goes with messages. */
  | { readonly type: 'include_selection'; readonly on: boolean }
  /** Takes a message out of the queue, back to where the person writes. */
  | { readonly type: 'queue_edit'; readonly id: string }
  | { readonly type: 'queue_remove'; readonly id: string }
  | { readonly type: 'queue_move'; readonly id: string; readonly to: 'up' | 'down' }
  /** Sends a message of the queue next, and stops the turn that runs for it. */
  | { readonly type: 'queue_send'; readonly id: string };

/** Their fields. */
export const COMPOSER_SHAPES: Shapes<ComposerRequest> = {
  send: { sendId: id, text: text(MAX_SEND_LENGTH), attachments: listOf(id, MAX_ATTACHMENTS) },
  pick_attachments: {},
  attach_picture: { name: text(MAX_NAME_LENGTH), data: bytes(MAX_PICTURE_BYTES) },
  attach_files: { uris: listOf(text(MAX_PATH_LENGTH, 1), MAX_ATTACHMENTS) },
  remove_attachment: { id },
  load_picture: { id },
  save_draft: { session: id, text: text(MAX_SEND_LENGTH), at: count },
  find_mentions: { request: count, query: text(MAX_QUERY_LENGTH) },
  list_said: { request: count },
  include_selection: { on: flag },
  queue_edit: { id },
  queue_remove: { id },
  queue_move: { id, to: oneOf(['up', 'down']) },
  queue_send: { id },
};
