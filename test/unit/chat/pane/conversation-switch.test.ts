import { describe, expect, it } from 'vitest';
import { ConversationSwitch } from '../../../../src/chat/pane/conversation-switch.js';

/** A place, what it came to show, and what was found too late. */
function place() {
  const arrival = new ConversationSwitch();
  const shown: string[] = [];
  const dropped: string[] = [];
  /** Asks for a conversation, which is found when it is told to be. */
  const ask = (name: string) => {
    let end!: () => void;
    let fail!: () => void;
    const found = new Promise<string>((resolve, reject) => {
      end = () => resolve(name);
      fail = () => reject(new Error(`${name} is gone`));
    });
    const arrived = arrival.to({ find: () => found, take: (one) => shown.push(one), drop: (one) => dropped.push(one) });
    return { arrived, end, fail };
  };
  return { arrival, shown, dropped, ask };
}

/** Whether a promise is settled once all that is ready has run. */
async function isSettled(promise: Promise<void>): Promise<boolean> {
  const later = new Promise<'later'>((resolve) => setImmediate(() => resolve('later')));
  return (await Promise.race([promise.then(() => 'now'), later])) === 'now';
}

describe('going over to another conversation', () => {
  it('nothing is waited for when nothing is under way', async () => {
    expect(await isSettled(new ConversationSwitch().settled())).toBe(true);
  });

  it('what is said meanwhile waits until it is there', async () => {
    const { arrival, shown, ask } = place();
    const one = ask('one');
    const settled = arrival.settled();
    expect(await isSettled(settled)).toBe(false);
    one.end();
    expect(await one.arrived).toBe(true);
    expect(await isSettled(settled)).toBe(true);
    expect(shown).toEqual(['one']);
  });

  it('what is said meanwhile goes nowhere when it fails, and later things go on', async () => {
    const { arrival, shown, ask } = place();
    const one = ask('one');
    const settled = arrival.settled();
    one.fail();
    await expect(one.arrived).rejects.toThrow('one is gone');
    await expect(settled).rejects.toThrow('one is gone');
    expect(await isSettled(arrival.settled())).toBe(true);
    expect(shown).toEqual([]);
  });

  it('the one that was asked for last is shown, although one asked for before is found later', async () => {
    const { arrival, shown, dropped, ask } = place();
    const [first, second] = [ask('first'), ask('second')];
    const settled = arrival.settled();
    second.end();
    expect(await second.arrived).toBe(true);
    expect(await isSettled(settled)).toBe(true);
    first.end();
    expect(await first.arrived).toBe(false);
    expect([shown, dropped]).toEqual([['second'], ['first']]);
  });

  it('one that fails after another one was asked for is in nobody’s way', async () => {
    const { arrival, shown, ask } = place();
    const [first, second] = [ask('first'), ask('second')];
    const settled = arrival.settled();
    first.fail();
    await expect(first.arrived).rejects.toThrow('first is gone');
    second.end();
    expect(await second.arrived).toBe(true);
    expect(await isSettled(settled)).toBe(true);
    expect(shown).toEqual(['second']);
  });
});
