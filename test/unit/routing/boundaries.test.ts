import { expect, it } from 'vitest';
import { TASK_KINDS } from '../../../src/domain/model/task-kind.js';
import { type ChatState, isLargeChange, mayChoose } from '../../../src/routing/boundaries.js';

const unknown: ChatState = { cachedTokens: 50_000, isSummarized: false, kind: 'debug' };
const going: ChatState = { cachedTokens: 50_000, cacheAgeMs: 1_000, cacheLifetimeMs: 300_000, isSummarized: false, lastKind: 'debug', kind: 'debug' };

it.each<[Partial<ChatState>, string]>([
  [{}, 'cached'],
  [{ kind: 'refactor' }, 'cached'],
  [{ kind: 'explain' }, 'cached'],
  [{ kind: 'planning' }, 'kindChanged'],
  [{ isSummarized: true }, 'summarized'],
  [{ cachedTokens: 0 }, 'nothingCached'],
  [{ cachedTokens: NaN }, 'nothingCached'],
  [{ cacheAgeMs: 300_000 }, 'cached'],
  [{ cacheAgeMs: 300_001 }, 'cacheCold'],
])('with %o, it is %s', (more, because) => {
  expect(mayChoose({ ...going, ...more })).toEqual({ may: because !== 'cached', because });
});

it('a new chat has nothing to keep, and a cache of which nothing is known is kept', () => {
  expect(mayChoose(unknown)).toEqual({ may: true, because: 'newChat' });
  expect(mayChoose({ ...unknown, lastKind: 'debug' })).toEqual({ may: false, because: 'cached' });
});

it('a change to what is easier is not large, one to what is harder or quite different is', () => {
  for (const kind of TASK_KINDS) expect(isLargeChange(kind, kind)).toBe(false);
  expect([isLargeChange('debug', 'boilerplate'), isLargeChange('boilerplate', 'debug')]).toEqual([false, true]);
  expect([isLargeChange('planning', 'generation'), isLargeChange('security_review', 'planning'), isLargeChange('review', 'security_review')]).toEqual([
    true,
    true,
    true,
  ]);
});
