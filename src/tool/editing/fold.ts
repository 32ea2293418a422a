import { type Line, linesOf } from '../../text/lines.js';
import type { Steps } from '../../concurrency/steps.js';

/** A way to overlook differences: texts that become the same count as the same. */
export interface Fold {
  /** Whether folding may change a text. */
  readonly changes: (text: string) => boolean;
  /** Folds a text; what follows another piece is folded alike, so pieces can be folded one by one. */
  readonly apply: (text: string) => string;
}

/** Nothing but line endings is overlooked. */
export const LINE_ENDINGS: Fold = { changes: () => false, apply: (text) => text };

const LOOK_ALIKES: Readonly<Record<string, string>> = {
  "'": '\u2018\u2019\u201A\u201B\u2032\u02BC',
  '"': '\u201C\u201D\u201E\u201F\u2033',
  '-': '\u2010\u2011\u2012\u2013\u2014\u2015\u2212',
  ' ': '\u00A0\u2007\u2009\u202F',
  '...': '\u2026',
};
const PLAIN = new Map(Object.entries(LOOK_ALIKES).flatMap(([plain, fancy]) => Array.from(fancy, (one) => [one, plain] as const)));
const FANCY = new RegExp(`[${[...PLAIN.keys()].join('')}]`);
const EVERY_FANCY = new RegExp(FANCY, 'g');

/** Curly quotes, primes, long dashes, non-breaking spaces and the ellipsis count as their ASCII equivalents. */
export const TYPOGRAPHY: Fold = {
  changes: (text) => FANCY.test(text),
  apply: (text) => text.replace(EVERY_FANCY, (character) => PLAIN.get(character) ?? character),
};

/** Letters are split into their base and their marks (Unicode NFD). */
export const COMPOSITION: Fold = { changes: (text) => /\P{ASCII}/u.test(text), apply: (text) => text.normalize('NFD') };

/** The smallest pieces of a text that fold one by one: a character with the marks that follow it. */
export function* foldablePieces(text: string): Generator<string, void, undefined> {
  for (const [piece] of text.matchAll(/\P{M}\p{M}*|\p{M}+/gsu)) yield piece;
}

/** What an edit looks for, and what it puts there. */
export interface Wanted {
  readonly old: string;
  readonly fresh: string;
}

/** A text that is searched in several ways; its lines are found once, when they are first wanted. */
export class SearchedText {
  private found: readonly Line[] | undefined;

  constructor(readonly text: string) {}

  *lines(): Steps<readonly Line[]> {
    this.found ??= yield* linesOf(this.text);
    return this.found;
  }
}
