import type { Message } from '../../domain/model/message.js';
import type { CacheBreak } from '../../domain/session/context.js';
import { computeSessionStats } from '../../domain/session/session.js';
import { type Pricing, type Spent, type Usage, addUsage, costOf, NO_USAGE, totalInputTokens } from '../../domain/model/usage.js';

/** What a turn took. */
export interface Figures {
  readonly usage: Usage;
  /** US dollars; `undefined` when a model's price is not known. */
  readonly costUsd: number | undefined;
  /** What had to be read anew, although it had been in the provider's cache; absent when that was not much. */
  readonly cacheBreak?: CacheBreak;
}

/** Adds up tokens and cost. The cost is unknown from the first answer on whose price is not known. */
export class Spending {
  private tokens: Usage;
  private cost: number | undefined;
  private lost: CacheBreak | undefined;

  /** @param costUsd US dollars so far; `undefined` when not known. */
  constructor(usage: Usage = NO_USAGE, costUsd: number | undefined = 0) {
    this.tokens = usage;
    this.cost = costUsd;
  }

  /** What a stored conversation used. @param costUsd US dollars that were stored with it, if any. */
  static ofStored(messages: readonly Message[], costUsd: number | undefined): Spending {
    const spending = new Spending(computeSessionStats(messages).usage);
    spending.cost = costUsd ?? (messages.length === 0 ? 0 : undefined);
    return spending;
  }

  /** Tokens so far. */
  get usage(): Usage {
    return this.tokens;
  }

  /** US dollars so far; `undefined` when not known. */
  get costUsd(): number | undefined {
    return this.cost;
  }

  /** All of it. */
  get figures(): Figures {
    return { usage: this.tokens, costUsd: this.cost, ...(this.lost === undefined ? {} : { cacheBreak: this.lost }) };
  }

  /** Notes what a request read anew; that which read most is kept. */
  lose(lost: CacheBreak | undefined): void {
    if (lost !== undefined && lost.tokens > (this.lost?.tokens ?? 0)) this.lost = lost;
  }

  /**
   * Adds one request. One that used nothing, such as a failed one, costs nothing.
   * @param answered whether an answer came: if its tokens are not told and its price is not known, neither is its cost
   */
  add(usage: Usage, pricing: Pricing | undefined, answered = false): void {
    if (totalInputTokens(usage) + usage.outputTokens === 0) {
      if (answered && pricing === undefined) this.cost = undefined;
      return;
    }
    this.tokens = addUsage(this.tokens, usage);
    this.cost = this.cost === undefined || pricing === undefined ? undefined : this.cost + costOf(usage, pricing);
  }

  /** Adds what a tool call used. */
  addSpent({ usage, costUsd }: Spent): void {
    this.tokens = addUsage(this.tokens, usage);
    this.cost = this.cost === undefined || costUsd === undefined ? undefined : this.cost + costUsd;
  }
}
