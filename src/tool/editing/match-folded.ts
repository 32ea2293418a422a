import { type Fold, type Wanted, type SearchedText, foldablePieces, LINE_ENDINGS } from './fold.js';
import { commonHead, commonTail } from '../../text/common-ends.js';
import { type Line, contentOf, endingOf } from '../../text/lines.js';
import type { OffsetEdit } from '../../text/text-edit.js';
import { type Steps, LINES_PER_STEP } from '../../concurrency/steps.js';

/** Lines longer than this many characters, as programs write them, are compared as they are. */
const LONGEST_FOLDED_LINE = 20_000;

/** Places that equal `old` but for line endings. */
export function* matchLineEndings(searched: SearchedText, wanted: Wanted): Steps<readonly OffsetEdit[]> {
  if (!searched.text.includes('\r') && !wanted.old.includes('\r')) return [];
  const folded = yield* foldText(searched, LINE_ENDINGS);
  const places = yield* placesOf(folded, withLf(wanted.old));
  return places.map(({ start, end }) => ({ start, end, text: wanted.fresh }));
}

/** Places that equal `old` once both are folded. Only what the edit changes is replaced; the rest stays as it is. */
export function* matchFolded(searched: SearchedText, wanted: Wanted, fold: Fold): Steps<readonly OffsetEdit[]> {
  if (!fold.changes(wanted.old) && !fold.changes(searched.text)) return [];
  yield;
  const folded = yield* foldText(searched, fold);
  const change = changedPart({ old: withLf(wanted.old), fresh: withLf(wanted.fresh) }, fold);
  const places = yield* placesOf(folded, fold.apply(withLf(wanted.old)));
  return places.map(({ start, end, at }) => {
    const from = offsetIn(folded, at + change.from);
    const to = offsetIn(folded, at + change.to);
    // A piece that the text has as one character and `old` as several, cut in two, is replaced as a whole.
    if (from === undefined || to === undefined) return { start, end, text: wanted.fresh };
    return { start: from, end: to, text: change.fresh };
  });
}

/** A text line by line folded, joined by LF. */
interface FoldedText {
  readonly text: string;
  readonly fold: Fold;
  readonly lines: readonly Line[];
  readonly folded: string;
  /** Where each line begins in `folded`. */
  readonly starts: readonly number[];
}

function* foldText(searched: SearchedText, fold: Fold): Steps<FoldedText> {
  const { text } = searched;
  const lines = yield* searched.lines();
  const parts: string[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const line of lines) {
    const part = foldLine(contentOf(text, line), fold) + (endingOf(text, line) === '' ? '' : '\n');
    starts.push(length);
    parts.push(part);
    length += part.length;
    if (parts.length % LINES_PER_STEP === 0) yield;
  }
  return { text, fold, lines, folded: parts.join(''), starts };
}

function foldLine(content: string, fold: Fold): string {
  return content.length <= LONGEST_FOLDED_LINE && fold.changes(content) ? fold.apply(content) : content;
}

interface Place {
  readonly start: number;
  readonly end: number;
  /** Where it begins in the folded text. */
  readonly at: number;
}

function* placesOf(folded: FoldedText, wanted: string): Steps<readonly Place[]> {
  const places: Place[] = [];
  for (let at = folded.folded.indexOf(wanted); at !== -1;) {
    const start = offsetIn(folded, at);
    const end = offsetIn(folded, at + wanted.length);
    const whole = start !== undefined && end !== undefined;
    if (whole) places.push({ start, end, at });
    at = folded.folded.indexOf(wanted, whole ? at + wanted.length : at + 1);
    yield;
  }
  return places;
}

/** Where an offset of the folded text lies in the text itself; `undefined` inside of what folds as one. */
function offsetIn({ text, fold, lines, folded, starts }: FoldedText, offset: number): number | undefined {
  if (offset === folded.length) return text.length;
  const index = lastNotAbove(starts, offset);
  const line = lines[index];
  if (line === undefined) return undefined;
  const column = offset - (starts[index] ?? 0);
  const content = contentOf(text, line);
  const own = foldLine(content, fold);
  if (column === own.length) return line.end;
  return own === content ? line.start + column : unfolded(line, content, { column, fold });
}

function unfolded(line: Line, content: string, { column, fold }: { column: number; fold: Fold }): number | undefined {
  let passed = 0;
  let offset = line.start;
  for (const piece of foldablePieces(content)) {
    if (passed >= column) break;
    passed += fold.apply(piece).length;
    offset += piece.length;
  }
  return passed === column ? offset : undefined;
}

/** The part that differs between `old` and `fresh`: from where to where in the folded `old`, and what it becomes. */
function changedPart({ old, fresh }: Wanted, fold: Fold): { readonly from: number; readonly to: number; readonly fresh: string } {
  const before = [...foldablePieces(old)];
  const after = [...foldablePieces(fresh)];
  const head = commonHead(before, after);
  const tail = commonTail(before, after, head);
  const from = fold.apply(before.slice(0, head).join('')).length;
  const length = fold.apply(before.slice(head, before.length - tail).join('')).length;
  return { from, to: from + length, fresh: after.slice(head, after.length - tail).join('') };
}

/** The index of the last number that is not above a limit; the numbers rise and the first is not above it. */
function lastNotAbove(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? Infinity) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

function withLf(text: string): string {
  return text.replace(/\r\n|\r/g, '\n');
}
