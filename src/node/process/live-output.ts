/** Milliseconds between two chunks for the user. */
const INTERVAL_MS = 50;
/** Characters of one chunk; of more, only the last are passed on. */
const CHUNK_CHARACTERS = 8 * 1024;
/** Characters of one command that are passed on in all. */
const TOTAL_CHARACTERS = 1024 * 1024;

/** Passes output on to a user: at once, yet in few chunks, and no more than anyone can look at. */
export class LiveOutput {
  private pending = '';
  private skipped = false;
  private total = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly output: (chunk: string) => void) {}

  add(text: string): void {
    if (text === '' || this.total > TOTAL_CHARACTERS) return;
    const all = this.pending + text;
    this.skipped ||= all.length > CHUNK_CHARACTERS;
    this.pending = all.slice(-CHUNK_CHARACTERS);
    this.timer ??= setTimeout(() => this.flush(), INTERVAL_MS);
  }

  /** Passes on what is waiting. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.pending === '') return;
    const chunk = this.skipped ? `\n[… not shown live …]\n${this.pending}` : this.pending;
    this.pending = '';
    this.skipped = false;
    this.total += chunk.length;
    this.output(this.total > TOTAL_CHARACTERS ? `${chunk}\n[… no more is shown live …]\n` : chunk);
  }
}
