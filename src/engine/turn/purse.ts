import { present } from '../../domain/present.js';
import { type Amount, type LimitReached, type Limits, type Purse, type Refusal, type Reservation, addAmounts, NO_AMOUNT } from '../../domain/model/purse.js';

/** Where the money of a {@link createPurse} is from. */
export interface PurseOrigin {
  /** The purse that it draws on beside its own limits. Default: none. */
  readonly parent?: Purse | undefined;
  /** Amount used before, which the parent already includes. Default: nothing. */
  readonly spent?: Amount;
  /** Whose limits they are, see {@link LimitReached.of}. Default: those of a session. */
  readonly of?: LimitReached['of'];
}

/** Makes a purse. @param limits asked for before each request, because the user can change them */
export function createPurse(limits: () => Limits, { parent, spent = NO_AMOUNT, of }: PurseOrigin = {}): Purse {
  return new LimitedPurse(limits, parent, spent, of);
}

/** One kind of limit, and what the purse has of it. */
interface Measure {
  readonly limit: 'money' | 'tokens' | 'requests';
  readonly value: number;
  /** Not known for costs of which a part is not. */
  readonly spent: number | undefined;
  readonly reserved: number;
  /** Not known where a price is not. */
  readonly wanted: number | undefined;
}

/** Why a measure leaves no room, and whether it may do so when what is reserved has been settled. */
interface Shortage {
  readonly reached: LimitReached;
  readonly passes: boolean;
}

class LimitedPurse implements Purse {
  private taken: Amount;
  /** Reservations: summed anew each time, as running sums of fractions drift. */
  private readonly held = new Set<Amount>();
  /** Resolves when the next reservation ends. */
  private next: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  constructor(
    private readonly limits: () => Limits,
    private readonly parent: Purse | undefined,
    spent: Amount,
    private readonly of: LimitReached['of'],
  ) {
    this.taken = spent;
  }

  get spent(): Amount {
    return this.taken;
  }

  get reserved(): Amount {
    return [...this.held].reduce((sum, each) => addAmounts(sum, { ...each, costUsd: each.costUsd ?? 0 }), NO_AMOUNT);
  }

  reserve(estimate: Amount): Reservation | Refusal {
    const measures = this.measures(estimate);
    const shortages = measures.flatMap((measure) => shortageOf(measure) ?? []);
    // What waiting does not help is said first.
    const shortage = shortages.find(({ passes }) => !passes) ?? shortages[0];
    if (shortage !== undefined) return { reached: { ...shortage.reached, ...present({ of: this.of }) }, ...(shortage.passes ? { freed: this.freed() } : {}) };
    const above = this.parent?.reserve(estimate);
    if (above !== undefined && 'reached' in above) return { ...above, reached: { ...above.reached, whose: 'parent' } };
    return this.hold(withinRest(estimate, measures), above);
  }

  take(actual: Amount): void {
    this.taken = addAmounts(this.taken, actual);
    this.parent?.take(actual);
  }

  private hold(amount: Amount, above: Reservation | undefined): Reservation {
    this.held.add(amount);
    return {
      settle: (actual) => {
        if (!this.held.delete(amount)) return;
        this.taken = addAmounts(this.taken, actual);
        above?.settle(actual);
        this.tell();
      },
      release: () => {
        if (!this.held.delete(amount)) return;
        above?.release();
        this.tell();
      },
    };
  }

  private measures(estimate: Amount): readonly Measure[] {
    const { costUsd, tokens, requests } = this.limits();
    const held = this.reserved;
    const money = { limit: 'money' as const, spent: this.taken.costUsd, reserved: held.costUsd ?? 0, wanted: estimate.costUsd };
    const read = { limit: 'tokens' as const, spent: this.taken.tokens, reserved: held.tokens, wanted: estimate.tokens };
    const asked = { limit: 'requests' as const, spent: this.taken.requests, reserved: held.requests, wanted: estimate.requests };
    return [
      ...(costUsd === undefined ? [] : [{ ...money, value: costUsd }]),
      ...(tokens === undefined ? [] : [{ ...read, value: tokens }]),
      ...(requests === undefined ? [] : [{ ...asked, value: requests }]),
    ];
  }

  private freed(): Promise<void> {
    this.next ??= promised();
    return this.next.promise;
  }

  private tell(): void {
    this.next?.resolve();
    this.next = undefined;
  }
}

function shortageOf({ limit, value, spent, reserved, wanted }: Measure): Shortage | undefined {
  const reached = { limit, value, used: spent, whose: 'own' as const };
  if (wanted === undefined) return { reached: { ...reached, unknown: 'price' }, passes: false };
  if (spent === undefined) return { reached: { ...reached, unknown: 'cost' }, passes: false };
  const rest = value - spent - reserved;
  if (rest > 0 && (wanted <= rest || reserved === 0)) return undefined;
  return { reached, passes: reserved > 0 && spent < value };
}

/** Amount to reserve for an estimate: not more than is left. */
function withinRest({ costUsd, tokens, requests }: Amount, measures: readonly Measure[]): Amount {
  const within = (limit: Measure['limit'], wanted: number): number => {
    const measure = measures.find((each) => each.limit === limit);
    return measure?.spent === undefined ? wanted : Math.min(wanted, measure.value - measure.spent - measure.reserved);
  };
  return { costUsd: costUsd === undefined ? undefined : within('money', costUsd), tokens: within('tokens', tokens), requests: within('requests', requests) };
}

function promised(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
