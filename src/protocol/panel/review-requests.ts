import { MAX_PATH_LENGTH } from '../limits.js';
import type { Shapes } from './shape.js';
import { flag, id, oneOf, text } from './shape.js';

const REVIEW_ACTIONS: readonly string[] = ['keep', 'undo', 'show'];

/** What a page asks for about what the agent changed. */
export type ReviewRequest =
  /** Keeps or undoes what the agent changed in a file. */
  | { readonly type: 'review_file'; readonly action: 'keep' | 'undo' | 'show'; readonly path: string }
  /** The same for all files; `show` opens them side by side with what they were. */
  | { readonly type: 'review_all'; readonly action: 'keep' | 'undo' | 'show' }
  /** Brings the files back to before a message of the person; with `rewind` goes on from there in a branch of the conversation. */
  | { readonly type: 'restore_files'; readonly item: string; readonly rewind: boolean }
  /** Opens what a call that asks proposes for a file in an editor, to be changed there. */
  | { readonly type: 'show_proposal'; readonly callId: string };

/** Their fields. */
export const REVIEW_SHAPES: Shapes<ReviewRequest> = {
  review_file: { action: oneOf(REVIEW_ACTIONS), path: text(MAX_PATH_LENGTH, 1) },
  review_all: { action: oneOf(REVIEW_ACTIONS) },
  restore_files: { item: id, rewind: flag },
  show_proposal: { callId: id },
};
