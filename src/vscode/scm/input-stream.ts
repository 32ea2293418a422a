/** Milliseconds between two writes: each crosses to the window and is drawn there. */
const WRITE_MS = 50;

/** A box that a user types into. */
export interface TextBox {
  readonly value: string;
  /** Puts a text in place of the value; `false` when the user has changed that meanwhile. */
  replace(text: string): Promise<boolean>;
}

/** A box that a text is written into while it comes. What the user types meanwhile stays. */
export class InputStream {
  private readonly before: string;
  /** The text of the box as far as we know. */
  private ours: string;
  private waiting: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();
  private ended = false;

  /** @param typed is called once when the user has changed the text; nothing is written from then on. */
  constructor(
    private readonly box: TextBox,
    private readonly typed: () => void,
  ) {
    this.before = this.ours = box.value;
  }

  /** Shows a text in place of the one before. */
  show(text: string): void {
    this.waiting = text;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.begin();
    }, WRITE_MS);
  }

  /** Writes what still waits. @throws what the box throws. */
  async finish(): Promise<void> {
    clearTimeout(this.timer);
    this.begin();
    await this.writing;
    this.ended = true;
  }

  /** Puts back what was there before, unless the user has changed it. @throws what the box throws. */
  undo(): Promise<void> {
    this.waiting = this.before;
    return this.finish();
  }

  /** Writes one text after the other. A failure is reported by {@link finish}, which waits for all of them. */
  private begin(): void {
    this.writing = this.writing.then(() => this.write());
    this.writing.catch(() => undefined);
  }

  private async write(): Promise<void> {
    const text = this.waiting;
    this.waiting = undefined;
    if (this.ended || text === undefined || text === this.ours) return;
    if (this.box.value === this.ours && (await this.box.replace(text))) {
      this.ours = text;
      return;
    }
    this.ended = true;
    this.typed();
  }
}
