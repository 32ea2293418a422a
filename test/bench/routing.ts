import { readFileSync } from 'node:fs';
import { TASK_KINDS } from '../../src/domain/model/task-kind.js';
import { estimatesOf } from '../../src/routing/estimates.js';
import { kindOfPrompt } from '../../src/routing/kind-of-prompt.js';
import { priorsOf } from '../../src/routing/priors.js';
import { route } from '../../src/routing/route.js';
import { candidate, facts, request } from '../unit/routing/scene.js';
import { type Figure, percentile } from './figure.js';

const MODELS = 200;
const ROUNDS = 2_000;

/** How long it takes to choose a model, and to guess the kind of a prompt. */
export function measureRouting(): Promise<readonly Figure[]> {
  const models = Array.from({ length: MODELS }, (_, at) => ({
    ...{ provider: `p${at % 7}`, id: `m${at}`, label: `m${at}`, contextWindow: 200_000, maxOutputTokens: 32_000, efforts: [] },
    ...{ supportsImages: true, supportsTools: true, pricing: { input: at, output: 5 * at, cacheRead: at / 10, cacheWrite: at } },
  }));
  const candidates = models.map(({ provider, id, pricing }) => candidate(`${provider}/${id}`, { price: pricing }));
  const known = { ...facts(candidates.map((each) => [each, 0])), estimates: estimatesOf(priorsOf(models), {}) };
  const decisions = times((round) => route(request({ kind: TASK_KINDS[round % TASK_KINDS.length] ?? 'debug' }), known));
  const { cases } = JSON.parse(readFileSync('test/routing/prompts/tuned.json', 'utf8')) as { readonly cases: readonly { readonly prompt: string }[] };
  const prompts = times((round) => kindOfPrompt(cases[round % cases.length]?.prompt ?? ''));
  const long = 'does the parser fail for an empty file (and why)? '.repeat(20_000);
  const longPrompts = times(() => kindOfPrompt(long));
  const p95 = (name: string, values: readonly number[], note: string): Figure => ({ name, value: percentile(values, 0.95), unit: 'ms', goal: 1, note });
  return Promise.resolve([
    p95('route_p95_ms', decisions, `${MODELS} models, ${ROUNDS} decisions, the slowest of twenty`),
    p95('kind_of_prompt_p95_ms', prompts, `${ROUNDS} prompts as people write them, the slowest of twenty`),
    { ...p95('kind_of_long_prompt_p95_ms', longPrompts, 'a million characters, the slowest of twenty'), goal: 5 },
  ]);
}

function times(act: (round: number) => unknown): readonly number[] {
  return Array.from({ length: ROUNDS }, (_, round) => {
    const start = performance.now();
    act(round);
    return performance.now() - start;
  }).slice(ROUNDS / 10);
}
