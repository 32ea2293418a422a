import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Amount, type Limits, type Purse, type Refusal, type Reservation, NO_AMOUNT } from '../../../../src/domain/model/purse.js';
import { createPurse } from '../../../../src/engine/turn/purse.js';
import { runs } from '../../../support/runs.js';

const one: Amount = { costUsd: 1, tokens: 10, requests: 1 };

function given(answer: Reservation | Refusal): Reservation {
  if ('reached' in answer) throw new Error(`Refused: ${JSON.stringify(answer.reached)}`);
  return answer;
}

function refused(answer: Reservation | Refusal): Refusal {
  if (!('reached' in answer)) throw new Error('It was not refused.');
  return answer;
}

describe('a purse', () => {
  test('reserves until a limit is reached, and names the limit', () => {
    const purse = createPurse(() => ({ requests: 2 }));
    given(purse.reserve(one)).settle(one);
    given(purse.reserve(one)).settle(one);
    expect(refused(purse.reserve(one))).toEqual({ reached: { limit: 'requests', value: 2, used: 2, whose: 'own' } });
    expect(purse.spent).toEqual({ costUsd: 2, tokens: 20, requests: 2 });
  });

  test.each<[Limits, string, number]>([
    [{ costUsd: 1 }, 'money', 1],
    [{ tokens: 10 }, 'tokens', 10],
    [{ requests: 1 }, 'requests', 1],
  ])('%j keeps a second request from being sent', (limits, limit, value) => {
    const purse = createPurse(() => limits);
    given(purse.reserve(one)).settle(one);
    expect(refused(purse.reserve(one)).reached).toMatchObject({ limit, value, used: value });
  });

  test('draws on its parent, and says whose limit it was', () => {
    const parent = createPurse(() => ({ costUsd: 2 }));
    const child = createPurse(() => ({ costUsd: 10 }), { parent });
    const grandchild = createPurse(() => ({}), { parent: child });
    given(child.reserve(one)).settle(one);
    given(grandchild.reserve(one)).settle(one);
    expect(parent.spent).toEqual({ costUsd: 2, tokens: 20, requests: 2 });
    expect(child.spent).toEqual(parent.spent);
    expect(refused(grandchild.reserve(one)).reached).toEqual({ limit: 'money', value: 2, used: 2, whose: 'parent' });
    // What was refused above is not left reserved below.
    expect(child.reserved).toEqual(NO_AMOUNT);
    expect(grandchild.reserved).toEqual(NO_AMOUNT);
  });

  test('does not tell its parent what was used before', () => {
    const parent = createPurse(() => ({ costUsd: 2 }));
    const child = createPurse(() => ({ costUsd: 5 }), { parent, spent: { costUsd: 4, tokens: 1, requests: 0 } });
    given(child.reserve(one)).settle(one);
    expect([child.spent.costUsd, parent.spent.costUsd]).toEqual([5, 1]);
    expect(refused(child.reserve(one)).reached).toMatchObject({ whose: 'own', used: 5 });
  });

  test('gives one request all that is left, and lets others wait until it is over', async () => {
    const purse = createPurse(() => ({ costUsd: 3 }));
    const dear = { ...one, costUsd: 100 };
    const first = given(purse.reserve(dear));
    expect(purse.reserved.costUsd).toBe(3);
    const { freed, reached } = refused(purse.reserve(one));
    expect(reached).toEqual({ limit: 'money', value: 3, used: 0, whose: 'own' });
    first.settle(one);
    await freed;
    given(purse.reserve(dear)).settle({ ...one, costUsd: 2 });
    expect(refused(purse.reserve(one)).freed).toBeUndefined();
  });

  test('sends nothing side by side for which there is too little left', async () => {
    const purse = createPurse(() => ({ costUsd: 3 }));
    const half = { ...one, costUsd: 2 };
    const first = given(purse.reserve(half));
    const { freed } = refused(purse.reserve(half));
    // What fits into the rest does not wait.
    given(purse.reserve(one)).settle(one);
    first.settle(half);
    await freed;
    expect(refused(purse.reserve(one)).freed).toBeUndefined();
  });

  test('tells who waits for a parent, also when nothing was sent', async () => {
    const parent = createPurse(() => ({ requests: 1 }));
    const [a, b] = [createPurse(() => ({}), { parent }), createPurse(() => ({}), { parent })];
    const first = given(a.reserve(one));
    const waiting = refused(b.reserve(one));
    expect(waiting.reached).toMatchObject({ limit: 'requests', whose: 'parent' });
    first.release();
    await waiting.freed;
    given(b.reserve(one)).settle(one);
    expect(parent.spent.requests).toBe(1);
  });

  test('ends a reservation once', () => {
    const parent = createPurse(() => ({}));
    const purse = createPurse(() => ({}), { parent });
    const settled = given(purse.reserve(one));
    settled.settle(one);
    settled.settle(one);
    settled.release();
    const released = given(purse.reserve(one));
    released.release();
    released.settle(one);
    for (const each of [purse, parent]) expect([each.spent, each.reserved]).toEqual([one, NO_AMOUNT]);
  });

  test('refuses what has no price, and everything once a cost is not known, where money is limited', () => {
    const limited = createPurse(() => ({ costUsd: 5 }));
    const unpriced = { ...one, costUsd: undefined };
    expect(refused(limited.reserve(unpriced))).toEqual({ reached: { limit: 'money', value: 5, used: 0, whose: 'own', unknown: 'price' } });
    limited.take(unpriced);
    expect(refused(limited.reserve(one)).reached).toEqual({ limit: 'money', value: 5, used: undefined, whose: 'own', unknown: 'cost' });
    const other = createPurse(() => ({ tokens: 100 }));
    given(other.reserve(unpriced)).settle(unpriced);
    given(other.reserve(one)).settle(one);
    expect(other.spent).toEqual({ costUsd: undefined, tokens: 20, requests: 2 });
  });

  test('reads its limits before each request', () => {
    let limits: Limits = { requests: 1 };
    const purse = createPurse(() => limits);
    given(purse.reserve(one)).settle(one);
    refused(purse.reserve(one));
    limits = { requests: 2 };
    given(purse.reserve(one));
  });
});

