/** The turns of an edit in place: one runs, and those that are asked for meanwhile wait for its end. */
export class TurnQueue {
  private last: Promise<void> | undefined;
  private waiting = 0;

  /** Whether a turn waits. */
  get goesOn(): boolean {
    return this.waiting > 0;
  }

  /**
   * Carries out a turn behind those before it. Resolves at its end.
   * @param turn does not reject.
   * @param waits is called when it has to wait.
   */
  async run(turn: () => Promise<void>, waits: () => void): Promise<void> {
    const before = this.last;
    const mine = before === undefined ? turn() : this.behind(before, turn, waits);
    this.last = mine;
    await mine;
    if (this.last === mine) this.last = undefined;
  }

  private async behind(before: Promise<void>, turn: () => Promise<void>, waits: () => void): Promise<void> {
    waits();
    this.waiting += 1;
    await before;
    this.waiting -= 1;
    await turn();
  }
}
