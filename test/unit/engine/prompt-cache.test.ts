import { afterAll, describe, expect, test } from 'vitest';
import { costOf } from '../../../src/domain/model/usage.js';
import { anthropicModelInfo } from '../../../src/provider/anthropic/models.js';
import {
  type CacheableBody,
  type CacheUsage,
  type LongJob,
  bodyForClaude,
  JOB_MODEL,
  PrefixCache,
  PromptCache,
  runChatJob,
  runLongJob,
} from '../../support/prompt-cache/index.js';
import { runs } from '../../support/runs.js';

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
    for (const [count, hit] of [
      [19, true],
      [20, false],
    ] as const) {
      const cache = new PromptCache(RULES);
      const first = cache.take(bodyOf(block('a', true)));
      const { read } = cache.take(bodyOf(block('a'), ...more(count)));
      expect(read === first.cacheable).toBe(hit);
    }
  });

  test('keeps for an hour what is marked so, after what it keeps for 5 minutes never', () => {
    const hour = { cache_control: { type: 'ephemeral', ttl: '1h' } };
    const body = { system: [{ type: 'text', text: long, ...hour }], messages: [{ role: 'user', content: [{ type: 'text', text: 'a', ...hour }] }] };
    const cache = new PromptCache(RULES);
    const first = cache.take(body, 0);
    expect(first.writtenForHour).toBe(first.written);
    expect(cache.take(body, 3_599_000).read).toBe(first.cacheable);
    expect(cache.take(body, 3_599_000 + 3_601_000).read).toBe(0);
    expect(() => cache.take({ ...bodyOf(block('a')), messages: body.messages })).toThrow('before those for 5 minutes');
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

const JOBS = new Map<string, ReturnType<typeof runLongJob>>();

/** The requests of a job, which runs once however many tests are about it. */
function requestsOf(job: LongJob): ReturnType<typeof runLongJob> {
  const key = [job.rounds, job.callsPerRound, job.cacheDuration ?? '5m'].join();
  const requests = JOBS.get(key) ?? runLongJob(job);
  JOBS.set(key, requests);
  return requests;
}
afterAll(() => JOBS.clear());

/** What the input of a job costs that waits four times for six minutes, in US dollars. */
async function costOfWaiting(cacheDuration: '5m' | '1h'): Promise<number> {
  const cache = new PromptCache(RULES);
  const { pricing } = anthropicModelInfo(JOB_MODEL);
  if (pricing === undefined) throw new Error('The model has no price.');
  let now = 0;
  const requests = await requestsOf({ rounds: 30, callsPerRound: 1, cacheDuration });
  return requests.reduce((total, { body }, n) => {
    now += n > 0 && n % 6 === 0 ? 360_000 : 10_000;
    const { read, written, writtenForHour, uncached } = cache.take(body, now);
    return (
      total +
      costOf({ inputTokens: uncached, outputTokens: 0, cacheReadTokens: read, cacheWriteTokens: written, hourCacheWriteTokens: writtenForHour }, pricing)
    );
  }, 0);
}

/** Runs a job and bills each of its requests, ten seconds apart. */
async function billed(job: LongJob): Promise<readonly CacheUsage[]> {
  const cache = new PromptCache(RULES);
  const requests = await requestsOf(job);
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

  test('an hour in the cache costs less than five minutes where the user is waited for', async () => {
    const [minutes, hour] = [await costOfWaiting('5m'), await costOfWaiting('1h')];
    expect(hour).toBeLessThan(0.7 * minutes);
  });

  test('each request begins with the bytes of the one before, marks aside', async () => {
    const requests = await requestsOf({ rounds: 30, callsPerRound: 1 });
    const bodies = requests.map(({ body }) => JSON.stringify(body.messages).replaceAll(',"cache_control":{"type":"ephemeral"}', '').slice(0, -1));
    for (const [n, body] of bodies.entries()) expect(body.startsWith(bodies[n - 1] ?? '')).toBe(true);
    expect(new Set(requests.map(({ body }) => JSON.stringify([body.tools, body.system]))).size).toBe(1);
  });

  test.each([
    ['one call a round', { rounds: 30, callsPerRound: 1 }],
    ['many calls a round, more blocks than the cache looks back', { rounds: 8, callsPerRound: 25 }],
  ])('so does each request to Claude over OpenRouter: %s', async (_name, job) => {
    const bodies = await runChatJob({ ...job, preset: 'openrouter', model: 'anthropic/claude-sonnet-5.5' });
    const cache = new PromptCache(RULES);
    const usages = bodies.map((body, n) => cache.take(bodyForClaude(body), n * 10_000));
    expect(usages).toHaveLength(job.rounds);
    for (const [n, usage] of usages.entries()) expect(usage.read / (usages[n - 1]?.cacheable ?? 1), `request ${n}`).toBeGreaterThanOrEqual(n === 0 ? 0 : 0.99);
    expect(usages.every(({ uncached }) => uncached === 0)).toBe(true);
    const unmarked = bodies.map(({ messages }) => JSON.stringify(messages).replaceAll(',"cache_control":{"type":"ephemeral"}', '').slice(0, -1));
    for (const [n, body] of unmarked.entries()) expect(body.startsWith(unmarked[n - 1] ?? '')).toBe(true);
  });

  test('Gemini over OpenRouter writes what it reads for several rounds, and reads all of it', async () => {
    const bodies = await runChatJob({ rounds: 30, callsPerRound: 1, preset: 'openrouter', model: 'google/gemini-3.8-flash' });
    const lastMarks = bodies.map(({ messages = [] }) => messages.findLastIndex((message) => JSON.stringify(message).includes('cache_control')));
    // Only the last mark counts; it stays for eight rounds, on the results of rounds 8, 16 and 24.
    expect([...new Set(lastMarks)]).toEqual([1, 17, 33, 49]);
  });

  test('OpenAI finds all that it keeps by itself, in steps of 128 tokens', async () => {
    const bodies = await runChatJob({ rounds: runs(30), callsPerRound: 1, preset: 'openai', model: 'gpt-4.1' });
    const cache = new PrefixCache();
    const usages = bodies.map((body) => cache.take(body));
    const sum = (pick: (usage: (typeof usages)[number]) => number): number => usages.slice(1).reduce((total, usage) => total + pick(usage), 0);
    const could = usages.slice(0, -1).reduce((total, { cacheable }) => total + cacheable, 0);
    expect(sum(({ read }) => read) / could).toBeGreaterThanOrEqual(0.99);
    expect(JSON.stringify(bodies)).not.toContain('cache_control');
  });
});
