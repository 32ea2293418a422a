import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { requestParams } from '../../../../src/provider/anthropic/request.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { type ModelServer, type RecordedRequest, reply, startModelServer } from '../../../support/model-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { never, NOW, providerFor, request, result, user } from './rig.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => reply().text('ok'), foreignThinking: true });
});
afterAll(() => server.close());

/** Sends a request and gives what the server saw; the server refuses what the API would refuse. */
async function sent(change: Partial<Request>): Promise<RecordedRequest> {
  await drain(providerFor(server).stream(request(change), never()));
  const seen = server.requests.at(-1);
  if (seen === undefined) throw new Error('nothing arrived');
  return seen;
}

const TOOLS = ['write', 'read', 'edit'].map((name) => ({ name, description: `${name} a file`, parameters: { type: 'object', properties: {} } }));

describe('messages', () => {
  it('folds tool results and what the person said after them into one user turn', async () => {
    const messages = [
      user('Fix it'),
      assistant(call('a'), call('b')),
      result('a', 'one'),
      result('b', 'no such file', true),
      user('And hurry'),
      user('Please'),
    ];
    const { body } = await sent({ messages });
    expect(body.messages).toMatchObject([
      { role: 'user', content: [{ type: 'text', text: 'Fix it' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } }, { id: 'b' }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'one' }] },
          { type: 'tool_result', tool_use_id: 'b', is_error: true, content: [{ type: 'text', text: 'no such file' }] },
          { type: 'text', text: 'And hurry' },
          { type: 'text', text: 'Please' },
        ],
      },
    ]);
    expect(body.messages[2]?.content[0]).not.toHaveProperty('is_error');
  });

  it('drops text without a visible character, and messages of which nothing is left', async () => {
    const empty: Message = { role: 'user', content: [{ type: 'text', text: ' \n' }], timestamp: NOW };
    const { body } = await sent({ messages: [user('Hi'), assistant({ type: 'text', text: '' }), empty, user('There')] });
    expect(body.messages).toMatchObject([{ role: 'user', content: [{ text: 'Hi' }, { text: 'There' }] }]);
  });

  it.each([
    ['broken', '{"path":'],
    ['a list', '[1]'],
    ['a number', '1'],
    ['null', 'null'],
    ['nothing', ''],
    ['two objects', '{}{}'],
  ])('sends an empty object for arguments that are %s', async (_, args) => {
    const { body } = await sent({ messages: [user('Hi'), assistant({ ...call('a'), arguments: args }), result('a', 'refused', true)] });
    expect(body.messages[1]?.content).toEqual([{ type: 'tool_use', id: 'a', name: 'read', input: {} }]);
  });

  it('answers for a tool that said nothing', async () => {
    const { body } = await sent({ messages: [user('Hi'), assistant(call('a'), call('b')), result('a', ''), result('b', '', true)] });
    expect(body.messages[2]?.content).toMatchObject([
      { type: 'tool_result', tool_use_id: 'a' },
      { is_error: true, content: [{ type: 'text', text: 'The tool failed without a message.' }] },
    ]);
  });

  it('E-1: asks for the arguments of a tool as they are written where they are wanted so', () => {
    const tools = TOOLS.map((tool) => (tool.name === 'edit' ? { ...tool, streamed: true as const } : tool));
    const params = requestParams(request({ messages: [user('Hello')], tools }));
    expect(params.tools?.map((each) => 'eager_input_streaming' in each)).toEqual([false, false, true]);
  });

  it('sends images of people and of tools as base64', async () => {
    const image = { type: 'image' as const, data: new Uint8Array([0, 255, 10, 13, 128]).subarray(1), mimeType: 'image/png' as const };
    const seen: Message = { role: 'user', content: [{ type: 'text', text: 'Look' }, image], timestamp: NOW };
    const shown: Message = { role: 'tool_result', toolCallId: 'a', toolName: 'read', content: [image], isError: false, timestamp: NOW };
    const { body } = await sent({ messages: [seen, assistant(call('a')), shown] });
    const wire = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '/woNgA==' } };
    expect(body.messages[0]?.content).toMatchObject([{ type: 'text' }, wire]);
    expect(body.messages[2]?.content).toMatchObject([{ type: 'tool_result', content: [wire] }]);
  });

  it('makes ids of other providers acceptable, the same in call and result', async () => {
    const { body } = await sent({ messages: [user('Hi'), assistant(call('call:1/ü')), result('call:1/ü', 'ok')] });
    expect(body.messages).toMatchObject([{}, { content: [{ id: 'call_3a_1_2f__fc_' }] }, { content: [{ tool_use_id: 'call_3a_1_2f__fc_' }] }]);
  });

  it('says so when there is nothing to send', async () => {
    const before = server.requests.length;
    const stream = providerFor(server).stream(request({ messages: [user('  ')] }), never());
    expect(await failure(stream.next())).toMatchObject({ kind: 'invalid_request', message: expect.stringContaining('empty') as string });
    expect(server.requests).toHaveLength(before);
  });
});

