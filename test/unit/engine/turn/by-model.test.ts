import { describe, expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import { costOf } from '../../../../src/domain/model/usage.js';
import { type Script, answers, calls, says, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { ok, rig, testTool } from '../rig.js';

const hello = [{ type: 'text' as const, text: 'hello' }];
const OTHER = { ...TEST_MODEL, id: 'model-2', label: 'Model 2', pricing: { input: 10, output: 20, cacheRead: 1, cacheWrite: 12.5 } };
const usage = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 });
const work = [...calls(0, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use', { inputTokens: 1_000, outputTokens: 10 })];
const done: Script = [...says(0, 'Done.'), ...stops('end_turn', { inputTokens: 2_000, outputTokens: 20 })];

describe('what a turn took by model', () => {
  test('is told of each model where it changes in the turn, and adds up to the whole', async () => {
    const other = new ScriptedProvider([done]);
    const tool = testTool('read', { execute: () => (it.session.setModel(other, OTHER), ok('read')) });
    const it = rig({ tools: [tool], scripts: [work] });

    const turn = await it.session.send(hello).turn;

    const [first, second] = [usage(1_000, 10), usage(2_000, 20)];
    expect(turn.byModel).toEqual({
      'scripted/model-1': { usage: first, costUsd: costOf(first, TEST_MODEL.pricing ?? OTHER.pricing), requests: 1 },
      'scripted/model-2': { usage: second, costUsd: costOf(second, OTHER.pricing), requests: 1 },
    });
    expect(turn.usage).toEqual(usage(3_000, 30));
    expect(turn.costUsd).toBeCloseTo(
      Object.values(turn.byModel).reduce((sum, { costUsd = NaN }) => sum + costUsd, 0),
      12,
    );
  });

  test('counts requests that failed, and a model without a price leaves the costs of others known', async () => {
    const { provider, id, label, contextWindow, maxOutputTokens, efforts, supportsImages, supportsTools } = OTHER;
    const unpriced = { provider, id, label, contextWindow, maxOutputTokens, efforts, supportsImages, supportsTools };
    const other = new ScriptedProvider([[new ProviderError('overloaded', 'Busy.')], done]);
    const tool = testTool('read', { execute: () => (it.session.setModel(other, unpriced), ok('read')) });
    const it = rig({ tools: [tool], scripts: [work], maxRetries: 1, wait: () => Promise.resolve() });

    const turn = await it.session.send(hello).turn;

    expect(turn.byModel['scripted/model-2']).toEqual({ usage: usage(2_000, 20), costUsd: undefined, requests: 2 });
    expect(turn.byModel['scripted/model-1']?.costUsd).toBeCloseTo(0.00102);
    expect(turn.costUsd).toBeUndefined();
  });

  test('is of this turn alone, while that of the session is stored and goes on when it is opened again', async () => {
    const first = rig({ scripts: [done, done] });
    await first.session.send(hello).turn;
    const second = await first.session.send(hello).turn;
    expect(second.byModel).toMatchObject({ 'scripted/model-1': { requests: 1 } });
    const stored = { 'scripted/model-1': { usage: usage(4_000, 40), costUsd: expect.closeTo(0.00408) as number, requests: 2 } };
    expect(first.recorder.meta['byModel']).toEqual(stored);

    const again = rig({ scripts: [done], messages: first.session.messages, meta: first.recorder.meta });
    await again.session.send(hello).turn;
    expect(again.recorder.meta['byModel']).toMatchObject({ 'scripted/model-1': { usage: usage(6_000, 60), requests: 3 } });
  });

  test('is nothing for a turn that asked no model', async () => {
    const { session } = rig({ caps: () => ({ maxTurns: 0 }), scripts: [answers('No.')] });
    expect((await session.send(hello).turn).byModel).toEqual({});
  });
});
