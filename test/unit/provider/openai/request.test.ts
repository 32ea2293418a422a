import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import type { OpenAiOptions } from '../../../../src/provider/openai/provider.js';
import { type PresetId, presetOf } from '../../../../src/provider/openai/models/presets.js';
import { requestParams } from '../../../../src/provider/openai/request.js';
import { type ChatRequest, type OpenAiServer, chunk, DONE, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { assistant, call, never, NOW, play, providerFor, request, result, user } from './rig.js';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer(() => sse(chunk({ content: 'ok' }, 'stop'), DONE));
});
afterAll(() => server.close());

/** OpenAI's own models, asked over chat completions whatever API is theirs. */
const CHAT = { preset: { ...presetOf('openai'), api: 'chat' as const } };

/** Sends a request over chat completions and gives what the server saw. */
async function sent(change: Partial<Request>, id: PresetId = 'openai', options: Partial<OpenAiOptions> = {}): Promise<ChatRequest> {
  server.setScript(() => sse(chunk({ content: 'ok' }, 'stop'), DONE));
  await drain(providerFor(server, id, id === 'openai' ? { ...CHAT, ...options } : options).stream(request(change), never()));
  const seen = server.requests.at(-1);
  if (seen === undefined) throw new Error('nothing arrived');
  return seen;
}

const TOOLS = ['write', 'read'].map((name) => ({ name, description: `${name} a file`, parameters: { type: 'object', properties: {} } }));
const IMAGE = { type: 'image' as const, data: new Uint8Array([0, 255, 10, 13, 128]).subarray(1), mimeType: 'image/png' as const };
const WIRE_IMAGE = { type: 'image_url', image_url: { url: 'data:image/png;base64,/woNgA==' } };

