import { describe, expect, it } from 'vitest';
import type { Decision, Removal } from '../../../src/domain/model/routing.js';
import { TASK_KINDS } from '../../../src/domain/model/task-kind.js';
import { present } from '../../../src/domain/present.js';
import type { CandidateFacts, RouteFacts, RouteRequest } from '../../../src/routing/facts.js';
import { withMean } from '../../../src/routing/estimates.js';
import { readRouting } from '../../../src/routing/read-decision.js';
import { isAdmissible, route } from '../../../src/routing/route.js';
import { Random } from '../../support/option-fuzz/random.js';
import { candidate, everywhere, facts, request } from './scene.js';

const chosen = (decision: Decision): string => (decision.type === 'chosen' ? decision.key : decision.why.type);
const removalOf = (decision: Decision, key: string): Removal | undefined => decision.candidates.find((each) => each.key === key)?.removed;
const near = (value: number): unknown => expect.closeTo(value, 9);
const [strong, weak] = [candidate('a/strong'), candidate('b/weak')];

describe('the choice', () => {
  it('R-01 the same facts give the same decision, whatever is in them and in whichever order, without a throw', () => {
    for (let seed = 1; seed <= 10_000; seed += 1) {
      const [asked, known] = randomTable(new Random(seed));
      const decision = route(asked, known);
      const stored = JSON.stringify(decision);
      if (seed % 10 === 0) {
        expect(JSON.stringify(route(asked, known))).toBe(stored);
        // What is stored is read back as it was: no number in it is none.
        expect(readRouting(JSON.parse(stored))).toEqual(decision);
        const turned = { ...known, candidates: known.candidates.toReversed() };
        expect(chosen(route(asked, turned))).toBe(chosen(decision));
      }
      if (decision.type === 'chosen' && decision.because === 'ranked' && decision.candidates[0]?.removed !== undefined) expect.fail(`Seed ${seed}`);
    }
  });

  it('R-01 of equals, the quicker one is chosen, then the chat’s own, then the first by name and host', () => {
    const slow = candidate('a/one', { latencyMs: 900 });
    const quick = candidate('c/three', { latencyMs: 300 });
    expect(
      chosen(
        route(
          request(),
          facts([
            [slow, 0.8],
            [candidate('b/two'), 0.8],
            [quick, 0.8],
          ]),
        ),
      ),
    ).toBe('c/three');
    const same = facts([
      [candidate('b/two'), 0.8],
      [candidate('a/one'), 0.8],
    ]);
    expect([undefined, 'b/two', 'c/three'].map((current) => chosen(route(request(present({ current })), same)))).toEqual(['a/one', 'b/two', 'a/one']);
    const hosts = [candidate('g/m', { host: 'z' }), candidate('g/m', { host: 'y' })];
    expect(route(request(), facts(hosts.map((each) => [each, 0.8])))).toMatchObject({ key: 'g/m', host: 'y' });
  });

  it('R-02 what a filter removed is recorded with its reason, in the order of the filters', () => {
    const known = facts(
      [
        ...[
          [strong, 0.8] as const,
          [candidate('x/no-key', { hasKey: false, tools: false }), 0.9] as const,
          [candidate('x/refused', { tools: false }), 0.9] as const,
        ],
        ...[[candidate('y/any'), 0.9] as const, [candidate('z/tools', { tools: false, images: false }), 0.8] as const],
        ...[[candidate('z/images', { images: false }), 0.8] as const, [candidate('z/small', { contextWindow: 17_999 }), 0.8] as const],
        ...[
          [candidate('z/exact', { contextWindow: 18_000 }), 0.7] as const,
          [candidate('z/out', { unavailableForMs: 5_000 }), 0.8] as const,
          [weak, 0.6] as const,
        ],
      ],
      {
        policy: [
          { by: 'workspace', refused: ['x/refused'] },
          { by: 'organization', allowed: ['a', 'b', 'x', 'z'] },
        ],
      },
    );
    const decision = route(request({ needsImages: true }), known);
    expect(chosen(decision)).toBe('a/strong');
    expect(decision.floor).toEqual({ share: 0.85, least: 0.85 * 0.8 });
    expect(removalOf(decision, 'x/no-key')).toEqual({ type: 'noKey' });
    expect(removalOf(decision, 'x/refused')).toEqual({ type: 'notAllowed', by: 'workspace' });
    expect(removalOf(decision, 'y/any')).toEqual({ type: 'notAllowed', by: 'organization' });
    expect(removalOf(decision, 'z/tools')).toEqual({ type: 'noTools' });
    expect(removalOf(decision, 'z/images')).toEqual({ type: 'noImages' });
    expect(removalOf(decision, 'z/small')).toEqual({ type: 'windowTooSmall', window: 17_999, needed: 18_000 });
    expect(removalOf(decision, 'z/exact')).toBeUndefined();
    expect(removalOf(decision, 'z/out')).toEqual({ type: 'unavailable', forMs: 5_000, halfLifeMs: 60_000 });
    expect(removalOf(decision, 'b/weak')).toEqual({ type: 'belowFloor', estimate: 0.6, floor: 0.85 * 0.8 });
  });

  it('R-02 where nothing is left, the user is asked, and told why', () => {
    expect(route(request(), facts([]))).toMatchObject({ type: 'ask', why: { type: 'noneAllowed' }, candidates: [] });
    expect(route(request(), facts([[candidate('a/x', { hasKey: false }), 0.8]]))).toMatchObject({ type: 'ask', why: { type: 'noneAllowed' } });
    expect(route(request(), facts([[candidate('a/x', { tools: false }), 0.8]]))).toMatchObject({ type: 'ask', why: { type: 'noneFits' } });
  });

  it.each([
    ['an outage', { unavailableForMs: 1_000 }],
    ['a window', { contextWindow: 4_000 }],
  ])('R-07 the floor does not sink with %s of the best: it asks instead of taking a weaker one', (_, lack) => {
    const known = facts([
      [candidate('a/strong', lack), 0.9],
      [weak, 0.8],
    ]);
    expect(route(request({ kind: 'security_review' }), known)).toMatchObject({
      type: 'ask',
      why: { type: 'belowFloor', key: 'b/weak', estimate: near(0.8), floor: near(0.855) },
    });
    expect(chosen(route(request({ kind: 'boilerplate' }), known))).toBe('b/weak');
    // What may not be used at all is no measure.
    expect(chosen(route(request({ kind: 'security_review' }), { ...known, policy: [{ by: 'settings', refused: ['a'] }] }))).toBe('b/weak');
  });

  it('a model that costs nothing is not better for that alone', () => {
    const free = candidate('local/small', { price: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } });
    const small = route(
      request({ kind: 'boilerplate' }),
      facts([
        [strong, 0.95],
        [free, 0.75],
      ]),
    );
    expect([chosen(small), small.candidates[1]?.costUsd]).toEqual(['a/strong', 0]);
    // But where it is about as good.
    expect(
      chosen(
        route(
          request({ kind: 'boilerplate' }),
          facts([
            [strong, 0.95],
            [free, 0.94],
          ]),
        ),
      ),
    ).toBe('local/small');
  });

  it('lists a dozen candidates, and how many there are more', () => {
    const many = facts(Array.from({ length: 200 }, (_, at) => [candidate(`a/${String(at).padStart(3, '0')}`), at / 200]));
    const decision = route(request(), many);
    expect([decision.candidates.length, decision.leftOut]).toEqual([12, 188]);
    expect(JSON.stringify(decision).length).toBeLessThan(4_000);
    // A pinned one is listed, wherever it is.
    expect(route(request({ pin: 'a/003' }), many).candidates[0]).toMatchObject({ key: 'a/003', removed: { type: 'belowFloor' } });
  });

  it('says what would change the choice', () => {
    const known = (price: number, blended: number): RouteFacts =>
      facts([
        [candidate('a/one', { price: { input: 1, output: 0, cacheRead: 0, cacheWrite: 1 } }), 0.9],
        [candidate('b/two', { price: { input: price, output: 0, cacheRead: 0, cacheWrite: price } }), blended],
      ]);
    const asked = request({ inputTokens: 100_000, reservedOutputTokens: 0 });
    const decision = route(asked, known(2, 0.9));
    if (decision.type !== 'chosen' || decision.runnerUp === undefined) throw new Error('Nothing was chosen.');
    const { key, cheaperByUsd = NaN, betterBy } = decision.runnerUp;
    // 0.9 for 0.10 + 0.25 dollars, against 0.9 for 0.20 + 0.25: it would have to succeed in 1.157 of the tasks.
    expect([key, betterBy]).toEqual(['b/two', undefined]);
    expect(cheaperByUsd).toBeCloseTo(0.1, 9);
    expect(chosen(route(asked, known(2 - 10 * cheaperByUsd - 0.01, 0.9)))).toBe('b/two');
    expect(chosen(route(asked, known(2 - 10 * cheaperByUsd + 0.01, 0.9)))).toBe('a/one');
    const other = route(asked, known(1, 0.8));
    expect(other).toMatchObject({ runnerUp: { key: 'b/two', betterBy: near(0.1) } });
    // Where there is only one, the next one below the floor: above the floor alone, it would still not be worth as much.
    const below = route(asked, known(1, 0.5));
    expect(below).toMatchObject({ runnerUp: { key: 'b/two', betterBy: near(0.9 - 0.5) } });
    // Costing less, the floor is what it lacks; costing much more, nothing would do.
    expect(route(asked, known(0.1, 0.5))).toMatchObject({ runnerUp: { betterBy: near(0.9 * 0.85 - 0.5) } });
    expect(route(asked, known(9, 0.5))).toMatchObject({ runnerUp: { key: 'b/two' } });
    expect(route(asked, known(9, 0.5))).not.toHaveProperty('runnerUp.betterBy');
  });
});

