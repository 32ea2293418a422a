/** Milliseconds for which a search result is highlighted. */
const MARK_MS = 3_000;

/** The item of a transcript that is highlighted for a while. */
export class Mark {
  /** Its id; empty when none does. */
  item = $state('');
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Marks an item, and no other one. */
  set(item: string): void {
    this.item = item;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.item = ''), MARK_MS);
  }
}
