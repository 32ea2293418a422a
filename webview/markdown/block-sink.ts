import { assertNever } from '../../src/protocol/assert-never.js';
import { ChunkedText } from './chunked-text.js';
import { createCodeBlock } from './code-block.js';
import { CutTable, framedTable } from './cut-table.js';
import { type HighlightedCode, type HighlightDeps, Highlights } from './highlight/highlights.js';
import { Diagrams } from './diagram/diagrams.js';
import { Formulas } from './math/formulas.js';
import type { BlockSource, Piece } from './pieces.js';
import { Sections } from './sections.js';

/** Rows after which blocks go into another group: what comes into view together is laid out in one frame. */
const GROUP_ROWS = 64;
/** Characters and pixels of a row, for the estimated height of a block that was never laid out. */
const ROW_LENGTH = 64;
const ROW_HEIGHT = 19;
/** The first groups are always laid out, see the style sheet. */
const LAID_OUT = 3;

/** Callbacks of a {@link BlockSink}. */
export interface SinkDeps extends HighlightDeps {
  /** A block is in the page that is not made again. */
  readonly finished: (block: Element) => void;
}

/** Renders blocks that follow one another; only the first may continue with a block before them. */
export type RenderBlocks = (blocks: readonly BlockSource[]) => DocumentFragment;

/**
 * Puts the pieces of a text into the page, each once. Blocks are kept in groups, so that those outside of the window
 * cost nothing; the open block at the end is the only one that is made again.
 */
export class BlockSink {
  private readonly openElement: HTMLElement;
  private readonly sections: Sections;
  private group: HTMLElement | undefined;
  private groupRows = 0;
  private groups = 0;
  /** The table that goes on. */
  private table: CutTable | undefined;
  private text: ChunkedText | undefined;
  private extension: HTMLElement | undefined;
  private readonly highlights: Highlights;
  private readonly formulas: Formulas;
  private readonly diagrams: Diagrams;
  private fenced: { readonly pre: HTMLElement | null; readonly language: string } | undefined;
  private highlighted: HighlightedCode | undefined;
  private readonly finished: (blocks: Element) => void;

  constructor(
    root: HTMLElement,
    private readonly render: RenderBlocks,
    { finished, ...deps }: SinkDeps,
  ) {
    this.highlights = new Highlights(deps);
    this.formulas = new Formulas(deps);
    this.diagrams = new Diagrams(deps);
    this.finished = finished;
    this.openElement = document.createElement('div');
    this.openElement.className = 'blocks';
    root.append(this.openElement);
    this.sections = new Sections(root, GROUP_ROWS * ROW_HEIGHT);
  }

  /** Adds finished pieces. */
  add(pieces: readonly Piece[]): void {
    let run: BlockSource[] = [];
    for (const piece of pieces) {
      if (run.length > 0 && (piece.type !== 'block' || piece.continued)) {
        this.addBlocks(run);
        run = [];
      }
      if (piece.type === 'block') run.push(piece);
      else this.addText(piece);
    }
    if (run.length > 0) this.addBlocks(run);
  }

  /** Colors some lines of code, or draws a formula or a diagram; `true` when more of them wait. */
  decorate(): boolean {
    return this.highlights.step() || this.formulas.step() || this.diagrams.step();
  }

  /** Shows the open block in place of the one shown before. */
  showOpen(open: BlockSource): void {
    const made = open.source.trim() === '' ? undefined : this.render([open]);
    const table = open.continued ? this.goesOn(made) : undefined;
    this.table?.showOpen(table);
    if (made !== undefined) this.openElement.replaceChildren(made);
    else if (this.openElement.hasChildNodes()) this.openElement.replaceChildren();
  }

  /** Shows more of the open block as it is written, until it is rendered again. */
  extendOpen(text: string): void {
    if (this.extension?.parentNode !== this.openElement) {
      this.extension = document.createElement('span');
      this.extension.className = 'plain-text';
      this.openElement.append(this.extension);
    }
    this.extension.textContent = text;
  }

