import type { McpScrubber } from './clean-line.js';

/** Lines that are kept. */
const MAX_STDERR_LINES = 100;

/** Keeps the newest lines of a standard error output. Adding one is cheap; they are scrubbed when they are looked at. */
export class StderrRing {
  private raw: string[] = [];

  /** Adds a line. */
  add(line: string): void {
    this.raw.push(line);
    if (this.raw.length >= MAX_STDERR_LINES * 2) this.raw = this.raw.slice(-MAX_STDERR_LINES);
  }

  /** The newest lines, oldest first. */
  lines(scrub: McpScrubber, count = MAX_STDERR_LINES): readonly string[] {
    return this.raw.slice(-count).map(scrub);
  }
}
