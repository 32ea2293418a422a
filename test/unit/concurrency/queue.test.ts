import { describe, expect, it } from 'vitest';
import { KeyedQueue, Queue } from '../../../src/concurrency/queue.js';

/** A promise to be resolved from outside. */
function gate(): { readonly promise: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { promise, open };
}

describe('Queue', () => {
  it('runs tasks in order, after failures too, and is idle when all have ended', async () => {
    const queue = new Queue();
    const steps: string[] = [];
    const { promise, open } = gate();
    const first = queue.run(async () => {
      await promise;
      steps.push('first');
      throw new Error('failed');
    });
    const second = queue.run(() => steps.push('second'));
    const idle = queue.idle().then(() => steps.push('idle'));
    expect(queue.size).toBe(2);
    open();
    await expect(first).rejects.toThrow('failed');
    expect(await second).toBe(2);
    await idle;
    expect(steps).toEqual(['first', 'second', 'idle']);
    expect(queue.size).toBe(0);
  });

  it('is idle after a failure that its caller took', async () => {
    const queue = new Queue();
    const failing = queue.run(() => Promise.reject(new Error('failed')));
    await expect(queue.idle()).resolves.toBeUndefined();
    await expect(failing).rejects.toThrow('failed');
  });
});

describe('KeyedQueue', () => {
  it('runs tasks of one key in order, failures included, and others beside them', async () => {
    const queue = new KeyedQueue();
    const steps: string[] = [];
    const { promise, open } = gate();
    const first = queue.run('a', async () => {
      await promise;
      steps.push('first');
      throw new Error('failed');
    });
    const second = queue.run('a', () => Promise.resolve(steps.push('second')));
    await queue.run('b', () => Promise.resolve(steps.push('beside')));
    open();
    await expect(first).rejects.toThrow('failed');
    await second;
    await queue.run('a', () => steps.push('third'));
    expect(steps).toEqual(['beside', 'first', 'second', 'third']);
  });

  it('runs a task of several keys when all before it with any of them have ended, whatever their order', async () => {
    const queue = new KeyedQueue();
    const steps: string[] = [];
    const { promise, open } = gate();
    const first = queue.run('b', async () => {
      await promise;
      steps.push('first');
    });
    const both = [queue.runOn(['a', 'b'], () => steps.push('a and b')), queue.runOn(['b', 'a', 'b'], () => steps.push('b and a'))];
    const last = queue.run('a', () => steps.push('a'));
    await queue.runOn(['c'], () => steps.push('c'));
    expect(steps).toEqual(['c']);
    open();
    await Promise.all([first, ...both, last]);
    expect(steps).toEqual(['c', 'first', 'a and b', 'b and a', 'a']);
  });
});
