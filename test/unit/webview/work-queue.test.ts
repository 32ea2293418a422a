import { expect, test } from 'vitest';
import { WorkQueue } from '../../../webview/state/connection/work-queue.js';

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

test('what can wait is done when nothing else waits, and waits no longer when it is added again', () => {
  const { queue, work, done, run } = rig();
  let left = 4;
  const colors = {
    step: () => {
      done.push('colors');
      left -= 1;
      return left > 0 && ('later' as const);
    },
  };
  queue.add(work('rows', 2));
  queue.add(colors);
  expect(run(9)).toBe(false);
  expect(done).toEqual(['colors', 'rows', 'rows', 'colors', 'colors', 'colors']);
  left = 2;
  queue.add(colors);
  run(0);
  queue.add(work('more', 1));
  expect(run(0)).toBe(true);
  queue.add(colors);
  expect(run(9)).toBe(false);
  expect(done.slice(6)).toEqual(['colors', 'more', 'colors']);
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

test('what comes up while something is done is done before the rest of it', () => {
  const { queue, work, done, run } = rig();
  let steps = 2;
  queue.add({
    step: () => {
      done.push('rows');
      queue.add(work(`words ${steps}`, 2));
      steps -= 1;
      return steps > 0;
    },
  });
  expect(run(100)).toBe(false);
  expect(done).toEqual(['rows', 'words 2', 'words 2', 'rows', 'words 1', 'words 1']);
});

test('who waits for the end of all work is called once, and not before', () => {
  const { queue, work, run } = rig();
  let calls = 0;
  queue.add(work('a', 2));
  queue.whenDry(() => (calls += 1));
  expect(run(1)).toBe(true);
  expect(calls).toBe(0);
  expect(run(9)).toBe(false);
  expect(run(9)).toBe(false);
  expect(calls).toBe(1);
});

test('what is called when all is done can ask for more, which comes with the next frame', () => {
  const { queue, work, done, run } = rig();
  queue.add(work('first', 1));
  queue.whenDry(() => {
    done.push('dry');
    queue.whenDry(() => done.push('dry again'));
  });
  expect(run(10)).toBe(true);
  expect(done).toEqual(['first', 'dry']);
  expect(run(10)).toBe(false);
  expect(done).toEqual(['first', 'dry', 'dry again']);
});
