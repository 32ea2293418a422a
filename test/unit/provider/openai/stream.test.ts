import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type AssistantMessage, textContent, toolCalls } from '../../../../src/domain/model/message.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { PRESET_IDS, type PresetId, presetOf } from '../../../../src/provider/openai/models/presets.js';
import { chunk, DONE, frame, json, type OpenAiServer, SHAPES, sse, startOpenAiServer, type Step } from '../../../support/openai-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { never, NOW, play, providerFor, request } from './rig.js';
import { says } from '../../../support/wording.js';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

const TEXTS = ['Ich lese ', '世界 👩‍👩‍👧 ', 'e\u0301'];
const CALLS = [
  { id: 'call00001', name: 'read', place: 0, deltas: ['{"path":"src/日本', '語/😀.ts",', '"n":12345678901234567890}'] },
  { id: 'call00002', name: 'grep', place: 1, deltas: ['{"pattern":"\\u20ac €', ' 𝒳"}'] },
];

/** A whole answer in the form of a server: thinking, text and two calls whose pieces take turns. */
function rich(id: PresetId): readonly Step[] {
  const shape = SHAPES[id]();
  const [first, second] = CALLS;
  if (first === undefined || second === undefined) throw new Error('two calls are needed');
  const piece = (call: typeof first, n: number): readonly Step[] => shape.call(call, call.deltas[n] ?? '', n === 0);
  return [
    ...shape.thinking('Überlegen '),
    ...shape.thinking('思考 🤔'),
    ...TEXTS.flatMap((text) => shape.text(text)),
    ...[piece(first, 0), piece(second, 0), piece(first, 1), piece(second, 1), piece(first, 2)].flat(),
    ...shape.end(true),
  ];
}

function wireText(steps: readonly Step[]): string {
  return steps
    .map((step) => (typeof step !== 'string' && 'raw' in step ? step.raw : typeof step !== 'string' && 'data' in step ? frame(step.data) : ''))
    .join('');
}

/** What an answer becomes that arrives in these pieces. */
async function received(pieces: readonly Uint8Array[], id: PresetId): Promise<AssistantMessage> {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
  const provider = createOpenAiProvider({
    name: id,
    preset: presetOf(id),
    apiKey: () => Promise.resolve('k'),
    baseUrl: () => undefined,
    now: () => NOW,
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
  });
  const stream = provider.stream(request(), never());
  await drain(stream);
  return stream.message();
}

describe.each(PRESET_IDS)('the answers of %s', (id) => {
  const shows = id !== 'openai' && id !== 'gemini';

  it('stream-14 become one message: thinking, text, and calls that interleaved', async () => {
    const { message } = await play(server, sse(...rich(id)), id);
    expect(message.content.filter((block) => block.type === 'thinking').map((block) => block.thinking)).toEqual(shows ? ['Überlegen 思考 🤔'] : []);
    expect(textContent(message)).toBe(TEXTS.join(''));
    expect(toolCalls(message).map((call) => [call.id, call.name, call.arguments])).toEqual(
      CALLS.map(({ id: callId, name, deltas }) => [callId, name, deltas.join('')]),
    );
    expect(message.stopReason).toBe('tool_use');
    expect(message.timestamp).toBe(NOW);
  });

  it('stream-25 count usage once, cached tokens apart', async () => {
    const { message } = await play(server, sse(...SHAPES[id]().text('x'), ...SHAPES[id]().end(false)), id);
    const cached = id === 'lmstudio' ? 0 : 40;
    expect(message.usage).toEqual({ inputTokens: 100 - cached, outputTokens: 20, cacheReadTokens: cached, cacheWriteTokens: 0 });
  });

  it('stream-01 are the same cut in two in many places, and byte by byte', async () => {
    const bytes = new TextEncoder().encode(wireText([...SHAPES[id]().text('é👍'), ...rich(id).slice(-4)]));
    const whole = await received([bytes], id);
    for (let at = 1; at < bytes.length; at += 29) {
      expect(await received([bytes.slice(0, at), bytes.slice(at)], id), `cut at byte ${at}`).toEqual(whole);
    }
    expect(
      await received(
        Array.from(bytes, (byte) => Uint8Array.of(byte)),
        id,
      ),
    ).toEqual(whole);
  });

  it('stream-02 are the same with CRLF, comments, no space after the colon, a byte-order mark, and without [DONE]', async () => {
    const text = wireText(rich(id));
    const whole = await received([new TextEncoder().encode(text)], id);
    const styles = [
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n\n', '\n\n: ping\n\n'),
      text.replaceAll('data: ', 'data:'),
      `\uFEFF${text}`,
      text.replace('data: [DONE]\n\n', ''),
      text.replace(/data: \[DONE\]\n\n$/, 'data: [DONE]'),
    ];
    for (const style of styles) expect(await received([new TextEncoder().encode(style)], id)).toEqual(whole);
  });
});

