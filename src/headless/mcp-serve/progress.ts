/** Milliseconds between two messages at least, and those after which a call that says nothing is still going on: before clients lose patience. */
const WAITS = { soon: 250, quiet: 10_000 } as const;

/** Tells a client how far a call is, no faster than it reads. */
export class Progress {
  private count = 0;
  private latest = 'Goes on.';
  private state: keyof typeof WAITS | 'sending' | 'ended' = 'quiet';
  private timer: NodeJS.Timeout | undefined;

  /** @param send tells it: a number that grows, and a line; resolves when the client has room for more */
  constructor(private readonly send: (progress: number, message: string) => Promise<void>) {
    this.wait('quiet');
  }

  tell(line: string): void {
    this.latest = line;
    if (this.state === 'quiet') this.wait('soon');
  }

  /** From now on, nothing is told. */
  end(): void {
    this.state = 'ended';
    clearTimeout(this.timer);
  }

  private wait(state: keyof typeof WAITS): void {
    if (this.isEnded()) return;
    this.state = state;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), WAITS[state]);
  }

  private async flush(): Promise<void> {
    this.state = 'sending';
    this.count += 1;
    const line = this.latest;
    // Who cannot be told any more is not served any more, which ends the call.
    await this.send(this.count, line).catch(() => this.end());
    this.wait(this.latest === line ? 'quiet' : 'soon');
  }

  private isEnded(): boolean {
    return this.state === 'ended';
  }
}
