import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AssistantMessage, toolCalls } from '../../../../src/domain/model/message.js';
import type { Provider } from '../../../../src/domain/model/provider.js';
import type { StreamEvent } from '../../../../src/domain/model/stream-event.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import {
  type ModelServer,
  reply,
  type SseStyle,
  startModelServer,
  type StreamReply,
  textBlock,
  thinkingBlock,
  toolBlock,
  twelveCharacters,
  type WireEvent,
} from '../../../support/model-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { never, NOW, providerFor, request, result, user } from './rig.js';
import { ALL_RUNS } from '../../../support/runs.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
beforeEach(() => server.setScript(() => reply().text('no script')));
afterAll(() => server.close());

async function play(answer: StreamReply): Promise<{ events: StreamEvent[]; message: AssistantMessage }> {
  server.setScript(() => answer);
  const stream = providerFor(server).stream(request({ effort: 'medium' }), never());
  const events = await drain(stream);
  return { events, message: stream.message() };
}

/** Text, thinking and interleaved calls with characters of one to four bytes and of several code points. */
const RICH = reply()
  .thinking(['Überlegen ', '思考 🤔'], 'c2lnbmF0dXJl+/=')
  .interleaved(textBlock('Ich lese ', '世界 👩‍👩‍👧 ', 'e\u0301'), toolBlock('read', { path: 'src/日本語/😀.ts', n: 1 }, { id: 'toolu_a' }))
  .toolCall('grep', '', { id: 'toolu_b', chunks: ['{"pattern":"', '\\u20ac €', ' 𝒳"}'] })
  .usage({ input_tokens: 3, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 }, { output_tokens: 77 });

const RICH_MESSAGE: AssistantMessage = {
  role: 'assistant',
  content: [
    { type: 'thinking', thinking: 'Überlegen 思考 🤔', signature: new TextEncoder().encode('c2lnbmF0dXJl+/=') },
    { type: 'text', text: 'Ich lese 世界 👩‍👩‍👧 e\u0301' },
    { type: 'tool_call', id: 'toolu_a', name: 'read', arguments: '{"path":"src/日本語/😀.ts","n":1}' },
    { type: 'tool_call', id: 'toolu_b', name: 'grep', arguments: '{"pattern":"\\u20ac € 𝒳"}' },
  ],
  stopReason: 'tool_use',
  rawStopReason: 'tool_use',
  usage: { inputTokens: 3, outputTokens: 77, cacheReadTokens: 100, cacheWriteTokens: 20 },
  timestamp: NOW,
};

