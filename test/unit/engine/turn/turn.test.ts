import { describe, expect, test, vi } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import { answers, calls, says, stops, TEST_MODEL, thinks, Latch, ScriptedProvider } from '../../../support/scripted-provider/index.js';
import { ok, outline, rig, testTool, user } from '../rig.js';

const hello = [{ type: 'text' as const, text: 'hello' }];

describe('a turn', () => {
  test('one answer: recorded before the request, every event forwarded, usage and cost counted', async () => {
    const order: string[] = [];
    const { session, provider, recorder, events } = rig({
      scripts: [[...thinks(0, 'hm'), ...says(1, 'Hi', ' there'), ...stops('end_turn', { inputTokens: 1_000, outputTokens: 100 })]],
      hook: (point) => void order.push(point),
    });

    const turn = await session.send(hello).turn;

    expect(order.indexOf('recorder append user')).toBeLessThan(order.indexOf('provider thinking'));
    expect(outline(session.messages)).toEqual(['user: hello', 'assistant(end_turn): (hm) Hi there']);
    expect(recorder.appended).toEqual(session.messages);
    expect(turn).toMatchObject({ end: 'end_turn', rounds: 1, usage: { inputTokens: 1_000, outputTokens: 100 }, denials: [] });
    expect(turn.messages).toEqual(session.messages);
    expect(turn.costUsd).toBeCloseTo(0.0012);
    expect(session.costUsd).toBeCloseTo(0.0012);
    expect(events.map((event) => (event.type === 'stream' ? event.event.type : event.type))).toEqual([
      'turn_started',
      'round_started',
      'thinking_delta',
      'text_delta',
      'text_delta',
      'answer',
      'usage',
      'context',
      'turn_ended',
    ]);
    expect(provider.requests[0]).toMatchObject({ model: 'model-1', systemPrompt: 'Be good.', effort: 'medium' });
    expect(recorder.calls).toContain('fold');
    expect(recorder.meta).toMatchObject({ models: { '1': 'scripted/model-1' }, model: 'scripted/model-1', mode: 'default' });
    expect(recorder.meta['turns']).toEqual({ '1': { durationMs: Math.round(turn.durationMs), costUsd: turn.costUsd } });
  });

  test('tools and rounds: a turn with two tool rounds has three rounds (G12)', async () => {
    const { session, provider } = rig({
      tools: [testTool('read')],
      scripts: [
        [...says(0, 'Looking.'), ...calls(1, 'a', { name: 'read', args: { on: 'one' } }), ...stops('tool_use')],
        [...calls(0, 'b', { name: 'read', args: { on: 'two' } }), ...stops('tool_use')],
        answers('Done.'),
      ],
    });

    const turn = await session.send(hello).turn;

    expect(turn).toMatchObject({ end: 'end_turn', rounds: 3, usage: { inputTokens: 300, outputTokens: 30 } });
    expect(outline(session.messages)).toEqual([
      'user: hello',
      'assistant(tool_use): Looking. read#a',
      'result#a: read one',
      'assistant(tool_use): read#b',
      'result#b: read two',
      'assistant(end_turn): Done.',
    ]);
    expect(provider.requests.map((request) => request.messages.length)).toEqual([1, 3, 5]);
    expect(provider.requests[0]?.tools.map((spec) => spec.name)).toEqual(['read']);
  });

  test('the round limit ends the turn with every call answered, and the next message goes on', async () => {
    const { session, provider } = rig({
      tools: [testTool('read')],
      maxRounds: 1,
      scripts: [[...calls(0, 'a', { name: 'read', args: { on: 'one' } }), ...stops('tool_use')], answers('Done.')],
    });

    expect(await session.send(hello).turn).toMatchObject({ end: 'round_limit', rounds: 1 });
    expect(outline(session.messages).at(-1)).toBe('result#a: read one');
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.broken).toEqual([]);
  });

  test.each([
    ['length', 'end_turn', /length limit/],
    ['end_turn', 'end_turn', /did not stop for tool use/],
    ['unknown', 'unknown', /did not stop for tool use/],
  ] as const)('stream-05 G23: calls beside the stop reason %s are answered, not run', async (stopReason, end, words) => {
    const execute = vi.fn(() => ok('ran'));
    const { session } = rig({
      tools: [testTool('read', { execute })],
      scripts: [[...calls(0, 'a', { name: 'read', args: { on: 'x' } }), ...stops(stopReason)], answers('Fine.'), answers('And more.')],
    });

    expect(await session.send(hello).turn).toMatchObject({ end });
    expect(execute).not.toHaveBeenCalled();
    const told = outline(session.messages).find((line) => line.startsWith('result#a!')) ?? '';
    expect(told).toMatch(words);
    expect(told).toMatch(/Not executed/);
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
  });

  test('stream-05: arguments cut off by the length limit are not run and do not spoil the next request', async () => {
    const { session, provider } = rig({
      tools: [testTool('read')],
      scripts: [
        [{ type: 'tool_call_begin', index: 0, id: 'a', name: 'read' }, { type: 'tool_call_delta', index: 0, delta: '{"on":"hal' }, ...stops('length')],
        answers('Fine.'),
      ],
    });

    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(provider.requests[1]?.messages[1]?.content).toMatchObject([{ arguments: '{"unparsed_arguments":"{\\"on\\":\\"hal"}' }]);
  });

  test.each([
    ['no blocks', [...stops('end_turn')], 1],
    ['thinking only', [...thinks(0, 'hm'), ...stops('end_turn')], 2],
    ['blank text', [...says(0, ' \n'), ...stops('end_turn')], 2],
  ] as const)('stream-13: an answer of %s is an error that says so, and the session goes on', async (_name, script, kept) => {
    const { session, provider } = rig({ scripts: [script, answers('Now.'), answers('More.')] });

    const turn = await session.send(hello).turn;

    expect(turn).toMatchObject({ end: 'error', error: { message: expect.stringContaining('empty response') as string } });
    expect(session.messages).toHaveLength(kept);
    expect(await session.retry().turn).toMatchObject({ end: 'end_turn' });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.broken).toEqual([]);
  });

  test('consecutive turns add up; a message while a turn runs is refused at once (stream-24)', async () => {
    const latch = new Latch();
    const { session } = rig({ scripts: [[latch, ...answers('One.')], answers('Two.')] });

    const first = session.send(hello).turn;
    expect(session.state).toBe('running');
    expect(() => session.send(hello)).toThrow(/still working/);
    expect(() => session.retry()).toThrow(/still working/);
    latch.open();
    await first;
    expect(session.state).toBe('idle');
    await session.send(hello).turn;

    expect(session.usage).toMatchObject({ inputTokens: 200, outputTokens: 20 });
    expect(outline(session.messages)).toHaveLength(4);
  });

  test('an empty or illegal message is refused before anything happens', () => {
    const { session, events } = rig();

    expect(() => session.send([])).toThrow(/at least one block/);
    expect(() => session.send([{ type: 'text', text: ' \n' }])).toThrow(/empty/);
    expect(() => session.send([{ type: 'image', data: new Uint8Array(0), mimeType: 'image/png' }])).toThrow(/bytes/);
    expect(session.messages).toEqual([]);
    expect(session.state).toBe('idle');
    expect(events).toEqual([]);
  });
});

