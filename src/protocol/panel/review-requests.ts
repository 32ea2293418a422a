import { MAX_PATH_LENGTH } from '../limits.js';
import type { Messages } from '../shape.js';
import { flag, id, oneOf, text } from '../shape.js';

/** What a page asks for about what the agent changed. */
export type ReviewRequest = Messages<typeof REVIEW_REQUESTS>;

const action = oneOf(['keep', 'undo', 'show']);

/** Its fields, by type. */
export const REVIEW_REQUESTS = {
  /** Keeps or undoes what the agent changed in a file. */
  review_file: { action, path: text(MAX_PATH_LENGTH, 1) },
  /** The same for all files; `show` opens them side by side with what they were. */
  review_all: { action },
  /** Brings the files back to before a message of the user; with `rewind` continues from there in a branch of the conversation. */
  restore_files: { item: id, rewind: flag },
  /** Opens what a call that asks proposes for a file in an editor, to be changed there. */
  show_proposal: { callId: id },
};