describe('prompt cache', () => {
  it('marks the end of the system prompt and of the last two user turns', async () => {
    const messages = [user('1'), assistant(call('a')), result('a', 'x'), assistant(call('b'), call('c')), result('b', 'y'), result('c', 'z')];
    const { body } = await sent({ messages, tools: TOOLS });
    expect(marks(body)).toEqual(['system.0', 'messages.2.content.0', 'messages.4.content.1']);
    expect(body.tools?.map((tool) => tool['name'])).toEqual(['write', 'read', 'edit']);
  });

  it('marks the last tool when there is no system prompt, and nothing when there is neither', async () => {
    expect(marks((await sent({ systemPrompt: '', tools: TOOLS })).body)).toEqual(['tools.2', 'messages.0.content.0']);
    expect(marks((await sent({ systemPrompt: '' })).body)).toEqual(['messages.0.content.0']);
  });

  it('asks for an hour in the cache with every mark, when that is set', () => {
    const durations = (duration?: '5m' | '1h'): string[] => {
      const all = JSON.stringify(requestParams(request({ messages: [user('one')], tools: TOOLS }), duration)).match(/"cache_control":\{[^}]*\}/g) ?? [];
      return [...new Set(all)];
    };
    expect(durations('1h')).toEqual(['"cache_control":{"type":"ephemeral","ttl":"1h"}']);
    expect(durations()).toEqual(['"cache_control":{"type":"ephemeral"}']);
  });

  it('lets every round begin with the bytes of the round before, and finds its mark again', () => {
    const messages: Message[] = [user('start')];
    let before: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const params = requestParams(request({ messages: [...messages], tools: TOOLS }));
      const prefix = [JSON.stringify(params.tools), JSON.stringify(params.system), ...params.messages.map((turn) => JSON.stringify(turn, unmarked))];
      expect(prefix.slice(0, before.length)).toEqual(before);
      // The turn that ended the request before is marked in this one too.
      const marked = marks(params).filter((path) => path.startsWith('messages'));
      if (before.length > 0) expect(marked.some((path) => path.startsWith(`messages.${before.length - 3}.`))).toBe(true);
      before = prefix;
      const ids = Array.from({ length: 1 + (round % 4) * 9 }, (_, n) => `r${round}_${n}`);
      messages.push(assistant(...ids.map(call)), ...ids.map((id) => result(id, id)));
    }
  });
});