describe('errors of the model', () => {
  test('stream-03: what arrived before the error is kept, and retry replaces it', async () => {
    const broken = new ProviderError('network', 'The connection broke.');
    const { session, provider } = rig({ scripts: [[...says(0, 'Half an'), broken], answers('A whole answer.')] });

    const turn = await session.send(hello).turn;

    expect(turn).toMatchObject({ end: 'error', error: broken });
    expect(outline(session.messages)).toEqual(['user: hello', 'assistant(error): Half an']);
    expect(await session.retry().turn).toMatchObject({ end: 'end_turn', rounds: 1 });
    expect(provider.requests[1]?.messages).toEqual(provider.requests[0]?.messages);
    expect(outline(session.messages)).toEqual(['user: hello', 'assistant(error): Half an', 'assistant(end_turn): A whole answer.']);
  });

  test('stream-06: an error after a call was cut off leaves a transcript that is accepted', async () => {
    const broken = new ProviderError('overloaded', 'Busy.');
    const { session, provider, events } = rig({
      scripts: [
        [
          ...thinks(0, 'hm'),
          ...says(1, 'I will'),
          { type: 'tool_call_begin', index: 2, id: 'a', name: 'read' },
          { type: 'tool_call_delta', index: 2, delta: '{"o' },
          broken,
        ],
        answers('Ok.'),
      ],
    });

    expect(await session.send(hello).turn).toMatchObject({ end: 'error' });
    expect(outline(session.messages).at(-1)).toBe('result#a!: Not executed: the answer broke off.');
    expect(events.filter((event) => event.type === 'tool_result')).toHaveLength(1);
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(outline(provider.requests[1]?.messages ?? [])).toEqual(['user: hello', 'assistant(error): I will', 'user: hello']);
  });

  test('an error before the first byte keeps nothing; the next message works', async () => {
    const { session, provider } = rig({ scripts: [[new ProviderError('no_key', 'No key.')], answers('Ok.')] });

    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { kind: 'no_key' } });
    expect(outline(session.messages)).toEqual(['user: hello']);
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(provider.requests[1]?.messages).toHaveLength(2);
  });

  test('a provider that throws instead of streaming ends the turn with its error', async () => {
    const { session } = rig();
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { message: expect.stringContaining('no script') as string } });
  });

  test('G24: every stream is closed, whether it ended well or not', async () => {
    const closed: string[] = [];
    const { session, provider } = rig({ scripts: [answers('One.'), [...says(0, 'Half'), new ProviderError('server', 'Oops.')]] });
    const open = provider.stream.bind(provider);
    provider.stream = (request, signal) => {
      const stream = open(request, signal);
      const close = stream.close.bind(stream);
      stream.close = () => (closed.push(stream.state), close());
      return stream;
    };

    await session.send(hello).turn;
    await session.send(hello).turn;

    expect(closed).toEqual(['complete', 'error']);
  });

  test('retry is refused when there is nothing to try again', async () => {
    const { session } = rig({ scripts: [answers('Done.')] });

    expect(() => session.retry()).toThrow(/nothing to retry/);
    await session.send(hello).turn;
    expect(() => session.retry()).toThrow(/complete/);
  });
});