describe('the bytes of the stream', () => {
  it('stream-01 gives the same message in one piece, and byte by byte', async () => {
    expect((await play(RICH)).message).toEqual(RICH_MESSAGE);
    expect((await play(RICH.chunked(1_000_000))).message).toEqual(RICH_MESSAGE);
    expect((await play(RICH.chunked(1))).message).toEqual(RICH_MESSAGE);
  });

  it('stream-01 gives the same message cut in two at every byte', async () => {
    const short = reply().text('é世', '👍').toolCall('t', { a: '界😀' }, { id: 'c' });
    const { message } = await play(short);
    expect(message.content).toMatchObject([{ text: 'é世👍' }, { arguments: '{"a":"界😀"}' }]);
    const whole = await rawStream();
    expect(whole.length).toBeGreaterThan(500);
    // Every cut within a character, and next to one.
    const isWide = (at: number): boolean => (whole[at] ?? 0) >= 0x80 || (whole[at - 1] ?? 0) >= 0x80;
    for (const at of Array.from(whole.keys())
      .slice(1)
      .filter((place) => ALL_RUNS || place % 5 === 0 || isWide(place))) {
      const stream = cutProvider(whole, at).stream(request(), never());
      await drain(stream);
      expect(stream.message(), `cut at byte ${at}`).toEqual(message);
    }
  });

  it.each<[string, SseStyle]>([
    ['CRLF', { eol: '\r\n' }],
    ['CR', { eol: '\r' }],
    ['comments', { comments: true }],
    ['pings', { pings: true }],
    ['no space after the colon', { noSpace: true }],
    ['a byte-order mark', { bom: true }],
    ['data over several lines', { multiLine: true }],
    ['no names of events', { dataOnly: true }],
    ['no names of events, and pings', { dataOnly: true, pings: true, eol: '\r\n' }],
    ['everything together', { eol: '\r\n', comments: true, pings: true, noSpace: true, bom: true, multiLine: true }],
  ])('stream-02 reads %s the same, in one piece and byte by byte', async (_, style) => {
    expect((await play(RICH.style(style))).message).toEqual(RICH_MESSAGE);
    // Without a connection between, which stream-01 has for bytes: each would be a packet of its own.
    const stream = pieceProvider(Array.from(await rawStream(), (byte) => Uint8Array.of(byte))).stream(request({ effort: 'medium' }), never());
    await drain(stream);
    expect(stream.message()).toEqual(RICH_MESSAGE);
  });

  it('stream-02 passes over events, blocks and deltas that it does not know', async () => {
    const { events, message } = await play(
      reply()
        .events({ type: 'new_event', index: 0, delta: { type: 'text_delta', text: 'not for us' } })
        .text('before ')
        .events(
          { type: 'content_block_start', index: 1, content_block: { type: 'server_tool_use', id: 's', name: 'web_search', input: {} } },
          { type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"q":1}' } },
          { type: 'content_block_stop', index: 1 },
          { type: 'content_block_start', index: 2, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 2, delta: { type: 'citations_delta', citation: {} } },
          { type: 'content_block_delta', index: 2, delta: { type: 'text_delta', text: 'after' } },
          { type: 'content_block_stop', index: 2 },
        )
        .raw('event: vendor\ndata: {"type":"vendor"}\n\n'),
    );
    expect(message.content).toEqual([
      { type: 'text', text: 'before ' },
      { type: 'text', text: 'after' },
    ]);
    expect(events).toHaveLength(2);
    expect(message.stopReason).toBe('end_turn');
  });

  it('stream-02 ends with [DONE], as gateways to another API write it', async () => {
    const { message } = await play(reply().text('all').raw('data: [DONE]\n\n').style({ dataOnly: true }));
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'all' }], stopReason: 'end_turn' });
  });

  it('passes over what comes behind the end of the answer, also in one piece with it', async () => {
    server.setScript(() => reply().text('all'));
    const whole = Buffer.from(await rawStream()).toString();
    const more = 'event: error\ndata: {"type":"error","error":{"type":"overloaded_error"}}\n\ndata: {bro\n\n';
    const stream = cutProvider(Buffer.from(`${whole}${more}`), Buffer.byteLength(whole.slice(0, whole.indexOf('event: message_stop')))).stream(
      request(),
      never(),
    );
    await drain(stream);
    expect(stream.message()).toMatchObject({ content: [{ type: 'text', text: 'all' }], stopReason: 'end_turn' });
  });

  /** What the server sends over the wire. */
  async function rawStream(): Promise<Uint8Array> {
    const body = { model: 'm', max_tokens: 9, stream: true, messages: [{ role: 'user', content: 'x' }] };
    const headers = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2026-10-21' };
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body) });
    return new Uint8Array(await response.arrayBuffer());
  }

  /** A provider that receives these bytes in two pieces. */
  function cutProvider(bytes: Uint8Array, at: number): Provider {
    return pieceProvider([bytes.slice(0, at), bytes.slice(at)]);
  }

  /** A provider that receives these pieces. */
  function pieceProvider(pieces: readonly Uint8Array[]): Provider {
    const body = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start: (controller) => {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      });
    const headers = { 'content-type': 'text/event-stream' };
    return createAnthropicProvider({
      apiKey: () => Promise.resolve('k'),
      baseUrl: () => undefined,
      now: () => NOW,
      fetch: () => Promise.resolve(new Response(body(), { headers })),
    });
  }
});

