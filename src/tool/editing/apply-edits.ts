import { ToolInputError } from '../../domain/errors.js';
import { lineNumbersAt } from '../../text/lines.js';
import type { Matches } from './match.js';
import { findMatches } from './match.js';
import { candidateLines, nearestLines } from './near-misses.js';
import type { ReplacedPart } from './replace.js';
import { replaceAll } from './replace.js';
import type { Steps } from '../../text/steps.js';

/** One replacement that a model asks for. */
export interface TextEdit {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean | undefined;
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
  /** Where the first of them are, as offsets in rising order. */
  readonly places: readonly number[];
  /** What had to be overlooked to find them. */
  readonly notes: readonly string[];
}

/** So many places are reported. */
const REPORTED_PLACES = 10;

/**
 * Makes edits one after the other, each in the text that those before it left.
 * @throws ToolInputError naming the first edit that cannot be made.
 */
export function* applyEdits(text: string, edits: readonly TextEdit[], file: EditedFile): Steps<EditedText> {
  let result: EditedText = { text, replacements: 0, places: [], notes: [] };
  for (const [index, edit] of edits.entries()) {
    const label = edits.length === 1 ? '' : `Edit ${index + 1} of ${edits.length}: `;
    const matches = yield* uniqueMatch(result.text, edit, { ...file, label, original: text });
    const replaced = yield* replaceAll(result.text, matches.replacements);
    const note = matches.note === undefined ? [] : [`${label}Not an exact match: ${matches.note}.`];
    result = {
      text: replaced.text,
      replacements: result.replacements + matches.replacements.length,
      places: placesAfter(result.places, replaced.parts),
      notes: [...result.notes, ...note],
    };
    yield;
  }
  return result;
}

/** Where earlier places went, with those of the replaced parts. */
function placesAfter(places: readonly number[], parts: readonly ReplacedPart[]): readonly number[] {
  const moved = places.map((place) => place + growthBefore(parts, place));
  const fresh: number[] = [];
  let growth = 0;
  for (const { start, end, length } of parts.slice(0, REPORTED_PLACES)) {
    fresh.push(start + growth);
    growth += length - (end - start);
  }
  return [...moved, ...fresh].sort((a, b) => a - b).slice(0, REPORTED_PLACES);
}

function growthBefore(parts: readonly ReplacedPart[], place: number): number {
  return parts.reduce((sum, { start, end, length }) => (end <= place && start < place ? sum + length - (end - start) : sum), 0);
}

interface Where extends EditedFile {
  readonly label: string;
  /** The text before the first edit. */
  readonly original: string;
}

function* uniqueMatch(text: string, edit: TextEdit, where: Where): Steps<Matches> {
  const matches = yield* findMatches(text, { old: edit.old_string, fresh: edit.new_string });
  if (matches === undefined) throw yield* notFound(text, edit, where);
  if (matches.replacements.length === 1 || edit.replace_all === true) return matches;
  throw new ToolInputError(
    `${where.label}old_string occurs ${matches.replacements.length} times in ${where.name}; nothing was changed. ` +
      `Add surrounding lines until it is unique, or set replace_all.\n${yield* candidateLines(text, matches.replacements, where.quote)}`,
  );
}

function* notFound(text: string, { old_string, new_string }: TextEdit, where: Where): Steps<ToolInputError> {
  const message = `${where.label}old_string was not found in ${where.name}; nothing was changed.`;
  if (text !== where.original && where.original.includes(old_string)) {
    return new ToolInputError(`${message} An edit before it in this call has changed that text already.`);
  }
  if (!where.quote) return new ToolInputError(`${message} Read the file first.`);
  const hints = [yield* nearestLines(text, old_string)].filter((hint) => hint !== undefined);
  const there = new_string === '' ? -1 : text.indexOf(new_string);
  if (there !== -1) hints.push(`new_string is there already, at line ${(yield* lineNumbersAt(text, [there])).join('')}.`);
  return new ToolInputError([message, ...(hints.length > 0 ? hints : ['Nothing in it comes near.'])].join('\n'));
}
