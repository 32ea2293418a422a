/** Thinking efforts of models, ascending. */
export const THINKING_EFFORTS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
/** One of {@link THINKING_EFFORTS}. */
export type ThinkingEffort = (typeof THINKING_EFFORTS)[number];

/** Default efforts of a reasoning model whose own are not known. */
export const USUAL_EFFORTS: readonly ThinkingEffort[] = ['off', 'low', 'medium', 'high'];

/** Parses an effort from outside; `undefined` when it is invalid. */
export function parseThinkingEffort(value: unknown): ThinkingEffort | undefined {
  return THINKING_EFFORTS.find((effort) => effort === value);
}

/**
 * The effort that a model is asked for when the user wants another one than it takes: the next lower one, or its least.
 * @param efforts what the model takes, ascending; empty for one that does not reason, which is `off`
 */
export function closestEffort(efforts: readonly ThinkingEffort[], wanted: ThinkingEffort): ThinkingEffort {
  const rank = THINKING_EFFORTS.indexOf(wanted);
  return efforts.findLast((effort) => THINKING_EFFORTS.indexOf(effort) <= rank) ?? efforts[0] ?? 'off';
}