describe('blocks', () => {
  it('stream-14 keeps blocks apart that interleave and begin out of order', async () => {
    const events: WireEvent[] = [
      { type: 'content_block_start', index: 4, content_block: { type: 'text', text: 'four' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 4, delta: { type: 'text_delta', text: ' 4' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'one' } },
      { type: 'content_block_stop', index: 4 },
      { type: 'content_block_stop', index: 1 },
    ];
    const { message } = await play(reply().events(...events));
    expect(message.content).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: 'four 4' },
    ]);
  });

  it('stream-14 takes text whose block was never closed', async () => {
    const { message } = await play(
      reply().events(
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'open' } },
      ),
    );
    expect(message.content).toEqual([{ type: 'text', text: 'open' }]);
  });

  it.each<[string, StreamReply]>([
    [
      'stream-14 a delta for a block that never began',
      reply()
        .text('kept')
        .events({ type: 'content_block_delta', index: 5, delta: { type: 'text_delta', text: 'x' } }),
    ],
    [
      'stream-14 a block that begins twice',
      reply()
        .text('kept')
        .events(callStart(1, 'a', 'read'), callStart(1, 'b', 'read')),
    ],
    [
      'a delta without its text',
      reply()
        .text('kept')
        .events(
          { type: 'content_block_start', index: 1, content_block: { type: 'text' } },
          { type: 'content_block_delta', index: 1, delta: { type: 'text_delta' } },
        ),
    ],
    [
      'a delta that is none',
      reply()
        .text('kept')
        .events({ type: 'content_block_start', index: 1, content_block: { type: 'text' } }, { type: 'content_block_delta', index: 1 }),
    ],
    ['an event that is nothing', reply().text('kept').raw('event: content_block_delta\ndata: null\n\n')],
    ['an event that is not JSON', reply().text('kept').raw('event: content_block_delta\ndata: {"type":\n\n')],
  ])('says that the answer is not well-formed for %s', async (_, answer) => {
    server.setScript(() => answer);
    const stream = providerFor(server).stream(request(), never());
    const error = await failure(drain(stream));
    expect(error).toMatchObject({ name: 'ProviderError', kind: 'protocol', fact: expect.not.stringMatching(/try again/i) as string });
    expect(stream.message()).toMatchObject({ stopReason: 'error' });
    expect(stream.message().content[0]).toEqual({ type: 'text', text: 'kept' });
  });

  it.each<[string, StreamReply, readonly string[]]>([
    [
      'stream-14 a call that is never closed',
      reply()
        .events(callStart(0, 'a', 'read'), { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"n":1}' } })
        .stop('tool_use'),
      ['a {"n":1}'],
    ],
    [
      'stream-15 two calls with one id',
      reply().toolCall('read', { n: 1 }, { id: 'a' }).toolCall('read', { n: 2 }, { id: 'a' }),
      ['a {"n":1}', 'call_1 {"n":2}'],
    ],
    [
      'stream-15 calls without an id',
      reply().toolCall('read', { n: 1 }, { id: '' }).toolCall('read', { n: 2 }, { id: '' }),
      ['call_0 {"n":1}', 'call_1 {"n":2}'],
    ],
    [
      'a call whose id is a number',
      reply()
        .events(
          { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 7, name: 'read', input: { n: 1 } } },
          { type: 'content_block_stop', index: 0 },
        )
        .stop('tool_use'),
      ['call_0 {"n":1}'],
    ],
  ])('repairs %s', async (_, answer, calls) => {
    const { message } = await play(answer);
    expect(toolCalls(message).map(({ id, arguments: args }) => `${id} ${args}`)).toEqual(calls);
  });

  const begin = (index: number | undefined, block: object): WireEvent => ({
    type: 'content_block_start',
    ...(index === undefined ? {} : { index }),
    content_block: block,
  });
  const grow = (index: number | undefined, delta: object | null): WireEvent => ({
    type: 'content_block_delta',
    ...(index === undefined ? {} : { index }),
    delta,
  });
  const stop = (index: number | undefined): WireEvent => ({ type: 'content_block_stop', ...(index === undefined ? {} : { index }) });

  it.each([[0], [undefined]])('reads the blocks of a gateway that numbers all of them %s, and passes over a delta that is nothing', async (index) => {
    const events = [
      ...[begin(index, { type: 'text', text: '' }), grow(index, { type: 'text_delta', text: 'kept' }), grow(index, null), stop(index)],
      ...[
        begin(index, { type: 'tool_use', id: 'a', name: 'read', input: {} }),
        grow(index, { type: 'input_json_delta', partial_json: '{"n":1}' }),
        stop(index),
      ],
    ];
    const { message } = await play(
      reply()
        .events(...events)
        .stop('tool_use'),
    );
    expect(message.content).toMatchObject([
      { type: 'text', text: 'kept' },
      { type: 'tool_call', id: 'a', arguments: '{"n":1}' },
    ]);
  });

  it('stream-15 takes an id of 300 characters and sends it back unchanged', async () => {
    const id = `toolu_${'x'.repeat(294)}`;
    const { message } = await play(reply().toolCall('read', { a: 1 }, { id }));
    await play(reply().text('done'));
    server.setScript(() => reply().text('ok'));
    const stream = providerFor(server).stream(request({ messages: [user('Hi'), message, result(id, 'content')] }), never());
    await drain(stream);
    expect(server.requests.at(-1)?.problem).toBeUndefined();
  });

  it('takes arguments that came whole at the beginning, as some endpoints send them', async () => {
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'a', name: 'read', input: { path: 'x' } } };
    const { message } = await play(reply().events(start, { type: 'content_block_stop', index: 0 }).stop('tool_use'));
    expect(toolCalls(message)).toMatchObject([{ arguments: '{"path":"x"}' }]);
  });

  it('stream-05 leaves a call unfinished that max_tokens cut off, and the next request is valid', async () => {
    const { message } = await play(
      reply()
        .events(callStart(0, 'toolu_cut', 'write'))
        .events({ type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"path":"a","content":"hal' } })
        .stop('max_tokens'),
    );
    expect(message).toMatchObject({ stopReason: 'length', rawStopReason: 'max_tokens' });
    expect(toolCalls(message)).toEqual([{ type: 'tool_call', id: 'toolu_cut', name: 'write', arguments: '{"path":"a","content":"hal' }]);
    server.setScript(() => reply().text('ok'));
    const messages = [user('Hi'), message, result('toolu_cut', 'not executed: it was cut off', true)];
    await drain(providerFor(server).stream(request({ messages }), never()));
    expect(server.requests.at(-1)).toMatchObject({ problem: undefined, body: { messages: [{}, { content: [{ input: {} }] }, {}] } });
  });
});