it('stream-01 an answer is the same cut in two at every byte', async () => {
  const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{"a":"界😀"}' } };
  const deltas = [{ content: 'é世👍' }, { tool_calls: [call] }];
  const frames = [
    ...deltas.map((delta) => frame({ choices: [{ delta }] })),
    frame({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] }),
    'data: [DONE]\n\n',
  ];
  const bytes = new TextEncoder().encode(frames.join(''));
  const whole = await received([bytes], 'openai');
  expect(whole.content).toMatchObject([{ text: 'é世👍' }, { arguments: '{"a":"界😀"}' }]);
  for (let at = 1; at < bytes.length; at += 1) {
    expect(await received([bytes.slice(0, at), bytes.slice(at)], 'openai'), `cut at byte ${at}`).toEqual(whole);
  }
});

describe('calls as servers send them', () => {
  const end = [chunk({}, 'tool_calls'), DONE];
  const fn = (name: string | undefined, args: unknown): object => ({
    type: 'function',
    function: { ...(name === undefined ? {} : { name }), arguments: args },
  });

  it.each<[string, readonly object[], readonly [string, string][]]>([
    ['the whole call in one piece', [{ index: 0, id: 'a', ...fn('read', '{"a":1}') }], [['read', '{"a":1}']]],
    [
      'without an id',
      [
        { index: 0, ...fn('read', '{"a"') },
        { index: 0, ...fn(undefined, ':1}') },
      ],
      [['read', '{"a":1}']],
    ],
    [
      'with an empty id',
      [
        { index: 0, id: '', ...fn('read', '{}') },
        { index: 1, id: '', ...fn('grep', '{}') },
      ],
      [
        ['read', '{}'],
        ['grep', '{}'],
      ],
    ],
    [
      'without a number, the id in each piece',
      [
        { id: 'a', ...fn('read', '{"a"') },
        { id: 'b', ...fn('grep', '{}') },
        { id: 'a', ...fn(undefined, ':1}') },
      ],
      [
        ['read', '{"a":1}'],
        ['grep', '{}'],
      ],
    ],
    [
      'without number and id',
      [fn('read', '{"a"'), fn(undefined, ':1}'), fn('read', '{"b":2}')],
      [
        ['read', '{"a":1}'],
        ['read', '{"b":2}'],
      ],
    ],
    [
      'with id and name in each piece',
      [
        { index: 0, id: 'a', ...fn('read', '{"a"') },
        { index: 0, id: 'a', ...fn('read', ':1}') },
      ],
      [['read', '{"a":1}']],
    ],
    [
      'with a new id in each piece',
      [
        { index: 0, id: 'a', ...fn('read', '{"a"') },
        { index: 0, id: 'b', ...fn(undefined, ':1}') },
      ],
      [['read', '{"a":1}']],
    ],
    [
      'several with one number',
      [
        { index: 0, id: 'a', ...fn('read', '{"a":1}') },
        { index: 0, id: 'b', ...fn('read', '{"b":2}') },
      ],
      [
        ['read', '{"a":1}'],
        ['read', '{"b":2}'],
      ],
    ],
    [
      'several with one number and no id',
      [
        { index: 0, ...fn('read', '{"a":1}') },
        { index: 0, ...fn('read', '{"b":2}') },
      ],
      [
        ['read', '{"a":1}'],
        ['read', '{"b":2}'],
      ],
    ],
    [
      'several with one id',
      [
        { index: 0, id: 'a', ...fn('read', '{"a":1}') },
        { index: 1, id: 'a', ...fn('read', '{"b":2}') },
      ],
      [
        ['read', '{"a":1}'],
        ['read', '{"b":2}'],
      ],
    ],
    [
      'in another order than their numbers',
      [
        { index: 1, id: 'b', ...fn('grep', '{}') },
        { index: 0, id: 'a', ...fn('read', '{}') },
      ],
      [
        ['read', '{}'],
        ['grep', '{}'],
      ],
    ],
    ['with an object for arguments', [{ index: 0, id: 'a', ...fn('read', { path: 'x', n: 1 }) }], [['read', '{"path":"x","n":1}']]],
    ['with null for arguments', [{ index: 0, id: 'a', ...fn('list', null) }], [['list', '{}']]],
    [
      'with a nonsense number',
      [
        { index: -1, id: 'a', ...fn('read', '{}') },
        { index: 1e15, id: 'b', ...fn('grep', '{}') },
      ],
      [
        ['read', '{}'],
        ['grep', '{}'],
      ],
    ],
    ['with pieces that belong to nothing', [fn(undefined, 'lost'), { index: 3 }, { index: 0, id: 'a', ...fn('read', '{}') }], [['read', '{}']]],
  ])('stream-14 stream-15 P50 %s', async (_, entries, expected) => {
    const one = await play(server, sse(...entries.map((entry) => chunk({ tool_calls: [entry] })), ...end));
    const together = await play(server, sse(chunk({ tool_calls: entries }), ...end));
    for (const { message } of [one, together]) {
      expect(toolCalls(message).map((call) => [call.name, call.arguments])).toEqual(expected);
      expect(new Set(toolCalls(message).map((call) => call.id)).size).toBe(expected.length);
      expect(toolCalls(message).every((call) => call.id !== '')).toBe(true);
    }
  });

  it('P50 the function_call of old', async () => {
    const { message } = await play(
      server,
      sse(chunk({ function_call: { name: 'read', arguments: '{"a"' } }), chunk({ function_call: { arguments: ':1}' } }), chunk({}, 'function_call'), DONE),
    );
    expect(toolCalls(message)).toMatchObject([{ name: 'read', arguments: '{"a":1}' }]);
    expect(message).toMatchObject({ stopReason: 'tool_use', rawStopReason: 'function_call' });
  });

  it('keeps text and calls of one chunk in order, and text after calls behind them', async () => {
    const { message } = await play(
      server,
      sse(chunk({ content: 'before', tool_calls: [{ index: 0, id: 'a', ...fn('read', '{}') }] }), chunk({ content: 'after' }), ...end),
    );
    expect(message.content).toMatchObject([{ text: 'before' }, { name: 'read' }, { text: 'after' }]);
  });

  it('stream-05 leaves a call unfinished that the limit cut off, and ends the whole one before it', async () => {
    const { events, message } = await play(
      server,
      sse(
        chunk({ tool_calls: [{ index: 0, id: 'a', ...fn('read', '{}') }] }),
        chunk({ tool_calls: [{ index: 1, id: 'b', ...fn('write', '{"content":"hal') }] }),
        chunk({}, 'length'),
        DONE,
      ),
    );
    expect(message).toMatchObject({ stopReason: 'length', rawStopReason: 'length' });
    expect(toolCalls(message)[1]?.arguments).toBe('{"content":"hal');
    expect(events.filter((event) => event.type === 'tool_call_end').map((event) => event.call.id)).toEqual(['a']);
  });
});

