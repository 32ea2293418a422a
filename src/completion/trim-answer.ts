import { withoutUnseen } from '../domain/hidden-characters.js';
import { cutBlock } from './cut-block.js';
import type { Extent } from './extent.js';
import { withinClosed, withoutLinesBelow, withoutRestOfLine } from './overlap.js';
import type { Place } from './place.js';
import { saysAgain, withoutRepeats } from './repeats.js';
import type { Suggestion } from './suggestion.js';

/** Characters of an answer that are looked at. */
const MAX_CHARACTERS = 4_000;

/**
 * What of an answer is suggested: the line or the block at the cursor, without what stands behind the cursor already,
 * without characters that cannot be seen, and without what only repeats.
 * @returns `undefined` when nothing is left.
 */
export function trimAnswer(answer: string, place: Place, extent: Extent): Suggestion | undefined {
  const text = withoutUnseen(answer.slice(0, MAX_CHARACTERS).replace(/\r\n?/g, '\n')).text.toWellFormed();
  const trimmed = extent === 'line' ? trimLine(text, place) : withinClosed(trimBlock(text, place), place);
  return trimmed.text.trim() === '' || saysAgain(trimmed.text, place) ? undefined : trimmed;
}

function trimLine(text: string, place: Place): Suggestion {
  const [line = ''] = text.split('\n', 1);
  return withoutRestOfLine(line.trimEnd(), place);
}

/** A blank first line stays where the cursor stands at the end of a line: the block begins below it. */
function trimBlock(text: string, place: Place): string {
  return withoutLinesBelow(withoutRepeats(cutBlock(text, place)), place);
}
