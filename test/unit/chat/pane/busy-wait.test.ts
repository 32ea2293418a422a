import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HostMessage } from '../../../../src/protocol/messages.js';
import { SessionBusyError } from '../../../../src/session/errors.js';
import { BusyWait } from '../../../../src/chat/pane/pane-sessions.js';

const BUSY = { id: '1', title: 'T' };

function rig() {
  const posts: HostMessage[] = [];
  const shown: string[] = [];
  const state = { busy: true, tries: 0 };
  const errors: unknown[] = [];
  const wait = new BusyWait({
    post: (message) => posts.push(message),
    report: (error) => errors.push(error),
    reopen: async (id, wanted) => {
      state.tries += 1;
      await Promise.resolve();
      if (state.busy) throw new SessionBusyError(id);
      if (wanted()) shown.push(id);
    },
  });
  return { posts, shown, state, errors, wait };
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe('sess-09 a conversation that another window has open', () => {
  it('is told of, and opened once that window lets go', async () => {
    const { posts, shown, state, wait } = rig();
    wait.set(BUSY);
    expect(posts).toEqual([{ type: 'session_busy', ...BUSY }]);
    await vi.advanceTimersByTimeAsync(6_000);
    expect(shown).toEqual([]);
    expect(state.tries).toBe(3);
    state.busy = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(shown).toEqual(['1']);
    wait.tell();
    expect(posts).toHaveLength(2);
  });

  it('is not asked for any more when the person goes back or shows another one', async () => {
    const { posts, shown, state, wait } = rig();
    wait.set(BUSY);
    state.busy = false;
    wait.set(undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state.tries).toBe(0);
    expect(shown).toEqual([]);
    wait.tell();
    expect(posts).toHaveLength(1);
  });

  it('that cannot be opened for another reason is reported once', async () => {
    const errors: unknown[] = [];
    const wait = new BusyWait({ post: () => undefined, report: (error) => errors.push(error), reopen: () => Promise.reject(new Error('It is damaged.')) });
    wait.set(BUSY);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(errors).toMatchObject([{ message: 'It is damaged.' }]);
  });
});
