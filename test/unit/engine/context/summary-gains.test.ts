import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import { type Script, answers } from '../../../support/scripted-provider/index.js';
import type { Tool } from '../../../../src/domain/tool/tool.js';
import { type Rig, type RigOptions, ok, rig, testTool } from '../rig.js';
import { isSummaryRequest, reads, SMALL_MODEL, tells, tokensOf } from './long-talk.js';

const go = [{ type: 'text' as const, text: 'Read all of it.' }];
/** Fills a window of 8,000 tokens with a call or two. */
const readsAll = (words: number): readonly Tool[] => [testTool('read', { execute: () => ok('word '.repeat(words)) })];

/** A model that reads without end, unless it is told how often. */
function reader(options: RigOptions, rounds = 40): Rig {
  let round = 0;
  const next: Script = (request) => {
    const script = isSummaryRequest(request) ? answers('A summary.') : (round += 1) > rounds ? tells('Done.') : reads(String(round));
    return typeof script === 'function' ? script(request) : script;
  };
  return rig({ model: SMALL_MODEL, maxRounds: 60, ...options, scripts: Array.from({ length: 200 }, () => next) });
}

const summaries = ({ provider }: Rig): number => provider.requests.filter(isSummaryRequest).length;

describe('summaries that each make room for one round', () => {
  test.each<[string, RigOptions, RegExp]>([
    [
      'the window',
      { autoCompactPercent: 80, tools: readsAll(6_500) },
      /context window of Model 1 \(10,000 tokens\) is too small.*contextWindow in gnomon\.models/,
    ],
    [
      'the number of tokens',
      { autoCompactPercent: 80, autoCompactTokens: 3_000, model: { ...SMALL_MODEL, contextWindow: 100_000 }, tools: readsAll(3_500) },
      /gnomon\.autoCompactMaxTokens \(3,000\) is too small/,
    ],
    ['the share of the window', { autoCompactPercent: 20, tools: readsAll(2_000) }, /gnomon\.autoCompactThreshold \(20\) is too small/],
  ])('end the turn after three, and %s is named', async (_what, options, words) => {
    const it = reader(options);
    const turn = await it.session.send(go).turn;
    expect(turn).toMatchObject({ end: 'error', error: { kind: 'context_length', message: expect.stringMatching(words) as string } });
    expect(summaries(it)).toBe(3);
    // The next message is worked on, and ends no later.
    expect(await it.session.send(go).turn).toMatchObject({ end: 'error' });
    expect(summaries(it)).toBeLessThan(10);
  });

  test('end the turn where the server, and no number here, finds it too long', async () => {
    const refusing = (request: Parameters<Extract<Script, (...args: never) => unknown>>[0]): ReturnType<Extract<Script, (...args: never) => unknown>> => {
      if (isSummaryRequest(request)) return answers('A summary.');
      if (tokensOf(request) > 5_000) return [new ProviderError('context_length', 'prompt is too long')];
      const script = reads(String(request.messages.length));
      return typeof script === 'function' ? script(request) : script;
    };
    const it = rig({
      model: { ...SMALL_MODEL, contextWindow: 200_000 },
      maxRounds: 60,
      tools: readsAll(5_500),
      scripts: Array.from({ length: 100 }, () => refusing),
    });
    expect(await it.session.send(go).turn).toMatchObject({ end: 'error', error: { message: expect.stringMatching(/Three summaries/) as string } });
    expect(summaries(it)).toBe(3);
  });

  test('are no reason to end where each makes room for several', async () => {
    const it = reader({ autoCompactPercent: 80, tools: readsAll(1_000) }, 40);
    expect(await it.session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 41 });
    expect(summaries(it)).toBeGreaterThan(5);
  });
});
