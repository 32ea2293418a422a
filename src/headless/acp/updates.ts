/** Sends updates one after the other. While the other program has not taken the last one yet, those that can be are joined. */
export class Updates<Update> {
  private readonly waiting: Update[] = [];
  private sending: Promise<void> | undefined;

  /**
   * @param send rejects when the other program is gone: nothing more is sent then
   * @param join makes one of two updates that follow one another; `undefined` where both are needed
   */
  constructor(
    private readonly send: (update: Update) => Promise<void>,
    private readonly join: (first: Update, second: Update) => Update | undefined,
  ) {}

  /** Sends an update when those before it are sent. */
  add(update: Update): void {
    const last = this.waiting.at(-1);
    const joined = last === undefined ? undefined : this.join(last, update);
    if (joined === undefined) this.waiting.push(update);
    else this.waiting[this.waiting.length - 1] = joined;
    this.sending ??= this.work();
  }

  /** Resolves when everything is sent, or cannot be any more. */
  async drained(): Promise<void> {
    while (this.sending !== undefined) await this.sending;
  }

  private async work(): Promise<void> {
    try {
      for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) await this.send(next);
    } catch {
      // The end of the connection is told to whoever waits for that.
      this.waiting.length = 0;
    } finally {
      this.sending = undefined;
    }
  }
}
