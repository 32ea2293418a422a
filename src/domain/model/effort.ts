/** Thinking efforts of models, ascending. */
export const THINKING_EFFORTS = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
/** One of {@link THINKING_EFFORTS}. */
export type ThinkingEffort = (typeof THINKING_EFFORTS)[number];

/** Tokens of thinking that an effort is for a model that takes a number of them. More than the largest rarely helps (Anthropic, "Extended thinking"). */
export const EFFORT_TOKENS: Readonly<Record<ThinkingEffort, number>> = {
  off: 0,
  minimal: 1_024,
  low: 4_000,
  medium: 10_000,
  high: 24_000,
  xhigh: 24_000,
  max: 24_000,
};

/** The highest effort that keeps within some tokens of thinking; of those that take as many, the lowest. */
export function effortWithin(tokens: number): ThinkingEffort {
  const most = Math.max(...THINKING_EFFORTS.map((effort) => EFFORT_TOKENS[effort]).filter((needed) => needed <= tokens), 0);
  return THINKING_EFFORTS.find((effort) => EFFORT_TOKENS[effort] === most) ?? 'off';
}

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
