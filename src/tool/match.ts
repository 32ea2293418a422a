import { matchIndentation, matchTrailingSpace } from './match-lines.js';

/** A part of a text and what it becomes; line endings of `replacement` are not adapted yet. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Where `old` was found. `note` says which difference had to be overlooked; `undefined` for an exact match. */
export interface Matches {
  readonly replacements: readonly Replacement[];
  readonly note: string | undefined;
}

/**
 * Finds the places that an edit means: exactly, else by the first rung of a short ladder that finds anything.
 *
 * 1. character for character; 2. line endings (CRLF, LF, CR) taken as equal; 3. whole lines, white space at their ends
 * overlooked; 4. whole lines, all of them indented by the same white space more or less, and the new text shifted
 * alike. Nothing else is overlooked: quotes, dashes and letters always count. Time is linear in the text.
 */
export function findMatches(text: string, old: string, replacement: string): Matches | undefined {
  const rungs: readonly [string | undefined, () => readonly Replacement[]][] = [
    [undefined, () => exact(text, old, replacement)],
    ['line endings differ', () => matchLineEndings(text, old, replacement)],
    ['white space at line ends differs', () => matchTrailingSpace(text, old, replacement)],
    ['indentation differs; new_string was shifted alike', () => matchIndentation(text, old, replacement)],
  ];
  for (const [note, find] of rungs) {
    const replacements = find();
    if (replacements.length > 0) return { replacements, note };
  }
  return undefined;
}

function exact(text: string, old: string, replacement: string): readonly Replacement[] {
  return occurrences(text, old).map((start) => {
    // A match that begins with the LF of a CRLF means the whole line ending.
    const split = text.charAt(start) === '\n' && text.charAt(start - 1) === '\r';
    return { start: split ? start - 1 : start, end: start + old.length, replacement };
  });
}

function occurrences(text: string, part: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

function matchLineEndings(text: string, old: string, replacement: string): readonly Replacement[] {
  if (!text.includes('\r') && !old.includes('\r')) return [];
  const normal = old.replace(/\r\n|\r/g, '\n');
  const carriageReturns = removedBefore(text);
  return occurrences(text.replace(/\r\n|\r/g, '\n'), normal).map((at) => ({
    start: at + carriageReturns(at),
    end: at + normal.length + carriageReturns(at + normal.length),
    replacement,
  }));
}

/** How many characters a text loses before an offset of its normal form; offsets must be asked for in rising order. */
function removedBefore(text: string): (offset: number) => number {
  const pairs = [...text.matchAll(/\r\n/g)].map((match, index) => match.index - index);
  let passed = 0;
  return (offset) => {
    while ((pairs[passed] ?? Infinity) < offset) passed += 1;
    return passed;
  };
}
