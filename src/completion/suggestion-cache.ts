import type { Place } from './place.js';
import type { Suggestion } from './suggestion.js';
import { leftOf } from './suggestion.js';
import { typedSince } from './typed-since.js';

/** Suggestions that are kept. */
const CAPACITY = 100;

interface Entry {
  readonly place: Place;
  /** `undefined` when the model had nothing to suggest. */
  readonly suggestion: Suggestion | undefined;
}

/** What was suggested before, by document, text before and text behind the cursor. */
export class SuggestionCache {
  /** The newest last. */
  private readonly entries: Entry[] = [];

  /** Keeps what a model suggests at a place; `undefined` when that is nothing. */
  add(place: Place, suggestion: Suggestion | undefined): void {
    this.entries.push({ place, suggestion });
    if (this.entries.length > CAPACITY) this.entries.shift();
  }

  /**
   * What is known of a place, also from an earlier one from which a part of what was suggested there was typed.
   * @returns `undefined` when a model has to be asked; without a suggestion when it would have none.
   */
  find(place: Place): { readonly suggestion: Suggestion | undefined } | undefined {
    for (const entry of this.entries.toReversed()) {
      const suggestion = entry.suggestion === undefined ? undefined : leftOf(entry.suggestion, entry.place, place);
      if (suggestion !== undefined) return { suggestion };
      if (isSame(entry.place, place)) return { suggestion: undefined };
    }
    return undefined;
  }

  /** Forgets everything, such as when another model is to be asked. */
  clear(): void {
    this.entries.length = 0;
  }
}

function isSame(one: Place, other: Place): boolean {
  const since = typedSince(one, other);
  return since?.typed === '' && since.closed === '';
}
