import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Decision } from '../../../src/domain/model/routing.js';
import { TASK_KINDS } from '../../../src/domain/model/task-kind.js';
import { withMean } from '../../../src/routing/estimates.js';
import { DEFAULT_FLOORS, type RouteFacts, type RouteRequest } from '../../../src/routing/facts.js';
import { readRouting } from '../../../src/routing/read-decision.js';
import { route } from '../../../src/routing/route.js';
import { replay } from '../../routing/replay.js';
import { main } from '../../routing/replay-main.js';
import { Random } from '../../support/option-fuzz/random.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { candidate, request } from './scene.js';

/** A task and what is known, with numbers as they are, and reasons for each filter to remove something. */
function scene(random: Random): readonly [RouteRequest, RouteFacts] {
  const keys = Array.from({ length: 1 + random.below(12) }, (_, at) => `p${at % 3}/m${at}`);
  const input = 0.1 + 20 * random.next();
  const candidates = keys.map((key) =>
    candidate(key, {
      ...{ tools: random.chance(0.9), images: random.chance(0.7), hasKey: random.chance(0.9), unavailableForMs: random.chance(0.1) ? 5_000 : 0 },
      contextWindow: random.of([0, 8_000, 200_000]),
      price: random.chance(0.9)
        ? { input: input * random.next(), output: 5 * input, cacheRead: input / 20, cacheWrite: 1.25 * input * random.next() }
        : undefined,
    }),
  );
  const key = random.of(keys);
  const estimates = keys.map((each) => [
    each,
    withMean(Object.fromEntries(TASK_KINDS.map((kind) => [kind, { prior: 0.5, source: 'assumed' as const, observed: 3, blended: random.next() }]))),
  ]);
  return [
    request({
      ...{ kind: random.of(TASK_KINDS), inputTokens: random.of([0, 900, 60_000]), needsImages: random.chance(0.3) },
      ...(random.chance(0.4) ? { cached: { tokens: random.of([500, 50_000]), key } } : {}),
      ...(random.chance(0.1) ? { pin: random.of([key, 'none/none']) } : {}),
    }),
    {
      ...{
        candidates,
        attemptUsd: random.next(),
        halfLifeMs: 60_000,
        floors: DEFAULT_FLOORS,
        estimates: Object.fromEntries(estimates) as RouteFacts['estimates'],
      },
      policy: random.chance(0.3) ? [{ by: 'organization', refused: [random.of(keys)] }] : [],
    },
  ];
}

/** A decision as it is stored and read again. */
function stored([asked, known]: readonly [RouteRequest, RouteFacts]): Decision {
  // Fields that needs do not have are left out when it is read.
  const read = readRouting(JSON.parse(JSON.stringify({ ...route(asked, known), needs: { ...asked, attemptUsd: known.attemptUsd } })));
  if (read === undefined || read.type === 'kept') throw new Error('It was not read.');
  return read;
}

const outcome = (decision: Decision | undefined): unknown => (decision?.type === 'chosen' ? [decision.key, decision.because] : decision?.why.type);

it('a stored decision comes out as it was when it is replayed by the same rule', () => {
  const seen = new Set<unknown>();
  for (let seed = 1; seed <= 3_000; seed += 1) {
    const decision = stored(scene(new Random(seed)));
    expect([seed, outcome(replay(decision))]).toEqual([seed, outcome(decision)]);
    seen.add(decision.type === 'chosen' ? decision.because : decision.why.type);
    for (const { removed } of decision.candidates) seen.add(removed?.type);
  }
  // Every way to come out is among them.
  const removals = ['noKey', 'notAllowed', 'noTools', 'noImages', 'windowTooSmall', 'unavailable', 'belowFloor', undefined];
  expect(seen).toEqual(new Set(['pinned', 'ranked', 'noneAllowed', 'noneFits', 'belowFloor', 'pinnedMissing', ...removals]));
});

it('says nothing of a decision that does not say enough', () => {
  const decision = stored(scene(new Random(1)));
  const without = { ...decision };
  Reflect.deleteProperty(without, 'needs');
  expect(replay(without)).toBeUndefined();
  expect(replay({ ...decision, leftOut: 1 })).toBeUndefined();
});

it('the command names what another rule would have chosen, and what that would have cost', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'one'));
  const said = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const [cheap, strong] = [candidate('a/cheap'), candidate('b/strong', { price: { input: 20, output: 100, cacheRead: 2, cacheWrite: 25 } })];
  const estimate = (blended: number): RouteFacts['estimates'][string] =>
    withMean({ debug: { prior: blended, source: 'assumed' as const, observed: 0, blended } });
  const known = {
    policy: [],
    floors: DEFAULT_FLOORS,
    halfLifeMs: 60_000,
    attemptUsd: 0.25,
    estimates: { 'a/cheap': estimate(0.6), 'b/strong': estimate(0.9) },
  };
  const decision = stored([request({ kind: 'debug' }), { ...known, candidates: [cheap, strong] }]);
  writeFileSync(
    join(folder, 'one', 'x.meta.json'),
    JSON.stringify({ routings: { 0: decision, 2: { type: 'kept', kind: 'debug', key: 'a/cheap', cachedTokens: 1 } } }),
  );
  expect(await main([folder])).toBe(0);
  expect(said.mock.lastCall).toEqual(['1 decisions, 0 of them other ones, 0 that do not say enough']);
  expect(await main([folder, '--floor', 'debug=0.5'])).toBe(0);
  expect(said.mock.calls.at(-2)?.[0]).toMatch(/debug +b\/strong +a\/cheap +\$0\.3500 +\$0\.0165/);
  expect(said.mock.lastCall).toEqual(['1 decisions, 1 of them other ones, 0 that do not say enough']);
  writeFileSync(join(folder, 'one', 'y.meta.json'), '{ "routings": ');
  expect(await main([folder])).toBe(0);
  expect(said.mock.lastCall).toEqual([`Not read: ${join(folder, 'one', 'y.meta.json')}`]);
  expect(await main([join(folder, 'nothing')])).toBe(0);
  for (const wrong of [
    [folder, '--attempt', '-1'],
    [folder, '--other'],
    [],
    [folder, '--floor', 'debug=2'],
    [folder, '--floor', 'nothing=0.5'],
    [folder, '--attempt', 'much'],
  ])
    expect(await main(wrong)).toBe(2);
});
