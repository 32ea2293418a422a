import { describe, expect, it } from 'vitest';
import type { SessionHit } from '../../../../src/domain/session/session-library.js';
import type { HostMessage } from '../../../../src/protocol/messages.js';
import { SessionSearch } from '../../../../src/chat/sessions/session-search.js';
import { says } from '../../../support/wording.js';

type Hits = Extract<HostMessage, { type: 'search_hits' }>;

function hit(n: number): SessionHit {
  return { id: `s${n}`, title: `Title ${n}`, updatedAt: '2026-01-01T00:00:00Z', index: n, excerpt: 'x'.repeat(1_000) };
}

function rig(search: (query: string, signal: AbortSignal) => AsyncIterable<SessionHit>) {
  const posts: HostMessage[] = [];
  const hits = (query: string): readonly Hits[] => posts.filter((message): message is Hits => message.type === 'search_hits' && message.query === query);
  return { posts, hits, search: new SessionSearch({ search }, (message) => posts.push(message)) };
}

async function* give(count: number): AsyncGenerator<SessionHit> {
  for (let n = 0; n < count; n += 1) {
    await Promise.resolve();
    yield hit(n);
  }
}

describe('looking for a text in all conversations', () => {
  it('tells all that is found, in order, with short excerpts, and the end once', async () => {
    const all = rig(() => give(150));
    await all.search.start('x');
    const told = all.hits('x');
    expect(told.flatMap(({ hits }) => hits.map(({ id }) => id))).toEqual(Array.from({ length: 150 }, (_, n) => `s${n}`));
    expect(told.map(({ done }) => done).filter(Boolean)).toEqual([true]);
    expect(told.at(-1)?.done).toBe(true);
    expect(Math.max(...told.flatMap(({ hits }) => hits.map(({ excerpt }) => excerpt.length)))).toBeLessThanOrEqual(300);
  });

  it('ends by itself when there is too much', async () => {
    let given = 0;
    const all = rig(async function* () {
      for await (const one of give(10_000)) {
        given += 1;
        yield one;
      }
    });
    await all.search.start('x');
    expect(all.hits('x').flatMap(({ hits }) => hits)).toHaveLength(200);
    expect(given).toBe(200);
  });

  it('a new search ends the one before, which tells nothing more', async () => {
    let aborted = false;
    const all = rig(async function* (query, signal) {
      if (query === 'new') {
        yield* give(1);
        return;
      }
      yield hit(0);
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      aborted = true;
      yield hit(1);
    });
    const first = all.search.start('old');
    await new Promise((resolve) => setImmediate(resolve));
    await all.search.start('new');
    await first;
    expect(aborted).toBe(true);
    expect(all.hits('old').flatMap(({ hits }) => hits.map(({ id }) => id))).not.toContain('s1');
    expect(all.hits('old').some(({ done }) => done)).toBe(false);
    expect(all.hits('new').at(-1)?.done).toBe(true);
  });

  it('blanks look for nothing, and a failure is told with the end', async () => {
    const all = rig(() => {
      throw new Error('The folder cannot be read.');
    });
    await all.search.start('   ');
    expect(all.posts).toEqual([]);
    await all.search.start('x');
    expect(all.posts).toEqual([
      { type: 'session_problem', text: says('searchUnfinished', 'The folder cannot be read.') },
      { type: 'search_hits', query: 'x', hits: [], done: true },
    ]);
  });
});
