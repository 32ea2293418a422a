import { type Line, contentOf, endingOf } from '../../text/lines.js';
import type { Wanted, SearchedText } from './fold.js';
import type { OffsetEdit } from '../../text/text-edit.js';
import { type Steps, LINES_PER_STEP } from '../../concurrency/steps.js';

/** Whole lines that equal those of `old` but for white space at their ends. */
export function* matchTrailingSpace(searched: SearchedText, { old, fresh }: Wanted): Steps<readonly OffsetEdit[]> {
  const search = yield* prepare(searched, old, (content) => content.trimEnd());
  return search.places.map((first) => region(search, first, fresh));
}

/**
 * Whole lines that equal those of `old` once one and the same indentation is added to, or taken from, all of them, or
 * once spaces count as tabs.
 */
export function* matchIndentation(searched: SearchedText, { old, fresh }: Wanted): Steps<readonly OffsetEdit[]> {
  const search = yield* prepare(searched, old, (content) => content.trim());
  return search.places.flatMap((first) => {
    const shift = shiftAt(search, first);
    const shifted = shift === undefined ? translated(search, first, fresh) : shiftLines(fresh, shift);
    return shifted === undefined ? [] : [region(search, first, shifted)];
  });
}

interface LineSearch {
  readonly text: string;
  readonly lines: readonly Line[];
  readonly oldLines: readonly string[];
  /** Whether `old` ends with a line ending, which then belongs to what is replaced. */
  readonly closed: boolean;
  /** Indexes of the first lines of matches that do not overlap. */
  readonly places: readonly number[];
}

function* prepare(searched: SearchedText, old: string, key: (content: string) => string): Steps<LineSearch> {
  const { text } = searched;
  const split = old.split(/\r\n|\n|\r/);
  const closed = split.length > 1 && split.at(-1) === '';
  const oldLines = closed ? split.slice(0, -1) : split;
  const keys = oldLines.map(key);
  const longest = oldLines.reduce((most, line) => (line.trim().length > most.length ? line.trim() : most), '');
  // Whatever is overlooked, the longest line must be there: one quick look spares most searches.
  if (longest === '' || !text.includes(longest)) return { text, lines: [], oldLines, closed, places: [] };
  const lines = yield* searched.lines();
  return { text, lines, oldLines, closed, places: yield* sequenceMatches(lines.length, (index) => keyAt(text, lines[index], key), keys) };
}

function keyAt(text: string, line: Line | undefined, key: (content: string) => string): string {
  return line === undefined ? '' : key(contentOf(text, line));
}

/** Knuth–Morris–Pratt over lines, so that repeated lines cost no more than others. Matches do not overlap. */
function* sequenceMatches(count: number, lineAt: (index: number) => string, wanted: readonly string[]): Steps<readonly number[]> {
  const fallback = failureTable(wanted);
  const found: number[] = [];
  let matched = 0;
  for (let index = 0; index < count; index += 1) {
    const line = lineAt(index);
    while (matched > 0 && line !== wanted[matched]) matched = fallback[matched - 1] ?? 0;
    if (line === wanted[matched]) matched += 1;
    if (matched === wanted.length) {
      found.push(index - wanted.length + 1);
      matched = 0;
    }
    if (index % LINES_PER_STEP === 0) yield;
  }
  return found;
}

function failureTable(wanted: readonly string[]): readonly number[] {
  const table = [0];
  let length = 0;
  for (let index = 1; index < wanted.length; index += 1) {
    while (length > 0 && wanted[index] !== wanted[length]) length = table[length - 1] ?? 0;
    if (wanted[index] === wanted[length]) length += 1;
    table.push(length);
  }
  return table;
}

function region(search: LineSearch, first: number, text: string): OffsetEdit {
  const start = search.lines[first];
  const last = search.lines[first + search.oldLines.length - 1];
  if (start === undefined || last === undefined) throw new RangeError('A match lies outside the text.');
  // Without a line ending at the end of the file, none is added.
  const open = search.closed && endingOf(search.text, last) === '';
  return { start: start.start, end: search.closed ? last.next : last.end, text: open ? text.replace(/(?:\r\n|\n|\r)$/, '') : text };
}

/** The new text with tabs for spaces, or spaces for tabs, as the lines of `old` were found. */
function translated(search: LineSearch, first: number, fresh: string): string | undefined {
  const pairs = search.oldLines.flatMap((oldLine, index) => {
    const line = search.lines[first + index];
    return line === undefined || oldLine.trim() === '' ? [] : [{ inOld: indentOf(oldLine), inText: indentOf(contentOf(search.text, line)) }];
  });
  const translate = indentTranslation(pairs);
  const lines = fresh.split(/(?<=\n)/).map((line) => {
    if (line.trim() === '') return line;
    const indent = translate?.(indentOf(line));
    return indent === undefined ? undefined : indent + line.slice(indentOf(line).length);
  });
  return lines.every((line) => line !== undefined) ? lines.join('') : undefined;
}

