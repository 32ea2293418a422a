import type { StreamParser } from '@codemirror/streamparser';
import { formatNumber, t } from '../../../src/protocol/l10n.js';
import { LineTokenizer } from '../../markdown/highlight/line-tokenizer.js';
import { loadLanguage } from '../../markdown/highlight/languages.js';
import type { Work } from '../connection/work-queue.js';
import { type Stretch, changedWords } from './changed-words.js';
import type { DiffLine } from './diff-lines.js';
import { type Piece, foldPieces, linePieces } from './line-pieces.js';

/** Lines that are added in a step, and kept together so that they cost nothing outside of the window. */
const LINES_PER_STEP = 60;
/** Default columns of a row. Longer lines continue in the next row, so that nothing lies further to the side than this. */
const COLUMNS = 200;
/** Longer lines have no colors: they are data rather than code. */
const MAX_COLORED_LINE = 2_000;
/** Lines whose colors are worked out; those of a longer difference stay plain from there on. */
const MAX_COLORED_LINES = 2_000;
/** Pixels of a row; see DiffView.svelte. */
const ROW_HEIGHT = 18;

const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { added: '+', removed: '−', context: '', gap: '', note: '' };

type Mode = StreamParser<unknown>;

/** The mode that colors a file, by the end of its name; `undefined` where there is none. Rejects when it cannot be loaded. */
export function modeOf(path: string): Promise<Mode | undefined> {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return loadLanguage(name.includes('.') ? (name.split('.').at(-1) ?? '') : name);
}

/** Draws the lines of a difference, step by step, so that a long one does not block the page. */
export class DiffRenderer implements Work {
  private readonly finished: (rows: number) => void;
  private readonly words: ReadonlyMap<number, readonly Stretch[]>;
  private readonly mode: Mode | undefined;
  private readonly columns: number;
  /** Tokenizers of the two sides, which remember open comments; both begin anew after a gap. */
  private tokenizers: { readonly old: LineTokenizer; readonly fresh: LineTokenizer } | undefined;
  private next = 0;
  private rows = 0;

  /** `finished` is called when the last line is in the page, with the number of rows that they took. */
  constructor(
    private readonly host: HTMLElement,
    private readonly lines: readonly DiffLine[],
    options: { readonly mode: Mode | undefined; readonly columns?: number | undefined; readonly finished: (rows: number) => void },
  ) {
    this.mode = options.mode;
    this.columns = options.columns ?? COLUMNS;
    this.finished = options.finished;
    this.words = changedWords(lines);
    host.style.setProperty('--digits', String(Math.max(2, ...digitsOf(lines))));
    this.openTokenizers();
  }

  step(): boolean {
    const part = document.createElement('div');
    part.className = 'part';
    const before = this.rows;
    for (const [offset, line] of this.lines.slice(this.next, this.next + LINES_PER_STEP).entries()) part.append(...this.rowsOf(line, this.next + offset));
    // Exactly as high as it is when laid out: the place that has to be seen does not move.
    part.style.containIntrinsicBlockSize = `${(this.rows - before) * ROW_HEIGHT}px`;
    this.host.append(part);
    this.next += LINES_PER_STEP;
    if (this.next < this.lines.length) return true;
    this.finished(this.rows);
    return false;
  }

  private rowsOf(line: DiffLine, index: number): readonly HTMLElement[] {
    if (line.kind === 'gap') this.openTokenizers();
    const rows =
      line.kind === 'gap'
        ? [[{ text: gapWords(line.left ?? 0) }]]
        : foldPieces(linePieces(this.tokensOf(line, index), this.words.get(index) ?? []), this.columns);
    this.rows += rows.length;
    return rows.map((pieces, row) => rowElement(line, pieces, row === 0));
  }

  private tokensOf({ kind, text }: DiffLine, index: number): ReturnType<LineTokenizer['tokens']> {
    if (this.tokenizers === undefined || index > MAX_COLORED_LINES || text.length > MAX_COLORED_LINE || kind === 'note') return text === '' ? [] : [{ text }];
    const { old, fresh } = this.tokenizers;
    if (kind === 'removed') return old.tokens(text);
    if (kind === 'context') old.tokens(text);
    return fresh.tokens(text);
  }

  private openTokenizers(): void {
    this.tokenizers = this.mode === undefined ? undefined : { old: new LineTokenizer(this.mode), fresh: new LineTokenizer(this.mode) };
  }
}

function digitsOf(lines: readonly DiffLine[]): readonly number[] {
  const numbers = lines.flatMap(({ number }) => number ?? []);
  // The numbers rise, so that the last ones are the longest.
  return numbers.slice(-2).map((number) => String(number).length);
}

function gapWords(left: number): string {
  return left === 1 ? t('1 unchanged line') : t('{0} unchanged lines', formatNumber(left));
}

function rowElement({ kind, number }: DiffLine, pieces: readonly Piece[], isFirst: boolean): HTMLElement {
  const row = element('div', `line ${kind}`);
  const count = element('span', 'number');
  count.textContent = isFirst ? (number === undefined ? '' : String(number)) : '↪';
  const sign = element('span', 'sign');
  sign.textContent = isFirst ? SIGNS[kind] : '';
  const text = element('span', 'text');
  text.append(...pieces.map((piece) => pieceNode(piece, kind)));
  row.append(count, sign, text);
  return row;
}

function pieceNode({ text, kind, changed, escape }: Piece, line: DiffLine['kind']): Node {
  const name = [escape === true ? 'escape' : kind === undefined ? '' : `hl-${kind}`].filter((each) => each !== '').join(' ');
  if (changed === true) {
    const mark = element(line === 'added' ? 'ins' : 'del', name);
    mark.textContent = text;
    return mark;
  }
  if (name === '') return document.createTextNode(text);
  const span = element('span', name);
  span.textContent = text;
  return span;
}

function element(tag: string, className: string): HTMLElement {
  const made = document.createElement(tag);
  if (className !== '') made.className = className;
  return made;
}
