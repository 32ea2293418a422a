import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ModelInfo } from '../../../../../src/domain/model/provider.js';
import { anthropicModelInfo } from '../../../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../../../src/provider/anthropic/provider.js';
import { openAiModelInfo } from '../../../../../src/provider/openai/models/models.js';
import { presetOf } from '../../../../../src/provider/openai/models/presets.js';
import { encodeSession } from '../../../../../src/session/codec/encode.js';
import { reply, startModelServer } from '../../../../support/model-server/index.js';
import { chunk, DONE, json, sse, startOpenAiServer } from '../../../../support/openai-server/index.js';
import {
  type Output,
  type ResponsesServer,
  answer,
  begun,
  called,
  event,
  open,
  reasoning,
  said,
  searched,
  startResponsesServer,
  USAGE,
} from '../../../../support/responses-server/index.js';
import { type Rig, ok, outline, rig, testTool } from '../../../engine/rig.js';
import { providerFor } from '../rig.js';
import { withoutOutcomes } from '../../../../support/outcomes.js';
import { decodeSession } from '../../../../support/decode-session.js';

let server: ResponsesServer;
beforeAll(async () => {
  server = await startResponsesServer();
});
afterAll(() => server.close());

let before = 0;
beforeEach(() => {
  before = server.requests.length;
});

const MODEL: ModelInfo = openAiModelInfo('openai', presetOf('openai'), 'gpt-5.6-terra');
const hello = [{ type: 'text' as const, text: 'hello' }];
const IMAGE = { type: 'image' as const, data: new Uint8Array([255, 10, 13, 128]), mimeType: 'image/png' as const };

type Item = Readonly<Record<string, unknown>>;

/** The items of a request since the test began. */
function input(n: number): readonly Item[] {
  return (server.requests[before + n]?.body['input'] ?? []) as readonly Item[];
}

function start(): Rig {
  const look = testTool('look', { execute: () => ({ content: [{ type: 'text', text: 'an image' }, IMAGE], isError: false }) });
  const it = rig({ tools: [testTool('read'), look, testTool('fail', { execute: () => ({ ...ok('no'), isError: true }) })], effort: 'xhigh' });
  it.session.setModel(providerFor(server), MODEL);
  return it;
}

/** What of an item goes back: all but what says where it was. */
function goesBack({ item }: Output): object {
  if (item['type'] === 'reasoning') return item;
  const kept = Object.fromEntries(Object.entries(item).filter(([key]) => key !== 'id' && key !== 'status'));
  if (item['type'] !== 'message') return kept;
  return { ...kept, content: [{ type: 'output_text', text: ((item['content'] ?? []) as { text: string }[])[0]?.text }] };
}

describe('reasoning over Responses (G22)', () => {
  it('goes back byte for byte over three rounds with calls side by side, also from a stored session', async () => {
    const rounds: readonly (readonly Output[])[] = [
      [reasoning('**Looking** é世', 'Two parts'), called('c1', 'read', '{"on":', '"a"}'), called('c2', 'read', '{"on":"b"}')],
      [reasoning(), said('Next I look. '), reasoning('Hm'), reasoning('again'), called('c3', 'look', '{"on":"c"}'), called('c4', 'fail', '{}')],
      [reasoning('Done?'), said('All ', 'read.')],
    ];
    server.play(...rounds, [reasoning('Again'), said('More.')]);
    const { session } = start();
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 3 });
    const head = { id: 's', systemPrompt: '', createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' };
    const stored = decodeSession(
      encodeSession(
        head,
        session.messages.map((message) => ({ message })),
      ),
    ).messages.map(({ message }) => message);
    await session.send(hello).turn;
    expect(server.problems).toEqual([]);
    expect(stored).toEqual(withoutOutcomes(session.messages.slice(0, stored.length)));
    const sent = input(3);
    const asked = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] };
    const results = [
      { type: 'function_call_output', call_id: 'c1', output: 'read a' },
      { type: 'function_call_output', call_id: 'c2', output: 'read b' },
      {
        type: 'function_call_output',
        call_id: 'c3',
        output: [
          { type: 'input_text', text: 'an image' },
          { type: 'input_image', image_url: 'data:image/png;base64,/woNgA==' },
        ],
      },
      { type: 'function_call_output', call_id: 'c4', output: 'no' },
    ];
    const [first = [], second = [], third = []] = rounds.map((outputs) => outputs.map(goesBack));
    expect(sent).toEqual([asked, ...first, ...results.slice(0, 2), ...second, ...results.slice(2), ...third, asked]);
    for (let n = 1; n < 4; n += 1) expect(JSON.stringify(input(n)).startsWith(JSON.stringify(input(n - 1)).slice(0, -1))).toBe(true);
    expect(server.requests[before]?.body).toMatchObject({ prompt_cache_key: 'session-1', reasoning: { effort: 'xhigh', summary: 'auto' } });
  });

  it('goes with a blank text, an item of another kind, and what broke off', async () => {
    const cut = open(called('c9', 'read', '{"on":"x'), 1);
    server.play(
      [reasoning('to blank'), said('  \n'), reasoning('to search'), searched(), reasoning('kept'), said('Text.')],
      sse(...begun(reasoning('to nothing')), ...cut, 'cut'),
      [reasoning('well'), said('Fine.')],
    );
    const { session } = start();
    await session.send(hello).turn;
    expect(await session.send(hello).turn).toMatchObject({ end: 'error' });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(server.problems).toEqual([]);
    expect(input(2).map(({ type }) => type)).toEqual(['message', 'reasoning', 'message', 'message', 'message']);
  });

  it('is taken out when the server can read it no more, and the session goes on', async () => {
    server.play([reasoning('a'), called('c1', 'read', '{"on":"a"}')], [said('Read.')], [reasoning('b'), called('c2', 'read', '{}')], [said('Done.')]);
    const { session } = start();
    await session.send(hello).turn;
    const elsewhere = await startResponsesServer();
    elsewhere.play([reasoning('b'), called('c2', 'read', '{}')], [said('Done.')]);
    session.setModel(providerFor(elsewhere), MODEL);
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(elsewhere.problems).toEqual([expect.stringContaining('could not be verified')]);
    // Refused once: the second round sends its own reasoning, and none of that which cannot be read.
    expect(elsewhere.requests).toHaveLength(3);
    expect(((elsewhere.requests[2]?.body['input'] ?? []) as Item[]).filter(({ type }) => type === 'reasoning')).toHaveLength(1);
    await elsewhere.close();
  });
});

