import { present } from '../../domain/present.js';
import { ToolInputError } from '../../domain/errors.js';
import { editLabel } from '../../domain/tool/for-model.js';
import { type Line, lineNumbersAt, contentOf, linesOf } from '../../text/lines.js';
import { type Region, withGaps } from './changed-lines.js';
import { type Matches, findMatches } from './match.js';
import type { OffsetEdit } from '../../text/text-edit.js';
import { type ReplacedPart, replaceAll } from './replace.js';
import { type Steps, LINES_PER_STEP } from '../../concurrency/steps.js';
import { type NumberedLine, numberedLines } from '../reading/numbered-lines.js';
import { cutLine } from '../../text/show.js';

/** One replacement that a model asks for. */
export interface RequestedEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
  /** At how many places the text has to be: all are replaced then, and else none. Absent: once, or anywhere with `replace_all`. */
  readonly expected_replacements?: number | undefined;
  /** Which of several places is meant, for an edit of whole lines; absent: the text occurs once. */
  readonly place?: EditPlace;
}

/** Where the hunk of a patch belongs: behind the hunk before it, and the first place there is. */
interface EditPlace {
  /** Lines that stand above it one after the other, such as the head of a class and of a method. */
  readonly below: readonly string[];
  /** Whether it is at the end of the file, and so the last place. */
  readonly last: boolean;
}

/** What errors call the file, and whether they may quote it. */
export interface EditedFile {
  readonly name: string;
  readonly quote: boolean;
}

/** A text with all edits in it. */
export interface EditedText {
  readonly text: string;
  readonly replacements: number;
  /** Where the first of them are, in rising order. */
  readonly regions: readonly Region[];
  /** What had to be overlooked to find them. */
  readonly notes: readonly string[];
}

/** Maximum number of places reported. */
const REPORTED_PLACES = 10;

/**
 * Makes edits one after the other, each in the text that those before it left.
 * @throws ToolInputError naming the first edit that cannot be made.
 */
export function* applyEdits(text: string, edits: readonly RequestedEdit[], file: EditedFile): Steps<EditedText> {
  let result: EditedText = { text, replacements: 0, regions: [], notes: [] };
  let reached = 0;
  for (const [index, edit] of edits.entries()) {
    const number = edits.length === 1 ? undefined : { number: index + 1, of: edits.length };
    const label = editLabel(number);
    const matches = yield* uniqueMatch(result.text, edit, { ...file, edit: number, original: text, reached });
    const replaced = yield* replaceAll(result.text, matches.replacements);
    const [only] = replaced.parts;
    if (only !== undefined) reached = only.start + only.length;
    const note = matches.note === undefined ? [] : [`${label}Not an exact match: ${matches.note}.`];
    result = {
      text: replaced.text,
      replacements: result.replacements + matches.replacements.length,
      regions: regionsAfter(result.regions, replaced.parts),
      notes: [...result.notes, ...note],
    };
    yield;
  }
  return result;
}

/** Where earlier regions went, with the replaced parts themselves. */
function regionsAfter(regions: readonly Region[], parts: readonly ReplacedPart[]): readonly Region[] {
  const moved = regions.map(({ start, end }) => ({ start: start + growthBefore(parts, start), end: end + growthBefore(parts, end) }));
  const fresh: Region[] = [];
  let growth = 0;
  for (const { start, end, length } of parts.slice(0, REPORTED_PLACES)) {
    fresh.push({ start: start + growth, end: start + growth + length });
    growth += length - (end - start);
  }
  return [...moved, ...fresh].sort((a, b) => a.start - b.start).slice(0, REPORTED_PLACES);
}

function growthBefore(parts: readonly ReplacedPart[], place: number): number {
  return parts.reduce((sum, { start, end, length }) => (end <= place && start < place ? sum + length - (end - start) : sum), 0);
}

interface Where extends EditedFile {
  /** Its number among the edits of the call; absent for the only one. */
  readonly edit: { readonly number: number; readonly of: number } | undefined;
  /** The text before the first edit. */
  readonly original: string;
  /** Offset behind the edit before. */
  readonly reached: number;
}

