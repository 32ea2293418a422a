import type { Extent } from './extent.js';
import type { Place } from './place.js';
import { type Snippet, tokensOf } from './snippets.js';

/** Tokens of what goes along from elsewhere. */
export const CONTEXT_TOKENS = 1_500;
/** Tokens of recent edits among them. */
const EDIT_TOKENS = 400;
/** Tokens of an answer. */
const LINE_TOKENS = 80;
const BLOCK_TOKENS = 300;

/** The input of a model for a suggestion. */
export interface CompletionInput {
  readonly place: Place;
  readonly extent: Extent;
  /** Parts of other documents. */
  readonly snippets: readonly Snippet[];
  /** Lines that the user changed lately, the latest last. */
  readonly edits: readonly Snippet[];
}

/** Edits without those that a place shows anyway. */
export function notIn({ path, prefix, suffix }: Place, edits: readonly Snippet[]): readonly Snippet[] {
  const around = prefix + suffix;
  return edits.filter((edit) => edit.path !== path || !around.includes(edit.text));
}

/** The latest edits that fit into their part of the budget, the latest last. */
export function fittingEdits(edits: readonly Snippet[]): readonly Snippet[] {
  let left = EDIT_TOKENS;
  const kept = edits.toReversed().filter(({ text }) => {
    left -= tokensOf(text);
    return left >= 0;
  });
  return kept.reverse();
}

/** Tokens that are left for snippets beside the edits. */
export function snippetBudget(edits: readonly Snippet[]): number {
  return CONTEXT_TOKENS - edits.reduce((sum, { text }) => sum + tokensOf(text), 0);
}

/** Tokens of an answer at most. */
export function answerTokens(extent: Extent): number {
  return extent === 'line' ? LINE_TOKENS : BLOCK_TOKENS;
}