describe('a pin', () => {
  it('R-03 wins over rank, floor, and an outage', () => {
    const known = facts([
      [strong, 0.9],
      [candidate('b/weak', { unavailableForMs: 9_000 }), 0.1],
    ]);
    expect(route(request({ pin: 'b/weak', kind: 'security_review' }), known)).toMatchObject({ type: 'chosen', key: 'b/weak', because: 'pinned' });
  });

  it('R-03 but not over what is impossible or not allowed: nothing else is taken, and both numbers are there', () => {
    const known = facts([
      [strong, 0.9],
      [candidate('b/weak', { contextWindow: 8_000, maxOutputTokens: 4_000 }), 0.9],
    ]);
    const small = { type: 'windowTooSmall', window: 8_000, needed: 14_000 };
    expect(route(request({ pin: 'b/weak' }), known)).toMatchObject({ type: 'ask', why: { type: 'pinned', key: 'b/weak', removed: small } });
    const refused = { ...known, policy: [{ by: 'organization', refused: ['a/strong'] } as const] };
    expect(route(request({ pin: 'a/strong' }), refused)).toMatchObject({
      type: 'ask',
      why: { type: 'pinned', removed: { type: 'notAllowed', by: 'organization' } },
    });
    expect(route(request({ pin: 'c/gone' }), known)).toMatchObject({ type: 'ask', why: { type: 'pinnedMissing', key: 'c/gone' } });
  });
});

