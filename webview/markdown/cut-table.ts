import { Sections } from './sections.js';

/** Estimated height of a row before its first layout, in pixels. */
const ROW_HEIGHT = 29;
/** Estimated height of a part. */
const PART_HEIGHT = 20 * ROW_HEIGHT;
/** By how many pixels two measures of the same may differ. */
const ROUNDING = 1;

/**
 * A long table in parts, which are tables of their own, so that those outside of the window cost nothing and a new row never
 * lays out those before it. Their columns have the same widths: each as wide as its longest word so far, and of the room that
 * is left as much as the first part would give to it. They scroll sideways together.
 *
 * Words stay whole in a part that was not measured yet, too: it only may have other columns, for one frame.
 */
export class CutTable {
  private readonly parts = div('table-parts');
  /** Where the part is that still grows. */
  private readonly open = div('table-open');
  private readonly sections: Sections;
  private readonly observer = new ResizeObserver((entries) => this.laidOut(entries.map(({ target }) => target)));
  /** Parts that were laid out and are not measured yet. */
  private readonly pending = new Set<Element>();
  /** The least width of each column, in pixels. */
  private least: readonly number[] = [];
  /** Share of the remaining width that each column gets, from 0 to 1. */
  private shares: readonly number[] = [];
  /** Width of the frame when it was looked at last. */
  private width = 0;

  private constructor(
    private readonly frame: HTMLElement,
    private readonly first: HTMLTableElement,
  ) {
    frame.classList.add('cut');
    frame.append(this.parts);
    this.parts.append(this.open);
    this.sections = new Sections(this.parts, PART_HEIGHT);
    this.add(first);
    this.observer.observe(frame);
    this.measure();
  }

  /** Makes the parts of a table in its frame; `undefined` for anything else. */
  static from(frame: Element | null | undefined): CutTable | undefined {
    const table = framedTable(frame);
    return table !== undefined && frame instanceof HTMLElement ? new CutTable(frame, table) : undefined;
  }

  /** Adds a part that does not change any more. */
  add(table: HTMLTableElement): void {
    const part = div('table-part');
    part.style.setProperty('contain-intrinsic-height', `auto ${table.rows.length * ROW_HEIGHT}px`);
    part.append(withColumns(table));
    this.sections.add(part, this.open);
    this.observer.observe(table);
  }

  /** Shows the part that still grows in place of the one shown before. */
  showOpen(table: HTMLTableElement | undefined): void {
    for (const before of this.open.children) this.observer.unobserve(before);
    this.open.replaceChildren(...(table === undefined ? [] : [withColumns(table)]));
    if (table !== undefined) this.observer.observe(table);
  }

  /** In the next frame: who watches the height of what is around the table must not miss that it changes. */
  private laidOut(elements: readonly Element[]): void {
    if (this.pending.size === 0) requestAnimationFrame(() => this.measure());
    for (const element of elements) this.pending.add(element);
  }

  /** Measures what was laid out for the first time, or all of it where the panel has another width. */
  private measure(): void {
    const tables = [...this.pending].filter((element) => element instanceof HTMLTableElement);
    this.pending.clear();
    const { width } = this.frame.getBoundingClientRect();
    if (width === 0) return;
    for (const table of tables) this.observer.unobserve(table);
    if (this.least.length === 0) this.measureFirst();
    const resized = width !== this.width;
    this.width = width;
    for (let looked = resized ? this.looked() : tables; this.grow(looked.filter((table) => this.sticksOut(table)));) looked = this.looked();
  }

  /** The parts that are laid out. The others are measured when they are. */
  private looked(): readonly HTMLTableElement[] {
    return [...this.frame.querySelectorAll('table')].filter((table) => {
      const isLaidOut = table.checkVisibility({ contentVisibilityAuto: true });
      if (!isLaidOut) this.observer.observe(table);
      return isLaidOut;
    });
  }

  /** Gives the columns the room that some tables need; `true` when one has become wider, and the others have less for it. */
  private grow(tables: readonly HTMLTableElement[]): boolean {
    if (tables.length === 0) return false;
    const least = widthsAs('least', tables).reduce((most, widths) => most.map((width, index) => Math.max(width, widths[index] ?? 0)), this.least);
    const grown = least.some((width, index) => width > (this.least[index] ?? 0));
    this.least = least;
    if (grown) this.apply();
    return grown;
  }

  /** Distributes widths as the browser does for a whole table: a column gets as much of the remaining width as its content lacks. */
  private measureFirst(): void {
    const [least = []] = widthsAs('least', [this.first]);
    const [most = []] = widthsAs('most', [this.first]);
    const wanted = most.map((width, index) => Math.max(0, width - (least[index] ?? 0)));
    const sum = sumOf(wanted);
    this.shares = sum > ROUNDING ? wanted.map((width) => width / sum) : least.map((width) => width / Math.max(1, sumOf(least)));
    this.least = least;
    this.apply();
  }

  /** Whether a part, whose columns fit its longest words automatically, has other columns than it should. */
  private sticksOut(table: HTMLTableElement): boolean {
    const sum = sumOf(this.least);
    const room = Math.max(0, this.width - sum);
    return widthsOf(table).some((width, index) => Math.abs(width - (this.least[index] ?? 0) - room * (this.shares[index] ?? 0)) > ROUNDING);
  }

  private apply(): void {
    const sum = `${sumOf(this.least)}px`;
    this.parts.style.setProperty('min-width', sum);
    for (const [index, width] of this.least.entries()) {
      this.parts.style.setProperty(columnName(index), `calc(${width}px + max(0px, 100cqi - ${sum}) * ${this.shares[index] ?? 0})`);
    }
  }
}

/** The table of a frame. */
export function framedTable(frame: Element | null | undefined): HTMLTableElement | undefined {
  const table = frame?.classList.contains('table-frame') === true ? frame.firstElementChild : undefined;
  return table instanceof HTMLTableElement ? table : undefined;
}

function div(className: string): HTMLElement {
  const element = document.createElement('div');
  element.className = className;
  return element;
}

function columnName(index: number): string {
  return `--column-${index}`;
}

function withColumns(table: HTMLTableElement): HTMLTableElement {
  const columns = document.createElement('colgroup');
  for (let index = 0; index < firstRow(table).length; index += 1) {
    const column = document.createElement('col');
    column.style.width = `var(${columnName(index)})`;
    columns.append(column);
  }
  table.prepend(columns);
  return table;
}

/** The cells of the first row that is seen: the head of a part that continues is not. */
function firstRow(table: HTMLTableElement): readonly HTMLElement[] {
  return [...(table.tBodies[0]?.rows[0]?.cells ?? [])];
}

function widthsOf(table: HTMLTableElement): readonly number[] {
  return firstRow(table).map((cell) => cell.getBoundingClientRect().width);
}

/** Measures the column widths of some tables when each table is as narrow, or as wide, as its content lets it be. */
function widthsAs(size: 'least' | 'most', tables: readonly HTMLTableElement[]): readonly (readonly number[])[] {
  for (const table of tables) table.classList.add(size);
  const widths = tables.map(widthsOf);
  for (const table of tables) table.classList.remove(size);
  return widths;
}

function sumOf(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0);
}