describe('model and listeners', () => {
  test('G29: another model takes over in the next round, without the thinking of the first', async () => {
    const second = new ScriptedProvider([answers('Done.')], { name: 'other' });
    const other = { ...TEST_MODEL, provider: 'other', id: 'model-2' };
    const { session, recorder } = rig({
      tools: [testTool('read', { execute: () => (session.setModel(second, other), ok('x')) })],
      scripts: [[...thinks(0, 'hm'), ...calls(1, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')]],
    });

    const turn = await session.send(hello).turn;

    expect(turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(second.requests[0]).toMatchObject({ model: 'model-2' });
    expect(second.requests[0]).not.toHaveProperty('thinking');
    expect(JSON.stringify(second.requests[0]?.messages)).not.toContain('hm');
    expect(recorder.meta).toMatchObject({ models: { '1': 'scripted/model-1', '3': 'other/model-2' }, model: 'other/model-2' });
    expect(Object.keys(recorder.meta['turns'] ?? {})).toEqual(['3']);
  });

  test('stream-20: thinking goes back byte for byte to the model that made it', async () => {
    const { session, provider } = rig({ scripts: [[...thinks(0, 'hm', 'EqQB\u0000é'), ...says(1, 'Hi.'), ...stops('end_turn')], answers('Done.')] });

    await session.send(hello).turn;
    await session.send(hello).turn;

    expect(provider.requests[1]?.messages[1]).toEqual(session.messages[1]);
  });

  test('the cost is unknown from the first answer without a price on', async () => {
    const { provider, id, label, contextWindow, maxOutputTokens, efforts, supportsImages, supportsTools } = TEST_MODEL;
    const unpriced = { provider, id, label, contextWindow, maxOutputTokens, efforts, supportsImages, supportsTools };
    const { session } = rig({ model: unpriced, scripts: [answers('Hi.')] });

    expect(session.costUsd).toBe(0);
    expect((await session.send(hello).turn).costUsd).toBeUndefined();
    expect(session.costUsd).toBeUndefined();

    // Neither is it where the server tells no tokens at all.
    const silent = rig({ model: unpriced, scripts: [[...says(0, 'Hi.'), ...stops('end_turn', { inputTokens: 0, outputTokens: 0 })]] });
    expect((await silent.session.send(hello).turn).costUsd).toBeUndefined();
    expect(silent.session.costUsd).toBeUndefined();
  });

  test('a listener that throws is logged and disturbs nobody', async () => {
    const { session, log, events } = rig({ scripts: [answers('Hi.')] });
    session.onEvent(() => {
      throw new Error('broken listener');
    });

    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(events.at(-1)?.type).toBe('turn_ended');
    expect(log.lines.join()).toContain('broken listener');
  });

  test('a listener that was removed hears nothing more, and a turn can be started from turn_ended', async () => {
    const { session } = rig({ scripts: [answers('One.'), answers('Two.')] });
    const heard = vi.fn();
    session.onEvent(heard)();
    const second = new Promise((resolve) => {
      const stop = session.onEvent((event) => {
        if (event.type !== 'turn_ended') return;
        stop();
        resolve(session.send(hello).turn);
      });
    });

    await session.send(hello).turn;

    expect(await second).toMatchObject({ end: 'end_turn' });
    expect(heard).not.toHaveBeenCalled();
  });
});

describe('saving', () => {
  test('sess-02: a failing disk is told once, the conversation goes on, and once more after it worked', async () => {
    const { session, recorder, events } = rig({ scripts: [answers('One.'), answers('Two.'), answers('Three.')] });
    const failures = (): number => events.filter((event) => event.type === 'storage_failed').length;

    recorder.failure = new Error('ENOSPC');
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(failures()).toBe(1);
    recorder.failure = undefined;
    await session.send(hello).turn;
    recorder.failure = new Error('ENOSPC');
    await session.send(hello).turn;
    expect(failures()).toBe(2);
    await expect(session.close()).rejects.toThrow('ENOSPC');
  });

  test('a partial answer is recorded at most once a second and within a second', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
    try {
      const latches = [new Latch(), new Latch(), new Latch()] as const;
      const { session, recorder, clock } = rig({
        scripts: [
          [...says(0, 'one').slice(0, 1), latches[0], ...says(0, ' two').slice(0, 1), latches[1], ...says(0, ' three'), latches[2], ...stops('end_turn')],
        ],
      });
      const advance = async (ms: number): Promise<void> => {
        clock.now += ms;
        await vi.advanceTimersByTimeAsync(ms);
      };

      const turn = session.send(hello).turn;
      await latches[0].reached;
      await advance(999);
      expect(recorder.partials).toHaveLength(0);
      await advance(1);
      expect(recorder.partials.map((message) => outline([message])[0])).toEqual(['assistant(unknown): one']);
      latches[0].open();
      await latches[1].reached;
      latches[1].open();
      await latches[2].reached;
      await advance(500);
      expect(recorder.partials).toHaveLength(1);
      await advance(500);
      expect(recorder.partials).toHaveLength(2);
      latches[2].open();
      await turn;
      await advance(5_000);
      expect(recorder.partials).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  test('close stops the turn, waits for it, and closes the recorder; afterwards nothing can be sent', async () => {
    const latch = new Latch();
    const { session, recorder } = rig({ scripts: [[...says(0, 'Half'), latch]] });
    const turn = session.send(hello).turn;
    await latch.reached;

    await session.close();
    await session.close();

    expect(await turn).toMatchObject({ end: 'aborted' });
    expect(recorder.calls.filter((call) => call === 'close')).toHaveLength(1);
    expect(recorder.calls.at(-1)).toBe('close');
    expect(() => session.send(hello)).toThrow(/closed/);
  });
});

describe('a session that was interrupted', () => {
  test('sess-10: open calls are answered on opening, never run, and the next message is accepted', async () => {
    const execute = vi.fn(() => ok('ran'));
    const { session, recorder, provider } = rig({
      tools: [testTool('bash', { execute })],
      messages: [
        user('go'),
        {
          role: 'assistant',
          content: [
            { type: 'tool_call', id: 'a', name: 'bash', arguments: '{"on":"x"}' },
            { type: 'tool_call', id: 'b', name: 'bash', arguments: '{"on":"y"}' },
          ],
          stopReason: 'tool_use',
          rawStopReason: 'tool_use',
          usage: { inputTokens: 5, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 },
          timestamp: '2026-01-01T00:00:00Z',
        },
        {
          role: 'tool_result',
          toolCallId: 'a',
          toolName: 'bash',
          content: [{ type: 'text', text: 'done' }],
          isError: false,
          timestamp: '2026-01-01T00:00:00Z',
        },
      ],
      meta: { interruptedAt: 1, costUsd: 2, models: { '1': 'scripted/model-1' } },
      scripts: [answers('Going on.')],
    });

    expect(outline(session.messages).at(-1)).toBe('result#b!: Interrupted before it finished; not run again.');
    expect(session).toMatchObject({ usage: { inputTokens: 5 }, costUsd: 2 });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(recorder.appended.map((message) => message.role)).toEqual(['tool_result', 'user', 'assistant']);
    expect(recorder.meta).toHaveProperty('interruptedAt', undefined);
    expect(provider.broken).toEqual([]);
    expect(execute).not.toHaveBeenCalled();
  });
});
