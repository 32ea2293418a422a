/** Milliseconds after which a letter begins another word. */
const WORD_MS = 700;

/** Moves the focus among the items of a menu: by arrows, Home and End, and by the first letters of an item. */
export class MenuKeys {
  private word = '';
  private typedAt = Number.NEGATIVE_INFINITY;

  /** Takes a key that went down at one of the items. @returns whether it was for that. */
  press(items: readonly HTMLElement[], event: KeyboardEvent): boolean {
    if (event.altKey || event.ctrlKey || event.metaKey || event.isComposing || items.length === 0) return false;
    const at = items.findIndex((item) => item === document.activeElement);
    const to = this.goal(items, at, event);
    if (event.key.length > 1) this.endWord();
    if (to === undefined) return false;
    items[to]?.focus();
    event.preventDefault();
    return true;
  }

  /** Letters after another key begin a word. */
  endWord(): void {
    this.typedAt = Number.NEGATIVE_INFINITY;
  }

  private goal(items: readonly HTMLElement[], at: number, { key, timeStamp }: KeyboardEvent): number | undefined {
    const { length } = items;
    switch (key) {
      case 'ArrowDown':
        return (at + 1) % length;
      case 'ArrowUp':
        return at < 0 ? length - 1 : (at - 1 + length) % length;
      case 'Home':
        return 0;
      case 'End':
        return length - 1;
      default:
        return key.length === 1 && key !== ' ' ? this.named(items, at, key, timeStamp) : undefined;
    }
  }

  /** The next item that begins with what is typed; one letter again and again goes through all that begin with it. */
  private named(items: readonly HTMLElement[], at: number, letter: string, now: number): number | undefined {
    const goesOn = now - this.typedAt < WORD_MS;
    this.typedAt = now;
    this.word = goesOn ? this.word + letter.toLowerCase() : letter.toLowerCase();
    const same = Array.from(this.word).every((each) => each === this.word[0]);
    const [wanted, from] = same ? [this.word[0] ?? '', at + 1] : [this.word, Math.max(0, at)];
    const order = items.map((_, index) => (from + index) % items.length);
    return order.find((index) => (items[index]?.ariaLabel ?? items[index]?.textContent ?? '').trim().toLowerCase().startsWith(wanted));
  }
}
