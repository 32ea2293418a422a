import { t } from '../../../domain/l10n.js';
import { cutLine } from '../../../text/show.js';

const SECOND_MS = 1_000;
/** Lines that are passed on beyond the number: the last ones before an end say why it came. */
const LAST = 10;

/** Passes lines on, no longer than a limit and no more than a number in a second; then says how many were left out, and passes on the last. */
export class CappedLines {
  private since = -Infinity;
  private passed = 0;
  private leftOut = 0;
  private last: string[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly limits: { readonly linesPerSecond: number; readonly lineCharacters: number },
    private readonly take: (line: string) => void,
  ) {}

  /** Passes a line on, or counts it. */
  add(line: string): void {
    const now = performance.now();
    if (now - this.since >= SECOND_MS) this.startSecond(now);
    const cut = cutLine(line, this.limits.lineCharacters);
    if (this.passed < this.limits.linesPerSecond) {
      this.passed++;
      this.take(cut);
      return;
    }
    this.leftOut++;
    this.last.push(cut);
    if (this.last.length > LAST) this.last.shift();
    this.timer ??= setTimeout(() => this.startSecond(performance.now()), SECOND_MS);
  }

  /** Says how many lines were left out; for the end. */
  finish(): void {
    this.startSecond(performance.now());
  }

  private startSecond(now: number): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const missing = this.leftOut - this.last.length;
    if (missing > 0) this.take(t('[{0} more lines were left out.]', missing));
    for (const line of this.last) this.take(line);
    this.last = [];
    this.since = now;
    this.passed = 0;
    this.leftOut = 0;
  }
}
