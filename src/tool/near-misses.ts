import type { Replacement } from './match.js';
import { contentOf, lineNumberAt, linesOf } from './lines.js';
import { cutLine } from './show.js';

const SHOWN_PLACES = 5;
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;

/** The lines where an ambiguous text was found, as numbers and, where `quote` allows, with their content. */
export function candidateLines(text: string, replacements: readonly Replacement[], quote: boolean): string {
  const numbers = replacements.slice(0, SHOWN_PLACES).map(({ start }) => lineNumberAt(text, start));
  const more = replacements.length > SHOWN_PLACES ? ', …' : '';
  if (!quote) return `Found at lines ${numbers.join(', ')}${more}.`;
  const lines = linesOf(text);
  return [...numbers.map((number) => quoted(text, lines[number - 1], number)), ...(more === '' ? [] : ['…'])].join('\n');
}

/** What in the text comes nearest to `old`, for the error when it was not found; `undefined` when nothing does. */
export function nearMiss(text: string, old: string): string | undefined {
  return typographicTwin(text, old) ?? nearestWindow(text, old);
}

/** A place that differs only in look-alikes: curly quotes, long dashes, non-breaking spaces. */
function typographicTwin(text: string, old: string): string | undefined {
  const plain = plainTypography(text);
  const at = plain.indexOf(plainTypography(old));
  if (at === -1) return undefined;
  const number = lineNumberAt(plain, at);
  const advice = 'differs only in quotes, dashes or spaces that look alike; copy its characters exactly';
  return `Line ${number} ${advice}:\n${quoted(text, linesOf(text)[number - 1], number)}`;
}

function plainTypography(text: string): string {
  return text
    .replace(/\r\n|\r/g, '\n')
    .replace(/[\u2018\u2019\u201B\u2032]/g, "'")
    .replace(/[\u201C\u201D\u201F\u2033]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00A0\u2007\u202F]/g, ' ')
    .replace(/\u2026/g, '...');
}

/** The stretch of as many lines as `old` has that shares the most lines with it, white space apart. */
function nearestWindow(text: string, old: string): string | undefined {
  const wanted = new Set(old.split(/\r\n|\n|\r/).map((line) => line.trim()).filter((line) => /\w/.test(line)));
  const lines = linesOf(text);
  const hits = lines.map((line) => wanted.has(contentOf(text, line).trim()));
  const size = Math.min(Math.max(wanted.size, 1), SHOWN_LINES);
  const best = bestWindow(hits, size);
  if (best === undefined) return undefined;
  const shown = lines.slice(best, best + size).map((line, index) => quoted(text, line, best + index + 1));
  return `The nearest lines are:\n${shown.join('\n')}`;
}

function bestWindow(hits: readonly boolean[], size: number): number | undefined {
  let current = 0;
  let best = { start: 0, count: 0 };
  hits.forEach((hit, index) => {
    current += (hit ? 1 : 0) - (hits[index - size] === true ? 1 : 0);
    if (current > best.count) best = { start: Math.max(index - size + 1, 0), count: current };
  });
  if (best.count === 0) return undefined;
  // Begin at the first shared line, so that what follows it is seen.
  const first = hits.indexOf(true, best.start);
  return first;
}

function quoted(text: string, line: { start: number; end: number; next: number } | undefined, number: number): string {
  return line === undefined ? String(number) : `${number}\t${cutLine(contentOf(text, line), SHOWN_CHARACTERS)}`;
}
