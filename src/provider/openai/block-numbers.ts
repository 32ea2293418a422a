/** Hands out the numbers of the blocks of one answer, which are their order in the message. */
export class BlockNumbers {
  private readonly taken = new Set<number>();
  private highest = -1;

  /** The number behind all others. */
  next(): number {
    return this.highest + 1;
  }

  /** Takes the wanted number if it is free, or the next one. */
  take(wanted: number = this.next()): number {
    const number = this.taken.has(wanted) ? this.next() : wanted;
    this.taken.add(number);
    this.highest = Math.max(this.highest, number);
    return number;
  }
}
