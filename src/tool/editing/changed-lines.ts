import { type Line, contentOf, linesOf } from '../../text/lines.js';
import { cutLine } from '../../text/show.js';
import { type Steps, LINES_PER_STEP } from '../../concurrency/steps.js';
import { type NumberedLine, numberedLines } from '../reading/numbered-lines.js';

/** Lines shown before and after each change. */
const CONTEXT = 2;
/** Lines of one change that are shown at its beginning and at its end: the model wrote what is between. */
const EDGE = 4;
/** Lines that are shown of all changes. */
const SHOWN_LINES = 30;
/** Characters of one line. */
const LINE_CHARACTERS = 300;

/** A part of a text, as offsets. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/**
 * What a text is like around some parts of it, as `read` shows it, so that it need not be read again.
 * @param regions in rising order.
 */
export function* changedLines(text: string, regions: readonly Region[]): Steps<readonly string[]> {
  const lines = yield* linesOf(text);
  const wanted = new Set<number>();
  let places = 0;
  for (const region of regions) {
    const near = nearOf(lines, region).filter((index) => !wanted.has(index));
    if (wanted.size + near.length > SHOWN_LINES && places > 0) break;
    for (const index of near) wanted.add(index);
    places += 1;
    if (places % LINES_PER_STEP === 0) yield;
  }
  const shown = [...wanted].sort((a, b) => a - b).map((index) => numbered(text, lines[index], index + 1));
  const left = regions.length - places;
  return [...withGaps(shown), ...(left > 0 ? [`[${left} more changed ${left === 1 ? 'place' : 'places'} not shown]`] : [])];
}

/** Numbered lines with a mark wherever some between them are left out. */
export function withGaps(lines: readonly NumberedLine[]): readonly string[] {
  return numberedLines(lines).flatMap((line, index) => {
    const gap = index > 0 && lines[index]?.number !== (lines[index - 1]?.number ?? 0) + 1;
    return gap ? ['--', line] : [line];
  });
}

/** The indexes of the lines that are shown of one change. */
function nearOf(lines: readonly Line[], { start, end }: Region): readonly number[] {
  const first = indexAt(lines, start);
  // What ends with the ending of a line reaches no further.
  const last = Math.max(first, indexAt(lines, end > start ? end - 1 : end));
  const range = Array.from({ length: last - first + 1 + 2 * CONTEXT }, (_, at) => first - CONTEXT + at);
  const inner = last - first + 1 > 2 * EDGE ? range.filter((index) => index < first + EDGE || index > last - EDGE) : range;
  return inner.filter((index) => index >= 0 && index < lines.length);
}

/** The index of the line that holds an offset; of the last line for what is behind it. */
function indexAt(lines: readonly Line[], offset: number): number {
  let [low, high] = [0, Math.max(lines.length - 1, 0)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle]?.next ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

function numbered(text: string, line: Line | undefined, number: number): NumberedLine {
  return { number, text: line === undefined ? '' : cutLine(contentOf(text, line), LINE_CHARACTERS) };
}
