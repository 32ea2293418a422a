import { describe, expect, it } from 'vitest';
import { Updates } from '../../../../src/headless/acp/updates.js';
import { deferred } from '../../../support/model-server/gate.js';

/** Words are joined, and numbers are not. */
const join = (first: string | number, second: string | number): string | undefined =>
  typeof first === 'string' && typeof second === 'string' ? first + second : undefined;

describe('updates', () => {
  it('are sent in order, one after the other, and what waits is joined where it can be', async () => {
    const sent: (string | number)[] = [];
    const held = deferred();
    const updates = new Updates<string | number>((update) => (sent.push(update), held.promise), join);
    for (const update of ['a', 'b', 'c', 1, 2, 'd', 'e']) updates.add(update);
    expect(sent).toEqual(['a']);
    let drained = false;
    const done = updates.drained().then(() => (drained = true));
    await Promise.resolve();
    expect(drained).toBe(false);
    held.resolve();
    await done;
    expect(sent).toEqual(['a', 'bc', 1, 2, 'de']);
    updates.add('f');
    await updates.drained();
    expect(sent.at(-1)).toBe('f');
  });

  it('that nobody takes any more are left out, and nobody waits for them', async () => {
    let attempts = 0;
    const updates = new Updates<string | number>(() => Promise.reject(new Error(`The connection is closed (${(attempts += 1)}).`)), join);
    updates.add(1);
    updates.add(2);
    await updates.drained();
    expect(attempts).toBe(1);
  });
});