  private addText(piece: Exclude<Piece, { type: 'block' }>): void {
    switch (piece.type) {
      case 'code_open':
        return this.addCode(piece.language, piece.info ?? '');
      case 'plain_open':
        return this.addPlain();
      case 'code_text':
      case 'plain_text':
        this.text?.append(piece.text);
        return;
      case 'code_close':
      case 'plain_close':
        this.highlighted?.close();
        if (this.fenced?.pre) this.diagrams.add(this.fenced.pre, this.fenced.language);
        this.text = this.highlighted = this.fenced = undefined;
        return;
      default:
        assertNever(piece);
    }
  }

  private addBlocks(blocks: readonly BlockSource[]): void {
    const made = this.render(blocks);
    const table = blocks[0]?.continued === true ? this.goesOn(made) : undefined;
    const elements = [...made.children];
    if (table !== undefined) this.table?.add(table);
    const rest = table === undefined ? blocks : blocks.slice(1);
    if (rest.length > 0) {
      this.table = undefined;
      const rows = rest.reduce((sum, block) => sum + rowsOf(block.source), 0);
      this.groupFor(rows).append(made);
    }
    for (const element of table === undefined ? elements : [table, ...elements]) this.finish(element);
  }

  /** Joins what is made of blocks to the block before them. A part of a table that was cut is taken out, for the parts of it. */
  private goesOn(made: DocumentFragment | undefined): HTMLTableElement | undefined {
    const last = this.group?.lastElementChild;
    last?.classList.add('goes-on');
    const frame = made?.firstElementChild;
    const table = framedTable(frame);
    if (table === undefined) return undefined;
    this.table ??= this.cutTable(last);
    if (this.table === undefined) return undefined;
    frame?.remove();
    return table;
  }

  /** The table in parts of a group, which decides what is shown. */
  private cutTable(frame: Element | null | undefined): CutTable | undefined {
    const table = CutTable.from(frame);
    if (table === undefined) return undefined;
    this.group?.classList.remove('block-group');
    this.group?.style.removeProperty('contain-intrinsic-height');
    this.group = undefined;
    return table;
  }

  /** Has the code of a finished block colored, its formulas drawn, and the rest of it looked through. */
  private finish(element: Element): void {
    for (const pre of element.querySelectorAll('pre')) {
      const code = pre.querySelector('code');
      if (code !== null) this.highlights.add(code, pre.dataset['language'] ?? '')?.close();
      this.diagrams.add(pre, pre.dataset['language'] ?? '');
    }
    for (const formula of element.querySelectorAll<HTMLElement>('code.formula')) this.formulas.add(formula);
    this.finished(element);
  }

  private addCode(language: string, info: string): void {
    const block = createCodeBlock(language, info);
    this.text = new ChunkedText(block.code);
    this.highlighted = this.highlights.add(block.code, language);
    this.fenced = { pre: block.code.closest('pre'), language };
    this.openGroup('code').append(block.element);
  }

  private addPlain(): void {
    const plain = document.createElement('div');
    plain.className = 'plain-text';
    this.text = new ChunkedText(plain);
    this.openGroup('code').append(plain);
  }

  private groupFor(rows: number): HTMLElement {
    const group = this.group === undefined || this.groupRows > GROUP_ROWS ? this.openGroup('blocks') : this.group;
    this.groupRows += rows;
    if (this.groups > LAID_OUT) group.style.setProperty('contain-intrinsic-height', `auto ${Math.round(this.groupRows * ROW_HEIGHT)}px`);
    return group;
  }

  /** A group of kind `code` is laid out by the chunks in it, not as a whole. */
  private openGroup(kind: 'blocks' | 'code'): HTMLElement {
    const group = document.createElement('div');
    group.className = kind === 'blocks' ? 'blocks block-group' : 'blocks';
    this.sections.add(group, this.openElement);
    this.group = kind === 'blocks' ? group : undefined;
    this.groupRows = 0;
    this.groups += 1;
    return group;
  }
}

/** About how many rows a source takes up in the page: each of its lines at least one. */
function rowsOf(source: string): number {
  let rows = 0;
  for (let from = 0; from < source.length;) {
    const end = source.indexOf('\n', from);
    const length = (end === -1 ? source.length : end) - from;
    rows += Math.max(1, length / ROW_LENGTH);
    from += length + 1;
  }
  return rows;
}
