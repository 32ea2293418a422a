import { MAX_CODE_LENGTH, MAX_FILES_ASKED, MAX_PATH_LENGTH, MAX_QUERY_LENGTH, MAX_SEND_LENGTH, MAX_URL_LENGTH } from '../limits.js';
import type { Shapes } from './shape.js';
import { count, id, listOf, optional, text } from './shape.js';

/** What a page asks for from the messages that it shows. */
export type TranscriptRequest =
  | { readonly type: 'undo_compaction'; readonly item: string }
  | { readonly type: 'open_instruction'; readonly display: string }
  /** A link in an answer; the host shows the whole address and asks before it opens. */
  | { readonly type: 'open_link'; readonly url: string }
  /** Which of these paths, as answers write them, are files of the workspace. */
  | { readonly type: 'find_files'; readonly paths: readonly string[] }
  /** Shows a file of the workspace; the path may end with a line. */
  | { readonly type: 'open_file'; readonly path: string }
  /** Puts a message into the clipboard, whole: the words of the person, or an answer as Markdown. */
  | { readonly type: 'copy_item'; readonly item: string }
  /** Goes on from an answer, or asks again for it, in a branch of the conversation. */
  | { readonly type: 'fork_item'; readonly item: string }
  | { readonly type: 'retry_item'; readonly item: string }
  /** Says something else in place of a message of the person, in a branch of the conversation. */
  | { readonly type: 'resend_item'; readonly item: string; readonly text: string }
  /** Code of an answer: into the active editor, or into a file after the person saw the change. */
  | { readonly type: 'insert_code'; readonly text: string }
  | { readonly type: 'apply_code'; readonly text: string; readonly path?: string }
  /** A picture of a message, or of what a call gave back. */
  | { readonly type: 'load_image'; readonly item: string; readonly call?: string; readonly index: number }
  /** Looks for a text in the whole conversation; `request` is repeated in the answer. */
  | { readonly type: 'find_text'; readonly query: string; readonly request: number };

/** Their fields. */
export const TRANSCRIPT_SHAPES: Shapes<TranscriptRequest> = {
  undo_compaction: { item: id },
  open_instruction: { display: text(MAX_PATH_LENGTH, 1) },
  open_link: { url: isWebAddress },
  find_files: { paths: listOf(text(MAX_PATH_LENGTH, 1), MAX_FILES_ASKED) },
  open_file: { path: text(MAX_PATH_LENGTH, 1) },
  copy_item: { item: id },
  fork_item: { item: id },
  retry_item: { item: id },
  resend_item: { item: id, text: text(MAX_SEND_LENGTH, 1) },
  insert_code: { text: text(MAX_CODE_LENGTH, 1) },
  apply_code: { text: text(MAX_CODE_LENGTH, 1), path: optional(text(MAX_PATH_LENGTH, 1)) },
  load_image: { item: id, call: optional(id), index: count },
  find_text: { query: text(MAX_QUERY_LENGTH, 1), request: count },
};

function isWebAddress(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'https:' || protocol === 'http:';
}
