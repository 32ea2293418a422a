import type { ItemsMessage } from '../connection/connection.js';
import type { HeldItems } from './held-items.js';
import { type Range, wantedRows } from './row-range.js';
import type { Place } from './transcript-deps.js';

/** Requests for items of the transcript, by position and by id. */
export interface LoaderDeps {
  readonly load: (start: number, count: number) => void;
  readonly find: (item: string) => void;
}

/** Gets items that are not held: those near the view, one request at a time, and one that is to be shown. */
export class ItemLoader {
  private loading = false;
  /** Item that was requested and has not come yet. */
  private sought: Place | undefined;

  constructor(
    private readonly held: HeldItems,
    private readonly deps: LoaderDeps,
  ) {}

  /** Takes in that what was asked for may not come any more; `entirely` when it is of another conversation. */
  reset(entirely: boolean): void {
    this.loading = false;
    if (entirely) this.sought = undefined;
    else if (this.sought !== undefined) this.deps.find(this.sought.item);
  }

  /** Asks for an item that is to be shown in a place. */
  seek(place: Place): void {
    this.sought = place;
    this.deps.find(place.item);
  }

  /** Asks for what is missing near the view; what is in it comes first. */
  fill(view: Range): void {
    const missing = this.loading ? undefined : (this.held.missing(view) ?? this.held.missing(wantedRows(view, this.held.total)));
    if (missing === undefined) return;
    this.loading = true;
    this.deps.load(missing.start, missing.count);
  }

  /** Takes items that were asked for. Returns the place to show, when they bring what was sought. */
  take({ start, items, sought }: ItemsMessage): Place | undefined {
    if (sought === undefined) this.loading = false;
    this.held.add(start, items);
    const place = this.sought;
    if (sought === undefined || place?.item !== sought) return undefined;
    this.sought = undefined;
    return items.length > 0 ? place : undefined;
  }
}
