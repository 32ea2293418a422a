/** Drafts that are kept beside the one that is being written. */
const MAX_LEFT = 20;

/** Where the cursor is in a text. */
export interface Cursor {
  readonly start: number;
  readonly end: number;
}

/**
 * Goes back and forth through what the user said, as shells do. What was being written is the last entry, so that it comes
 * back by going forward; what was changed on the way is an entry, too.
 */
export class SaidBefore {
  /** Earlier messages, and drafts that were left while browsing them. */
  private entries: readonly string[] = [];
  /** Texts that were left for something said before, and not come back to. */
  private left: readonly string[] = [];
  private at = 0;
  /** Draft before the user began to browse earlier messages. */
  private kept = '';
  /** The history entry in the composer; `undefined` while there is none. */
  private shown: string | undefined;

  /** Whether an arrow up means "what I said before" rather than the line above. */
  goesBack(text: string, { start, end }: Cursor): boolean {
    if (start !== end || text.slice(0, start).includes('\n')) return false;
    return text === '' || start === 0 || text === this.shown;
  }

  /** Whether an arrow down means "what I said after that". */
  goesForward(text: string, { start, end }: Cursor): boolean {
    return this.shown !== undefined && text === this.shown && start === end && text.indexOf('\n', end) < 0;
  }

  /** Whether what was said has to be asked for, before the first step back. */
  needsEntries(text: string): boolean {
    return this.shown === undefined || text !== this.shown;
  }

  /** Begins with what was said, oldest first, from a text that is being written. */
  begin(said: readonly string[], text: string): void {
    if (this.shown !== undefined && this.kept.trim() !== '') this.left = [...this.left, this.kept].slice(-MAX_LEFT);
    this.left = this.left.filter((draft) => draft !== text);
    this.entries = [...said, ...this.left];
    this.at = this.entries.length;
    this.kept = text;
    this.shown = undefined;
  }

  /** The text one step back; `undefined` at the beginning. */
  back(): string | undefined {
    return this.at === 0 ? undefined : this.show(this.at - 1);
  }

  /** The text one step forward; the last one is what was being written. */
  forward(): string | undefined {
    return this.at >= this.entries.length ? undefined : this.show(this.at + 1);
  }

  /** A message was sent: gives back what was being written before it was looked for. */
  sent(): string {
    const { kept, shown } = this;
    this.forget();
    return shown === undefined ? '' : kept;
  }

  /** Another conversation is shown. */
  forget(): void {
    this.entries = [];
    this.left = [];
    this.at = 0;
    this.kept = '';
    this.shown = undefined;
  }

  private show(at: number): string {
    this.at = at;
    const text = this.entries[at] ?? this.kept;
    this.shown = at === this.entries.length ? undefined : text;
    return text;
  }
}
