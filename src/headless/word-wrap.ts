import { eastAsianWidth } from 'get-east-asian-width';

/** A look of a terminal, one white space, or a word. */
// oxlint-disable-next-line no-control-regex -- looks begin with the character that terminals follow
const PIECES = /\u001B\[[\d;]*m|\s|[^\s\u001B]+/gu;
/** What stands over the character before it, or only joins others. */
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** What an item of a list begins with, which its lines stand behind. */
const MARK = /^(?:[-*+•!]|\d{1,3}[.)])$/;
/** Columns that a line of an item has at least. */
const MIN_ROOM = 20;

/**
 * Breaks the lines of a text that comes in pieces between words, so that a terminal does not break them within. Lines of code blocks and tables stay as they
 * are, as they are copied or read by their columns.
 */
export class WordWrap {
  /** The word that is not over yet. */
  private word = '';
  /** White space in front of it. */
  private gap = '';
  /** Columns that are taken in this line, and those that the lines behind it leave free. */
  private column = 0;
  private indent = 0;
  /** The beginning of the line, as far as it decides what the line is. */
  private head = '';
  private isCode = false;

  /** @param columns of the terminal, now */
  constructor(private readonly columns: () => number) {}

  /** Takes a piece. @returns what can be written by now; the last word waits for its end */
  push(text: string): string {
    let out = '';
    for (const [piece] of text.matchAll(PIECES)) {
      if (piece === '\n') out += this.endLine();
      else if (/^\s$/.test(piece)) out += this.endWord(piece);
      else this.word += piece;
    }
    return out;
  }

  /** Ends the text. @returns what was held back */
  flush(): string {
    return this.endWord('');
  }

  private endLine(): string {
    const out = this.endWord('') + (this.isCode ? this.gap : '');
    const isFence = /^\s*(?:```|~~~)/.test(this.head);
    if (isFence) this.isCode = !this.isCode;
    [this.gap, this.column, this.indent, this.head] = ['', 0, 0, ''];
    return `${out}\n`;
  }

  /** @param space that stands behind it; empty for none */
  private endWord(space: string): string {
    const { word, gap } = this;
    if (word === '') {
      this.gap += space;
      return '';
    }
    const width = widthOf(word);
    const isFirst = this.head === '';
    if (isFirst) this.indent = gap.length;
    if (this.head.length < MIN_ROOM) this.head += gap + word;
    const isKept = this.isCode || /^\s*(?:```|~~~|\|)/.test(this.head);
    const breaks = !isKept && !isFirst && this.column + gap.length + width > this.columns() && this.columns() - this.indent >= MIN_ROOM;
    const before = breaks ? `\n${' '.repeat(this.indent)}` : gap;
    this.column = (breaks ? this.indent : this.column + gap.length) + width;
    if (isFirst && MARK.test(word)) this.indent = this.column + 1;
    [this.word, this.gap] = ['', space];
    return before + word;
  }
}

/** A whole text with its lines broken between words. */
export function wrapped(text: string, columns: number): string {
  const wrap = new WordWrap(() => columns);
  return wrap.push(text) + wrap.flush();
}

/** Columns that a text takes. */
function widthOf(text: string): number {
  let width = 0;
  // oxlint-disable-next-line no-control-regex -- as above
  for (const character of text.replaceAll(/\u001B\[[\d;]*m/g, '')) width += NO_WIDTH.test(character) ? 0 : eastAsianWidth(character.codePointAt(0) ?? 0);
  return width;
}

/** The beginning of a text, with an ellipsis where it takes more columns than there are. */
export function cutToWidth(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ['', 0];
  for (const character of text) {
    width += widthOf(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Rows that a line takes on a terminal that breaks it where it has no more columns. */
export function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(widthOf(line) / columns));
}
