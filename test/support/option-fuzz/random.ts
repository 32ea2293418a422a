/** Numbers that look random and are the same for a seed: mulberry32. */
export class Random {
  constructor(private state: number) {}

  /** A number from 0 up to, and without, 1. */
  next(): number {
    this.state = (this.state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from 0 up to, and without, a limit. */
  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  /** One of several. */
  of<T>(choices: readonly T[]): T {
    const found = choices[this.below(choices.length)];
    if (found === undefined) throw new Error('There is nothing to choose from.');
    return found;
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}
