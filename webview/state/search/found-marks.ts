import { findRanges } from './find-ranges.js';
import type { CurrentPlace } from './search.svelte.js';

/** Names under which the style sheet knows what was found, and the one of them that is shown. */
const ALL = 'gnomon-found';
const CURRENT = 'gnomon-found-current';
/** Frames after which an item that is not in the page is given up. */
const MAX_FRAMES = 180;

/** Pixels between the edge of the view and what was found; the question that is kept in view needs some. */
const MARGIN = 40;

/** Access to the transcript on the page: scrolling, the elements of items, and when rendering is complete. */
export interface MarkDeps {
  /** Has a whole item stand out; empty for none. */
  readonly markItem: (item: string) => void;
  /** Scrolls to an item so that its top is `offset` pixels below the top of the view. */
  readonly showPlace: (item: string, offset: number) => void;
  /** The element of an item, once it is in the page. */
  readonly elementOf: (item: string) => Element | undefined;
  /** Calls back once all that waits to be rendered is in the page. */
  readonly whenRendered: (done: () => void) => void;
}

/** Leads to a place that was found and makes it stand out, without changing anything in the page. */
export class FoundMarks {
  private goal = 0;

  constructor(private readonly deps: MarkDeps) {}

  /** Shows a place; without one, nothing stands out any more. */
  reveal(place: CurrentPlace | undefined, query: string): void {
    this.goal += 1;
    CSS.highlights.delete(ALL);
    CSS.highlights.delete(CURRENT);
    this.deps.markItem('');
    if (place === undefined) return;
    this.deps.showPlace(place.item, MARGIN);
    this.wait(place, MAX_FRAMES, query);
  }

  /** Waits until the item is in the page, and what unfolds for the place. */
  private wait(place: CurrentPlace, frames: number, query: string): void {
    const { goal } = this;
    requestAnimationFrame(() => {
      if (goal !== this.goal || frames === 0) return;
      if (this.deps.elementOf(place.item) === undefined) return this.wait(place, frames - 1, query);
      this.deps.whenRendered(() => {
        if (goal === this.goal) this.mark(place, query);
      });
    });
  }

  private mark(place: CurrentPlace, query: string): void {
    const element = this.deps.elementOf(place.item);
    if (element === undefined) return;
    const part = element.querySelector(`[data-block="${place.block ?? ''}"]`) ?? element;
    const ranges = findRanges(element, query);
    const inPart = ranges.filter(({ startContainer }) => part.contains(startContainer));
    const current = inPart[Math.min(place.nth, inPart.length - 1)] ?? ranges[0];
    // The text is in something that shows it in other words: then all of it is meant.
    if (current === undefined) return this.deps.markItem(place.item);
    CSS.highlights.set(ALL, new Highlight(...ranges.filter((range) => range !== current)));
    CSS.highlights.set(CURRENT, new Highlight(current));
    this.bringIntoView(current, place.item, element);
  }

  private bringIntoView(range: Range, item: string, element: Element): void {
    const code = range.startContainer.parentElement?.closest('pre, .output, .diff, .command');
    // What scrolls on its own has to show it first.
    if (code !== undefined && code !== null) range.startContainer.parentElement?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const view = element.closest('[role="log"]')?.getBoundingClientRect();
    const { top, bottom } = range.getBoundingClientRect();
    if (view === undefined || (top >= view.top + MARGIN && bottom <= view.bottom - MARGIN)) return;
    this.deps.showPlace(item, MARGIN * 2 - (top - element.getBoundingClientRect().top));
  }
}
