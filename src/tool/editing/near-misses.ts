import type { Line } from '../../text/lines.js';
import { contentOf, lineNumbersAt, linesOf } from '../../text/lines.js';
import type { Replacement } from './match.js';
import type { NumberedLine } from '../reading/numbered-lines.js';
import { numberedLines } from '../reading/numbered-lines.js';
import { cutLine } from '../../text/show.js';
import type { Steps } from '../../text/steps.js';
import { LINES_PER_STEP } from '../../text/steps.js';

const SHOWN_PLACES = 5;
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;
/** Lines shown before and after each place. */
const CONTEXT = 1;

/** The lines where an ambiguous text was found, as numbers and, where `quote` allows, with those around them. */
export function* candidateLines(text: string, replacements: readonly Replacement[], quote: boolean): Steps<string> {
  const numbers = yield* lineNumbersAt(text, replacements.slice(0, SHOWN_PLACES).map(({ start }) => start));
  const found = `Found at lines ${numbers.join(', ')}${replacements.length > SHOWN_PLACES ? ', …' : ''}`;
  if (!quote) return `${found}.`;
  const lines = yield* linesOf(text);
  const near = (index: number): boolean => numbers.some((number) => Math.abs(number - 1 - index) <= CONTEXT);
  const first = Math.min(...numbers) - 1 - CONTEXT;
  const last = Math.max(...numbers) - 1 + CONTEXT;
  const shown: NumberedLine[] = [];
  for (let index = Math.max(first, 0); index <= Math.min(last, lines.length - 1); index += 1) {
    if (near(index)) shown.push(quoted(text, lines[index], index + 1));
    if (index % LINES_PER_STEP === 0) yield;
  }
  return [`${found}:`, ...withGaps(shown)].join('\n');
}

/** Numbered lines with a mark wherever some between them are left out. */
function withGaps(lines: readonly NumberedLine[]): readonly string[] {
  const numbered = numberedLines(lines);
  return numbered.flatMap((line, index) => {
    const gap = index > 0 && lines[index]?.number !== (lines[index - 1]?.number ?? 0) + 1;
    return gap ? ['--', line] : [line];
  });
}

/**
 * The stretch of as many lines as `old` has that shares the most lines with it, white space apart, for the error when
 * it was not found; `undefined` when none is shared.
 */
export function* nearestLines(text: string, old: string): Steps<string | undefined> {
  const wanted = new Set(old.split(/\r\n|\n|\r/).map((line) => line.trim()).filter((line) => /[\p{L}\p{N}_]/u.test(line)));
  const lines = yield* linesOf(text);
  const size = Math.min(Math.max(wanted.size, 1), SHOWN_LINES);
  const hits: boolean[] = [];
  let current = 0;
  let best = { start: 0, count: 0 };
  for (const line of lines) {
    hits.push(wanted.has(contentOf(text, line).trim()));
    current += (hits.at(-1) === true ? 1 : 0) - (hits[hits.length - 1 - size] === true ? 1 : 0);
    if (current > best.count) best = { start: Math.max(hits.length - size, 0), count: current };
    if (hits.length % LINES_PER_STEP === 0) yield;
  }
  if (best.count === 0) return undefined;
  // Begin at the first shared line, so that what follows it is seen.
  const first = hits.indexOf(true, best.start);
  const shown = lines.slice(first, first + size).map((line, index) => quoted(text, line, first + index + 1));
  return `The nearest lines are:\n${numberedLines(shown).join('\n')}`;
}

function quoted(text: string, line: Line | undefined, number: number): NumberedLine {
  return { number, text: line === undefined ? '' : cutLine(contentOf(text, line), SHOWN_CHARACTERS) };
}