describe('thinking', () => {
  it('stream-20 G22 sends signatures and encrypted thinking back byte for byte', async () => {
    const signature = `${'A1+/'.repeat(300)}é世==`;
    const redacted = `${'Zz+/'.repeat(300)}==`;
    const first = await play(
      reply()
        .thinking(['Step ', 'one'], signature)
        .redacted(redacted)
        .thinking('', 'only-a-signature')
        .text('Reading.')
        .toolCall('read', { path: 'a' }, { id: 'c1' }),
    );
    server.setScript(() => reply().text('done'));
    const messages = [user('Hello'), first.message, result('c1', 'content')];
    await drain(providerFor(server).stream(request({ messages, effort: 'medium' }), never()));
    const sent = server.requests.at(-1);
    // The server knows what it signed and refuses anything else.
    expect(sent?.problem).toBeUndefined();
    expect(sent?.body.messages[1]?.content).toEqual([
      { type: 'thinking', thinking: 'Step one', signature },
      { type: 'redacted_thinking', data: redacted },
      { type: 'thinking', thinking: '', signature: 'only-a-signature' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } },
    ]);
  });

  it('stream-20 leaves out thinking that was never signed', async () => {
    server.setScript(() => reply().block(thinkingBlock('cut off in the middle')).cut());
    const stream = providerFor(server).stream(request(), never());
    await failure(drain(stream));
    expect(stream.message().content).toEqual([{ type: 'thinking', thinking: 'cut off in the middle' }]);
    server.setScript(() => reply().text('ok'));
    await drain(providerFor(server).stream(request({ messages: [user('Hi'), stream.message(), user('Again')] }), never()));
    expect(server.requests.at(-1)).toMatchObject({ problem: undefined, body: { messages: [{ role: 'user' }] } });
  });

  it('shows thinking as it arrives and says nothing of signatures', async () => {
    const { events } = await play(reply().thinking(['a', 'b'], 'sig').redacted('data').text('c'));
    expect(events.map((event) => event.type)).toEqual(['thinking_delta', 'thinking_delta', 'text_delta']);
  });
});

