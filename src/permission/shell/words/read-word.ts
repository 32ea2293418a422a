import { t } from '../../../domain/l10n.js';
import type { ShellNode } from '../grammar/shell-node.js';
import type { Source } from '../grammar/source.js';
import { unreadable } from '../doubts.js';
import type { Piece, RawWord, Risk } from './word.js';

/** Ends a word when it is not quoted. */
const METACHARACTER = /[ \t\n;&|()<>]/;
/** Characters of an unquoted word that are literal or part of a pattern. Everything visible beyond ASCII is a letter. */
const PLAIN = /[!-~]|[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** Characters that a backslash escapes between double quotes. */
const ESCAPED_IN_QUOTES = '$`"\\';
/** Characters behind a dollar sign that begin an expansion, also on a continued line. */
const AFTER_DOLLAR = /^(?:[A-Za-z0-9_({[@*#?$!-]|\\\n)/;
const PLAIN_VARIABLE = /^\$(?:[A-Za-z_]\w*|[0-9@*#?$!-])$/;
const BRACED_VARIABLE = /^\$\{#?[A-Za-z_]\w*\}$/;
const NUMBERS_ONLY = /^\$(?:\(\([\d\s+*/%()-]*\)\)|\[[\d\s+*/%()-]*\])$/;

/**
 * Reads one word, by the rules of bash and independent of the grammar, which is only asked where expansions end.
 * @throws UnreadableError when it is not certain what the shell would make of it.
 */
export function readWord(source: Source, at: number): RawWord {
  const reader = new WordReader(source, at);
  reader.readUnquoted();
  return reader.word();
}

/** Parses the content of an unquoted here-document, or of double quotes, up to a place. */
export function readExpandedText(source: Source, from: number, to: number): RawWord {
  const reader = new WordReader(source, from);
  while (reader.at < to) reader.readExpandable('');
  if (reader.at !== to) unreadable();
  return reader.word();
}

class WordReader {
  at: number;
  private readonly start: number;
  private readonly pieces: Piece[] = [];
  private readonly expansions: ShellNode[] = [];

  constructor(
    private readonly source: Source,
    at: number,
  ) {
    this.start = at;
    this.at = at;
  }

  word(): RawWord {
    return { start: this.start, end: this.at, pieces: this.pieces, expansions: this.expansions };
  }

  readUnquoted(): void {
    const { text } = this.source;
    for (;;) {
      const char = text.charAt(this.at);
      if (this.expand(false)) continue;
      if (char === '' || METACHARACTER.test(char)) return;
      if (char === '`') return;
      this.readPiece(char);
    }
  }

  private readPiece(char: string): void {
    if (char === '\\') this.readEscaped();
    else if (char === "'") this.readSingleQuoted();
    else if (char === '"') this.readDoubleQuoted();
    else if (char === '$') this.readDollar();
    else this.readPlain();
  }

  private readEscaped(): void {
    const next = String.fromCodePoint(this.source.text.codePointAt(this.at + 1) ?? 0);
    if (next === '\n') this.at += 2;
    else if (!PLAIN.test(next) && next !== ' ' && next !== '\t') unreadable();
    else this.add(next, true, next.length + 1);
  }

  private readSingleQuoted(): void {
    const end = this.source.text.indexOf("'", this.at + 1);
    if (end < 0) unbalanced();
    this.add(this.source.text.slice(this.at + 1, end), true, end + 1 - this.at);
  }

  private readDoubleQuoted(): void {
    this.add('', true, 1);
    while (this.source.text.charAt(this.at) !== '"') {
      if (this.at >= this.source.text.length) unbalanced();
      this.readExpandable('"');
    }
    this.at++;
  }

  /** One step in text in which only expansions and some backslashes have a meaning. */
  readExpandable(quote: string): void {
    const { text } = this.source;
    const char = text.charAt(this.at);
    if (this.expand(true)) return;
    if (char === '`') unbalanced();
    if (char === '$' && AFTER_DOLLAR.test(text.slice(this.at + 1, this.at + 3))) unreadable();
    const next = text.charAt(this.at + 1);
    if (char !== '\\') this.add(char, true, 1);
    else if (next === '\n') this.at += 2;
    else if (next !== '' && ESCAPED_IN_QUOTES.includes(next) && (next !== '"' || quote === '"')) this.add(next, true, 2);
    else this.add(char, true, 1);
  }

  /** A dollar sign at which the grammar found no expansion. */
  private readDollar(): void {
    const { text } = this.source;
    const next = text.charAt(this.at + 1);
    if (next === "'") this.readAnsiC();
    else if (next === '"') this.at++;
    else if (AFTER_DOLLAR.test(text.slice(this.at + 1, this.at + 3))) unreadable();
    else this.add('$', true, 1);
  }

  private readAnsiC(): void {
    const match = /\$'((?:[^\\']|\\[\s\S])*)'/y;
    match.lastIndex = this.at;
    const found = match.exec(this.source.text);
    if (found === null) return unbalanced();
    const value = decodeAnsiC(found[1] ?? '');
    if (value === undefined) this.pieces.push({ kind: 'unknown', risk: 'risky' });
    this.add(value ?? '', true, found[0].length);
  }

  private readPlain(): void {
    const char = String.fromCodePoint(this.source.text.codePointAt(this.at) ?? 0);
    if (!PLAIN.test(char)) unreadable(t('It contains an invisible character.'));
    this.add(char, false, char.length);
  }

  private add(text: string, quoted: boolean, length: number): void {
    this.at += length;
    const last = this.pieces.at(-1);
    if (last?.kind === 'text' && last.quoted === quoted) this.pieces.splice(-1, 1, { ...last, text: last.text + text });
    else this.pieces.push({ kind: 'text', text, quoted });
  }

  /** Takes the expansion that begins here, if one does. */
  private expand(quoted: boolean): boolean {
    const node = this.source.takeExpansion(this.at);
    if (node === undefined) return false;
    const written = this.source.text.slice(node.start, node.end);
    if (/^[<>]\(/.test(written) && quoted) unreadable();
    this.pieces.push(pieceOf(node, written, quoted));
    this.expansions.push(node);
    this.at = node.end;
    if (/^\$[A-Za-z_]/.test(written) && /\w/.test(this.source.text.charAt(this.at))) unreadable();
    return true;
  }
}

function pieceOf(node: ShellNode, written: string, quoted: boolean): Piece {
  const name = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(written)?.[1];
  if (name !== undefined && (PLAIN_VARIABLE.test(written) || BRACED_VARIABLE.test(written))) return { kind: 'variable', name, quoted };
  // It prints the name of a version, which is nothing but digits and letters.
  if (node.type === 'command_substitution' && /^\$\(git merge-base( [\w./~^@-]+){2}\)$/.test(written)) return { kind: 'text', text: 'HEAD', quoted: true };
  // The program is given a pipe to read from.
  if (node.type === 'process_substitution' && written.startsWith('<(')) return { kind: 'text', text: '/dev/fd/63', quoted: true };
  return { kind: 'unknown', risk: riskOf(node, written) };
}

function riskOf(node: ShellNode, written: string): Risk {
  switch (node.type) {
    case 'simple_expansion':
      return PLAIN_VARIABLE.test(written) ? 'plain' : unreadable();
    case 'expansion':
      return BRACED_VARIABLE.test(written) ? 'plain' : 'risky';
    case 'arithmetic_expansion':
      return NUMBERS_ONLY.test(written) ? 'plain' : 'risky';
    case 'command_substitution':
      return written.startsWith('$((') ? unreadable() : 'plain';
    default:
      return 'risky';
  }
}

function unbalanced(): never {
  return unreadable(t('A quotation mark is unmatched.'));
}

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
 * The text of the content between `$'` and `'`. `undefined` when it is not known here.
 * @throws UnreadableError for a null character, at which the shell would cut the text off.
 */
function decodeAnsiC(written: string): string | undefined {
  const unknown: string[] = [];
  const text = written.replace(ESCAPE, (whole: string, ...groups: (string | undefined)[]) => {
    const value = decodeEscape(groups);
    if (value === undefined) unknown.push(whole);
    return value ?? whole;
  });
  if (text.includes('\0')) unreadable(t('It contains a null character.'));
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
