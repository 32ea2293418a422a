import type { Piece, RawWord } from './word.js';

/** Maximum number of words; more count as unknown. */
const MAX_WORDS = 64;
/** The longest word that is looked at, in UTF-16 units. */
const MAX_LENGTH = 1_000;

/** A character as written. */
interface Sign {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * Brace expansion of bash, which precedes all other expansions: `a{b,c}` is `ab ac`. Returns the word itself where it has
 * no braces, and where the result is known only at run time or too large: with variables in it, with sequences such as
 * `{1..3}`, and when there are too many.
 */
export function expandBraces(raw: RawWord): readonly RawWord[] {
  const signs = raw.pieces.map((piece) => (piece.kind === 'text' ? Array.from(piece.text, (text) => ({ text, quoted: piece.quoted })) : undefined));
  if (!signs.every((part) => part !== undefined) || raw.end - raw.start > MAX_LENGTH) return [raw];
  const words = expand(signs.flat());
  return words.length === 1 ? [raw] : words.map((word) => ({ ...raw, pieces: piecesOf(word), expansions: [] }));
}

function expand(signs: readonly Sign[]): readonly (readonly Sign[])[] {
  for (let open = 0; open < signs.length; open += 1) {
    const group = isSign(signs[open], '{') ? groupAt(signs, open) : undefined;
    if (group === undefined) continue;
    const before = signs.slice(0, open);
    const behind = expand(signs.slice(group.end + 1));
    const inner = group.parts.flatMap(expand);
    if (inner.length * behind.length > MAX_WORDS) return [signs];
    return inner.flatMap((part) => behind.map((rest) => [...before, ...part, ...rest]));
  }
  return [signs];
}

/** The alternatives between a brace and the one that closes it; `undefined` where it is an ordinary character. */
function groupAt(signs: readonly Sign[], open: number): { readonly parts: readonly (readonly Sign[])[]; readonly end: number } | undefined {
  const parts: (readonly Sign[])[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < signs.length; at += 1) {
    if (isSign(signs[at], '{')) depth += 1;
    else if (isSign(signs[at], '}')) depth -= 1;
    if (depth === 0) return parts.length === 0 ? undefined : { parts: [...parts, signs.slice(start, at)], end: at };
    if (depth === 1 && isSign(signs[at], ',')) {
      parts.push(signs.slice(start, at));
      start = at + 1;
    }
  }
  return undefined;
}

function isSign(sign: Sign | undefined, text: string): boolean {
  return sign?.quoted === false && sign.text === text;
}

function piecesOf(signs: readonly Sign[]): readonly Piece[] {
  const pieces: { kind: 'text'; text: string; quoted: boolean }[] = [];
  for (const { text, quoted } of signs) {
    const last = pieces.at(-1);
    if (last?.quoted === quoted) last.text += text;
    else pieces.push({ kind: 'text', text, quoted });
  }
  return pieces;
}
