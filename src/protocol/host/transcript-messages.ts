import { type CodeColors, CODE_KINDS } from '../code-kinds.js';
import { type Messages, type Of, anyBytes, anyText, count, fields, flag, known, listOf, oneOf, optional } from '../shape.js';
import { TASK_KINDS } from '../../domain/model/task-kind.js';

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

const explainedCandidate = fields({
  /** Display name of the model, with its host where a gateway has several. */
  name: anyText,
  /** What is expected of it, such as “86 %”. */
  expected: anyText,
  /** What that is based on, as a sentence, such as how many observations there are. */
  basis: anyText,
  /** Expected cost of the task, formatted, or that its price is not known. */
  cost: anyText,
  isChosen: flag,
  /** Why it could not be chosen, as a sentence; absent where it could. */
  removed: optional(anyText),
});

const explanation = fields({
  kind: oneOf(TASK_KINDS),
  /** What was chosen and why, as a sentence. */
  chosen: anyText,
  /** What goes with it, as sentences: the floor, what it costs to write the cache again, what would change the choice. */
  notes: listOf(anyText),
  /** Best first, then those that were removed. */
  candidates: listOf(explainedCandidate),
  /** That more candidates are not listed, as a sentence; absent where all are. */
  more: optional(anyText),
});
/** How the model of an answer was chosen. */
export type ModelExplanation = Of<typeof explanation>;

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
  /** The answer to `explain_model`; without `explanation`, it is not known. */
  model_explained: { item: anyText, explanation: optional(explanation) },
  /** The answer to `find_text`. `total` counts all; `more` says that not all places are named. */
  found: { session: anyText, request: count, places: listOf(foundPlace), total: count, more: flag },
};

function isColor(value: unknown): value is string {
  return typeof value === 'string' && /^#(?:[\da-f]{6}|[\da-f]{8})$/i.test(value);
}
