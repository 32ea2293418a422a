import { parseOptions } from '../commands/options.js';
import { literal } from '../words/word.js';
import type { Reader } from './reader.js';

/**
 * Tokens a program may consist of; no `|`, no single `>` or `<`, no `@`, no backslash outside strings. What looks like a
 * regular expression here may be a division, so nothing can be called in it.
 */
const TOKEN = /\s+|\d+(?:\.\d+)?|"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_]\w*|&&|\|\||[<>=!]=|[$(){}[\],;+\-*%=!~?:]|\/(?:[^/\\\n"|<>@()]|\\[^\n"()])*\//y;
const FUNCTIONS = ['length', 'substr', 'index', 'split', 'tolower', 'toupper', 'sprintf', 'int', 'match', 'gsub', 'sub', 'sqrt', 'printf', 'print'];
const WORDS = ['BEGIN', 'END', 'NR', 'NF', 'FNR', 'FS', 'OFS', 'RS', 'ORS', 'RSTART', 'RLENGTH', 'if', 'else', 'for', 'in', 'while', 'next', 'exit', 'delete'];
const KNOWN: ReadonlySet<string> = new Set([...FUNCTIONS, ...WORDS]);
/** Variables of one's own. What some awk has as a function or a statement is longer than this, but for the forbidden. */
const VARIABLE = /^[a-z]{1,3}$|^(?:sum|count|total|max|min|seen|line|last|prev|avg|name|key|val|out|arr)$/;
const FORBIDDEN: ReadonlySet<string> = new Set(['get', 'and', 'xor', 'or']);

/** Whether a program of awk only prints. */
export function isReadingProgram(program: string): boolean {
  // A quotation mark between slashes could be mistaken for the beginning of a string.
  if (program.includes('"') && program.includes('/')) return false;
  let depth = 0;
  for (let at = 0; at < program.length; ) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(program)?.[0] ?? comparison(program, at, depth);
    if (token === undefined || (/^[A-Za-z_]/.test(token) && !isKnown(token))) return false;
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    at += token.length;
  }
  return true;
}

/** Outside of braces nothing is printed, so what would be a redirection there compares. */
function comparison(program: string, at: number, depth: number): string | undefined {
  return depth === 0 && /[<>]/.test(program.charAt(at)) ? program.charAt(at) : undefined;
}

function isKnown(name: string): boolean {
  return KNOWN.has(name) || (VARIABLE.test(name) && !FORBIDDEN.has(name));
}

/** Parses the arguments of awk. A value given with -v is text for the program; operands with `=` are variables. */
export const awk: Reader = (words) => {
  const parsed = parseOptions(words, { valued: 'F', stop: true });
  const [program, ...files] = parsed?.operands ?? [];
  const text = literal(program);
  if (text === undefined || !isReadingProgram(text)) return undefined;
  if (files.some((file) => literal(file)?.includes('=') !== false)) return undefined;
  return files;
};
