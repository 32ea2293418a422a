import type { Place } from './place.js';
import { indentationOf, lineAfter, lineBefore } from './place.js';
import type { Suggestion } from './suggestion.js';
import { isInsertion } from './suggestion.js';

/** Lines behind the cursor that a suggestion is held against. */
const LINES_BELOW = 12;
/** The rest of a line that only closes what stands before it. */
const CLOSES = /^[\s)\]}>"'`;,:{]*$/;

/** A suggestion of one line without what the rest of the line says already. */
export function withoutRestOfLine(line: string, place: Place): Suggestion {
  const after = lineAfter(place).trimEnd();
  if (after.trim() === '') return { text: line, replaces: 0 };
  const common = overlapLength(line, after);
  if (common > 0) return { text: line.slice(0, line.length - common), replaces: 0 };
  const whole = line.indexOf(after.trim());
  if (!CLOSES.test(after)) return { text: whole < 0 ? line : line.slice(0, whole), replaces: 0 };
  const over = { text: line, replaces: after.length };
  return isInsertion(over, place) ? over : { text: line, replaces: 0 };
}

/** Some lines before what the editor has closed on the line of the cursor: they end where that goes on, on a line of its own. */
export function withinClosed(text: string, place: Place): Suggestion {
  const after = lineAfter(place).trimEnd();
  if (after === '') return { text, replaces: 0 };
  const common = overlapLength(text, after);
  if (common > 0) return { text: text.slice(0, text.length - common), replaces: 0 };
  const over = { text, replaces: after.length };
  if (isInsertion(over, place)) return over;
  return { text: text.includes('\n') ? `${text}\n${indentationOf(lineBefore(place))}` : text, replaces: 0 };
}

/** Some lines without those at their end that stand below the cursor already. */
export function withoutLinesBelow(text: string, place: Place): string {
  const lines = text.split('\n');
  const below = place.suffix.slice(lineAfter(place).length + 1).split('\n').filter((line) => line.trim() !== '').slice(0, LINES_BELOW);
  const whole = lines.map((line, index) => (index === 0 ? lineBefore(place) + line : line).trimEnd());
  const most = Math.min(lines.length, below.length);
  for (let count = most; count > 0; count -= 1) {
    const tail = whole.slice(-count);
    if (tail.every((line, index) => line === below[index]?.trimEnd())) return lines.slice(0, -count).join('\n').trimEnd();
  }
  return text;
}

/** How much of the end of one text is the beginning of another. */
function overlapLength(text: string, next: string): number {
  for (let length = Math.min(text.length, next.length); length > 0; length -= 1) {
    if (text.endsWith(next.slice(0, length))) return length;
  }
  return 0;
}
