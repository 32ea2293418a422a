import { describe, expect, it } from 'vitest';
import { JoinedWork } from '../../../../src/mcp/auth/mcp-auth.js';
import { failure } from './window.js';

const never = new AbortController().signal;

/** Work that ends when it is told to, and knows whether it was stopped. */
function openWork() {
  const runs: { readonly signal: AbortSignal; readonly finish: (value: string) => void; readonly fail: (error: Error) => void }[] = [];
  const work = (signal: AbortSignal): Promise<string> => new Promise((finish, fail) => runs.push({ signal, finish, fail }));
  return { runs, work };
}

describe('work that is shared by those who want the same', () => {
  it('runs once by key, and all get its result or its failure', async () => {
    const joined = new JoinedWork<string>();
    const { runs, work } = openWork();
    const results = [joined.join('a', never, work), joined.join('a', never, work), joined.join('b', never, work)];
    expect(runs).toHaveLength(2);
    runs[0]?.finish('done');
    runs[1]?.fail(new Error('broken'));
    await expect(Promise.allSettled(results)).resolves.toMatchObject([{ value: 'done' }, { value: 'done' }, { reason: { message: 'broken' } }]);
    const again = joined.join('a', never, work);
    runs[2]?.finish('again');
    await expect(again).resolves.toBe('again');
  });

  it('goes on until the last one stops, and is not joined after that', async () => {
    const joined = new JoinedWork<string>();
    const { runs, work } = openWork();
    const [first, second] = [new AbortController(), new AbortController()];
    const results = [failure(joined.join('a', first.signal, work)), failure(joined.join('a', second.signal, work))];
    first.abort();
    await expect(results[0]).resolves.toMatchObject({ name: 'AbortError' });
    expect(runs[0]?.signal.aborted).toBe(false);
    second.abort();
    await expect(results[1]).resolves.toMatchObject({ name: 'AbortError' });
    expect(runs[0]?.signal.aborted).toBe(true);
    const third = joined.join('a', never, work);
    expect(runs).toHaveLength(2);
    runs[0]?.fail(new Error('stopped'));
    runs[1]?.finish('new');
    await expect(third).resolves.toBe('new');
  });

  it('does not start for someone who has stopped already', async () => {
    const { runs, work } = openWork();
    await expect(failure(new JoinedWork<string>().join('a', AbortSignal.abort(), work))).resolves.toMatchObject({ name: 'AbortError' });
    expect(runs).toEqual([]);
  });
});
