/** How long an item that was looked for stands out, in milliseconds. */
const MARK_MS = 3_000;

/** Which item of a transcript stands out for a while. */
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
