/** Milliseconds between two writes: each crosses to the window and is drawn there. */
const WRITE_MS = 50;

/** A box that a text is written into while it comes. What the person types meanwhile stays. */
export class InputStream {
  private readonly box: { value: string };
  private readonly typed: () => void;
  private readonly before: string;
  /** What stands in the box as far as we know. */
  private ours: string;
  private waiting: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private ended = false;

  /** @param typed is called once when the person has changed the text; nothing is written from then on. */
  constructor(box: { value: string }, typed: () => void) {
    this.box = box;
    this.typed = typed;
    this.before = this.ours = box.value;
  }

  /** Shows a text in place of the one before. */
  show(text: string): void {
    this.waiting = text;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.write();
    }, WRITE_MS);
  }

  /** Writes what still waits. */
  finish(): void {
    clearTimeout(this.timer);
    this.write();
    this.ended = true;
  }

  /** Puts back what was there before, unless the person has changed it. */
  undo(): void {
    this.waiting = this.before;
    this.finish();
  }

  private write(): void {
    if (this.ended || this.waiting === undefined) return;
    if (this.box.value !== this.ours) {
      this.ended = true;
      this.typed();
      return;
    }
    this.box.value = this.ours = this.waiting;
    this.waiting = undefined;
  }
}
