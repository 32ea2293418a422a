import { t } from '../../domain/l10n.js';

/** The line cannot be judged. `message` says why, for the user. Caught where an analysis begins, never beyond. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError';
}

/**
 * @param why as a sentence; when absent, the grammar and the word parser disagree, so neither is trusted.
 * @throws UnreadableError always.
 */
export function unreadable(why: string = t('It cannot be parsed reliably.')): never {
  throw new UnreadableError(why);
}