describe('the end', () => {
  it.each([
    ['end_turn', 'end_turn'],
    ['stop_sequence', 'end_turn'],
    ['max_tokens', 'length'],
    ['tool_use', 'tool_use'],
    ['refusal', 'unknown'],
    ['pause_turn', 'unknown'],
    ['model_context_window_exceeded', 'unknown'],
    ['something_new', 'unknown'],
  ])('stream-12 P3 maps the stop reason %s to %s and keeps the word', async (raw, stopReason) => {
    const { message } = await play(reply().text('x').stop(raw));
    expect(message).toMatchObject({ stopReason, rawStopReason: raw });
  });

  it('stream-25 counts usage once, whatever is repeated', async () => {
    const start = { input_tokens: 7, output_tokens: 3, cache_read_input_tokens: 50, cache_creation_input_tokens: 9 };
    const again = { type: 'message_start', message: { usage: start } };
    const { message } = await play(reply().text('x').events(again).usage(start, { input_tokens: 0, output_tokens: 40, cache_read_input_tokens: 50 }));
    expect(message.usage).toEqual({ inputTokens: 7, outputTokens: 40, cacheReadTokens: 50, cacheWriteTokens: 9 });
  });

  it('tells what was written for an hour from the rest, whatever is repeated or odd', async () => {
    const usageOf = async (...creations: readonly unknown[]): Promise<unknown> => {
      const events = creations.map((cache_creation) => ({ type: 'message_delta', delta: {}, usage: { cache_creation_input_tokens: 9, cache_creation } }));
      return (
        await play(
          reply()
            .text('x')
            .events(...events),
        )
      ).message.usage;
    };
    expect(await usageOf({ ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 7 }, null)).toMatchObject({ cacheWriteTokens: 9, hourCacheWriteTokens: 7 });
    expect(await usageOf({ ephemeral_1h_input_tokens: 20 })).toMatchObject({ cacheWriteTokens: 20, hourCacheWriteTokens: 20 });
    for (const odd of [null, 7, 'x', {}, { ephemeral_1h_input_tokens: -1 }, { ephemeral_1h_input_tokens: '7' }])
      expect(await usageOf(odd)).not.toHaveProperty('hourCacheWriteTokens');
  });

  it('takes what the person has to pay for also from an answer that broke off', async () => {
    server.setScript(() => reply().usage({ input_tokens: 7, output_tokens: 3 }).text('x').cut());
    const stream = providerFor(server).stream(request(), never());
    await failure(drain(stream));
    expect(stream.message().usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
  });

  it('is the end of the answer, also when the connection breaks right after', async () => {
    server.setScript(() =>
      reply()
        .text('whole')
        .events({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 5 } }, { type: 'message_stop' })
        .cut(),
    );
    const stream = providerFor(server).stream(request(), never());
    await drain(stream);
    expect(stream.message()).toMatchObject({ stopReason: 'end_turn', content: [{ text: 'whole' }] });
  });

  it('uses connections again', async () => {
    const own = await startModelServer({ script: () => reply().text('x') });
    for (let n = 0; n < 8; n += 1) await drain(providerFor(own).stream(request(), never()));
    // The platform's fetch keeps two in turn when one request follows the other at once.
    expect(new Set(own.requests.map((seen) => seen.remotePort)).size).toBeLessThanOrEqual(2);
    await own.close();
  });
});

it('gives all of 20,000 deltas, in order', async () => {
  const { events, message } = await play(reply().bulk(20_000, twelveCharacters));
  expect(events).toHaveLength(20_000);
  expect(message.content).toEqual([{ type: 'text', text: Array.from({ length: 20_000 }, (_, n) => twelveCharacters(n)).join('') }]);
});

function callStart(index: number, id: string, name: string): WireEvent {
  return { type: 'content_block_start', index, content_block: { type: 'tool_use', id, name, input: {} } };
}
