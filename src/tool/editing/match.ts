import { type Wanted, SearchedText, COMPOSITION, TYPOGRAPHY } from './fold.js';
import type { OffsetEdit } from '../../text/text-edit.js';
import { withoutLineNumbers, matchIndentation, matchTrailingSpace } from './match-lines.js';
import { matchFolded, matchLineEndings } from './match-folded.js';
import { type Steps, LINES_PER_STEP } from '../../concurrency/steps.js';

/** Where `old` was found. `note` says which difference had to be overlooked; `undefined` for an exact match. */
export interface Matches {
  readonly replacements: readonly OffsetEdit[];
  readonly note: string | undefined;
}

type Rung = readonly [string | undefined, (text: SearchedText, wanted: Wanted) => Steps<readonly OffsetEdit[]>];

/** What is overlooked without a word where the edit has no carriage returns: models do not see those of a file. */
const LINE_ENDINGS = 'line endings differ';

const LADDER: readonly Rung[] = [
  [undefined, exact],
  [LINE_ENDINGS, matchLineEndings],
  ['white space at line ends differs', matchTrailingSpace],
  ['indentation differs; new_string was shifted alike', matchIndentation],
  ['quotes, dashes or spaces look alike but differ; those outside the change were kept', (text, wanted) => matchFolded(text, wanted, TYPOGRAPHY)],
  ['accented letters are composed differently in Unicode; those outside the change were kept', (text, wanted) => matchFolded(text, wanted, COMPOSITION)],
];

/**
 * Finds the places that an edit means: exactly, else by the first rung of a ladder that finds anything.
 *
 * 1. character for character; 2. line endings (CRLF, LF, CR) taken as equal; 3. whole lines, white space at their ends
 * overlooked; 4. whole lines, all of them indented by the same white space more or less, and the new text shifted
 * alike, or spaces treated as tabs; 5. curly quotes, long dashes and non-breaking spaces treated as their ASCII equivalents; 6. letters with marks as one
 * character or several; 7. the same again without line numbers that were copied from `read`. On rungs 5 and 6 only what
 * differs between the old and the new text is replaced. Letters always count: nothing is found by likeness.
 */
export function* findMatches(text: string, wanted: Wanted): Steps<Matches | undefined> {
  const searched = new SearchedText(text);
  const found = yield* climb(searched, wanted);
  if (found !== undefined) return found;
  const bare = withoutLineNumbers(wanted);
  const matches = bare === undefined ? undefined : yield* climb(searched, bare);
  if (matches === undefined) return undefined;
  const removed = 'line numbers copied from read were removed';
  return { ...matches, note: matches.note === undefined ? removed : `${removed}, and ${matches.note}` };
}

function* climb(text: SearchedText, wanted: Wanted): Steps<Matches | undefined> {
  for (const [note, find] of LADDER) {
    const replacements = yield* find(text, wanted);
    if (replacements.length > 0) return { replacements, note: note === LINE_ENDINGS && !wanted.old.includes('\r') ? undefined : note };
    yield;
  }
  return undefined;
}

function* exact({ text }: SearchedText, { old, fresh }: Wanted): Steps<readonly OffsetEdit[]> {
  const found: OffsetEdit[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) {
    // A match that begins with the LF of a CRLF means the whole line ending.
    const split = text.charAt(at) === '\n' && text.charAt(at - 1) === '\r';
    found.push({ start: split ? at - 1 : at, end: at + old.length, text: fresh });
    if (found.length % LINES_PER_STEP === 0) yield;
  }
  return found;
}
