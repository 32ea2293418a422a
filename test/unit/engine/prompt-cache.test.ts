import { describe, expect, test } from 'vitest';
import { type CacheableBody, type CacheUsage, type LongJob, PromptCache, runLongJob } from '../../support/prompt-cache/index.js';

const RULES = { minimumTokens: 1024 };

const mark = { cache_control: { type: 'ephemeral' } };
const long = 'word '.repeat(2_000);

function bodyOf(...texts: readonly object[]): CacheableBody {
  return { system: [{ type: 'text', text: long, ...mark }], messages: [{ role: 'user', content: texts }] };
}

function block(text: string, marked = false): object {
  return { type: 'text', text, ...(marked ? mark : {}) };
}

describe('the simulated prompt cache', () => {
  test('reads what an earlier request wrote, and writes what is new', () => {
    const cache = new PromptCache(RULES);
    const first = cache.take(bodyOf(block('a', true)));
    const second = cache.take(bodyOf(block('a'), block('b', true), block('c')));
    expect(first).toMatchObject({ read: 0, uncached: 0 });
    expect(second.read).toBe(first.cacheable);
    expect(second.written).toBeGreaterThan(0);
    expect(second.uncached).toBeGreaterThan(0);
  });

  test('looks back 20 blocks from a mark and no farther', () => {
    const more = (count: number): object[] => Array.from({ length: count }, (_, at) => block(`${at}`, at === count - 1));
    for (const [count, hit] of [[19, true], [20, false]] as const) {
      const cache = new PromptCache(RULES);
      const first = cache.take(bodyOf(block('a', true)));
      const { read } = cache.take(bodyOf(block('a'), ...more(count)));
      expect(read === first.cacheable).toBe(hit);
    }
  });

  test('forgets after 5 minutes without use, keeps nothing shorter than the minimum, and refuses a fifth mark', () => {
    const cache = new PromptCache(RULES);
    const body = bodyOf(block('a', true));
    cache.take(body, 0);
    expect(cache.take(body, 299_000).read).toBeGreaterThan(0);
    expect(cache.take(body, 299_000 + 301_000).read).toBe(0);
    expect(new PromptCache({ minimumTokens: 4096 }).take(body).cacheable).toBe(0);
    expect(() => cache.take(bodyOf(...['b', 'c', 'd', 'e'].map((text) => block(text, true))))).toThrow('4 marks');
  });
});

/** Runs a job and bills each of its requests, ten seconds apart. */
async function billed(job: LongJob): Promise<readonly CacheUsage[]> {
  const cache = new PromptCache(RULES);
  const requests = await runLongJob(job);
  return requests.map(({ body }, n) => cache.take(body as unknown as CacheableBody, n * 10_000));
}

describe('what a long job costs', () => {
  test.each([
    ['one call a round', { rounds: 30, callsPerRound: 1 }],
    ['many calls a round, more blocks than the cache looks back', { rounds: 8, callsPerRound: 25 }],
  ])('each request reads the whole cacheable part of the one before: %s', async (_name, job) => {
    const usages = await billed(job);
    expect(usages).toHaveLength(job.rounds);
    for (const [n, usage] of usages.entries()) {
      const before = usages[n - 1]?.cacheable ?? 0;
      expect(usage.read / Math.max(1, before), `request ${n}`).toBeGreaterThanOrEqual(n === 0 ? 0 : 0.99);
    }
  });

  test('each request begins with the bytes of the one before, marks aside', async () => {
    const requests = await runLongJob({ rounds: 30, callsPerRound: 1 });
    const bodies = requests.map(({ body }) => JSON.stringify(body.messages).replaceAll(',"cache_control":{"type":"ephemeral"}', '').slice(0, -1));
    for (const [n, body] of bodies.entries()) expect(body.startsWith(bodies[n - 1] ?? '')).toBe(true);
    expect(new Set(requests.map(({ body }) => JSON.stringify([body.tools, body.system]))).size).toBe(1);
  });
});
