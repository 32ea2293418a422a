import { withoutUnseen } from '../domain/hidden-characters.js';
import { bracketsOf, type Extent } from './extent.js';
import { indentationOf, lineAfter, lineBefore, type Place } from './place.js';
import { isInsertion, type Suggestion } from './suggestion.js';

/** Characters of an answer that are looked at. */
const MAX_CHARACTERS = 4_000;

/**
 * Trims a response to a suggestion: the line or the block at the cursor, without text that follows the cursor already,
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

/** A blank first line stays when the cursor is at the end of a line: the block begins below it. */
function trimBlock(text: string, place: Place): string {
  return withoutLinesBelow(withoutRepeats(cutBlock(text, place)), place);
}

/** Lines of a suggestion at most. */
const MAX_LINES = 25;
/** Columns of a tab. */
const TAB = 4;
const OPENER_AT_END = /[{([]\s*$/;
const INDENTS_AT_END = /(?::|=>|->|\b(?:do|then|else|begin|try|finally))\s*$/;

/** Where a block ends, by its brackets and its indentation. */
interface Bounds {
  /** Columns at which the line of the cursor begins. */
  readonly base: number;
  /** Whether the lines of the block must be indented deeper than that line. */
  readonly indented: boolean;
}

/** The lines of an answer that belong to the block at the cursor: what comes behind its end is left out. */
function cutBlock(text: string, place: Place): string {
  const before = lineBefore(place);
  const opened = OPENER_AT_END.test(before);
  const bounds = { base: columns(indentationOf(before)), indented: !opened && INDENTS_AT_END.test(before) };
  const kept: string[] = [];
  let depth = opened ? openedOn(before, place.language) : 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (index >= MAX_LINES || endsBefore(line, { index, depth, kept }, bounds)) break;
    const walked = walk(line, depth, place.language);
    if (walked.cut !== undefined) {
      if (walked.kept !== '') kept.push(walked.kept);
      break;
    }
    kept.push(line);
    depth = walked.depth;
    if (opened && depth === 0) break;
  }
  return kept.join('\n').trimEnd();
}

/** Whether the block is over before a line. */
function endsBefore(
  line: string,
  { index, depth, kept }: { readonly index: number; readonly depth: number; readonly kept: readonly string[] },
  bounds: Bounds,
): boolean {
  if (index === 0) return false;
  if (line.trim() === '') return depth <= 0 && !bounds.indented && kept.some((each) => each.trim() !== '');
  const column = columns(indentationOf(line));
  if (bounds.indented) return column <= bounds.base;
  return column < bounds.base;
}

/** Follows the brackets of a line. `cut` says where it closes one that the block did not open. */
function walk(line: string, depth: number, language: string): { readonly depth: number; readonly cut: number | undefined; readonly kept: string } {
  let now = depth;
  for (const { at, opens } of bracketsOf(line, language)) {
    now += opens ? 1 : -1;
    if (now < 0) return { depth: now, cut: at, kept: line.slice(0, at).trimEnd() };
  }
  return { depth: now, cut: undefined, kept: line };
}

/** Number of brackets of a line that are open at its end; the last one is. */
function openedOn(line: string, language: string): number {
  return Math.max(
    1,
    bracketsOf(line, language).reduce((depth, { opens }) => Math.max(0, depth + (opens ? 1 : -1)), 0),
  );
}

function columns(indentation: string): number {
  return indentation.replaceAll('\t', ' '.repeat(TAB)).length;
}

/** Lines behind the cursor that a suggestion is compared with. */
const LINES_BELOW = 12;
/** The rest of a line that only closes what precedes it. */
const CLOSES = /^[\s)\]}>"'`;,:{]*$/;

/** A suggestion of one line without what the rest of the line says already. */
function withoutRestOfLine(line: string, place: Place): Suggestion {
  const after = lineAfter(place).trimEnd();
  if (after.trim() === '') return { text: line, replaces: 0 };
  const common = overlapLength(line, after);
  if (common > 0) return { text: line.slice(0, line.length - common), replaces: 0 };
  const whole = line.indexOf(after.trim());
  if (!CLOSES.test(after)) return { text: whole < 0 ? line : line.slice(0, whole), replaces: 0 };
  const over = { text: line, replaces: after.length };
  return isInsertion(over, place) ? over : { text: line, replaces: 0 };
}

/** Some lines before what the editor has closed on the line of the cursor: they end where that continues, on a line of its own. */
function withinClosed(text: string, place: Place): Suggestion {
  const after = lineAfter(place).trimEnd();
  if (after === '') return { text, replaces: 0 };
  const common = overlapLength(text, after);
  if (common > 0) return { text: text.slice(0, text.length - common), replaces: 0 };
  const over = { text, replaces: after.length };
  if (isInsertion(over, place)) return over;
  return { text: text.includes('\n') ? `${text}\n${indentationOf(lineBefore(place))}` : text, replaces: 0 };
}

/** Some lines without those at their end that are below the cursor already. */
function withoutLinesBelow(text: string, place: Place): string {
  const lines = text.split('\n');
  const below = place.suffix
    .slice(lineAfter(place).length + 1)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, LINES_BELOW);
  const whole = lines.map((line, index) => (index === 0 ? lineBefore(place) + line : line).trimEnd());
  const most = Math.min(lines.length, below.length);
  for (let count = most; count > 0; count -= 1) {
    const tail = whole.slice(-count);
    if (tail.every((line, index) => line === below[index]?.trimEnd())) return lines.slice(0, -count).join('\n').trimEnd();
  }
  return text;
}

/** Length of the overlap between the end of one text and the beginning of another. */
function overlapLength(text: string, next: string): number {
  for (let length = Math.min(text.length, next.length); length > 0; length -= 1) {
    if (text.endsWith(next.slice(0, length))) return length;
  }
  return 0;
}

/** Lines that may make up what is said again and again. */
const MAX_PERIOD = 3;
/** Repetitions of the same lines in a row that count as too many. */
const TOO_OFTEN = 3;
const WORDS = /\w{2}/;
/** Closing lines, of which several in a row are common. */
const CLOSING = /^\s*(?:<\/|end\b|fi\b|done\b|esac\b)/;

/** A text up to where it begins to say the same lines again and again. */
function withoutRepeats(text: string): string {
  const lines = text.split('\n');
  for (let start = 0; start < lines.length; start += 1) {
    for (let period = 1; period <= MAX_PERIOD; period += 1) {
      if (repeats(lines, start, period)) return lines.slice(0, start + period).join('\n');
    }
  }
  return text;
}

/** Whether a suggestion only says again what the lines right before the cursor, or right below it, say. */
function saysAgain(text: string, place: Place): boolean {
  if (!WORDS.test(text) || CLOSING.test(lineBefore(place) + text)) return false;
  const said = plain(lineBefore(place) + text);
  const above = plain(place.prefix.slice(0, place.prefix.length - lineBefore(place).length));
  const below = plain(place.suffix.slice(place.suffix.indexOf('\n') + 1));
  return `\n${above}`.endsWith(`\n${said}`) || (place.suffix.includes('\n') && `${below}\n`.startsWith(`${said}\n`));
}

function repeats(lines: readonly string[], start: number, period: number): boolean {
  const pattern = lines.slice(start, start + period);
  if (start + period * TOO_OFTEN > lines.length || !pattern.some((line) => WORDS.test(line))) return false;
  return pattern.every((line, index) =>
    Array.from({ length: TOO_OFTEN }, (_, round) => lines[start + round * period + index]).every((other) => other === line),
  );
}

function plain(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}
