import type { ModelInfo } from '../../domain/model/provider.js';

/** What is kept free for an answer at most: tokens, and a share of the context window. */
const MAX_ANSWER_TOKENS = 32_000;
const MAX_ANSWER_SHARE = 0.2;

/**
 * Tokens that a request to a model may take, so that there is room for an answer.
 * `undefined` where the size of the context window is not known.
 */
export function requestLimit(model: ModelInfo): number | undefined {
  const { contextWindow, maxOutputTokens } = model;
  if (!(contextWindow > 0)) return undefined;
  const asked = model.maxTokens !== undefined && model.maxTokens > 0 ? model.maxTokens : maxOutputTokens;
  const kept = Math.max(0, Math.min(asked, contextWindow * MAX_ANSWER_SHARE, MAX_ANSWER_TOKENS));
  return Math.floor(contextWindow - kept);
}
