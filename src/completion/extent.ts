import { bracketsOf } from './brackets.js';
import { type Place, lineAfter, lineBefore } from './place.js';

/** How much is suggested: what completes the line, or some lines. */
export type Extent = 'line' | 'block';

/** The end of a line behind which a block begins. */
const OPENS_BLOCK = /(?:[{([:]|=>|->|\b(?:do|then|else|begin|try|finally))\s*$/;
/** What editors close on their own behind what opens a block. */
const OPENED = /[{[]$/;
const CLOSED = /^[}\])]+[;,]?\s*$/;
/** The end of a statement, behind which nothing more comes on its line. */
const ENDED = /;\s*$/;
const WORD_BEFORE = /[\p{L}\p{N}_$]$/u;
const WORD_AFTER = /^[\p{L}\p{N}_$]/u;

/**
 * How much can be suggested at a place, by the content of its line.
 * @param asked whether the user asked for it: then also where it would only disturb, before the rest of a line.
 * @returns `undefined` where nothing is suggested: within a word, before one, and behind the end of a statement.
 */
export function extentAt(place: Place, asked: boolean): Extent | undefined {
  const before = lineBefore(place);
  const after = lineAfter(place);
  if (WORD_AFTER.test(after) && (!asked || WORD_BEFORE.test(before))) return undefined;
  if (!asked && ENDED.test(before) && !isWithinBrackets(before, place.language)) return undefined;
  if (after.trim() !== '') return OPENED.test(before) && CLOSED.test(after) ? 'block' : 'line';
  return before.trim() === '' || OPENS_BLOCK.test(before) ? 'block' : 'line';
}

/** Whether a line opens more brackets than it closes, as the head of a loop does. */
function isWithinBrackets(line: string, language: string): boolean {
  return bracketsOf(line, language).reduce((depth, { opens }) => depth + (opens ? 1 : -1), 0) > 0;
}