it('drops the reasoning of other models and nothing else: Claude, GPT, another GPT, chat completions, and back', async () => {
  const claude = await startModelServer();
  const chat = await startOpenAiServer(() => sse(chunk({ content: 'From chat.' }, 'stop'), DONE));
  claude.setScript((_, n) => reply().thinking('hm', 'c2ln').text(`Claude ${n}.`));
  server.play([reasoning('gpt'), called('c1', 'read', '{"on":"a"}')], [said('GPT.')], [reasoning('other'), said('Other GPT.')], [said('GPT again.')]);
  const { session } = start();
  const anthropic = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => claude.url });
  const other = openAiModelInfo('openai', presetOf('openai'), 'gpt-5.2');
  const overChat = providerFor(chat, 'openai', { preset: { ...presetOf('openai'), api: 'chat' } });
  for (const [provider, model] of [
    [anthropic, anthropicModelInfo('claude-opus-5-5')],
    [providerFor(server), MODEL],
    [providerFor(server), other],
    [overChat, MODEL],
    [anthropic, anthropicModelInfo('claude-opus-5-5')],
    [providerFor(server), MODEL],
  ] as const) {
    session.setModel(provider, model);
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
  }
  expect(server.problems).toEqual([]);
  expect(claude.requests.map(({ problem }) => problem)).toEqual([undefined, undefined]);
  expect(input(2).map(({ type }) => type)).toEqual(['message', 'message', 'message', 'function_call', 'function_call_output', 'message', 'message']);
  expect(chat.requests[0]?.body.messages?.map(({ role }) => role)).toEqual([
    'developer',
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
    'assistant',
    'user',
    'assistant',
    'user',
  ]);
  expect(chat.requests[0]?.raw).not.toContain('rs_');
  expect(input(3).filter(({ type }) => type === 'reasoning')).toHaveLength(1);
  await Promise.all([claude.close(), chat.close()]);
});

describe('a turn', () => {
  it('ends with a clear message and loses nothing when the key expires in its middle', async () => {
    server.play(
      [reasoning('a'), called('c1', 'read', '{"on":"a"}')],
      json({ error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' } }, 401),
      [said('Read.')],
    );
    const { session } = start();
    const turn = await session.send(hello).turn;
    expect(turn).toMatchObject({
      end: 'error',
      error: { kind: 'authentication', message: expect.stringMatching(/rejected the API key.*Gnomon: Set API Key/) as string },
    });
    expect(outline(session.messages)).toEqual(['user: hello', 'assistant(tool_use): (a) read#c1', 'result#c1: read a']);
    expect(await session.send([{ type: 'text', text: 'go on' }]).turn).toMatchObject({ end: 'end_turn' });
    expect(input(2).map(({ type }) => type)).toEqual(['message', 'reasoning', 'function_call', 'function_call_output', 'message']);
    expect(server.problems).toEqual([]);
  });

  it('goes on after an answer that its limit cut off in a call', async () => {
    const cut = event('response.incomplete', {
      response: { object: 'response', status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage: USAGE },
    });
    const first = reasoning('a');
    server.play(sse(...begun(first), ...open(called('c1', 'read', '{"on":"a'), 1), cut), [said('Then so.')]);
    const { session } = start();
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(input(1).slice(-2)).toMatchObject([
      { type: 'function_call', arguments: '{"unparsed_arguments":"{\\"on\\":\\"a"}' },
      { type: 'function_call_output', output: expect.stringContaining('length limit') as string },
    ]);
  });

  it('is asked again after a failure that passes', async () => {
    const failed = event('response.failed', { response: { object: 'response', status: 'failed', error: { code: 'server_error', message: 'Oops' } } });
    server.play(sse(...begun(said('Half')), failed), answer(said('Whole.')));
    const it = rig({ maxRetries: 1, wait: () => Promise.resolve() });
    it.session.setModel(providerFor(server), MODEL);
    expect(await it.session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(input(1)).toEqual(input(0));
  });
});
