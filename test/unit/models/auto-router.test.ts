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
    refusalOf: () => undefined,
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
