import { parseOptions } from '../commands/options.js';
import { type Word, literal } from '../words/word.js';
import type { Reader } from './reader.js';

const ADDRESS = String.raw`(?:\d+(?:~\d+)?|\$|/(?:[^/\\\n]|\\[^\n])*/I?)`;
const RANGE = String.raw`(?:${ADDRESS}(?:,(?:${ADDRESS}|[+~]\d+))?[ \t]*(?:![ \t]*)?)?`;
/** Commands without arguments: print, delete, quit, next line, hold space. */
const SIMPLE = String.raw`(?:[dDpPhHgGxnN=]|q\d*)`;
/** `s` with one of some delimiters. Of its flags those that print or choose; not `e`, which runs, and `w`, which writes. */
const SUBSTITUTE = ['/', '\\|', '#', ','].map((mark) => {
  const part = String.raw`(?:[^${mark}\\\n]|\\[^\n])*`;
  return `s${mark}${part}${mark}${part}${mark}[gpiIm0-9]*`;
});
/** One command is followed by the end of its line, a semicolon or the end. */
const COMMAND = `${RANGE}(?:${[SIMPLE, ...SUBSTITUTE].join('|')})(?=[ \\t]*(?:[;\\n]|$))`;
const SCRIPT = new RegExp(`^(?:[ \\t;\\n]|${COMMAND})*$`);
/** Sets of characters in which no delimiter stands. There some versions of sed do not see it. */
const SETS = /\[\^?(?:[\w .*+$:;@!=&<>"'(){}?-]|\[:\w+:\])+\]/g;
/** The longest script that is looked at. */
const MAX_SCRIPT = 500;

/** Whether a script of sed only prints. Everything but a few simple commands counts as not known. */
export function isReadingScript(script: string): boolean {
  if (script.length > MAX_SCRIPT || !SCRIPT.test(script)) return false;
  return !/[[\]]/.test(script.replace(/\\[^\n]/g, '').replace(SETS, ''));
}

/** Parses the arguments of sed. */
export const sed: Reader = (words) => {
  const table = { letters: 'nErsuz', valued: 'e', long: 'quiet silent regexp-extended separate unbuffered null-data posix sandbox expression=' };
  const parsed = parseOptions(words, table);
  if (parsed === undefined) return undefined;
  const given = parsed.options.flatMap(({ name, value }) => (name === 'e' || name === 'expression' ? [textOf(value)] : []));
  const [first, ...files] = parsed.operands;
  const scripts = given.length > 0 ? given : [literal(first)];
  if (scripts.some((script) => script === undefined || !isReadingScript(script))) return undefined;
  return given.length > 0 ? parsed.operands : files;
};

function textOf(value: Word | string | undefined): string | undefined {
  return typeof value === 'object' ? literal(value) : value;
}