describe('messages', () => {
  it('are plain text where they can be, and what the person said in a row is one', async () => {
    const messages = [
      user('Fix it'),
      user('  '),
      user('Please'),
      assistant({ type: 'text', text: 'Reading.' }, call('a'), call('b')),
      result('a', 'one'),
      result('b', '', true),
      user('And hurry'),
    ];
    const { body, path } = await sent({ messages });
    expect(path).toBe('/v1/chat/completions');
    expect(body.messages).toEqual([
      { role: 'system', content: 'You are a test.' },
      { role: 'user', content: 'Fix it\n\nPlease' },
      {
        role: 'assistant',
        content: 'Reading.',
        tool_calls: ['a', 'b'].map((id) => ({ id, type: 'function', function: { name: 'read', arguments: '{"path":"x"}' } })),
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: 'The tool failed without a message.' },
      { role: 'user', content: 'And hurry' },
    ]);
  });

  it('stream-23 hold images as data URLs, those of tools behind all results of the round', async () => {
    const seen: Message = { role: 'user', content: [{ type: 'text', text: 'Look' }, IMAGE], timestamp: NOW };
    const shown: Message = { role: 'tool_result', toolCallId: 'a', toolName: 'read', content: [IMAGE], isError: false, timestamp: NOW };
    const { body } = await sent({ messages: [seen, assistant(call('a'), call('b')), shown, result('b', 'two'), user('Well?')] });
    expect(body.messages?.slice(1)).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'Look' }, WIRE_IMAGE] },
      { role: 'assistant', content: null },
      { role: 'tool', tool_call_id: 'a', content: '(see the image)' },
      { role: 'tool', tool_call_id: 'b', content: 'two' },
      { role: 'user', content: [{ type: 'text', text: 'From the result of read:' }, WIRE_IMAGE, { type: 'text', text: 'Well?' }] },
    ]);
    const last = await sent({ messages: [user('Look'), assistant(call('a')), shown] });
    expect(last.body.messages?.at(-1)).toMatchObject({ role: 'user', content: [{}, WIRE_IMAGE] });
  });

  it('keep to the order of roles and the ids that Mistral demands', async () => {
    const shown: Message = { role: 'tool_result', toolCallId: 'call_1', toolName: 'read', content: [IMAGE], isError: false, timestamp: NOW };
    const messages = [user('Hi'), assistant(call('call_1'), call('abcDEF123')), shown, result('abcDEF123', 'x'), user('Go on')];
    const wire = (await sent({ messages }, 'mistral')).body.messages ?? [];
    expect(wire.map((message) => message['role'])).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'user']);
    const ids = ((wire[2]?.['tool_calls'] ?? []) as { id: string }[]).map(({ id }) => id);
    expect(ids[0]).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(ids).toEqual([wire[3]?.['tool_call_id'], wire[4]?.['tool_call_id']]);
    expect(ids[1]).toBe('abcDEF123');
    expect((await sent({ messages }, 'mistral')).raw).toBe((await sent({ messages }, 'mistral')).raw);
  });

  it('leave out thinking that was made for another API', async () => {
    const thought = { type: 'thinking' as const, thinking: 'hm', signature: new TextEncoder().encode('EqQBCgIYAhIM') };
    for (const id of ['openai', 'openrouter', 'ollama'] as const) {
      const { body } = await sent({ messages: [user('Hi'), assistant(thought, { type: 'text', text: 'x' }), user('Go on')] }, id);
      expect(body.messages?.[2]).toEqual({ role: 'assistant', content: 'x' });
    }
  });

  it('begin with the bytes of the round before', () => {
    const messages: Message[] = [user('start')];
    let before: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      const params = requestParams(request({ messages: [...messages], tools: TOOLS }), presetOf('mistral'));
      const prefix = params.messages.map((message) => JSON.stringify(message));
      expect(prefix.slice(0, before.length)).toEqual(before);
      before = prefix;
      messages.push(assistant(call(`r${round}`)), result(`r${round}`, 'done'));
    }
  });

  it('are marked for the caches that OpenRouter has only on request, at the last text of a turn, and nowhere else', async () => {
    const messages = [
      user('Start'),
      assistant(call('a'), call('b')),
      result('a', 'one'),
      result('b', 'two'),
      assistant(call('c')),
      result('c', 'three'),
      { ...user(''), content: [{ type: 'text' as const, text: 'Look' }, IMAGE] } as Message,
    ];
    const { body } = await sent({ messages, model: 'anthropic/claude-sonnet-5.5', cacheKey: 'session-1' }, 'openrouter');
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(body['session_id']).toBe('session-1');
    expect(body.messages?.map(({ role, content }) => [role, content])).toEqual([
      ['system', [{ type: 'text', text: 'You are a test.', ...mark }]],
      ['user', [{ type: 'text', text: 'Start' }]],
      ['assistant', null],
      ['tool', [{ type: 'text', text: 'one' }]],
      ['tool', [{ type: 'text', text: 'two', ...mark }]],
      ['assistant', null],
      ['tool', [{ type: 'text', text: 'three' }]],
      ['user', [{ type: 'text', text: 'Look', ...mark }, WIRE_IMAGE]],
    ]);
    for (const [id, model] of [
      ['openrouter', 'openai/gpt-5'],
      ['openrouter', 'qwen/qwen3'],
      ['vllm', 'claude-like'],
      ['gemini', 'gemini-3.8-flash'],
    ] as const) {
      expect((await sent({ messages, model }, id)).raw).not.toContain('cache_control');
    }
  });

  it('say so when there is nothing to send', async () => {
    const before = server.requests.length;
    const error = await failure(
      providerFor(server)
        .stream(request({ messages: [user('  ')] }), never())
        .next(),
    );
    expect(error).toMatchObject({ kind: 'invalid_request', message: expect.stringContaining('empty') as string });
    expect(server.requests).toHaveLength(before);
  });
});

