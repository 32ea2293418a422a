import type { LineEdit, LineRegion, LineShift } from './line-edit.js';
import { growthOf, movedLine, movedRegion } from './line-edit.js';
import { PendingHunks } from './pending-hunks.js';

/** Lines of a text that are being edited while the person may type beside them. */
export class StreamedEdit {
  readonly hunks: PendingHunks;
  private readonly old: readonly string[];
  private readonly inPlace: boolean;
  /** Where each of the old lines is now. */
  private places: number[];
  /** Which of the old lines the person has changed meanwhile. */
  private readonly touched = new Set<number>();
  private lines: LineRegion;

  /**
   * @param start number of the first of the lines in the text, from 0.
   * @param inPlace whether the text gets the changes, or they are only shown.
   */
  constructor(start: number, old: readonly string[], inPlace: boolean) {
    this.old = old;
    this.inPlace = inPlace;
    this.hunks = new PendingHunks(inPlace ? 'added' : 'removed');
    this.places = old.map((_, index) => start + index);
    this.lines = { start, end: start + old.length };
  }

  /** The lines of the text that are edited, as it is now: from `start` up to `end`. */
  get region(): LineRegion {
    return this.lines;
  }

  /** What a change of the old lines is in the text as it is now; `undefined` when the person has changed one of those lines. */
  locate({ start, end, lines }: LineEdit): LineEdit | undefined {
    for (let index = start; index < end; index += 1) if (this.touched.has(index)) return undefined;
    const from = this.places[start] ?? this.lines.end;
    return { start: from, end: from + (end - start), lines };
  }

  /** Notes that a change of the old lines was made where {@link locate} said, or is shown there. */
  made(change: LineEdit, located: LineEdit): void {
    this.hunks.add(located.start, this.old.slice(change.start, change.end), change.lines);
    if (!this.inPlace) return;
    const growth = growthOf(located);
    this.places = this.places.map((place, index) => (index >= change.end ? place + growth : Math.min(place, located.start)));
    this.lines = { ...this.lines, end: this.lines.end + growth };
  }

  /** Follows a change of the person. */
  typed(shift: LineShift): void {
    for (const [index, place] of this.places.entries()) {
      if (place >= shift.start && place < shift.end) this.touched.add(index);
    }
    this.places = this.places.map((place) => movedLine(place, shift));
    this.hunks.typed(shift);
    this.lines = movedRegion(this.lines, shift);
  }
}
