import { t } from '../../../domain/l10n.js';
import { decodeAnsiC } from './ansi-c.js';
import type { ShellNode } from '../grammar/shell-node.js';
import type { Source } from '../grammar/source.js';
import { unreadable } from '../unreadable.js';
import type { Piece, RawWord, Risk } from './word.js';

/** Ends a word when it is not quoted. */
const METACHARACTER = /[ \t\n;&|()<>]/;
/** What may stand in a word without quotes and means itself or a pattern. Everything beyond ASCII that shows is a letter. */
const PLAIN = /[!-~]|[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;
/** What a backslash keeps from its meaning between double quotes. */
const ESCAPED_IN_QUOTES = '$`"\\';
/** What makes a dollar sign the beginning of an expansion, also behind a line that goes on. */
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

/** Reads what stands in an unquoted here-document, or between double quotes, up to a place. */
export function readExpandedText(source: Source, from: number, to: number): RawWord {
  const reader = new WordReader(source, from);
  while (reader.at < to) reader.readExpandable('');
  if (reader.at !== to) unreadable();
  return reader.word();
}

class WordReader {
  at: number;
  private readonly source: Source;
  private readonly start: number;
  private readonly pieces: Piece[] = [];
  private readonly expansions: ShellNode[] = [];

  constructor(source: Source, at: number) {
    this.source = source;
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
    if (!PLAIN.test(char)) unreadable(t('It holds a character that does not show.'));
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
  return unreadable(t('A quotation mark has no counterpart.'));
}
