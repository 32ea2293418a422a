/** How many instructions are kept. */
const MAX_ENTRIES = 50;

/** What the user asked for in this window, to be asked for again. */
export class InstructionHistory {
  /** The latest one is last. */
  private entries: readonly string[] = [];
  /** Which entry is shown; the number of entries while the user's own words are. */
  private at = 0;
  /** What the user had written before going through the entries. */
  private own = '';

  /** Keeps an instruction as the latest one. */
  add(words: string): void {
    if (words.trim() !== '') this.entries = [...this.entries.filter((entry) => entry !== words), words].slice(-MAX_ENTRIES);
    this.restart();
  }

  /** Goes back to the end, as for a prompt that was just opened. */
  restart(): void {
    this.at = this.entries.length;
    this.own = '';
  }

  /**
   * Goes to an older instruction, or to a newer one, and behind the latest to what the user had written.
   * @param words what the prompt contains now.
   * @returns what it contains then; `undefined` when there is nothing further in that direction.
   */
  step(words: string, direction: 'older' | 'newer'): string | undefined {
    const next = this.at + (direction === 'older' ? -1 : 1);
    if (next < 0 || next > this.entries.length) return undefined;
    if (this.at === this.entries.length) this.own = words;
    this.at = next;
    return this.entries[next] ?? this.own;
  }
}
