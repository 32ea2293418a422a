/** Cost of requests to models: estimated before one is sent, and counted afterwards. */
export interface Amount {
  /** US dollars; `undefined` where a price is not known. */
  readonly costUsd: number | undefined;
  /** Tokens, read and written. */
  readonly tokens: number;
  /** Requests to models. */
  readonly requests: number;
}

/** Nothing at all. */
export const NO_AMOUNT: Amount = Object.freeze({ costUsd: 0, tokens: 0, requests: 0 });

/** The most that a purse gives. What is absent has no limit. */
export interface Limits {
  /** US dollars. */
  readonly costUsd?: number;
  /** Tokens, read and written. */
  readonly tokens?: number;
  /** Requests to models. */
  readonly requests?: number;
}

/** The user's limits for one session. Absent ones are unlimited. */
export interface Caps {
  /** Messages of the user. */
  readonly maxTurns?: number;
  /** US dollars. */
  readonly maxCostUsd?: number;
}

/** The limit for which something was not sent. */
export interface LimitReached {
  readonly limit: 'money' | 'tokens' | 'requests' | 'turns';
  /** Its value, in US dollars or as a number. */
  readonly value: number;
  /** Usage that counts against it: the amount used, or the turn that would be one too many. `undefined` where the cost is not known. */
  readonly used: number | undefined;
  /** Owner of the limit: the session itself, or a purse that it shares with others. */
  readonly whose: 'own' | 'parent';
  /** Present for a limit of what all agents of a chat use together. */
  readonly of?: 'agents';
  /** Present where a limit of money was not reached but cannot be kept: the price of what was to be sent is not known, or the cost so far. */
  readonly unknown?: 'price' | 'cost';
}

/** Why a purse gives nothing. */
export interface Refusal {
  readonly reached: LimitReached;
  /**
   * Present where others have reserved what is left and may not need all of it: resolves when one of them has ended, so that it is
   * worth asking again. Absent where nothing will be left.
   */
  readonly freed?: Promise<void>;
}

/** Room in a purse for one request. It has to be ended in one of two ways; what comes after the first changes nothing. */
export interface Reservation {
  /** Takes what the request used, and gives back the rest. */
  settle(actual: Amount): void;
  /** Gives all of it back: nothing was sent. */
  release(): void;
}

/**
 * Budget of sessions, and the cost so far. One purse can draw on another: what is taken from it is taken from both, so that many
 * sessions share one limit and each can have its own.
 *
 * A limit of money needs prices. With one, a request whose price is not known is refused; and once a cost is not known, which
 * happens when the limit was set later or a request had unknown fees, everything is. Without one, costs may be unknown.
 */
export interface Purse {
  /** Amount used, without reservations. */
  readonly spent: Amount;
  /** Amount reserved for running requests. An unknown cost counts as zero. */
  readonly reserved: Amount;
  /**
   * Reserves room for a request before it is sent. What is spent and reserved together is within each limit at any time, unless
   * a request uses more than was estimated.
   *
   * Where less is left than estimated and no other request is under way, all that is left is reserved, so that one session alone
   * goes on until its limit is reached. An estimate that is too high therefore makes requests wait for one another that could be
   * sent side by side, and keeps none from being sent at last; one that is too low lets those side by side exceed the limit by
   * what is missing in their estimates.
   */
  reserve(estimate: Amount): Reservation | Refusal;
  /** Takes what was used without room having been reserved, because it was not known that it would cost something. */
  take(actual: Amount): void;
}

/** The sum of two amounts; its cost is unknown where one of them is. */
export function addAmounts(a: Amount, b: Amount): Amount {
  return {
    costUsd: a.costUsd === undefined || b.costUsd === undefined ? undefined : a.costUsd + b.costUsd,
    tokens: a.tokens + b.tokens,
    requests: a.requests + b.requests,
  };
}
