import { expect, it } from 'vitest';
import { AutoRouter, type AutoRouterDeps } from '../../../src/models/auto-router.js';
import { ScriptedProvider, TEST_MODEL } from '../../support/scripted-provider/index.js';
import { TestClock } from '../engine/rig.js';

const TASK = { words: 'Fix the crash', planOnly: false, hasImages: false, current: TEST_MODEL, tokens: 1_000 };

it('chooses for the next task after the lists of models could not be asked for, and waits for them once', async () => {
  const provider = new ScriptedProvider([]);
  let asked = 0;
  const models: AutoRouterDeps['models'] = {
    isListed: true,
    listed: () => ((asked += 1) === 1 ? Promise.reject(new Error('The keys cannot be read.')) : Promise.resolve()),
    allEntries: () => [],
    refusals: () => () => undefined,
    find: () => TEST_MODEL,
    isFavorite: () => false,
    isSetUp: () => true,
    choose: () => Promise.resolve({ provider, model: TEST_MODEL, choice: { type: 'pinned', key: 'scripted/model-1' } }),
  };
  const router = new AutoRouter({ models, settings: { models: () => [], floors: () => ({}), fallback: () => true }, clock: new TestClock() });
  const { signal } = new AbortController();
  await expect(router.choose(TASK, signal)).rejects.toThrow('The keys cannot be read.');
  for (let task = 0; task < 2; task += 1) expect(await router.choose(TASK, signal)).toMatchObject({ running: { model: TEST_MODEL } });
  expect(asked).toBe(2);
});

it('says that lists are waited for until that was done, and waits again after it was stopped', async () => {
  const provider = new ScriptedProvider([]);
  const waits: AbortSignal[] = [];
  const models: AutoRouterDeps['models'] = {
    ...{ isListed: false, allEntries: () => [], refusals: () => () => undefined, find: () => TEST_MODEL, isFavorite: () => false, isSetUp: () => true },
    listed: (signal) => {
      waits.push(signal);
      return waits.length > 1 ? Promise.resolve() : new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    },
    choose: () => Promise.resolve({ provider, model: TEST_MODEL, choice: { type: 'pinned', key: 'scripted/model-1' } }),
  };
  const router = new AutoRouter({ models, settings: { models: () => [], floors: () => ({}), fallback: () => true }, clock: new TestClock() });
  const stop = new AbortController();
  const chosen = router.choose(TASK, stop.signal);
  expect(router.waits).toBe(true);
  stop.abort();
  await chosen;
  expect(router.waits).toBe(true);
  for (let task = 0; task < 2; task += 1) await router.choose(TASK, new AbortController().signal);
  expect([router.waits, waits.length]).toEqual([false, 2]);
});
