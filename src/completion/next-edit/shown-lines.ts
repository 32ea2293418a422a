import type { NextEditInput } from './next-edit-input.js';
import type { LineReplacement } from './line-replacement.js';

/** Characters of a file up to which all of it is shown, and of the parts of a longer one. */
const MAX_CHARACTERS = 12_000;
/** Lines around the cursor that are shown of a longer file, on either side. */
const NEAR_LINES = 30;
/** Lines around other places, on either side. */
const BESIDE_LINES = 2;
/** Places that one word, and what a language server says, may show. */
const MAX_PLACES = 20;
/** A word that is on more lines than this says nothing. */
const TOO_COMMON = 200;
/** Characters of a line from which on it is not shown. */
const LONG_LINE = 500;
/** Characters that the number of a line takes. */
const NUMBER_CHARACTERS = 7;

/** The lines that a model is shown, by their numbers from 0, in order: all of a small file, else those around the cursor and around places that the edit is about. */
export function shownLines(input: NextEditInput): readonly number[] {
  const { lines, cursor } = input;
  const shown = new Set<number>();
  let left = MAX_CHARACTERS;
  const show = (from: number, to: number): void => {
    for (let line = Math.max(0, from); line <= Math.min(to, lines.length - 1); line += 1) {
      const length = lines[line]?.length ?? 0;
      if (shown.has(line) || length > LONG_LINE || length + NUMBER_CHARACTERS > left) continue;
      shown.add(line);
      left -= length + NUMBER_CHARACTERS;
    }
  };
  // What is near counts most, so that the budget is spent there first.
  for (let distance = 0; distance <= NEAR_LINES; distance += 1) {
    show(cursor - distance, cursor - distance);
    show(cursor + distance, cursor + distance);
  }
  if (fits(lines)) show(0, lines.length - 1);
  else for (const place of telling(input)) show(place - BESIDE_LINES, place + BESIDE_LINES);
  return [...shown].sort((a, b) => a - b);
}

function fits(lines: readonly string[]): boolean {
  let left = MAX_CHARACTERS;
  return lines.length < MAX_CHARACTERS / NUMBER_CHARACTERS && lines.every((line) => (left -= line.length + NUMBER_CHARACTERS) >= 0);
}

/** Lines with something to say about the edit, the most telling first. */
function telling({ lines, latest, findings }: NextEditInput): readonly number[] {
  const found = findings.slice(0, MAX_PLACES).map(({ line }) => line);
  const mentions = changedWords(latest).map((word) => placesOf(word, lines));
  return [...mentions.slice(0, 1).flat(), ...found, ...mentions.slice(1).flat()];
}

function placesOf(word: string, lines: readonly string[]): readonly number[] {
  const places: number[] = [];
  for (let line = 0; line < lines.length && places.length <= TOO_COMMON; line += 1) if (lines[line]?.includes(word) === true) places.push(line);
  return places.length > TOO_COMMON ? [] : places.slice(0, MAX_PLACES);
}

/** Characters of changed lines that are looked at. */
const COMPARED_CHARACTERS = 4_000;
/** Words that are searched for elsewhere. */
const MAX_WORDS = 8;

/** The names that an edit is about, most telling first: removed names, added names, other names in its lines. */
export function changedWords({ before, after }: Pick<LineReplacement, 'before' | 'after'>): readonly string[] {
  const [old, next] = [wordsOf(before), wordsOf(after)];
  const gone = [...old].filter((word) => !next.has(word));
  const come = [...next].filter((word) => !old.has(word));
  return [...new Set([...gone, ...come, ...old])].slice(0, MAX_WORDS);
}

function wordsOf(lines: readonly string[]): ReadonlySet<string> {
  return new Set(
    lines
      .join('\n')
      .slice(0, COMPARED_CHARACTERS)
      .match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? [],
  );
}
