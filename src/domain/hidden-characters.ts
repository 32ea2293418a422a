/**
 * Characters that are not seen, look like a space, or turn the text around them: what is read is not what is run.
 * Control characters but newline and tab, format and default-ignorable characters (bidirectional controls,
 * zero-width characters, tags, variation selectors), spaces other than U+0020, line separators, halves of surrogate
 * pairs, characters without a meaning, and the blank Braille pattern. Source: Unicode 15, categories and UAX #44.
 */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zs}\p{Zl}\p{Zp}\p{Cs}\p{Co}\u2800](?<![\n\t ])/gu;

const NAMES: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x07: 'bell',
  0x08: 'backspace',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0xa0: 'no-break space',
  0xad: 'soft hyphen',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first strong isolate',
  0x3000: 'ideographic space',
  0xfeff: 'byte-order mark',
};

/** What emoji are put together with. */
const EMOJI_JOINER = /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic})/u;
const EMOJI_SELECTOR = /(?<=[\p{Emoji}\p{S}])[\uFE0E\uFE0F]/u;

/**
 * Characters without a glyph of their own, in which text for a model can be hidden from users: control and
 * format characters, everything default-ignorable (zero-width and bidirectional ones, tags, variation selectors), line
 * separators. Left alone are newline, tab, carriage return, and what emoji are put together with: a joiner between two of
 * them, a presentation selector behind one. The lookahead is the fast path: nearly all characters are visible.
 */
const UNSEEN = new RegExp(
  String.raw`(?=[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}])(?![\n\t\r]|${EMOJI_JOINER.source}|${EMOJI_SELECTOR.source}).`,
  'gsu',
);

/** Fast path: most texts have only characters that are always visible. */
const PLAIN = /^[\t\n\r -~]*$/;

/** Most characters that the message names; the user sees them all in the prompt itself. */
const NAMED = 5;

/** The hidden characters of a text, each once, such as `U+202E (right-to-left override)`; `undefined` when there are none. */
export function hiddenCharacters(text: string): string | undefined {
  return namesOf(text.matchAll(HIDDEN));
}

/** Removes invisible characters from a text. `hidden` names them; `undefined` when there were none. */
export function withoutUnseen(text: string): { readonly text: string; readonly hidden: string | undefined } {
  return PLAIN.test(text) ? { text, hidden: undefined } : { text: text.replace(UNSEEN, ''), hidden: namesOf(text.matchAll(UNSEEN)) };
}

/** A text with its invisible characters as escapes, such as `\u{202e}`; its lines, and emoji, stay as they are. */
export function showUnseen(text: string): string {
  return text.replace(UNSEEN, escapeOf);
}

function namesOf(matches: Iterable<RegExpExecArray>): string | undefined {
  const found = [...new Set([...matches].map(([character]) => nameOf(character)))];
  if (found.length === 0) return undefined;
  const more = found.length - NAMED;
  return more > 0 ? `${found.slice(0, NAMED).join(', ')} and ${more} more` : found.join(', ');
}

/** A text with its hidden characters as escapes, such as `\u{202e}`, on one line. */
export function escapeHidden(text: string): string {
  return text.replace(HIDDEN, escapeOf).replace(/[\n\t]/g, escapeOf);
}

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).toUpperCase().padStart(4, '0');
  const name = NAMES[code] ?? rangeOf(code);
  return name === undefined ? `U+${hex}` : `U+${hex} (${name})`;
}

function rangeOf(code: number): string | undefined {
  if (code >= 0xe0000 && code <= 0xe007f) return 'tag character';
  if ((code >= 0xfe00 && code <= 0xfe0f) || (code >= 0xe0100 && code <= 0xe01ef)) return 'variation selector';
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return 'control character';
  return undefined;
}