/** A tree of purses, parents before their children: each names its parent, the first none. */
interface Tree {
  readonly limits: readonly Limits[];
  readonly parents: readonly number[];
}

/** One thing that happens: a request of a purse begins, or the request that is under way for the longest, or a later one, ends. */
type Step =
  | { readonly type: 'begin'; readonly purse: number; readonly estimate: Amount }
  | { readonly type: 'end'; readonly which: number; readonly share: number; readonly sent: boolean };

const amounts: fc.Arbitrary<Amount> = fc.record({ costUsd: fc.nat(40), tokens: fc.nat(400), requests: fc.constant(1) });
const someLimits: fc.Arbitrary<Limits> = fc.record({ costUsd: fc.nat(200), tokens: fc.nat(2_000), requests: fc.nat(12) }, { requiredKeys: [] });
const trees: fc.Arbitrary<Tree> = fc
  .array(fc.tuple(someLimits, fc.nat()), { minLength: 1, maxLength: 9 })
  .map((nodes) => ({ limits: nodes.map(([limits]) => limits), parents: nodes.map(([, parent], index) => (index === 0 ? -1 : parent % index)) }));
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant('begin' as const), purse: fc.nat(), estimate: amounts }),
    fc.record({ type: fc.constant('end' as const), which: fc.nat(), share: fc.double({ min: 0, max: 1, noNaN: true }), sent: fc.boolean() }),
  ),
  { maxLength: 80 },
);

const FIELDS = ['costUsd', 'tokens', 'requests'] as const;

/** Purses that were made of a tree, and what may be used of each reservation so that no limit is exceeded. */
class Played {
  readonly purses: Purse[] = [];
  readonly open: { readonly reservation: Reservation; readonly chain: readonly number[]; readonly most: Amount }[] = [];
  /** What was settled, by purse. */
  readonly sums: Amount[];

