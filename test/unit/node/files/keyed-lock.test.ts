import { describe, expect, it } from 'vitest';
import { createKeyedLock } from '../../../../src/node/files/keyed-lock.js';

describe('KeyedLock', () => {
  it('runs tasks of one key in order, failures included, and others beside them', async () => {
    const lock = createKeyedLock();
    const steps: string[] = [];
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = lock('a', async () => {
      await gate;
      steps.push('first');
      throw new Error('failed');
    });
    const second = lock('a', () => Promise.resolve(steps.push('second')));
    await lock('b', () => Promise.resolve(steps.push('beside')));
    release();
    await expect(first).rejects.toThrow('failed');
    await second;
    expect(steps).toEqual(['beside', 'first', 'second']);
  });
});
