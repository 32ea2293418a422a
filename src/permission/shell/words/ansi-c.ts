import { t } from '../../../domain/l10n.js';
import { unreadable } from '../unreadable.js';

const SIMPLE: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};

const ESCAPE = /\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([\s\S]))/g;
/** The first character whose escapes are not decoded. */
const FIRST_UNKNOWN = 0x80;

/**
 * The text of what stands between `$'` and `'`. `undefined` when it is not known here.
 * @throws UnreadableError for a null character, at which the shell would cut the text off.
 */
export function decodeAnsiC(written: string): string | undefined {
  const unknown: string[] = [];
  const text = written.replace(ESCAPE, (whole: string, ...groups: (string | undefined)[]) => {
    const value = decodeEscape(groups);
    if (value === undefined) unknown.push(whole);
    return value ?? whole;
  });
  if (text.includes('\0')) unreadable(t('It holds a null character.'));
  return unknown.length === 0 ? text : undefined;
}

function decodeEscape([octal, hex, short, long, letter = '']: readonly (string | undefined)[]): string | undefined {
  if (octal !== undefined) return decodeCode(parseInt(octal, 8));
  if (hex !== undefined) return decodeCode(parseInt(hex, 16));
  const point = short ?? long;
  return point === undefined ? SIMPLE[letter] : decodeCode(parseInt(point, 16));
}

/** Beyond ASCII it is a single byte, or depends on the language that the shell runs in. */
function decodeCode(code: number): string | undefined {
  return code < FIRST_UNKNOWN ? String.fromCodePoint(code) : undefined;
}
