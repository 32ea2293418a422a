import { describe, expect, it } from 'vitest';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { page, Rig, sampleOf } from './rig.js';

describe('answers of models for servers', () => {
  it('M-14: are off by default: the server is told that there are none, and one that connected before is refused', async () => {
    const rig = new Rig();
    const connected = rig.asking.questions('srv').sample;
    rig.sampling = 'off';
    expect(rig.asking.questions('srv')).not.toHaveProperty('sample');
    await expect(connected?.(sampleOf('2+2?'), new AbortController().signal)).rejects.toMatchObject({ name: 'McpRefusal' });
    expect(rig.requests).toEqual([]);
  });

  it('M-14: show the user the model, all that it gets, its limit and what it may cost, before anything is sent', async () => {
    const rig = new Rig();
    const answer = rig.sample(sampleOf('2+2?\u202e', { systemPrompt: 'Be brief.', maxTokens: 100_000, temperature: 0.5 }));
    const { id, asked, server } = await rig.question();
    expect(server).toBe('The srv');
    expect(asked).toMatchObject({
      mode: 'sample',
      model: 'Small Model',
      systemPrompt: 'Be brief.',
      messages: [{ role: 'user', text: '2+2?\u202e' }],
      maxTokens: 4_096,
      tokensLeft: 100_000,
    });
    if (asked.mode !== 'sample') return expect.unreachable();
    expect(asked.costUsd).toBe(asked.inputTokens + 2 * 4_096);
    expect(rig.requests).toEqual([]);
    rig.asking.answer(id, { action: 'accept' });
    await expect(answer).resolves.toEqual({ text: 'Four.', model: 'Small Model', stopReason: 'endTurn' });
    expect(rig.requests.map(({ request }) => request)).toEqual([
      {
        model: 'small',
        systemPrompt: 'Be brief.',
        messages: [{ role: 'user', content: [{ type: 'text', text: '2+2?\u202e' }], timestamp: '2026-11-26T00:00:00Z' }],
        tools: [],
        maxTokens: 4_096,
        temperature: 0.5,
        effort: 'off',
      },
    ]);
  });

  it('M-14: cost nothing when the user declines or closes the question', async () => {
    const rig = new Rig();
    for (const action of ['decline', 'cancel'] as const) {
      const answer = rig.sample(sampleOf('2+2?'));
      rig.asking.answer((await rig.question()).id, { action });
      await expect(answer).rejects.toThrow('The user does not want this to be answered.');
    }
    expect(rig.requests).toEqual([]);
  });

  it('M-14: are allowed for one server, one chat and one model, when the user says “always”', async () => {
    const rig = new Rig();
    const first = rig.sample(sampleOf('1'));
    rig.asking.answer((await rig.question()).id, { action: 'accept', always: true });
    await first;
    await rig.sample(sampleOf('2'));
    expect(rig.requests).toHaveLength(2);
    void rig.sample(sampleOf('3'), { server: 'other' });
    expect((await rig.question()).serverId).toBe('other');
    rig.shown = 'another chat';
    void rig.sample(sampleOf('4'));
    await rig.question('another chat');
    rig.shown = 'chat';
    rig.modelId = 'large';
    void rig.sample(sampleOf('5'));
    await expect.poll(() => rig.asking.open('chat').length).toBe(2);
    expect(rig.requests).toHaveLength(2);
  });

  it('M-14: end when a server has used its tokens of a chat, also those that are being used', async () => {
    const rig = new Rig();
    rig.completion = { text: 'x', cutOff: false, usage: { ...NO_USAGE, inputTokens: 99_000, outputTokens: 500 } };
    const first = rig.sample(sampleOf('1'));
    rig.asking.answer((await rig.question()).id, { action: 'accept', always: true });
    await first;
    const second = rig.sample(sampleOf('2', { maxTokens: 4_096 }));
    await second;
    expect(rig.requests.at(-1)?.request.maxTokens).toBeLessThan(500);
    await expect(rig.sample(sampleOf('3'))).rejects.toThrow('has used the 100000 tokens');
    expect(rig.requests).toHaveLength(2);
  });

  it('M-14: are text, of text, and never with too much of it', async () => {
    const rig = new Rig();
    const none = [
      sampleOf('', {}),
      sampleOf('x', { messages: [] }),
      sampleOf('x', { messages: [{ role: 'assistant', content: [{ type: 'text', text: 'x' }] }] }),
      sampleOf('x', { messages: [{ role: 'user', content: [{ type: 'image', data: '', mimeType: 'image/png' }] }] }),
      sampleOf('x', { maxTokens: 0 }),
    ];
    for (const sample of none) await expect(rig.sample(sample)).rejects.toMatchObject({ name: 'McpRefusal' });
    rig.now += 10 * 60_000;
    await expect(rig.sample(sampleOf('x'.repeat(40_001)))).rejects.toThrow('40000 characters');
    expect(rig.asking.open('chat')).toEqual([]);
    expect(rig.requests).toEqual([]);
  });

  it('end where the server wants them to, and say when they were cut off', async () => {
    const rig = new Rig();
    rig.completion = { text: 'one STOP two', cutOff: true, usage: NO_USAGE };
    const first = rig.sample(sampleOf('x', { stopSequences: ['STOP', 'two'] }));
    rig.asking.answer((await rig.question()).id, { action: 'accept', always: true });
    await expect(first).resolves.toMatchObject({ text: 'one ', stopReason: 'stopSequence' });
    await expect(rig.sample(sampleOf('x'))).resolves.toMatchObject({ text: 'one STOP two', stopReason: 'maxTokens' });
    rig.completion = { text: '', cutOff: false, usage: NO_USAGE, problem: 'The model did not answer.' };
    await expect(rig.sample(sampleOf('x'))).rejects.toMatchObject({ name: 'McpRefusal', message: 'The model did not answer.' });
  });

  it('are stopped with the call that they are for', async () => {
    const rig = new Rig();
    let end: () => void = () => undefined;
    const call = rig.calls.during('srv', 'chat', () => new Promise<void>((resolve) => (end = resolve)));
    const answer = rig.sample(sampleOf('x'));
    rig.asking.answer((await rig.question()).id, { action: 'accept' });
    await answer;
    expect(rig.requests[0]?.signal.aborted).toBe(false);
    end();
    await call;
    expect(rig.requests[0]?.signal.aborted).toBe(true);
  });

  it('M-14: that are stopped count with all that they could have used', async () => {
    const rig = new Rig();
    rig.stops = true;
    const answer = rig.sample(sampleOf('x', { maxTokens: 4_000 }));
    rig.asking.answer((await rig.question()).id, { action: 'accept' });
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    void rig.sample(sampleOf('x'));
    const { asked } = await rig.question();
    expect(asked.mode === 'sample' && asked.tokensLeft).toBeLessThan(96_000);
  });

  it('need a chat whose model can be asked, and an answer that is one', async () => {
    const rig = new Rig();
    rig.shown = 'closed';
    await expect(rig.sample(sampleOf('x'))).rejects.toThrow('There is no chat');
    rig.shown = 'chat';
    const answer = rig.sample(sampleOf('x'));
    const { id } = await rig.question();
    rig.asking.answer(id, { action: 'accept', content: { name: 'x' } });
    expect(rig.asking.open('chat')).toHaveLength(1);
    rig.asking.answer(id, { action: 'accept' });
    await answer;
    const url = rig.elicit(page('https://example.com/'));
    rig.asking.answer((await rig.question()).id, { action: 'accept', always: true });
    expect(rig.opened).toEqual([]);
    rig.asking.dispose();
    await url;
  });
});
