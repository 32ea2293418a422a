import type { Attachment } from 'svelte/attachments';
import type { Range } from './row-range.js';
import type { RowHeights } from './row-heights.js';

/** Events with which a user moves the view; scrolling by the page itself does not count. */
const MOVES = ['wheel', 'pointerdown', 'touchstart', 'keydown'] as const;

/** Callbacks for layout and scroll events of the transcript. */
export interface ScrollDeps {
  /** Rows have other heights than before, or the view has; `reflowed` when its width is another one, so that all rows have. */
  readonly measured: (reflowed: boolean) => void;
  /** The view shows another part, moved by the user or the page. */
  readonly scrolled: () => void;
  /** The user moves the view. */
  readonly moved: () => void;
  /** A row is in the page. Returns what is to be called once its content is complete. */
  readonly whenComplete: (done: () => void) => void;
}

/** The scrolling element with the rows in it: measures them, and says which of them are in view. */
export class ScrollView {
  private readonly elements = new Set<HTMLElement>();
  private scrollElement: HTMLElement | undefined;
  private rowsElement: HTMLElement | undefined;
  private width = 0;
  /** A row that was in view. */
  private seen: HTMLElement | undefined;
  /** Whether there was a row in view. */
  private isThere = false;
  private readonly observer = new ResizeObserver((entries) => this.measure(entries));

  constructor(
    private readonly heights: RowHeights,
    private readonly deps: ScrollDeps,
  ) {}

  /** For the element that scrolls. */
  readonly scroller: Attachment<HTMLElement> = (element) => {
    this.scrollElement = element;
    const { scrolled, moved } = this.deps;
    element.addEventListener('scroll', scrolled, { passive: true });
    for (const type of MOVES) element.addEventListener(type, moved, { passive: true });
    this.observer.observe(element);
    return () => {
      element.removeEventListener('scroll', scrolled);
      for (const type of MOVES) element.removeEventListener(type, moved);
      this.observer.unobserve(element);
    };
  };

  /** For the element that contains all rows. */
  readonly rows: Attachment<HTMLElement> = (element) => {
    this.rowsElement = element;
    this.observer.observe(element);
    return () => {
      this.rowsElement = undefined;
      this.observer.unobserve(element);
    };
  };

  /**
   * For the element of a row. One that was in the page before keeps its height until its content is there again, held
   * open by an element beside the content: the browser keeps the view still only while no box around it is restyled.
   */
  readonly row: Attachment<HTMLElement> = (element) => {
    const height = this.heights.measuredAt(indexOf(element));
    if (height !== undefined) this.holdOpen(element, height);
    this.elements.add(element);
    this.observer.observe(element);
    return () => {
      this.elements.delete(element);
      this.observer.unobserve(element);
    };
  };

  /** The rows in view; `undefined` while there are none to be seen. */
  inView(): Range | undefined {
    const top = this.top();
    const height = this.scrollElement?.clientHeight ?? 0;
    if (top === undefined || height === 0) return undefined;
    return { from: this.heights.indexAt(top), to: this.heights.indexAt(top + height) + 1 };
  }

  /** Distance of a row's top from the top of the view, in pixels. */
  offsetOf(index: number): number | undefined {
    const top = this.top();
    if (top === undefined || this.scrollElement === undefined) return undefined;
    const element = this.elementAt(index);
    if (element === undefined) return this.heights.between(0, index) - top;
    return element.getBoundingClientRect().top - this.scrollElement.getBoundingClientRect().top;
  }

  /** Scrolls until the top of a row is so far below the top of the view. */
  place(index: number, offset: number): void {
    const now = this.offsetOf(index);
    if (now !== undefined && this.scrollElement !== undefined && Math.abs(now - offset) >= 1) this.scrollElement.scrollTop += now - offset;
  }

  /** Scrolls to what is above the first row. */
  toTop(): void {
    if (this.scrollElement !== undefined) this.scrollElement.scrollTop = 0;
  }

  /**
   * Has the browser keep still what is in view, when rows have just come there.
   * The browser chooses anew by what it does so when the view moves only, and what it chose while there was nothing but
   * a gap to be seen is all rows together, which never move.
   */
  keepStill(): void {
    const element = this.scrollElement;
    const isThere = element !== undefined && this.seesRow(element);
    if (isThere && !this.isThere) {
      const { scrollTop } = element;
      element.scrollTop = scrollTop - 1;
      if (element.scrollTop === scrollTop) element.scrollTop = scrollTop + 1;
      element.scrollTop = scrollTop;
    }
    this.isThere = isThere;
  }

  /** Whether a row contains the focus or a part of the selection. */
  isUsed(index: number): boolean {
    const element = this.elementAt(index);
    if (element === undefined) return false;
    if (element.contains(document.activeElement)) return true;
    const selection = document.getSelection();
    return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
  }

  /** Whether a row is where the browser looks for what it keeps still: not at the edges, which are padded for scrolling. */
  private seesRow(view: HTMLElement): boolean {
    const { top, bottom } = view.getBoundingClientRect();
    const { scrollPaddingTop, scrollPaddingBottom } = getComputedStyle(view);
    const [from, to] = [top + pixels(scrollPaddingTop), bottom - pixels(scrollPaddingBottom)];
    const isIn = (row: HTMLElement): boolean => {
      const box = row.getBoundingClientRect();
      return box.bottom > from && box.top < to;
    };
    // Mostly it is the one from before.
    if (this.seen !== undefined && this.elements.has(this.seen) && isIn(this.seen)) return true;
    this.seen = [...this.elements].find(isIn);
    return this.seen !== undefined;
  }

  private elementAt(index: number): HTMLElement | undefined {
    for (const element of this.elements) if (indexOf(element) === index) return element;
    return undefined;
  }

  /** Distance of the view's top from the top of the first row. */
  private top(): number | undefined {
    if (this.scrollElement === undefined || this.rowsElement === undefined) return undefined;
    return this.scrollElement.getBoundingClientRect().top - this.rowsElement.getBoundingClientRect().top;
  }

  private measure(entries: readonly ResizeObserverEntry[]): void {
    let reflowed = false;
    for (const { target, borderBoxSize } of entries) {
      const [size] = borderBoxSize;
      // Nothing has a size while the list of sessions is shown in place of the transcript.
      if (size === undefined || size.inlineSize === 0 || !(target instanceof HTMLElement)) continue;
      if (this.elements.has(target)) this.heights.set(indexOf(target), size.blockSize);
      else if (target === this.scrollElement && size.inlineSize !== this.width) {
        reflowed = this.width !== 0;
        this.width = size.inlineSize;
      }
    }
    this.deps.measured(reflowed);
  }

  private holdOpen(element: HTMLElement, height: number): void {
    const hold = document.createElement('div');
    hold.className = 'hold';
    hold.style.height = `${height}px`;
    element.prepend(hold);
    this.deps.whenComplete(() => hold.remove());
  }
}

/** A computed length; of `auto`, none. */
function pixels(length: string): number {
  return Number.parseFloat(length) || 0;
}

function indexOf(row: HTMLElement): number {
  return Number(row.dataset['index']);
}
