import { lineAfter, lineBefore, type Place } from './place.js';

/** Extent of a suggestion: the rest of the line, or some lines. */
export type Extent = 'line' | 'block';

/** The end of a line behind which a block begins. */
const OPENS_BLOCK = /(?:[{([:]|=>|->|\b(?:do|then|else|begin|try|finally))\s*$/;
/** Opening brackets of blocks, which editors close automatically. */
const OPENED = /[{[]$/;
const CLOSED = /^[}\])]+[;,]?\s*$/;
/** The end of a statement, behind which nothing more comes on its line. */
const ENDED = /;\s*$/;
const WORD_BEFORE = /[\p{L}\p{N}_$]$/u;
const WORD_AFTER = /^[\p{L}\p{N}_$]/u;

/**
 * Chooses the extent of a suggestion at a place, by the content of its line.
 * @param asked whether the user asked for it: then also where it would only disturb, before the rest of a line.
 * @returns `undefined` where nothing is suggested: within a word, before one, and behind the end of a statement.
 */
export function extentAt(place: Place, asked: boolean): Extent | undefined {
  const before = lineBefore(place);
  const after = lineAfter(place);
  if (WORD_AFTER.test(after) && (!asked || WORD_BEFORE.test(before))) return undefined;
  if (!asked && ENDED.test(before) && !isWithinBrackets(before, place.language)) return undefined;
  if (after.trim() !== '') return OPENED.test(before) && CLOSED.test(after) ? 'block' : 'line';
  return before.trim() === '' || OPENS_BLOCK.test(before) ? 'block' : 'line';
}

const OPENING = '([{';
const CLOSING = ')]}';
const QUOTES = '"\'`';
/** Languages in which `'` begins no text that ends on its line. */
const LOOSE_QUOTE: ReadonlySet<string> = new Set(['rust', 'markdown', 'plaintext', 'latex', 'ocaml', 'haskell']);
/** Languages in which `#` begins a comment. */
const HASH_COMMENT: ReadonlySet<string> = new Set(['python', 'ruby', 'shellscript', 'yaml', 'toml', 'perl', 'r', 'makefile', 'dockerfile']);

/** A bracket of a line. */
interface Bracket {
  readonly at: number;
  readonly opens: boolean;
}

/** The brackets of a line of code outside of strings and comments; approximate, since no grammar is used. */
export function bracketsOf(line: string, language: string): readonly Bracket[] {
  const found: Bracket[] = [];
  let quote = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (quote !== '') {
      if (character === '\\') at += 1;
      else if (character === quote) quote = '';
    } else if (beginsComment(line, at, language)) break;
    else if (beginsText(line, at, language)) quote = character;
    else if (OPENING.includes(character) || CLOSING.includes(character)) found.push({ at, opens: OPENING.includes(character) });
  }
  return found;
}

function beginsComment(line: string, at: number, language: string): boolean {
  return HASH_COMMENT.has(language) ? line.startsWith('#', at) : line.startsWith('//', at) && line.charAt(at - 1) !== ':';
}

/** Whether a quote character opens a string; an apostrophe within a word does not. */
function beginsText(line: string, at: number, language: string): boolean {
  const character = line.charAt(at);
  if (!QUOTES.includes(character)) return false;
  return character !== "'" || (!LOOSE_QUOTE.has(language) && !/\w/.test(line.charAt(at - 1)));
}

/** Whether a line opens more brackets than it closes, as the head of a loop does. */
function isWithinBrackets(line: string, language: string): boolean {
  return bracketsOf(line, language).reduce((depth, { opens }) => depth + (opens ? 1 : -1), 0) > 0;
}
