/** Maximum number of instructions. */
const MAX_ENTRIES = 50;

/** History of instructions in this window. */
export class InstructionHistory {
  /** The latest one is last. */
  private entries: readonly string[] = [];
  /** Index of the entry shown; the number of entries while the user's own text is. */
  private at = 0;
  /** The user's text before browsing the entries. */
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
