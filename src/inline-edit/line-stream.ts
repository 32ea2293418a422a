/** Cuts a text that comes in pieces into lines, whatever their endings. */
export class LineStream {
  private rest = '';

  /** Takes in the next piece. @returns the lines that are whole by now, without their endings. */
  push(piece: string): readonly string[] {
    this.rest += piece;
    // A carriage return at the end may be the first half of an ending.
    const end = this.rest.endsWith('\r') ? this.rest.length - 1 : this.rest.length;
    const lines = this.rest.slice(0, end).split(/\r\n|\r|\n/);
    this.rest = (lines.pop() ?? '') + this.rest.slice(end);
    return lines;
  }

  /** What stands behind the last ending: the last line, empty when the text ends with an ending. */
  end(): string {
    const { rest } = this;
    this.rest = '';
    return rest.replace(/\r$/, '');
  }
}
