/** Values that wait at most before no more are read. */
const MOST_WAITING = 256;

/** What was read and not asked for yet. Ends once, well or with an error, after all that came before. */
export class MessageQueue<T> {
  private readonly waiting: { readonly value: T }[] = [];
  private readonly readers: { readonly resolve: (next: IteratorResult<T, undefined>) => void; readonly reject: (error: unknown) => void }[] = [];
  private readonly roomFor: (() => void)[] = [];
  private end: { readonly error?: unknown } | undefined;

  /** Whether no more should be read for now. */
  get isFull(): boolean {
    return this.waiting.length >= MOST_WAITING;
  }

  /** Adds a value; none behind the end. */
  push(value: T): void {
    if (this.end !== undefined) return;
    const reader = this.readers.shift();
    if (reader !== undefined) return reader.resolve({ done: false, value });
    this.waiting.push({ value });
  }

  /** @param end with the error that it ends with, if it does; from then on, whoever asks gets it */
  finish(end: { readonly error?: unknown }): void {
    this.end ??= end;
    for (const reader of this.readers.splice(0)) this.settle(reader);
    this.makeRoom();
  }

  /** Forgets what waits. */
  clear(): void {
    this.waiting.length = 0;
    this.makeRoom();
  }

  /** The next value, when there is one. */
  next(): Promise<IteratorResult<T, undefined>> {
    const first = this.waiting.shift();
    if (first !== undefined) {
      if (!this.isFull) this.makeRoom();
      return Promise.resolve({ done: false, value: first.value });
    }
    return new Promise((resolve, reject) => {
      if (this.end === undefined) this.readers.push({ resolve, reject });
      else this.settle({ resolve, reject });
    });
  }

  /** Resolves when someone has read, or {@link makeRoom} was called. */
  changed(): Promise<void> {
    return new Promise((done) => this.roomFor.push(done));
  }

  /** Lets whoever waits for room look again. */
  makeRoom(): void {
    for (const done of this.roomFor.splice(0)) done();
  }

  private settle({ resolve, reject }: (typeof this.readers)[number]): void {
    if (this.end !== undefined && 'error' in this.end) reject(this.end.error);
    else resolve({ done: true, value: undefined });
  }
}
