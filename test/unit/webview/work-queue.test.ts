import { expect, test } from 'vitest';
import { WorkQueue } from '../../../webview/state/work-queue.js';

/** Work of so many steps, each a millisecond long, that notes its name. */
function rig() {
  const clock = { now: 0 };
  const done: string[] = [];
  let requests = 0;
  const queue = new WorkQueue(() => (requests += 1));
  const work = (name: string, steps: number) => ({
    step: () => {
      clock.now += 1;
      done.push(name);
      steps -= 1;
      return steps > 0;
    },
  });
  return { queue, work, done, run: (until: number) => queue.run(until, () => clock.now), requests: () => requests };
}

test('the last added comes first, and what is left waits for the next frame', () => {
  const { queue, work, done, run, requests } = rig();
  queue.add(work('first', 2));
  queue.add(work('second', 2));
  expect(requests()).toBe(2);
  expect(run(3)).toBe(true);
  expect(done).toEqual(['second', 'second', 'first']);
  expect(run(10)).toBe(false);
  expect(done).toEqual(['second', 'second', 'first', 'first']);
});

test('at least one step is done in a frame that is late', () => {
  const { queue, work, done, run } = rig();
  queue.add(work('a', 3));
  expect(run(0)).toBe(true);
  expect(run(0)).toBe(true);
  expect(run(0)).toBe(false);
  expect(done).toHaveLength(3);
});

test('work that is taken out is not done', () => {
  const { queue, work, done, run } = rig();
  const gone = work('gone', 1);
  queue.add(gone);
  queue.remove(gone);
  expect(run(9)).toBe(false);
  expect(done).toEqual([]);
});
