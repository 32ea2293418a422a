import { describe, expect, it } from 'vitest';
import type { Request } from '../../../../src/domain/model/provider.js';
import type { Usage } from '../../../../src/domain/model/usage.js';
import type { Limits } from '../../../../src/domain/model/purse.js';
import { askPaid } from '../../../../src/engine/one-shot/ask-paid.js';
import { createPurse } from '../../../../src/engine/turn/purse.js';
import { sampleModelOf } from '../../../../src/agent-host/servers/window-asking.js';
import { type Script, answers, calls, Latch, ScriptedProvider, stops, TEST_MODEL } from '../../../support/scripted-provider/index.js';

const REQUEST: Request = {
  model: TEST_MODEL.id,
  systemPrompt: '',
  messages: [{ role: 'user', content: [{ type: 'text', text: '2+2?' }], timestamp: '2026-11-26T00:00:00Z' }],
  tools: [],
  maxTokens: 10,
  effort: 'off',
};

async function rig(script: Script, limits: Limits = {}) {
  const provider = new ScriptedProvider([script]);
  const charged: Usage[] = [];
  const warned: string[] = [];
  const clock = { timestamp: () => '2026-11-26T00:00:00Z', monotonic: () => 0 };
  const log = { info: () => undefined, warn: (line: string) => void warned.push(line), error: (line: string) => expect.unreachable(line) };
  const asked: string[] = [];
  const payer = { purse: createPurse(() => limits), count: ({ usage }: { readonly usage: Usage }) => void charged.push(usage) };
  const model = await sampleModelOf(
    { model: TEST_MODEL, ask: (request, of) => askPaid(request, { ...of, clock, log }, payer) },
    { choose: (key) => (asked.push(key), Promise.resolve({ provider, model: TEST_MODEL })), log },
  );
  return { provider, charged, warned, asked, model };
}

describe('the model of a chat that answers a server', () => {
  it('M-14: is asked as it was agreed, and what it uses is counted as the chat’s', async () => {
    const { provider, charged, asked, model } = await rig(answers('Four.'));
    const answer = await model.complete(REQUEST, new AbortController().signal);
    expect(answer).toMatchObject({ text: 'Four.', cutOff: false });
    expect(asked).toEqual(['scripted/model-1']);
    expect(provider.requests).toEqual([REQUEST]);
    expect(provider.broken).toEqual([]);
    expect(charged).toEqual([answer.usage]);
  });

  it('M-14: gives nothing of an answer that calls a tool or fails, and says nothing of why to the server', async () => {
    for (const script of [[...calls(0, 'c1', { name: 'bash', args: {} }), ...stops('tool_use')], [new Error('key sk-123 is wrong')]]) {
      const { charged, model } = await rig(script);
      const answer = await model.complete(REQUEST, new AbortController().signal);
      expect(answer).toMatchObject({ text: '', problem: 'The model did not answer.' });
      expect(charged).toHaveLength(1);
    }
  });

  it('sends nothing where the limit of the chat does not allow it, and gives the server no reason', async () => {
    const { provider, charged, warned, model } = await rig(answers('Four.'), { requests: 0 });
    expect(await model.complete(REQUEST, new AbortController().signal)).toMatchObject({ text: '', problem: 'The model did not answer.' });
    expect(provider.requests).toEqual([]);
    expect(charged).toEqual([]);
    expect(warned.join()).toContain('limit of 0 requests');
  });

  it('is stopped with the signal', async () => {
    const latch = new Latch();
    const { charged, model } = await rig([latch, ...answers('late')]);
    const stop = new AbortController();
    const answer = model.complete(REQUEST, stop.signal);
    await latch.reached;
    stop.abort();
    await expect(answer).rejects.toMatchObject({ name: 'AbortError' });
    expect(charged).toHaveLength(1);
  });
});
