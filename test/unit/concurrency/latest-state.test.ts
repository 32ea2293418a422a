import { expect, onTestFinished, test, vi } from 'vitest';
import { LatestState } from '../../../src/concurrency/latest-state.js';

test('a change while something is read has it read once more, and one reading runs at a time', async () => {
  let value = 'old';
  let known = '';
  let running = 0;
  let reads = 0;
  const started: (() => void)[] = [];
  const state = new LatestState(
    async () => {
      running += 1;
      reads += 1;
      expect(running).toBe(1);
      const read = value;
      await new Promise<void>((resolve) => started.push(resolve));
      known = read;
      running -= 1;
    },
    (error) => expect(error).toBeUndefined(),
  );
  const done = state.now();
  value = 'new';
  void state.now();
  void state.now();
  started.shift()?.();
  await vi.waitFor(() => expect(started).toHaveLength(1));
  started.shift()?.();
  await done;
  expect([known, reads]).toEqual(['new', 2]);
});

test('a change that comes in any step after a reading is read', async () => {
  for (let steps = 0; steps < 12; steps += 1) {
    let value = 'old';
    let known = '';
    const state = new LatestState(
      () => Promise.resolve(void (known = value)),
      (error) => expect(error).toBeUndefined(),
    );
    const first = state.now();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    value = 'new';
    await Promise.all([first, state.now()]);
    expect([steps, known]).toEqual([steps, 'new']);
  }
});

test('a reading that fails is reported, and the next one is made', async () => {
  const failures: unknown[] = [];
  let reads = 0;
  const state = new LatestState(
    () => ((reads += 1) === 1 ? Promise.reject(new Error('no')) : Promise.resolve()),
    (error) => failures.push(error),
  );
  await state.now();
  await state.now();
  expect([reads, failures]).toEqual([2, [new Error('no')]]);
});

test('changes that follow each other quickly are one', async () => {
  vi.useFakeTimers();
  try {
    let reads = 0;
    const state = new LatestState(
      () => Promise.resolve(void (reads += 1)),
      () => undefined,
    );
    for (let count = 0; count < 10; count += 1) state.soon();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reads).toBe(1);
    state.soon();
    state.dispose();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(reads).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('what changes all the time is read now and then, and once more when it is quiet', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let reads = 0;
  const state = new LatestState(
    () => Promise.resolve(void (reads += 1)),
    (error) => expect(error).toBeUndefined(),
  );
  for (let elapsed = 0; elapsed < 9_000; elapsed += 50) {
    state.soon();
    await vi.advanceTimersByTimeAsync(50);
  }
  expect(reads).toBe(4);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads).toBe(5);
});
