import { t } from '../../../domain/l10n.js';
import { cutLine } from '../../../text/show.js';

const SECOND_MS = 1_000;

/** Passes lines on, no longer than a limit and no more than a number in a second; then says how many were left out. */
export class CappedLines {
  private since = -Infinity;
  private passed = 0;
  private leftOut = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: { readonly linesPerSecond: number; readonly lineCharacters: number },
    private readonly take: (line: string) => void,
  ) {}

  /** Passes a line on, or counts it. */
  add(line: string): void {
    const now = performance.now();
    if (now - this.since >= SECOND_MS) this.startSecond(now);
    if (this.passed < this.limits.linesPerSecond) {
      this.passed++;
      this.take(cutLine(line, this.limits.lineCharacters));
      return;
    }
    this.leftOut++;
    this.timer ??= setTimeout(() => this.startSecond(performance.now()), SECOND_MS);
  }

  /** Says how many lines were left out; for the end. */
  finish(): void {
    this.startSecond(performance.now());
  }

  private startSecond(now: number): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.leftOut > 0) this.take(t('[{0} more lines were left out.]', this.leftOut));
    this.since = now;
    this.passed = 0;
    this.leftOut = 0;
  }
}