describe('reasoning goes back where the server demands it (G22)', () => {
  const end = [chunk({}, 'tool_calls'), DONE];
  const calls = (extra: object = {}): object => ({
    tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'read', arguments: '{}' }, ...extra }],
  });

  /** The assistant message of the second request, after an answer of these chunks. */
  async function goesBack(id: PresetId, ...deltas: readonly object[]): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { message } = await play(server, sse(...deltas.map((delta) => chunk(delta)), ...end), id);
    const { body } = await sent({ messages: [user('Hi'), message, result('call_a', 'content')] }, id);
    return body.messages?.[2];
  }

  it('DeepSeek: as reasoning_content, and empty beside calls that had none', async () => {
    expect(await goesBack('deepseek', { reasoning_content: 'Step ' }, { reasoning_content: 'one é世' }, calls())).toMatchObject({
      reasoning_content: 'Step one é世',
      content: null,
    });
    expect(await goesBack('deepseek', calls())).toMatchObject({ reasoning_content: '' });
  });

  it('OpenRouter: the blocks unchanged, put together from their pieces', async () => {
    const piece = (text: string, more: object = {}): object => ({ type: 'reasoning.text', text, format: 'anthropic-claude-v1', index: 0, ...more });
    const encrypted = { type: 'reasoning.encrypted', data: 'AbC+/==', id: 'rs_1', format: 'openai-responses-v1', index: 1 };
    const wire = await goesBack(
      'openrouter',
      { reasoning: 'Step ', reasoning_details: [piece('Step ')] },
      { reasoning: 'one', reasoning_details: [piece('one')] },
      { reasoning_details: [piece('', { signature: 'c2ln+/=' })] },
      { reasoning_details: [encrypted] },
      calls(),
    );
    expect(wire).toMatchObject({ reasoning_details: [piece('Step one', { signature: 'c2ln+/=' }), encrypted] });
    expect(await goesBack('openrouter', { reasoning: 'only text' }, calls())).toMatchObject({ reasoning: 'only text' });
    expect(await goesBack('openrouter', { reasoning_details: [encrypted] }, calls())).toMatchObject({ reasoning_details: [encrypted] });
    expect(await goesBack('openrouter', calls())).not.toHaveProperty('reasoning_details');
  });

  it('Gemini: the signature of each call, and its word for none on calls of others', async () => {
    const signed = { google: { thought_signature: 'U2lnbmF0dXJl+/==' } };
    const wire = await goesBack('gemini', calls({ extra_content: signed }));
    expect(wire).toMatchObject({ tool_calls: [{ id: 'call_a', extra_content: signed }] });
    const { body } = await sent({ messages: [user('Hi'), assistant(call('x'), call('y')), result('x', '1'), result('y', '2')] }, 'gemini');
    const foreign = body.messages?.[2]?.['tool_calls'] as object[];
    expect(foreign[0]).toMatchObject({ extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } });
    expect(foreign[1]).not.toHaveProperty('extra_content');
  });

  it('others: not at all', async () => {
    for (const id of ['vllm', 'ollama', 'mistral', 'lmstudio'] as const) {
      const wire = await goesBack(id, { reasoning_content: 'hm' }, calls());
      expect(Object.keys(wire ?? {}).sort()).toEqual(['content', 'role', 'tool_calls']);
    }
  });
});

