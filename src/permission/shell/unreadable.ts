/** The line cannot be judged. `message` says why, for the person. Caught where an analysis begins, never beyond. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/** What is said when the grammar and the reading of words do not agree, so that neither is believed. */
export const UNSURE = 'It is written in a way that cannot be read with certainty.';

/** @throws UnreadableError always. */
export function unreadable(why: string = UNSURE): never {
  throw new UnreadableError(why);
}
