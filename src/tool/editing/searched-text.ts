import type { Line } from '../../text/lines.js';
import { linesOf } from '../../text/lines.js';
import type { Steps } from '../../text/steps.js';

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