describe('settings', () => {
  it('P29 P30 uses the default model and its default limit when none is named', async () => {
    const { body } = await sent({ model: '', maxTokens: 0 });
    expect(body).toMatchObject({ model: 'claude-sonnet-5-5', max_tokens: 64_000, stream: true });
  });

  it('keeps the limit within what the model can write', async () => {
    expect((await sent({ maxTokens: 1_000 })).body.max_tokens).toBe(1_000);
    expect((await sent({ maxTokens: 10_000_000 })).body.max_tokens).toBe(128_000);
    expect((await sent({ model: 'some-local-model' })).body.max_tokens).toBe(8_192);
  });

  it.each([
    ['claude-sonnet-5-5', { type: 'adaptive', display: 'summarized' }, { type: 'between_tools' }],
    ['claude-opus-5-5', { type: 'adaptive', display: 'summarized' }, undefined],
    ['claude-haiku-5-5', { type: 'adaptive', display: 'summarized' }, { type: 'disabled' }],
    ['claude-opus-4-6', { type: 'adaptive', display: 'summarized' }, undefined],
    ['claude-haiku-4-5-20251001', { type: 'enabled', budget_tokens: 10_000 }, undefined],
    ['claude-something-6', { type: 'adaptive', display: 'summarized' }, undefined],
    ['some-local-model', undefined, undefined],
  ])('asks %s to think, or not to, in its own way', async (model, on, off) => {
    expect((await sent({ model, effort: 'medium' })).body.thinking).toEqual(on);
    expect((await sent({ model })).body.thinking).toEqual(off);
  });

  it.each([
    ['claude-opus-5-5', 'low', { type: 'adaptive', display: 'summarized' }, { effort: 'low' }],
    ['claude-opus-5-5', 'high', { type: 'adaptive', display: 'summarized' }, { effort: 'high' }],
    ['claude-haiku-4-5', 'low', { type: 'enabled', budget_tokens: 4_000 }, undefined],
    ['claude-haiku-4-5', 'medium', { type: 'enabled', budget_tokens: 10_000 }, undefined],
    ['claude-haiku-4-5', 'high', { type: 'enabled', budget_tokens: 24_000 }, undefined],
    ['claude-sonnet-5-5', 'off', { type: 'between_tools' }, undefined],
    ['some-local-model', 'high', undefined, undefined],
  ] as const)('asks %s for %s effort', async (model, effort, thinking, config) => {
    const { body } = await sent({ model, effort });
    expect(body.thinking).toEqual(thinking);
    expect(Reflect.get(body, 'output_config')).toEqual(config);
  });

  it('keeps a budget within half of the answer', async () => {
    const { body } = await sent({ model: 'claude-haiku-4-5', effort: 'high', maxTokens: 6_000 });
    expect(body.thinking).toEqual({ type: 'enabled', budget_tokens: 3_000 });
  });

  it('does not think with a budget when the calls to be answered were made without thinking', async () => {
    const thought = { type: 'thinking' as const, thinking: 'hm', signature: new TextEncoder().encode('sig') };
    const model = 'claude-opus-4-5';
    const answered = (...content: Parameters<typeof assistant>): Message[] => [user('Hi'), assistant(...content), result('a', 'ok')];
    expect((await sent({ model, effort: 'medium', messages: answered(call('a')) })).body.thinking).toBeUndefined();
    expect((await sent({ model, effort: 'medium', messages: answered(thought, call('a')) })).body.thinking).toBeDefined();
    expect(
      (await sent({ model, effort: 'medium', messages: [...answered(call('a')), assistant({ type: 'text', text: 'Done' }), user('More')] })).body.thinking,
    ).toBeDefined();
    expect((await sent({ model, effort: 'medium', maxTokens: 1_500 })).body.thinking).toBeUndefined();
  });

  it('P31 sends temperature only to models that take it, by the version of the API that has it, and not with thinking', async () => {
    const old = await sent({ model: 'claude-sonnet-4-6', temperature: 0.3 });
    expect(old.body.temperature).toBe(0.3);
    expect(old.headers['anthropic-version']).toBe('2023-06-01');
    expect((await sent({ model: 'claude-sonnet-4-6', temperature: 2 })).body.temperature).toBe(1);
    expect((await sent({ model: 'claude-sonnet-4-6', temperature: 0.3, effort: 'medium' })).body).not.toHaveProperty('temperature');
    const current = await sent({ model: 'claude-opus-5-5', temperature: 0.3 });
    expect(current.body).not.toHaveProperty('temperature');
    expect(current.headers['anthropic-version']).not.toBe('2023-06-01');
  });

  it.each([{ temperature: 2.1 }, { temperature: -0.1 }, { temperature: Number.NaN }, { maxTokens: -1 }, { maxTokens: 1.5 }])(
    'P33 P34 refuses %o before anything is sent',
    async (wrong) => {
      const before = server.requests.length;
      expect(await failure(providerFor(server).stream(request(wrong), never()).next())).toMatchObject({ name: 'InvalidDataError' });
      expect(server.requests).toHaveLength(before);
    },
  );

  it('sends the key and nothing that repeats, counts or names the person', async () => {
    const { headers, raw } = await sent({});
    expect(headers.authorization).toBe('Bearer test-key');
    // Gateways that know only the older header find it too.
    expect(headers['x-api-key']).toBe('test-key');
    expect(headers['x-stainless-retry-count']).toBe('0');
    expect(raw).not.toContain('test-key');
    expect(raw).not.toContain('metadata');
  });
});

it('sends the key to Anthropic itself as the SDK does, and follows nobody elsewhere', async () => {
  const seen: (RequestInit | undefined)[] = [];
  const fetcher: typeof fetch = (_input, init) => {
    seen.push(init);
    return Promise.resolve(new Response('', { status: 308, headers: { location: 'http://127.0.0.1:9/' } }));
  };
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('test-key'), baseUrl: () => undefined, fetch: fetcher });
  expect(await failure(provider.stream(request(), never()).next())).toMatchObject({ kind: 'not_found', status: 308 });
  const headers = new Headers(seen[0]?.headers);
  expect([headers.get('authorization'), headers.get('x-api-key')]).toEqual(['Bearer test-key', null]);
  expect(seen.map((init) => init?.redirect)).toEqual(['manual']);
});

function assistant(...content: Extract<Message, { role: 'assistant' }>['content'][number][]): Message {
  const usage = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };
  return { role: 'assistant', content, stopReason: 'tool_use', rawStopReason: 'tool_use', usage, timestamp: NOW };
}

function call(id: string): { type: 'tool_call'; id: string; name: string; arguments: string } {
  return { type: 'tool_call', id, name: 'read', arguments: '{"path":"x"}' };
}

/** Paths of everything with a cache mark. */
function marks(body: object): string[] {
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('cache_control' in value) found.push(path);
    for (const [key, inner] of Object.entries(value)) walk(inner, path === '' ? key : `${path}.${key}`);
  };
  walk(body, '');
  return found.sort((a, b) => ['tools', 'system', 'messages'].indexOf(a.split('.')[0] ?? '') - ['tools', 'system', 'messages'].indexOf(b.split('.')[0] ?? ''));
}

function unmarked(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value;
}
