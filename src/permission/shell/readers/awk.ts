import { parseOptions } from '../commands/options.js';
import { literal } from '../words/word.js';
import type { Reader } from './reader.js';

/** Tokens a program may consist of, but for regular expressions; no `|`, no single `>` or `<`, no `@`, no backslash outside strings. */
const TOKEN = /\n|[^\S\n]+|\d+(?:\.\d+)?|"(?:[^"\\\n]|\\[^\n])*"|[A-Za-z_]\w*|&&|\|\||\+\+|--|[<>=!]=|[$(){}[\],;+\-*%=!~?:]/y;
/**
 * A regular expression. Nothing can be called in it, no brace is hidden, and no slash stands in a set of characters: where such a slash ends
 * the expression, programs of awk do not agree.
 */
const REGULAR = /\/(?:[^/\\\n"|<>@(){}[\]]|\\[^\n"(){}[\]]|\[\^?(?:[^/\\\n"|<>@(){}[\]]|\[:[a-z]+:\])+\])*\//y;
const FUNCTIONS = ['length', 'substr', 'index', 'split', 'tolower', 'toupper', 'sprintf', 'int', 'match', 'gsub', 'sub', 'sqrt', 'printf', 'print'];
const WORDS = ['BEGIN', 'END', 'NR', 'NF', 'FNR', 'FS', 'OFS', 'RS', 'ORS', 'RSTART', 'RLENGTH', 'if', 'else', 'for', 'in', 'while', 'next', 'exit', 'delete'];
const KNOWN: ReadonlySet<string> = new Set([...FUNCTIONS, ...WORDS]);
/** Variables of one's own. What some awk has as a function or a statement is longer than this, but for the forbidden. */
const VARIABLE = /^[a-z]{1,3}$|^(?:sum|count|total|max|min|seen|line|last|prev|avg|name|key|val|out|arr)$/;
const FORBIDDEN: ReadonlySet<string> = new Set(['get', 'and', 'xor', 'or']);

/** Behind these a slash begins a regular expression. */
const BEFORE_REGULAR = /^(?:\n|[{}(,;!~=?:*%+[-]|[<>=!]=|[<>]|&&|\|\||print|printf|else|exit|)$/;
/** Behind these it divides: variables, fields and numbers. */
const BEFORE_DIVISION = /^(?:\]|\d.*|N[RF]|FNR|RSTART|RLENGTH)$/;

/** Whether a program of awk only prints. Programs that cannot be tokenized as awk does it do not count. */
export function isReadingProgram(program: string): boolean {
  // A quotation mark between slashes could be mistaken for the beginning of a string.
  if (program.includes('"') && program.includes('/')) return false;
  let depth = 0;
  let before = '';
  for (let at = 0; at < program.length;) {
    const token = program.charAt(at) === '/' ? slash(program, at, before) : (matchAt(TOKEN, program, at) ?? comparison(program, at, depth));
    if (token === undefined || (/^[A-Za-z_]/.test(token) && !isKnown(token))) return false;
    depth += token === '{' ? 1 : token === '}' ? -1 : 0;
    at += token.length;
    if (token === '\n' || token.trim() !== '') before = token;
  }
  return true;
}

/** A division, or a regular expression, by what stands before it; `undefined` where either could be meant, as behind `)` and `++`. */
function slash(program: string, at: number, before: string): string | undefined {
  if (BEFORE_DIVISION.test(before) || (VARIABLE.test(before) && isKnown(before))) return '/';
  return BEFORE_REGULAR.test(before) ? matchAt(REGULAR, program, at) : undefined;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
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
