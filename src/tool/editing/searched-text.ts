import type { Line } from '../../text/lines.js';
import { linesOf } from '../../text/lines.js';
import type { Steps } from '../../concurrency/steps.js';

/** What an edit looks for, and what it puts there. */
export interface Wanted {
  readonly old: string;
  readonly fresh: string;
}

/** A text that is searched in several ways; its lines are found once, when they are first wanted. */
export class SearchedText {
  readonly text: string;
  private found: readonly Line[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  *lines(): Steps<readonly Line[]> {
    this.found ??= yield* linesOf(this.text);
    return this.found;
  }
}
