import { MAX_CODE_LENGTH, MAX_FILES_ASKED, MAX_PATH_LENGTH, MAX_QUERY_LENGTH, MAX_SEND_LENGTH, MAX_URL_LENGTH } from '../limits.js';
import { type Messages, count, id, listOf, oneOf, optional, text } from '../shape.js';
import { TASK_KINDS } from '../../domain/model/task-kind.js';

/** Requests of the transcript. */
export type TranscriptRequest = Messages<typeof TRANSCRIPT_REQUESTS>;

/** Its fields, by type. */
export const TRANSCRIPT_REQUESTS = {
  undo_compaction: { item: id },
  open_instruction: { display: text(MAX_PATH_LENGTH, 1) },
  /** Asks the user whether a file that instructions want to include may be. */
  ask_include: { display: text(MAX_PATH_LENGTH, 1) },
  /** A link in an answer; the host shows the whole address and asks before it opens. */
  open_link: { url: isWebAddress },
  /** Checks which paths in answers are files of the workspace. */
  find_files: { paths: listOf(text(MAX_PATH_LENGTH, 1), MAX_FILES_ASKED) },
  /** Shows a file of the workspace; the path may end with a line. */
  open_file: { path: text(MAX_PATH_LENGTH, 1) },
  /** Copies a whole message to the clipboard: the text of the user, or an answer as Markdown. */
  copy_item: { item: id },
  /** Continues from an answer, or asks again for it, in a branch of the conversation. */
  fork_item: { item: id },
  retry_item: { item: id },
  /** Asks how the model of an answer was chosen. */
  explain_model: { item: id },
  /** Says what kind of task the message before an answer was. It counts from the next message on. */
  correct_kind: { item: id, kind: oneOf(TASK_KINDS) },
  /** Sends a message of the user again that a provider refused: at once when it is the last, else with the next request. */
  send_again: { item: id },
  /** Says something else in place of a message of the user, in a branch of the conversation. */
  resend_item: { item: id, text: text(MAX_SEND_LENGTH, 1) },
  /** Code of an answer: into the active editor, or into a file after the user saw the change. */
  insert_code: { text: text(MAX_CODE_LENGTH, 1) },
  apply_code: { text: text(MAX_CODE_LENGTH, 1), path: optional(text(MAX_PATH_LENGTH, 1)) },
  /** An image of a message, or of what a call gave back. */
  load_image: { item: id, call: optional(id), index: count },
  /** Looks for a text in the whole conversation; `request` is repeated in the answer. */
  find_text: { query: text(MAX_QUERY_LENGTH, 1), request: count },
};

function isWebAddress(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'https:' || protocol === 'http:';
}
