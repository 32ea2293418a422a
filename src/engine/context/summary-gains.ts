/** Summaries in a row that may each make room for one round only. */
const SHORT_LIMIT = 3;
/** From which share of its window on a conversation may be too long for a model that refuses it without saying why. */
const MAYBE_TOO_LONG = 0.7;
/** Tokens of messages from which on it may be where the size of the window is only assumed; and how much more that is after a summary did not help. */
const MAYBE_TOO_LONG_TOKENS = 3_000;
const TOO_LONG_AGAIN = 1.2;

/**
 * Notices that summaries are made again and again, each for another round: that costs much and leads nowhere. And knows where one may help
 * against a refusal that says nothing.
 */
export class SummaryGains {
  /** Rounds since the last summary that was made on its own; `undefined` before the first. */
  private rounds: number | undefined;
  private short = 0;
  /** Length of the conversation when a summary did not help against a refusal, by model: another model may accept it. */
  private readonly inVain = new Map<string, number>();

  /** Takes that a round was answered. */
  answered(): void {
    if (this.rounds !== undefined) this.rounds += 1;
  }

  /** Takes that a summary was made on its own. */
  made(): void {
    this.short = this.isShort ? this.short + 1 : 0;
    this.rounds = 0;
  }

  /** Begins anew: the user has done something, or was notified. */
  forget(): void {
    this.rounds = undefined;
    this.short = 0;
  }

  /** Whether another summary would be one too many. */
  get areVain(): boolean {
    return this.isShort && this.short + 1 >= SHORT_LIMIT;
  }

  /**
   * Whether a model that refuses a conversation without saying why may find it too long.
   * @param most the tokens that a request may have, or where they are only assumed, what every request begins with
   */
  mayHelp(model: string, used: number, most: { readonly limit: number } | { readonly head: number }): boolean {
    const least = 'limit' in most ? most.limit * MAYBE_TOO_LONG : most.head + MAYBE_TOO_LONG_TOKENS;
    return used >= Math.max(least, (this.inVain.get(model) ?? 0) * TOO_LONG_AGAIN);
  }

  /** Takes that such a refusal was about something else. */
  noteInVain(model: string, used: number): void {
    this.inVain.set(model, used);
  }

  private get isShort(): boolean {
    return this.rounds !== undefined && this.rounds <= 1;
  }
}
