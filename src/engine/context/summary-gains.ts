/** Summaries in a row that may each make room for one round only. */
const SHORT_LIMIT = 3;

/** Notices that summaries are made again and again, each for another round: that costs much and leads nowhere. */
export class SummaryGains {
  /** Rounds since the last summary that was made on its own; `undefined` before the first. */
  private rounds: number | undefined;
  private short = 0;

  /** Takes that a round was answered. */
  answered(): void {
    if (this.rounds !== undefined) this.rounds += 1;
  }

  /** Takes that a summary was made on its own. */
  made(): void {
    this.short = this.isShort ? this.short + 1 : 0;
    this.rounds = 0;
  }

  /** Begins anew: the user has done something, or was told. */
  forget(): void {
    this.rounds = undefined;
    this.short = 0;
  }

  /** Whether another summary would be one too many. */
  get areVain(): boolean {
    return this.isShort && this.short + 1 >= SHORT_LIMIT;
  }

  private get isShort(): boolean {
    return this.rounds !== undefined && this.rounds <= 1;
  }
}