function* uniqueMatch(text: string, edit: RequestedEdit, where: Where): Steps<Matches> {
  if (edit.place !== undefined) return yield* placedMatch(text, { ...edit, place: edit.place }, where);
  const matches = yield* findMatches(text, { old: edit.old_string, fresh: edit.new_string });
  if (matches === undefined) throw yield* notFound(text, edit, where);
  const found = matches.replacements.length;
  const { expected_replacements: expected, replace_all: all = false } = edit;
  if (expected === undefined ? found === 1 || all : found === expected) return matches;
  const places = yield* candidateLines(text, matches.replacements, where.quote);
  const { name: file, edit: number } = where;
  const several = { kind: 'ambiguous', file, found, ...present({ edit: number }) } as const;
  throw new ToolInputError(expected === undefined ? several : { ...several, expected }, { detail: places });
}

/** The place of the hunk of a patch. A hunk that only adds lines goes below its heading, or to the end of the file. */
function* placedMatch(text: string, edit: RequestedEdit & { readonly place: EditPlace }, where: Where): Steps<Matches> {
  const { below, last } = edit.place;
  const from = yield* offsetBelow(text, below, where);
  if (edit.old_string === '') {
    const at = below.length === 0 || last ? text.length : from;
    const open = at > 0 && !/[\r\n]/.test(text.charAt(at - 1));
    return { replacements: [{ start: at, end: at, text: open ? `\n${edit.new_string.replace(/\n$/, '')}` : edit.new_string }], note: undefined };
  }
  const matches = yield* findMatches(text, { old: edit.old_string, fresh: edit.new_string });
  const whole = matches?.replacements.filter(({ start }) => start >= from && (start === 0 || /[\r\n]/.test(text.charAt(start - 1)))) ?? [];
  const found = last ? whole.at(-1) : whole[0];
  if (matches === undefined || found === undefined) throw yield* notFound(text, edit, where);
  return { ...matches, replacements: [found] };
}

/** The offset behind the lines that a hunk is below, each looked for behind the one before. @throws ToolInputError when one is not there. */
function* offsetBelow(text: string, below: readonly string[], { reached, edit, name }: Where): Steps<number> {
  const lines = yield* linesOf(text);
  let next = lines.findIndex(({ start }) => start >= reached);
  if (next === -1) next = lines.length;
  for (const heading of below) {
    const at = lines.findIndex((line, index) => index >= next && contentOf(text, line).trim() === heading.trim());
    if (at === -1)
      throw new ToolInputError(
        `${editLabel(edit)}The line “${cutLine(heading, SHOWN_CHARACTERS)}” behind @@ was not found in ${name}; nothing was changed. ` +
          'Give a whole line of the file that is above the change, or nothing.',
      );
    next = at + 1;
    yield;
  }
  return lines[next]?.start ?? text.length;
}

function* notFound(text: string, { old_string, new_string }: RequestedEdit, where: Where): Steps<ToolInputError> {
  const missing = { kind: 'text_not_found', file: where.name, ...present({ edit: where.edit }) } as const;
  if (text !== where.original && where.original.includes(old_string)) {
    return new ToolInputError(missing, { detail: ' An edit before it in this call has changed that text already.' });
  }
  if (!where.quote) return new ToolInputError(missing, { detail: ' Read the file first.' });
  const hints = [yield* nearestLines(text, old_string)].filter((hint) => hint !== undefined);
  const there = new_string === '' ? -1 : text.indexOf(new_string);
  if (there !== -1) hints.push(`new_string is there already, at line ${(yield* lineNumbersAt(text, [there])).join('')}.`);
  return new ToolInputError(missing, { detail: ['', ...(hints.length > 0 ? hints : ['Nothing in it comes near.'])].join('\n') });
}

const SHOWN_PLACES = 5;
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 200;
/** Lines shown before and after each place. */
const CONTEXT = 1;

/** The lines where an ambiguous text was found, as numbers and, where `quote` allows, with those around them. */
function* candidateLines(text: string, replacements: readonly OffsetEdit[], quote: boolean): Steps<string> {
  const numbers = yield* lineNumbersAt(
    text,
    replacements.slice(0, SHOWN_PLACES).map(({ start }) => start),
  );
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

/**
 * The stretch of as many lines as `old` has that shares the most lines with it, white space apart, for the error when
 * it was not found; `undefined` when none is shared.
 */
function* nearestLines(text: string, old: string): Steps<string | undefined> {
  const wanted = new Set(
    old
      .split(/\r\n|\n|\r/)
      .map((line) => line.trim())
      .filter((line) => /[\p{L}\p{N}_]/u.test(line)),
  );
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
