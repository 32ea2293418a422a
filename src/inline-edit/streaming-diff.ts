import type { LineEdit } from './line-edit.js';

/** Number of consecutive equal lines that counts as a match. */
const SURE_LINES = 3;
/** Number of letters and digits that make a line count as a match alone, when the old text has it only once. */
const SURE_CHARACTERS = 8;

/**
 * Compares old lines with new ones that stream in one by one. Each change is reported once, as soon as an unchanged line after
 * it makes it certain, and is final: all changes together, applied to the old lines, give the new ones.
 */
export class StreamingDiff {
  /** Where each line is in the old text. */
  private readonly places = new Map<string, number[]>();
  /** Number of old lines that are matched or replaced. */
  private at = 0;
  /** New lines of which it is not known yet what they replace. */
  private waiting: string[] = [];
  private begun = false;

  constructor(private readonly old: readonly string[]) {
    for (const [index, line] of old.entries()) {
      const known = this.places.get(line);
      if (known === undefined) this.places.set(line, [index]);
      else known.push(index);
    }
  }

  /** Takes in the next new line. @returns the change that is certain by now, in lines of the old text. */
  push(line: string): LineEdit | undefined {
    const first = !this.begun;
    this.begun = true;
    if (this.waiting.length === 0 && this.at < this.old.length && this.old[this.at] === line) {
      this.at += 1;
      return undefined;
    }
    // Where nothing is written yet, there is nothing to compare with.
    if (first && this.old.every((each) => each.trim() === '')) return this.change(this.old.length, [line]);
    if (this.waiting.length === 0 && this.at === this.old.length) return this.change(this.at, [line]);
    this.waiting.push(line);
    return this.found(line);
  }

  /** The rest, when no more lines come. */
  end(): LineEdit | undefined {
    const { waiting, old } = this;
    const most = Math.min(waiting.length, old.length - this.at);
    let tail = 0;
    while (tail < most && waiting[waiting.length - 1 - tail] === old[old.length - 1 - tail]) tail += 1;
    return this.change(old.length - tail, waiting.slice(0, waiting.length - tail));
  }

  /** Looks for old lines that equal the last new ones: what comes before those is a change. */
  private found(line: string): LineEdit | undefined {
    for (const place of this.places.get(line) ?? []) {
      if (place < this.at) continue;
      const same = this.sameUpTo(place);
      if (!this.isSure(place, same)) continue;
      const change = this.change(place - same + 1, this.waiting.slice(0, this.waiting.length - same));
      this.at = place + 1;
      return change;
    }
    return undefined;
  }

  /** Number of the last new lines that equal the old ones up to a place. */
  private sameUpTo(place: number): number {
    const most = Math.min(this.waiting.length, place - this.at + 1);
    let same = 0;
    while (same < most && this.waiting[this.waiting.length - 1 - same] === this.old[place - same]) same += 1;
    return same;
  }

  private isSure(place: number, same: number): boolean {
    if (same >= SURE_LINES) return true;
    return this.old.slice(place - same + 1, place + 1).some((line) => this.places.get(line)?.length === 1 && wordCharacters(line) >= SURE_CHARACTERS);
  }

  private change(end: number, lines: readonly string[]): LineEdit | undefined {
    const start = this.at;
    this.at = end;
    this.waiting = [];
    return start === end && lines.length === 0 ? undefined : { start, end, lines };
  }
}

function wordCharacters(line: string): number {
  return line.replace(/[^\p{L}\p{N}]/gu, '').length;
}
