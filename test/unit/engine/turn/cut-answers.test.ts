import { describe, expect, test, vi } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { UserContent } from '../../../../src/domain/model/content.js';
import { answers, calls, says, type Script, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { ok, outline, rig, testTool } from '../rig.js';

const hello: readonly UserContent[] = [{ type: 'text', text: 'hello' }];
const cut = (words: string): Script => [...says(0, words), ...stops('length')];
const filled: Script = [...says(0, 'So far'), { type: 'stop', stopReason: 'unknown', rawStopReason: 'model_context_window_exceeded' }];

describe('an answer that was cut off', () => {
  test('is gone on with in a chat, three times in a row', async () => {
    const { session, provider } = rig({ scripts: [cut('a'), cut('b'), cut('c'), cut('d'), cut('e'), answers('f')] });
    expect(await session.send(hello).turn).toMatchObject({ end: 'length', rounds: 4 });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(provider.requests.map(({ maxTokens }) => maxTokens)).toEqual(Array.from({ length: 6 }, () => undefined));
    expect(provider.broken).toEqual([]);
  });

  test('ends the turn where its caller set a limit, with what had come, and the next turn is as usual', async () => {
    const { session, provider } = rig({ scripts: [cut('First, '), cut('a'), answers('b')] });
    const turn = await session.send(hello, { answers: { maxTokens: 4_096 } }).turn;
    expect(turn).toMatchObject({ end: 'cut', rounds: 1, usage: { outputTokens: 10 } });
    expect(turn).not.toHaveProperty('error');
    expect(outline(session.messages)).toEqual(['user: hello', 'assistant(length): First, ']);
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(provider.requests.map(({ maxTokens }) => maxTokens)).toEqual([4_096, undefined, undefined]);
  });

  test.each([
    ['not gone on with, without a limit', { goesOn: false }, { end: 'cut', rounds: 1 }, [undefined]],
    ['gone on with, beside a limit', { maxTokens: 500, goesOn: true }, { end: 'end_turn', rounds: 2 }, [500, 500]],
    ['gone on with, where the limit is none', { maxTokens: 0 }, { end: 'end_turn', rounds: 2 }, [undefined, undefined]],
  ])('is %s, where its caller says so', async (_how, limit, end, limits) => {
    const { session, provider } = rig({ scripts: [cut('a'), answers('b')] });
    expect(await session.send(hello, { answers: limit }).turn).toMatchObject(end);
    expect(provider.requests.map(({ maxTokens }) => maxTokens)).toEqual(limits);
  });

  test.each([
    [8_000, 4_096, 4_096],
    [2_000, 4_096, 2_000],
    [0, 4_096, 4_096],
  ])('has at most what the user gives the model (%i) and the caller the answer (%i)', async (own, wanted, sent) => {
    const { session, provider } = rig({ model: { ...TEST_MODEL, maxTokens: own }, scripts: [answers('a'), answers('b')] });
    await session.send(hello, { answers: { maxTokens: wanted } }).turn;
    await session.send(hello).turn;
    expect(provider.requests.map(({ maxTokens }) => maxTokens)).toEqual([sent, own]);
  });

  test('leaves each of its calls answered and not run', async () => {
    const execute = vi.fn(() => ok('ran'));
    const { session, provider } = rig({
      tools: [testTool('read', { execute })],
      scripts: [[...calls(0, 'a', { name: 'read', args: '{"on":"x' }), ...stops('length')], answers('Fine.')],
    });
    expect(await session.send(hello, { answers: { maxTokens: 100 } }).turn).toMatchObject({ end: 'cut' });
    expect(outline(session.messages).at(-1)).toMatch(/^result#a!: Not executed: the answer reached its length limit/);
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(execute).not.toHaveBeenCalled();
    expect(provider.broken).toEqual([]);
  });

  test('is an error where it filled the window of the model, which no limit can help', async () => {
    const { session, provider } = rig({ scripts: [filled] });
    expect(await session.send(hello, { answers: { maxTokens: 100 } }).turn).toMatchObject({ end: 'error', error: { kind: 'context_length' } });
    expect(provider.requests).toHaveLength(1);
  });

  test('has the same limit when its turn is tried again', async () => {
    const { session, provider } = rig({ scripts: [[new ProviderError('authentication', 'No.')], cut('a')] });
    expect(await session.send(hello, { answers: { maxTokens: 1_000 } }).turn).toMatchObject({ end: 'error' });
    expect(await session.retry().turn).toMatchObject({ end: 'cut' });
    expect(provider.requests.map(({ maxTokens }) => maxTokens)).toEqual([1_000, 1_000]);
  });
});