  constructor(private readonly tree: Tree) {
    tree.parents.forEach((parent, index) => this.purses.push(createPurse(() => tree.limits[index] ?? {}, { parent: this.purses[parent] })));
    this.sums = this.purses.map(() => NO_AMOUNT);
  }

  begin(index: number, estimate: Amount): void {
    const chain = this.chainOf(index);
    const most = this.mostOf(chain, estimate);
    const fits = chain.every((each) => this.fits(each, estimate));
    const answer = this.purse(index).reserve(estimate);
    expect('reached' in answer).toBe(!fits);
    if ('reached' in answer) return this.checkRefusal(answer);
    this.open.push({ reservation: answer, chain, most });
  }

  end(which: number, share: number, sent: boolean): void {
    const [ended] = this.open.splice(which % Math.max(1, this.open.length), 1);
    if (ended === undefined) return;
    if (!sent) return ended.reservation.release();
    const { most } = ended;
    const actual = { costUsd: Math.floor((most.costUsd ?? 0) * share), tokens: Math.floor(most.tokens * share), requests: most.requests };
    ended.reservation.settle(actual);
    for (const index of ended.chain) this.sums[index] = sumOf(this.sums[index] ?? NO_AMOUNT, actual);
  }

  check(): void {
    this.purses.forEach((purse, index) => {
      const limits = this.tree.limits[index] ?? {};
      for (const field of FIELDS) expect((purse.spent[field] ?? 0) + (purse.reserved[field] ?? 0)).toBeLessThanOrEqual(limits[field] ?? Infinity);
      expect(purse.spent).toEqual(this.sums[index]);
    });
  }

  private purse(index: number): Purse {
    const purse = this.purses[index];
    if (purse === undefined) throw new Error(`There is no purse ${index}.`);
    return purse;
  }

  /** A purse and all that it draws on, by their places. */
  private chainOf(index: number): readonly number[] {
    return index < 0 ? [] : [index, ...this.chainOf(this.tree.parents[index] ?? -1)];
  }

  private restOf(index: number, field: (typeof FIELDS)[number]): number {
    const { spent, reserved } = this.purse(index);
    return (this.tree.limits[index]?.[field] ?? Infinity) - (spent[field] ?? 0) - (reserved[field] ?? 0);
  }

  private mostOf(chain: readonly number[], estimate: Amount): Amount {
    const [costUsd, tokens, requests] = FIELDS.map((field) => Math.min(estimate[field] ?? 0, ...chain.map((index) => this.restOf(index, field))));
    return { costUsd, tokens: tokens ?? 0, requests: requests ?? 0 };
  }

  /** Whether a purse has room for a request: for all of it, or all that is left where no other is under way. */
  private fits(index: number, estimate: Amount): boolean {
    return FIELDS.every((field) => {
      const rest = this.restOf(index, field);
      return rest > 0 && ((estimate[field] ?? 0) <= rest || this.purse(index).reserved[field] === 0);
    });
  }

  /** Nobody is told to wait for nothing. */
  private checkRefusal({ freed }: Refusal): void {
    if (freed !== undefined) expect(this.open.length).toBeGreaterThan(0);
  }
}

function sumOf(a: Amount, b: Amount): Amount {
  return { costUsd: (a.costUsd ?? 0) + (b.costUsd ?? 0), tokens: a.tokens + b.tokens, requests: a.requests + b.requests };
}

test('in any tree of purses, whatever comes first: no limit is exceeded at any time, and all reservations come back', () => {
  fc.assert(
    fc.property(trees, steps, (tree, all) => {
      const played = new Played(tree);
      for (const step of all) {
        if (step.type === 'begin') played.begin(step.purse % played.purses.length, step.estimate);
        else played.end(step.which, step.share, step.sent);
        played.check();
      }
      while (played.open.length > 0) played.end(0, 1, true);
      played.check();
      for (const { reserved } of played.purses) expect(reserved).toEqual(NO_AMOUNT);
    }),
    { numRuns: runs(1_000) },
  );
});