describe('costs', () => {
  const dear = candidate('a/dear', { price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 } });
  const cheap = candidate('b/cheap', { price: { input: 2, output: 10, cacheRead: 0.2, cacheWrite: 2.5 } });
  const known = facts([
    [dear, 0.9],
    [cheap, 0.88],
  ]);

  it('R-09 what is cached keeps the model, unless more is gained than writing it again costs; the sum is in the decision', () => {
    const fresh = request({ inputTokens: 120_000 });
    expect(route(fresh, known)).toMatchObject({ key: 'b/cheap' });
    const kept = route({ ...fresh, cached: { tokens: 100_000, key: 'a/dear' } }, known);
    expect(kept).toMatchObject({ type: 'chosen', key: 'a/dear' });
    expect(kept).not.toHaveProperty('rewrite');
    // 100,000 tokens that are written for $2.50 per million instead of read for $0.20.
    expect(kept.candidates[1]).toMatchObject({ key: 'b/cheap', rewriteUsd: near(0.23) });
    const changed = route(
      { ...fresh, cached: { tokens: 100_000, key: 'a/dear' } },
      facts([
        [dear, 0.3],
        [cheap, 0.88],
      ]),
    );
    expect(changed).toMatchObject({ key: 'b/cheap', rewrite: { tokens: 100_000, usd: near(0.23) } });
  });

  it('R-18 another host of a gateway has no cache either', () => {
    const [one, other] = [
      { ...cheap, host: 'one' },
      { ...cheap, host: 'other', price: { input: 1.9, output: 9, cacheRead: 0.2, cacheWrite: 1.9 } },
    ];
    const hosts = facts([
      [one, 0.88],
      [other, 0.88],
    ]);
    const cached = { tokens: 100_000, key: 'b/cheap', host: 'one' };
    expect(route(request({ inputTokens: 120_000 }), hosts)).toMatchObject({ host: 'other' });
    const kept = route(request({ inputTokens: 120_000, cached }), hosts);
    expect(kept).toMatchObject({ key: 'b/cheap', host: 'one' });
    expect(kept.candidates[1]).toMatchObject({ host: 'other', rewriteUsd: near(0.17) });
  });

  it.each([undefined, { input: NaN, output: 1, cacheRead: 0, cacheWrite: 0 }, { input: -1, output: -1, cacheRead: -1, cacheWrite: -1 }])(
    'R-13 a price that is not known (%o) is no low price: last, but there',
    (price) => {
      const unknown = candidate('c/unknown', { price });
      const decision = route(
        request(),
        facts([
          [dear, 0.85],
          [unknown, 0.95],
        ]),
      );
      expect([chosen(decision), decision.candidates[1]?.key, decision.candidates[1]?.removed]).toEqual(['a/dear', 'c/unknown', undefined]);
      expect(decision.candidates[1]).not.toHaveProperty('costUsd');
      expect(chosen(route(request(), facts([[unknown, 0.95]])))).toBe('c/unknown');
    },
  );
});

