import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { Provider } from '../../../../src/domain/model/provider.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { presetOf } from '../../../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { never, request } from '../openai/rig.js';
import { runs } from '../../../support/runs.js';

/** An answer of “Hello” as each API streams it. */
const STREAMS = {
  messages: [
    { type: 'message_start', message: { usage: { input_tokens: 1, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ],
  chat: [{ choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }],
  responses: [
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hello' },
    { type: 'response.completed', response: { object: 'response', status: 'completed', output: [] } },
  ],
} as const;

/** The same in one piece. */
const WHOLE = {
  messages: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  chat: { object: 'chat.completion', choices: [{ index: 0, message: { content: 'Hello' }, finish_reason: 'stop' }] },
  responses: { object: 'response', status: 'completed', output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hello' }] }] },
} as const;

type Wire = keyof typeof STREAMS;

const WIRES = Object.keys(STREAMS) as readonly Wire[];

/** Bytes in pieces of these sizes, in turns; without sizes in one. */
function piecesOf(text: string, sizes: readonly number[]): Response['body'] {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  let turn = 0;
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) => {
      if (at >= bytes.length) {
        controller.close();
        return;
      }
      const size = sizes[turn++ % sizes.length] ?? bytes.length;
      controller.enqueue(bytes.subarray(at, at + size));
      at += size;
    },
  });
}

function providerOf(wire: Wire, answer: () => Response): Provider {
  const options = { apiKey: () => Promise.resolve('k'), baseUrl: () => undefined, fetch: () => Promise.resolve(answer()) };
  return wire === 'messages'
    ? createAnthropicProvider(options)
    : createOpenAiProvider({ ...options, name: 'x', preset: presetOf(wire === 'chat' ? 'deepseek' : 'openai') });
}

async function textOf(wire: Wire, answer: () => Response): Promise<string> {
  const stream = providerOf(wire, answer).stream(request({ model: 'gpt-5.2' }), never());
  await drain(stream);
  return stream
    .message()
    .content.map((block) => (block.type === 'text' ? block.text : ''))
    .join('');
}

async function errorOf(wire: Wire, answer: () => Response): Promise<ProviderError> {
  const error = await failure(drain(providerOf(wire, answer).stream(request({ model: 'gpt-5.2' }), never())));
  if (error instanceof ProviderError) return error;
  throw error;
}

function answered(body: string, type: string, sizes: readonly number[] = []): Response {
  const response = new Response(piecesOf(body, sizes));
  if (type === '') response.headers.delete('content-type');
  else response.headers.set('content-type', type);
  return response;
}

/** Types in any case, with and without parameters. */
const TYPE = fc
  .tuple(
    fc.constantFrom(
      '',
      'text/event-stream',
      'text/plain',
      'application/octet-stream',
      'application/json',
      'application/x-ndjson',
      'application/jsonl',
      'application/problem+json',
      'text/json',
      'binary/octet-stream',
      'x',
    ),
    fc.constantFrom('', ';charset=utf-8', '; Charset=UTF-8', ' ; charset="utf-8"; boundary=x'),
    fc.boolean(),
  )
  .map(([type, parameters, upper]) => (type === '' ? '' : `${upper ? type.toUpperCase() : type}${parameters}`));

const SIZES = fc.oneof(fc.constant<readonly number[]>([]), fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 4 }));
/** What may come before the first event. */
const BEFORE = fc.constantFrom(
  '',
  '\uFEFF',
  '\n\n',
  '\r\n',
  ': keep-alive\n\n',
  ':\n\n',
  'retry: 3000\n\n',
  'id: 1\n',
  'event: ping\ndata: {"type":"ping"}\n\n',
);

describe.each(WIRES)('an answer over %s', (wire) => {
  const named = wire !== 'chat';
  const stream = STREAMS[wire].map((event) => `${named && 'type' in event ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('');

  it('is read whatever the server says that it is, in whatever pieces it comes', async () => {
    await fc.assert(
      fc.asyncProperty(TYPE, SIZES, BEFORE, async (type, sizes, before) => {
        const first = wire === 'messages' || !before.startsWith('event') ? before : '';
        expect(await textOf(wire, () => answered(first + stream, type, sizes))).toBe('Hello');
      }),
      { numRuns: runs(30) },
    );
  });

  it('in one piece is read whatever the server says that it is', async () => {
    await fc.assert(
      fc.asyncProperty(TYPE, SIZES, fc.constantFrom('', ' \n', '\uFEFF'), async (type, sizes, before) => {
        expect(await textOf(wire, () => answered(before + JSON.stringify(WHOLE[wire], undefined, 2), type, sizes))).toBe('Hello');
      }),
      { numRuns: runs(20) },
    );
  });

  it.each([
    ['<!doctype html><title>Sign in</title>', 'text/html; charset=utf-8', 'a web page (content type text/html'],
    ['<!doctype html><title>Sign in</title>', 'TEXT/HTML', 'a web page (content type TEXT/HTML'],
    ['<html>Sign in</html>', 'text/plain', 'a web page (content type text/plain'],
    ['<html>Sign in</html>', '', 'a web page (content type not given'],
    ['{"ok":true}', 'application/json', 'a JSON document (content type application/json'],
    ['Ollama is running', 'text/plain', 'other content (content type text/plain'],
    ['database error', 'text/plain', 'other content (content type text/plain'],
    ['', 'text/plain', 'other content (content type text/plain'],
  ])('that is none is named by what it is: %s as %s', async (body, type, words) => {
    for (const sizes of [[], [1]]) {
      const error = await errorOf(wire, () => answered(body, type, sizes));
      expect(error.kind).toBe('not_a_stream');
      expect(error.message).toContain(words);
    }
  });

  it('that ends before it began was cut off', async () => {
    for (const type of ['text/event-stream', '']) expect((await errorOf(wire, () => answered('', type))).kind).toBe('interrupted');
  });
});

it('an error in one piece is named, whatever the server says that it is', async () => {
  for (const type of ['application/json', 'Text/Event-Stream', 'text/plain', '']) {
    const error = await errorOf('responses', () => answered('{"error":{"code":"rate_limit_exceeded","message":"Slow down"}}', type, [1]));
    expect(error.kind).toBe('rate_limit');
  }
});
