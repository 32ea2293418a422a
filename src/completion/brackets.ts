const OPENING = '([{';
const CLOSING = ')]}';
const QUOTES = '"\'`';
/** Languages in which `'` begins no text that ends on its line. */
const LOOSE_QUOTE: ReadonlySet<string> = new Set(['rust', 'markdown', 'plaintext', 'latex', 'ocaml', 'haskell']);
/** Languages in which `#` begins a comment. */
const HASH_COMMENT: ReadonlySet<string> = new Set(['python', 'ruby', 'shellscript', 'yaml', 'toml', 'perl', 'r', 'makefile', 'dockerfile']);

/** A bracket of a line. */
export interface Bracket {
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