it('R-14 after a failure, the next one is taken only if it is allowed and good enough', () => {
  const known = facts(
    [
      [strong, 0.9],
      [candidate('b/next'), 0.85],
      [weak, 0.5],
      [candidate('d/refused'), 0.9],
    ],
    { policy: [{ by: 'settings', refused: ['d'] }] },
  );
  const without = (...failed: readonly string[]): Decision => {
    const candidates = known.candidates.map((each) => (failed.includes(each.key) ? { ...each, unavailableForMs: 60_000 } : each));
    return route(request(), { ...known, candidates });
  };
  expect(without('a/strong')).toMatchObject({ type: 'chosen', key: 'b/next' });
  expect(without('a/strong', 'b/next')).toMatchObject({ type: 'ask', why: { type: 'belowFloor' } });
  expect(['a/strong', 'b/next', weak.key, 'd/refused', 'unknown/model'].filter((key) => isAdmissible(key, request(), known))).toEqual(['a/strong', 'b/next']);
});

/** Everything that can be wrong in a table: no numbers, none at all, names that objects have anyway. */
function randomTable(random: Random): readonly [RouteRequest, RouteFacts] {
  const number = (): number => random.of([0, 1, 0.5, 0.9, 17, 1e6, 1e308, -1, NaN, Infinity, -Infinity, random.next()]);
  const keys = Array.from({ length: random.below(16) }, (_, at) => random.of([`p${at % 3}/m${at}`, `p/${at}`, '__proto__', 'constructor', '', 'plain']));
  const candidates = keys.map((key, at): CandidateFacts => {
    const price = { input: number(), output: number(), cacheRead: number(), cacheWrite: number() };
    return {
      ...candidate(key, { contextWindow: number(), maxOutputTokens: number(), unavailableForMs: number(), host: `h${at}` }),
      ...{ tools: random.chance(0.8), images: random.chance(0.5), hasKey: random.chance(0.9), latencyMs: number() },
      ...(random.chance(0.9) ? { price } : {}),
    };
  });
  const kind = random.of(TASK_KINDS);
  const key = random.of([...keys, 'none']);
  return [
    request({
      ...{ kind, inputTokens: number(), reservedOutputTokens: number(), expectedOutputTokens: number(), needsImages: random.chance(0.3) },
      ...(random.chance(0.3) ? { cached: { tokens: number(), key } } : {}),
      ...(random.chance(0.2) ? { pin: key } : {}),
    }),
    {
      ...{ candidates, attemptUsd: number(), halfLifeMs: 60_000, policy: random.chance(0.3) ? [{ by: 'settings', refused: [key] }] : [] },
      floors: Object.fromEntries(TASK_KINDS.map((each) => [each, number()])) as RouteFacts['floors'],
      estimates: Object.fromEntries(keys.filter(() => random.chance(0.8)).map((each) => [each, withMean(everywhere(number()))])),
    },
  ];
}