describe('the end', () => {
  const callChunk = chunk({ tool_calls: [{ index: 0, id: 'a', function: { name: 'read', arguments: '{}' } }] });

  it.each([
    ['stop', 'end_turn'],
    ['STOP', 'end_turn'],
    ['length', 'length'],
    ['content_filter', 'unknown'],
    ['something_new', 'unknown'],
    // Nothing to run: there is no call.
    ['tool_calls', 'end_turn'],
  ])('stream-12 P3 maps the stop reason %s to %s and keeps the word', async (raw, stopReason) => {
    const { message } = await play(server, sse(chunk({ content: 'x' }), chunk({}, raw), DONE));
    expect(message).toMatchObject({ stopReason, rawStopReason: raw });
  });

  it.each(['stop', 'tool_calls'])('stream-12 takes %s beside calls for a wish to run them', async (raw) => {
    const { message } = await play(server, sse(callChunk, chunk({}, raw), DONE));
    expect(message).toMatchObject({ stopReason: 'tool_use', rawStopReason: raw });
  });

  it('goes on when stop comes with every chunk', async () => {
    const { message } = await play(server, sse(chunk({ content: 'a' }, 'stop'), chunk({ content: 'b' }, 'stop'), DONE));
    expect(textContent(message)).toBe('ab');
    expect(message.content).toHaveLength(1);
  });

  it('stream-03 without a stop reason is a cut, and the partial answer is kept', async () => {
    server.setScript(() => sse(chunk({ content: 'so far' })));
    const stream = providerFor(server).stream(request(), never());
    expect(await failure(drain(stream))).toMatchObject({ kind: 'interrupted', fact: says('responseCutOff') });
    expect(stream.message()).toMatchObject({ stopReason: 'error', content: [{ text: 'so far' }] });
  });

  it('is the end of the answer, also when the connection breaks right after', async () => {
    const { message } = await play(server, sse(chunk({ content: 'whole' }), chunk({}, 'stop'), 'cut'));
    expect(message).toMatchObject({ stopReason: 'end_turn', content: [{ text: 'whole' }] });
  });

  it('does not wait for ever for a server that never ends its stream, and closes the connection', async () => {
    server.setScript(() => sse(chunk({ content: 'whole' }), chunk({}, 'stop'), 'stay open'));
    const stream = providerFor(server).stream(request(), never());
    await stream.next();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const end = stream.next();
      while (vi.getTimerCount() === 0) await turn();
      vi.advanceTimersByTime(15_000);
      expect(await end).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
    expect(stream.message()).toMatchObject({ stopReason: 'end_turn', content: [{ text: 'whole' }] });
    expect(await server.requests.at(-1)?.closedByClient).toBe(true);
  });

  it('stream-25 takes usage from a chunk after the end, and none where there is none', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3 };
    const late = await play(server, sse(chunk({ content: 'x' }, 'stop'), { data: { choices: [], usage } }, DONE));
    expect(late.message.usage).toMatchObject({ inputTokens: 7, outputTokens: 3 });
    const none = await play(server, sse(chunk({ content: 'x' }, 'stop'), DONE));
    expect(none.message.usage).toEqual({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
    const nonsense = await play(
      server,
      sse(chunk({ content: 'x' }, 'stop', { usage: { prompt_tokens: -5, completion_tokens: 'many', prompt_tokens_details: { cached_tokens: 1.5 } } }), DONE),
    );
    expect(nonsense.message.usage).toEqual({ inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 });
  });

  it('stream-25 counts tokens written to a cache apart', async () => {
    const usage = { prompt_tokens: 100, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 } };
    const { message } = await play(server, sse(chunk({ content: 'x' }, 'stop', { usage }), DONE));
    expect(message.usage).toEqual({ inputTokens: 10, outputTokens: 3, cacheReadTokens: 60, cacheWriteTokens: 30 });
  });
});

