import type { ViewEvent } from '../../../src/protocol/view-event.js';
import type { ViewItem } from '../../../src/protocol/view-state.js';
import type { ItemsMessage } from '../connection/connection.js';
import { FollowEnd } from './follow-end.js';
import { isGrowth } from './growth.js';
import { ItemLoader } from './item-loader.js';
import { Mark } from '../search/mark.svelte.js';
import { RowHeights } from './row-heights.js';
import { type Range, indexesIn, inOrder, isIn, lastRows, nextRows, wantedRows } from './row-range.js';
import { ScrollView } from './scroll-view.js';
import type { Place, TranscriptDeps } from './transcript-deps.js';
import { type TranscriptRow, questionAbove, rowsOf } from './transcript-rows.js';
import type { Work } from '../connection/work-queue.js';

/**
 * Virtual window of a transcript: only rows near the view, and those in use, are in the page. Rows come and go in small steps;
 * the browser itself keeps what is in view still while heights above it change.
 */
export class TranscriptWindow implements Work {
  /** Whether the view is at the end and follows it. */
  atEnd = $state(true);
  readonly follow = new FollowEnd((value) => (this.atEnd = value));
  readonly scroll: ScrollView;
  /** The highlighted search result. */
  readonly mark = new Mark();
  private range = $state.raw<Range>({ from: 0, to: 0 });
  /** Rows outside of the range that have to stay. */
  private pins = $state.raw<readonly number[]>([]);
  private top = $state(0);
  private readonly heights = new RowHeights();
  private view: Range = { from: 0, to: 0 };
  private readonly loader: ItemLoader;
  private target: Place | undefined;
  private reading: Place | undefined;

  constructor(private readonly deps: TranscriptDeps) {
    this.loader = new ItemLoader(deps.held, deps);
    this.scroll = new ScrollView(this.heights, {
      scrolled: () => this.look(),
      measured: (reflowed) => {
        this.keepPlace(reflowed ? this.reading : this.target);
        this.look();
      },
      moved: () => this.release(),
      whenComplete: (done) => deps.queue.whenDry(done),
    });
  }

  /** Rows in the page. */
  readonly rows: readonly TranscriptRow[] = $derived.by(() => rowsOf(this.range, this.pins, { held: this.deps.held, heights: this.heights }));
  /** The question that is answered at the top of the view, when it is not in view itself. */
  readonly question = $derived.by(() => questionAbove(this.top, this.deps.held));

  /** Number of items in the transcript. */
  get total(): number {
    return this.deps.held.total;
  }

  /** The item at an index, where it is held. Reactive. */
  at(index: number): ViewItem | undefined {
    return this.deps.held.at(index);
  }

  /** Begins at the end of another conversation. */
  begin(): void {
    const { total } = this;
    this.release();
    this.loader.reset(true);
    this.heights.clear();
    this.heights.resize(total);
    this.pins = [];
    this.range = this.view = lastRows(total);
    this.show();
    this.follow.toEnd();
    this.refresh();
  }

  /** Takes in a new snapshot of the same conversation. */
  renew(): void {
    this.loader.reset(false);
    this.refresh();
  }

  /** Applies events in order. */
  apply(events: readonly ViewEvent[]): void {
    for (const event of events) this.deps.held.apply(event);
    if (!events.every(isGrowth)) this.refresh();
  }

  /** Takes items that were asked for. */
  take(message: ItemsMessage): void {
    const place = this.loader.take(message);
    if (place !== undefined) this.toPlace(place);
    this.deps.held.forget(...this.needed());
    // Nothing at a place where something should be: it is asked for again when the view moves.
    if (message.items.length > 0) this.look();
  }

  /** Scrolls to an item wherever it is, and marks it. */
  showItem(item: string): void {
    this.toPlace({ item, offset: 0, marked: true });
  }

  /** Scrolls to an item wherever it is, so that its top is so far below the top of the view. */
  showPlace(item: string, offset: number): void {
    this.toPlace({ item, offset });
  }

  /** Scrolls to the first message. */
  toStart(): void {
    this.jump(0);
    this.scroll.toTop();
  }

  /** Scrolls to the end and stays there. */
  toEnd(): void {
    this.release();
    if (this.range.to < this.total) this.toRange(lastRows(this.total));
    this.follow.toEnd();
  }

  step(): boolean {
    const { held } = this.deps;
    const { range, total } = this;
    const next = nextRows(range, { view: this.view, wanted: wantedRows(this.view, total), held: (index) => held.at(index) !== undefined });
    if (next !== range) this.toRange(next);
    // Only while rows are in view, which the browser keeps still: other heights above them move everything else.
    else if (isIn(range, this.view.from) && this.heights.settle()) this.toRange({ ...range });
    else return false;
    return true;
  }

  private refresh(): void {
    const { total } = this;
    this.deps.held.shorten(...this.needed());
    this.heights.resize(total);
    const { from, to } = this.range;
    // What is added at the end is shown at once when the view is there.
    if (this.atEnd || to > total) this.range = { from: Math.min(from, total), to: this.atEnd ? total : Math.min(to, total) };
    this.pin(this.range);
    this.look();
  }

  /** Near which rows items are needed, and which others are in the page. */
  private needed(): [Range, readonly number[]] {
    return [wantedRows(this.view, this.total), [...this.pins, ...indexesIn(this.range)]];
  }

  private toPlace(place: Place): void {
    const index = this.deps.held.indexOf(place.item);
    if (index === undefined) return this.loader.seek(place);
    this.jump(index);
    this.target = place;
    this.scroll.place(index, place.offset);
    if (place.marked === true) this.mark.set(place.item);
    this.deps.whenDrawn(() => {
      if (this.target === place) this.release();
    });
    this.look();
  }

  /** Has a row in the page, and the view free to go there. */
  private jump(index: number): void {
    this.release();
    this.follow.leave();
    if (!isIn(this.range, index)) this.toRange({ from: index, to: index + 1 });
  }

  private release(): void {
    this.target = undefined;
    this.follow.held = false;
  }

  private toRange(range: Range): void {
    this.pin(range);
    this.range = range;
    this.show();
  }

  /** Puts rows into the page. Whatever they bring to be rendered is done before there are more of them. */
  private show(): void {
    this.deps.queue.add(this);
    this.deps.flush();
  }

  /** Pins rows that would leave the page although they are in use, and those that wait for the user. */
  private pin(next: Range): void {
    const used = [...this.pins, ...indexesIn(this.range)].filter((index) => !isIn(next, index) && this.scroll.isUsed(index));
    const pins = inOrder([...used, ...this.deps.held.waiting().filter((index) => !isIn(next, index))]);
    if (pins.join() !== this.pins.join()) this.pins = pins;
  }

  /** Sees which rows are in view, and gets what is missing there. */
  private look(): void {
    const view = this.scroll.inView();
    if (view === undefined || this.total === 0) return;
    this.view = view;
    this.top = view.from;
    this.scroll.keepStill();
    this.loader.fill(view);
    this.deps.queue.add(this);
    this.remember();
  }

  private keepPlace(place: Place | undefined): void {
    const index = place === undefined ? undefined : this.deps.held.indexOf(place.item);
    if (place !== undefined && index !== undefined) this.scroll.place(index, place.offset);
  }

  /** Takes note of where the user reads, which is nowhere while the end is followed. */
  private remember(): void {
    const item = this.atEnd ? undefined : this.deps.held.at(this.view.from)?.id;
    const offset = item === undefined ? undefined : this.scroll.offsetOf(this.view.from);
    this.reading = item === undefined || offset === undefined ? undefined : { item, offset };
    this.deps.remember(this.reading);
  }
}