/** White space that the text has before every line of `old`, or the other way round. */
interface Shift {
  readonly added: boolean;
  readonly space: string;
}

function shiftAt(search: LineSearch, first: number): Shift | undefined {
  let shift: Shift | undefined;
  for (const [index, oldLine] of search.oldLines.entries()) {
    const line = search.lines[first + index];
    if (line === undefined || oldLine.trim() === '') continue;
    const found = shiftBetween(indentOf(contentOf(search.text, line)), indentOf(oldLine));
    if (found === undefined) return undefined;
    shift ??= found;
    if (found.added !== shift.added || found.space !== shift.space) return undefined;
  }
  return shift;
}

function shiftBetween(inText: string, inOld: string): Shift | undefined {
  const added = inText.length >= inOld.length;
  const [longer, shorter] = added ? [inText, inOld] : [inOld, inText];
  return longer.endsWith(shorter) ? { added, space: longer.slice(0, longer.length - shorter.length) } : undefined;
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function shiftLines(text: string, shift: Shift): string | undefined {
  const lines = text.split(/(?<=\n)/);
  const fits = shift.added || lines.every((line) => line.trim() === '' || line.startsWith(shift.space));
  if (!fits) return undefined;
  const move = (line: string): string => (shift.added ? shift.space + line : line.slice(shift.space.length));
  return lines.map((line) => (line.trim() === '' ? line : move(line))).join('');
}

/** The white space before a line, in an edit and in the text that it means. */
interface IndentPair {
  readonly inOld: string;
  readonly inText: string;
}

/** Spaces per tab where the lines do not show it. */
const USUAL_WIDTH = 4;

/**
 * Turns indentation by spaces into that by tabs, or the other way round, as some lines show that it is to be done;
 * `undefined` when they do not agree, or are not one all of spaces and the other all of tabs. What it returns gives
 * `undefined` for an indentation that has no counterpart.
 */
function indentTranslation(pairs: readonly IndentPair[]): ((indent: string) => string | undefined) | undefined {
  const known = new Map<number, number>();
  for (const { inOld, inText } of pairs) {
    if ((known.get(inOld.length) ?? inText.length) !== inText.length) return undefined;
    known.set(inOld.length, inText.length);
  }
  const [old, text] = [characterOf(pairs.map(({ inOld }) => inOld)), characterOf(pairs.map(({ inText }) => inText))];
  if (old === undefined || text === undefined || old === text) return undefined;
  const ratio = ratioOf([...known].sort(([a], [b]) => a - b)) ?? (old === ' ' ? 1 / USUAL_WIDTH : USUAL_WIDTH);
  return (indent) => {
    if (indent !== old.repeat(indent.length)) return undefined;
    const nearest = [...known].reduce((best, pair) => (Math.abs(pair[0] - indent.length) < Math.abs(best[0] - indent.length) ? pair : best));
    const length = nearest[1] + (indent.length - nearest[0]) * ratio;
    return Number.isInteger(length) && length >= 0 ? text.repeat(length) : undefined;
  };
}

/** The only character of some indentations; `undefined` when there is none or more than one. */
function characterOf(indents: readonly string[]): string | undefined {
  const characters = new Set(indents.join(''));
  return characters.size === 1 ? [...characters][0] : undefined;
}

/** Characters of the text for one of the edit, by the steps between lines, else by the only indentation there is. */
function ratioOf(sorted: readonly (readonly [number, number])[]): number | undefined {
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const from = first === last ? ([0, 0] as const) : first;
  const ratio = (last[1] - from[1]) / (last[0] - from[0]);
  return Number.isFinite(ratio) && ratio > 0 ? ratio : undefined;
}

/** What `read` and its like put before a line: its number, then an arrow or a tab. */
const PREFIX = /^[ \t]*(\d{1,9})(?:→|\t)/;

/** An edit without the line numbers that were copied with its text; `undefined` when there are none. */
export function withoutLineNumbers({ old, fresh }: Wanted): Wanted | undefined {
  const bare = stripped(old);
  return bare === undefined ? undefined : { old: bare, fresh: stripped(fresh) ?? fresh };
}

/** Whether every line of a text has a number before it, each one more than the last. */
export function hasLineNumbers(text: string): boolean {
  return stripped(text) !== undefined;
}

function stripped(text: string): string | undefined {
  const lines = text.split(/(?<=\n)/);
  const numbers = lines.map((line) => Number(PREFIX.exec(line)?.[1]));
  const inOrder = numbers.every((number, index) => number === (numbers[0] ?? 0) + index);
  const bare = inOrder ? lines.map((line) => line.replace(PREFIX, '')).join('') : '';
  return bare === '' ? undefined : bare;
}