describe('content', () => {
  it('shows a refusal as text', async () => {
    const { message } = await play(server, sse(chunk({ content: null, refusal: 'I cannot ' }), chunk({ refusal: 'do that.' }), chunk({}, 'stop'), DONE));
    expect(textContent(message)).toBe('I cannot do that.');
  });

  it('shows the same thinking once that comes under two names', async () => {
    const { message } = await play(server, sse(chunk({ reasoning: 'hm', reasoning_content: 'hm' }), chunk({ content: 'x' }, 'stop'), DONE), 'vllm');
    expect(message.content).toMatchObject([{ type: 'thinking', thinking: 'hm' }, { type: 'text' }]);
  });

  it('passes over what it does not know, and over other choices', async () => {
    const { message } = await play(
      server,
      sse(
        { data: { prompt_filter_results: [], choices: [] } },
        { data: { choices: null } },
        {
          data: {
            choices: [
              { index: 1, delta: { content: 'another' } },
              { index: 0, delta: { content: [{ type: 'reference', ids: [1] }, 'x', null, { type: 'text', text: 'this' }] } },
            ],
          },
        },
        chunk({ content: 5, tool_calls: 'none', audio: { id: 'x' } }),
        chunk({}, 'stop'),
        DONE,
      ),
    );
    expect(message.content).toEqual([{ type: 'text', text: 'this' }]);
  });

  it.each(['null', '[]', '"text"', '{"choices":'])('says that the answer is not well-formed for %s', async (data) => {
    server.setScript(() => sse(chunk({ content: 'kept' }), { raw: `data: ${data}\n\n` }, chunk({}, 'stop'), DONE));
    const stream = providerFor(server).stream(request(), never());
    expect(await failure(drain(stream))).toMatchObject({ kind: 'protocol', fact: expect.not.stringMatching(/try again/i) as string });
    expect(textContent(stream.message())).toBe('kept');
  });

  it('takes an answer in one piece from a server that does not stream', async () => {
    const message = { role: 'assistant', content: 'Hi', tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{}' } }] };
    const played = await play(
      server,
      json({ object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: { prompt_tokens: 3, completion_tokens: 4 } }),
    );
    expect(played.message).toMatchObject({
      stopReason: 'tool_use',
      content: [{ text: 'Hi' }, { id: 'a', name: 'read' }],
      usage: { inputTokens: 3, outputTokens: 4 },
    });
  });

  it('gives all of 20,000 deltas, in order', async () => {
    const deltas = Array.from({ length: 20_000 }, (_, n) => `word ${n} `);
    const { events, message } = await play(
      server,
      sse({ raw: deltas.map((content) => frame({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })).join('') }, chunk({}, 'stop'), DONE),
    );
    expect(events).toHaveLength(20_000);
    expect(textContent(message)).toBe(deltas.join(''));
  });
});
