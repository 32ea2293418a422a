/** Texts up to this length cannot take long, so what is said about them does not depend on how busy the machine is. */
const SHORT_LENGTH = 2_000;
/** Milliseconds that judging a short text may take, which only happens when the machine stalls. */
const SHORT_MS = 5_000;
/** Milliseconds for a longer text. */
const LONG_MS = 300;

/** When to give up on a text, by the clock of `performance`. */
export function deadlineFor(text: string): number {
  return performance.now() + (text.length <= SHORT_LENGTH ? SHORT_MS : LONG_MS);
}
