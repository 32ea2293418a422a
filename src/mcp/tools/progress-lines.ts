import type { McpProgress } from '../../domain/mcp/connection.js';
import { headOf } from '../../text/show.js';
import { plainText } from './plain-text.js';

/** Milliseconds between two lines. */
const PAUSE_MS = 250;
/** Lines of one call; a server that reports more says nothing new. */
const MAX_LINES = 400;
/** Characters of a line. */
const MAX_LINE = 200;

/** Turns the progress of a call into lines of its output: at most four a second, always ending with the newest. */
export class ProgressLines {
  private last = '';
  private waiting: string | undefined;
  private timer: NodeJS.Timeout | undefined;
  private count = 0;

  constructor(private readonly write: (line: string) => void) {}

  add(progress: McpProgress): void {
    this.waiting = lineOf(progress);
    if (this.timer === undefined) this.flush();
  }

  /** Nothing is written from now on. */
  end(): void {
    clearTimeout(this.timer);
    this.count = MAX_LINES;
  }

  private flush(): void {
    const line = this.waiting;
    this.timer = undefined;
    this.waiting = undefined;
    if (line === undefined || line === this.last || this.count >= MAX_LINES) return;
    this.last = line;
    this.count += 1;
    this.write(`${line}\n`);
    this.timer = setTimeout(() => this.flush(), PAUSE_MS);
  }
}

function lineOf({ progress, total, message = '' }: McpProgress): string {
  const words = headOf(plainText(message).replace(/\s+/g, ' ').trim(), MAX_LINE);
  const share = total === undefined || !(total > 0) ? undefined : Math.min(100, Math.max(0, Math.round((progress / total) * 100)));
  const amount = share === undefined ? String(progress) : `${share}%`;
  return words === '' ? amount : `${amount} ${words}`;
}
