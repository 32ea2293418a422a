import { describe, expect, it } from 'vitest';
import { Arrival } from '../../../../../src/vscode/chat/panes/arrival.js';

/** Work that ends when it is told to. */
function work() {
  let end!: () => void;
  let fail!: (error: Error) => void;
  const promise = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return { run: () => promise, end, fail };
}

/** Whether a promise is settled once all that is ready has run. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  const later = new Promise<'later'>((resolve) => setImmediate(() => resolve('later')));
  return (await Promise.race([promise.then(() => 'now'), later])) === 'now';
}

describe('going over to another conversation', () => {
  it('nothing is waited for when nothing is under way', async () => {
    expect(await isSettled(new Arrival().settled())).toBe(true);
  });

  it('what is said meanwhile waits until it is there', async () => {
    const arrival = new Arrival();
    const change = work();
    const done = arrival.during(change.run);
    const settled = arrival.settled();
    expect(await isSettled(settled)).toBe(false);
    change.end();
    await done;
    expect(await isSettled(settled)).toBe(true);
  });

  it('what is said meanwhile goes nowhere when it fails, and later things go on', async () => {
    const arrival = new Arrival();
    const change = work();
    const done = arrival.during(change.run);
    const settled = arrival.settled();
    change.fail(new Error('gone'));
    await expect(done).rejects.toThrow('gone');
    await expect(settled).rejects.toThrow('gone');
    expect(await isSettled(arrival.settled())).toBe(true);
  });

  it('the change that was asked for last counts, whatever became of the one before', async () => {
    const arrival = new Arrival();
    const [first, second] = [work(), work()];
    const firstDone = arrival.during(first.run);
    const secondDone = arrival.during(second.run);
    const settled = arrival.settled();
    second.end();
    await secondDone;
    expect(await isSettled(settled)).toBe(false);
    first.fail(new Error('gone'));
    await expect(firstDone).rejects.toThrow('gone');
    expect(await isSettled(settled)).toBe(true);
  });
});
