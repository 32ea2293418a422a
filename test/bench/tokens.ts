import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { costOf } from '../../src/domain/model/usage.js';
import { anthropicModelInfo } from '../../src/provider/anthropic/models.js';
import { type CacheableBody, type CacheUsage, JOB_MODEL, PromptCache, runLongJob } from '../support/prompt-cache/index.js';
import type { Figure } from './figure.js';

/** Rounds before which the user is waited for, and for how long, in milliseconds. */
const WAITS: ReadonlySet<number> = new Set([6, 12, 18, 24]);
const WAIT_MS = 6 * 60_000;

const ROUNDS = 30;
/** The shortest prefix that Anthropic keeps for most models, in tokens. */
const MINIMUM_TOKENS = 1024;

/** What a job of 30 rounds costs, by the documented rules of the prompt cache; one line a round goes to standard error. */
export async function measureTokens(): Promise<readonly Figure[]> {
  const requests = await runLongJob({ rounds: ROUNDS, callsPerRound: 1 });
  const cache = new PromptCache({ minimumTokens: MINIMUM_TOKENS });
  const usages = requests.map(({ body }, n) => cache.take(body as unknown as CacheableBody, n * 10_000));
  const costs = usages.map(inputCost);
  usages.forEach((usage, n) => console.error(line(n, usage, costs[n] ?? 0)));
  const missed = usages.map(({ read }, n) => (n === 0 ? 0 : 100 * (1 - read / (usages[n - 1]?.cacheable ?? read))));
  const [first] = requests;
  const [minutes, hour] = [await waitingCost('5m'), await waitingCost('1h')];
  const prefix = JSON.stringify([first?.body.system, first?.body.tools]);
  return [
    { name: 'prompt_and_tools_tokens', value: encode(prefix).length, unit: 'tokens', goal: 2_500, note: 'system prompt and all tool specs, o200k' },
    {
      name: 'job30_unread_percent',
      value: Math.max(...missed),
      unit: '%',
      goal: 1,
      note: 'worst round: part of the previous cacheable prefix that was not read',
    },
    {
      name: 'job30_waiting_hour_ratio',
      value: hour / minutes,
      unit: '×',
      goal: 0.7,
      note: `four waits of six minutes: ${hour.toFixed(4)} US$ with a cache of an hour, ${minutes.toFixed(4)} with one of 5 minutes`,
    },
    {
      name: 'job30_input_cost_ratio',
      value: sum(costs) / sum(usages.map(uncachedCost)),
      unit: '×',
      goal: 0.5,
      note: `${sum(costs).toFixed(4)} US$ against ${sum(usages.map(uncachedCost)).toFixed(4)} without a cache`,
    },
  ];
}

/** What the input of the same job costs when it waits four times for six minutes. */
async function waitingCost(cacheDuration: '5m' | '1h'): Promise<number> {
  const cache = new PromptCache({ minimumTokens: MINIMUM_TOKENS });
  let now = 0;
  const requests = await runLongJob({ rounds: ROUNDS, callsPerRound: 1, cacheDuration });
  return sum(
    requests.map(({ body }, n) => {
      now += WAITS.has(n) ? WAIT_MS : 10_000;
      return inputCost(cache.take(body, now));
    }),
  );
}

function line(round: number, usage: CacheUsage, cost: number): string {
  return `round ${round + 1}: read ${usage.read}, written ${usage.written}, uncached ${usage.uncached} tokens, ${cost.toFixed(5)} US$`;
}

function inputCost({ read, written, writtenForHour, uncached }: CacheUsage): number {
  return priceOf({ inputTokens: uncached, outputTokens: 0, cacheReadTokens: read, cacheWriteTokens: written, hourCacheWriteTokens: writtenForHour });
}

function uncachedCost({ read, written, uncached }: CacheUsage): number {
  return priceOf({ inputTokens: read + written + uncached, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
}

function priceOf(usage: Parameters<typeof costOf>[0]): number {
  const { pricing } = anthropicModelInfo(JOB_MODEL);
  if (pricing === undefined) throw new Error(`${JOB_MODEL} has no price.`);
  return costOf(usage, pricing);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
