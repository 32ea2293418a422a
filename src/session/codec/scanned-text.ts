/** JSON text and how far it was read. It may come in pieces that are cut between two tokens; what was read is dropped then. */
export class ScannedText {
  /** The present piece. */
  protected text: string;
  /** In the present piece. */
  protected pos = 0;
  /** From here on the text is still needed when the next piece comes. */
  protected start: number | undefined;
  /** Lines, and characters of the last one, in text that was dropped. */
  private dropped = { lines: 0, column: 0 };

  /** @param more gives the text that follows; `undefined` at the end. */
  constructor(
    text: string,
    private readonly more?: () => string | undefined,
  ) {
    this.text = text;
  }

  /** First character code of the next token, `NaN` at the end. */
  peek(): number {
    for (;;) {
      const code = this.text.charCodeAt(this.pos);
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) this.pos += 1;
      else if (!Number.isNaN(code) || !this.refill()) return code;
    }
  }

  /** Where an offset of the present piece is in the whole text. */
  lineAndColumn(offset: number): { readonly line: number; readonly column: number } {
    const before = this.text.slice(0, offset);
    const lines = before.split('\n').length;
    const column = offset - before.lastIndexOf('\n') + (lines === 1 ? this.dropped.column : 0);
    return { line: this.dropped.lines + lines, column };
  }

  private refill(): boolean {
    const next = this.more?.();
    if (next === undefined) return false;
    const kept = this.start ?? this.text.length;
    const { line, column } = this.lineAndColumn(kept);
    this.dropped = { lines: line - 1, column: column - 1 };
    this.text = this.text.slice(kept) + next;
    this.pos -= kept;
    if (this.start !== undefined) this.start = 0;
    return true;
  }
}