describe('settings', () => {
  it('P29 uses the default model, or says that there is none', async () => {
    expect((await sent({ model: '' })).body.model).toBe('gpt-5.6-terra');
    const error = await failure(
      providerFor(server, 'ollama')
        .stream(request({ model: '' }), never())
        .next(),
    );
    expect(error).toMatchObject({ kind: 'not_found', message: expect.stringMatching(/^Ollama has no default model.*Select Model/) as string });
  });

  it('P30 P34 sends a limit only when there is one, under the name that the server knows', async () => {
    expect(Object.keys((await sent({ maxTokens: 0 })).body).filter((key) => key.startsWith('max_'))).toEqual([]);
    expect((await sent({ maxTokens: 100 })).body).toMatchObject({ max_completion_tokens: 100 });
    expect((await sent({ maxTokens: 100 }, 'vllm')).body).toMatchObject({ max_tokens: 100 });
  });

  it.each([{ temperature: 2.1 }, { temperature: Number.NaN }, { maxTokens: -1 }, { maxTokens: 1.5 }])(
    'P33 P34 refuses %o before anything is sent',
    async (wrong) => {
      const before = server.requests.length;
      expect(await failure(providerFor(server).stream(request(wrong), never()).next())).toMatchObject({ name: 'InvalidDataError' });
      expect(server.requests).toHaveLength(before);
    },
  );

  it('P31 P33 sends temperature unless the model refuses it, within the bounds of the server', async () => {
    expect((await sent({ model: 'gpt-4.1', temperature: 2 })).body['temperature']).toBe(2);
    for (const model of ['gpt-5', 'gpt-5.6-sol', 'o3-mini']) expect((await sent({ model, temperature: 0 })).body).not.toHaveProperty('temperature');
    expect((await sent({ temperature: 2 }, 'mistral')).body['temperature']).toBe(1.5);
    expect((await sent({})).body).not.toHaveProperty('temperature');
  });

  it.each<[PresetId, string, boolean, object, object]>([
    ['openai', 'gpt-5.2', true, { reasoning_effort: 'medium' }, { reasoning_effort: 'none' }],
    ['openai', 'gpt-5-mini', true, { reasoning_effort: 'medium' }, { reasoning_effort: 'minimal' }],
    ['openai', 'gpt-5.6-terra', true, { reasoning_effort: 'none' }, { reasoning_effort: 'none' }],
    ['openai', 'gpt-5.6-terra', false, { reasoning_effort: 'medium' }, { reasoning_effort: 'none' }],
    ['openai', 'gpt-6.2-sol', false, { reasoning_effort: 'medium' }, { reasoning_effort: 'low' }],
    ['openai', 'o3', true, { reasoning_effort: 'medium' }, { reasoning_effort: 'low' }],
    ['openai', 'gpt-5-pro', true, { reasoning_effort: 'medium' }, { reasoning_effort: 'high' }],
    ['openai', 'gpt-4.1', true, {}, {}],
    ['gemini', 'gemini-3.8-flash', true, { reasoning_effort: 'medium' }, {}],
    ['ollama', 'qwen3:8b', true, { reasoning_effort: 'medium' }, {}],
    ['openrouter', 'x/y', true, { reasoning: { effort: 'medium' } }, {}],
    ['deepseek', 'deepseek-flash', true, { thinking: { type: 'enabled' }, reasoning_effort: 'medium' }, { thinking: { type: 'disabled' } }],
    ['mistral', 'mistral-medium-3-5', true, { reasoning_effort: 'high' }, {}],
    ['mistral', 'mistral-large-4-0', true, { reasoning_effort: 'medium' }, {}],
    ['lmstudio', 'any', true, {}, {}],
    ['vllm', 'any', true, {}, {}],
  ])('asks %s %s (tools: %s) to think, or not to, in its own way', async (id, model, withTools, on, off) => {
    const tools = withTools ? TOOLS : [];
    const said = ({ body }: ChatRequest): object =>
      Object.fromEntries(Object.entries(body).filter(([key]) => ['reasoning_effort', 'reasoning', 'thinking'].includes(key)));
    expect(said(await sent({ model, tools, effort: 'medium' }, id))).toEqual(on);
    expect(said(await sent({ model, tools }, id))).toEqual(off);
    expect(said(await sent({ model, tools, effort: 'off' }, id))).toEqual(off);
  });

  it('names the session to the prompt cache of OpenAI, and to no other server', async () => {
    expect((await sent({ cacheKey: 'session-1' })).body).toMatchObject({ prompt_cache_key: 'session-1' });
    expect((await sent({ cacheKey: 'x'.repeat(70) })).body).toMatchObject({ prompt_cache_key: 'x'.repeat(64) });
    expect((await sent({ cacheKey: 'session-1' }, 'mistral')).body).not.toHaveProperty('prompt_cache_key');
  });

  it('names the tools in their order, and none where there are none', async () => {
    const { body } = await sent({ tools: TOOLS });
    expect(body['tools']).toEqual(TOOLS.map((tool) => ({ type: 'function', function: tool })));
    expect((await sent({})).body).not.toHaveProperty('tools');
  });

  it('asks for usage where that is understood, and for OpenAI speaks as the developer', async () => {
    expect((await sent({})).body['stream_options']).toEqual({ include_usage: true });
    expect((await sent({}, 'mistral')).body).not.toHaveProperty('stream_options');
    expect((await sent({ model: 'gpt-5.2' })).body.messages?.[0]).toEqual({ role: 'developer', content: 'You are a test.' });
    expect((await sent({ systemPrompt: ' ' })).body.messages?.[0]).toMatchObject({ role: 'user' });
  });

  it('sends the key and no facts of this machine, whatever the environment says', async () => {
    const names = {
      OPENAI_CUSTOM_HEADERS: 'x-secret: 1',
      OPENAI_ORG_ID: 'org',
      OPENAI_PROJECT_ID: 'project',
      OPENAI_API_KEY: 'env-key',
      OPENAI_BASE_URL: 'http://127.0.0.1:1',
      OPENAI_LOG: 'debug',
    };
    const before = Object.keys(names).map((name) => [name, process.env[name]] as const);
    Object.assign(process.env, names);
    try {
      const { headers, raw } = await sent({}, 'openai', { headers: { 'x-gateway': 'mine' } });
      expect(headers).toMatchObject({ authorization: 'Bearer test-key', 'x-gateway': 'mine', 'content-type': 'application/json' });
      expect(Object.keys(headers).filter((name) => /stainless|openai|x-secret/.test(name))).toEqual([]);
      expect(raw).not.toContain('test-key');
      const keyless = await sent({}, 'ollama', { apiKey: () => Promise.resolve(undefined) });
      expect(keyless.headers).not.toHaveProperty('authorization');
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });

  it.each(['', '/', '/v1', '/v1/', '/v1/chat/completions'])('takes an address that ends with “%s”', async (ending) => {
    expect((await sent({}, 'ollama', { baseUrl: () => server.url + ending })).path).toBe('/v1/chat/completions');
    expect((await sent({}, 'gemini', { baseUrl: () => `${server.url}/proxy` })).path).toBe('/proxy/chat/completions');
  });
});
