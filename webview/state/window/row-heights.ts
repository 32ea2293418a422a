/** Pixels that a row is taken to have before any was measured. */
const FIRST_GUESS = 120;
/** Measured rows from which on their mean is what others are taken to have. */
const ENOUGH = 8;
/** Pixels that a row counts for in that mean at most: one giant answer says nothing about the others. */
const MOST = 1_000;
/** By how much, as a factor, the mean has to be off for that to be changed: each change moves the scroll bar. */
const DRIFT = 1.25;

/** Heights of the rows of a transcript: measured where they have been in the page, estimated where not. */
export class RowHeights {
  private known: (number | undefined)[] = [];
  private guess = FIRST_GUESS;
  private sum = 0;
  private measured = 0;

  /** Sets how many rows there are; new ones have not been measured. */
  resize(total: number): void {
    for (let index = total; index < this.known.length; index += 1) this.note(index, undefined);
    this.known.length = total;
  }

  /** Forgets everything. */
  clear(): void {
    this.known = [];
    this.guess = FIRST_GUESS;
    this.sum = this.measured = 0;
  }

  /** The measured height of a row. */
  measuredAt(index: number): number | undefined {
    return this.known[index];
  }

  /** Takes the measured height of a row. */
  set(index: number, height: number): void {
    if (index < this.known.length) this.note(index, height);
  }

  /** Takes a better estimate for rows that were not measured, when it is much better; `true` when it did. */
  settle(): boolean {
    const mean = this.measured < ENOUGH ? this.guess : this.sum / this.measured;
    if (mean <= this.guess * DRIFT && mean * DRIFT >= this.guess) return false;
    this.guess = Math.max(1, Math.round(mean));
    return true;
  }

  /** Total height of the rows from one index up to another. */
  between(from: number, to: number): number {
    let height = 0;
    for (let index = from; index < to; index += 1) height += this.known[index] ?? this.guess;
    return height;
  }

  /** The row at `offset` pixels from the top of the first; the first or last one beyond the ends. */
  indexAt(offset: number): number {
    let bottom = 0;
    for (let index = 0; index < this.known.length; index += 1) {
      bottom += this.known[index] ?? this.guess;
      if (bottom > offset) return index;
    }
    return Math.max(0, this.known.length - 1);
  }

  private note(index: number, height: number | undefined): void {
    const before = this.known[index];
    if (before !== undefined) this.measured -= 1;
    if (height !== undefined) this.measured += 1;
    this.sum += Math.min(MOST, height ?? 0) - Math.min(MOST, before ?? 0);
    this.known[index] = height;
  }
}
