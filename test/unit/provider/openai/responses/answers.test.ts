import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../../src/domain/errors.js';
import type { AssistantMessage } from '../../../../../src/domain/model/message.js';
import type { StreamEvent } from '../../../../../src/domain/model/stream-event.js';
import { type Reply, html, json, sse } from '../../../../support/openai-server/index.js';
import {
  type Output,
  type ResponsesServer,
  answer,
  begun,
  called,
  event,
  interleaved,
  open,
  reasoning,
  refused,
  said,
  searched,
  startResponsesServer,
  USAGE,
} from '../../../../support/responses-server/index.js';
import { drain, failure } from '../../../../support/stream-conformance.js';
import { never, providerFor, request } from '../rig.js';

let server: ResponsesServer;
beforeAll(async () => {
  server = await startResponsesServer();
});
afterAll(() => server.close());

async function received(reply: Reply | readonly Output[]): Promise<{ events: StreamEvent[]; message: AssistantMessage }> {
  server.play(reply);
  const stream = providerFor(server).stream(request({ model: 'gpt-5.6-terra' }), never());
  const events = await drain(stream);
  return { events, message: stream.message() };
}

async function failing(reply: Reply): Promise<{ error: ProviderError; message: AssistantMessage }> {
  server.play(reply);
  const stream = providerFor(server).stream(request({ model: 'gpt-5.6-terra' }), never());
  const error = await failure(drain(stream));
  if (!(error instanceof ProviderError)) throw error;
  expect(error.message).not.toMatch(/[{}[\]]|<\w|undefined|null/);
  return { error, message: stream.message() };
}

const ended = (type: string, response: object): Reply =>
  sse(...begun(said('so far')), event(type, { response: { object: 'response', usage: USAGE, ...response } }));

describe('an answer', () => {
  it('has its items in their order, whatever order their deltas come in, and its tokens', async () => {
    const { message } = await received(
      interleaved(reasoning('One', 'Two'), said('Te', 'xt'), searched(), called('c1', 'read', '{"a"', ':1}'), called('c2', 'grep')),
    );
    expect(message).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'One\n\nTwo' },
        { type: 'text', text: 'Text' },
        { type: 'tool_call', id: 'c1', name: 'read', arguments: '{"a":1}' },
        { type: 'tool_call', id: 'c2', name: 'grep', arguments: '{}' },
      ],
      stopReason: 'tool_use',
      rawStopReason: 'completed',
      usage: { inputTokens: 60, cacheReadTokens: 40, cacheWriteTokens: 0, outputTokens: 20 },
    });
  });

  it('is the same when a gateway sends no deltas, or all in one piece', async () => {
    const outputs = [reasoning('One', 'Two'), said('Text'), called('c1', 'read', '{"a":1}')];
    const { message } = await received(outputs);
    const silent = await received(answer(...outputs.map((output) => ({ ...output, deltas: [] }))));
    const whole = await received(json({ object: 'response', status: 'completed', output: outputs.map(({ item }) => item), usage: USAGE, error: null }));
    for (const other of [silent, whole]) expect({ ...other.message, timestamp: '' }).toEqual({ ...message, timestamp: '' });
  });

  it('may be a refusal, whose words are text', async () => {
    const { message } = await received([refused('I ca', 'nnot.')]);
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'I cannot.' }], stopReason: 'unknown', rawStopReason: 'refusal' });
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'unknown'],
    ['of_next_year', 'unknown'],
  ])('that is incomplete for %s stops as %s', async (reason, stopReason) => {
    const { message } = await received(ended('response.incomplete', { incomplete_details: { reason } }));
    expect(message).toMatchObject({ content: [{ text: 'so far' }], stopReason, rawStopReason: reason, usage: { outputTokens: 20 } });
  });

  it('leaves reasoning unsigned to which nothing came any more', async () => {
    const cut = event('response.incomplete', { response: { incomplete_details: { reason: 'max_output_tokens' } } });
    const { message } = await received(sse(...begun(said('Text'), reasoning('cut')), cut));
    expect(message.content[1]).toEqual({ type: 'thinking', thinking: 'cut' });
  });

  it('may hold anything beside what is known', async () => {
    const odd = [
      event('response.output_text.delta', { output_index: -1, delta: 5 }),
      event('response.output_item.added', { output_index: 'x', item: null }),
      event('response.output_item.done', { output_index: 3, item: { type: 'function_call', name: '', call_id: 'c' } }),
      event('response.function_call_arguments.delta', { output_index: 77, delta: '{' }),
      event('response.output_item.done', { output_index: 4, item: { type: 'reasoning', id: 7, summary: 'x', encrypted_content: 9 } }),
      event('response.output_text.delta', { output_index: 5, delta: 'Text' }),
      event('response.completed', { response: { usage: { input_tokens: -5, output_tokens: 'many' } } }),
    ];
    const { message } = await received(sse(...odd));
    expect(message).toMatchObject({ content: [{ type: 'text', text: 'Text' }], stopReason: 'end_turn', usage: { inputTokens: 0, outputTokens: 0 } });
  });

  it('is complete when the connection breaks behind its end, and cut off before', async () => {
    const done = event('response.completed', { response: { usage: USAGE } });
    expect((await received(sse(...begun(said('Text')), done, 'cut'))).message.stopReason).toBe('end_turn');
    const { error, message } = await failing(sse(...begun(said('Text'))));
    expect(error.kind).toBe('interrupted');
    expect(message.content).toMatchObject([{ text: 'Text' }]);
  });
});

describe('a failure', () => {
  it.each([
    ['server_error', 'server'],
    ['rate_limit_exceeded', 'rate_limit'],
    ['insufficient_quota', 'quota'],
    ['context_length_exceeded', 'context_length'],
    ['invalid_prompt', 'refused_content'],
    ['bio_policy', 'refused_content'],
    ['image_parse_error', 'invalid_request'],
    ['model_not_found', 'not_found'],
  ])('stream-06 %s is %s in both forms; what came is kept, and the error is no part of it', async (code, kind) => {
    const forms = [
      ended('response.failed', { status: 'failed', error: { code, message: 'It went wrong.' } }),
      sse(...begun(said('so far')), event('error', { code, message: 'It went wrong.', param: null })),
      sse(...begun(said('so far')), event('error', { error: { type: 'x', code, message: 'It went wrong.' } })),
    ];
    for (const form of forms) {
      const { error, message } = await failing(form);
      expect(error.kind).toBe(kind);
      expect(message.content).toMatchObject([{ text: 'so far' }]);
    }
  });

  it.each<[string, Reply, string, RegExp]>([
    [
      'an unknown model',
      json({ error: { message: "The requested model 'gpt-9' does not exist.", code: 'model_not_found' } }, 404),
      'not_found',
      /gpt-9.*another model/,
    ],
    ['a server without this API', json({ detail: 'Not Found' }, 404), 'not_found', /gnomon\.providers/],
    ['a wrong key', json({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }, 401), 'authentication', /Set API Key/],
    [
      'a conversation that is too long',
      json({ error: { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' } }, 400),
      'context_length',
      /too long/,
    ],
    [
      'a failed answer in one piece',
      json({ object: 'response', status: 'failed', output: [], error: { code: 'server_error', message: 'Oops' } }),
      'server',
      /internal error/,
    ],
    ['a page', html('<html>Sign in</html>'), 'not_a_stream', /Responses API/],
    ['another document', json({ object: 'chat.completion', choices: [{ message: { content: 'x' } }] }), 'not_a_stream', /JSON document/],
  ])('stream-08 %s', async (_, reply, kind, words) => {
    const { error } = await failing(reply);
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(words);
  });

  it('stream-05 a call that broke off has no end', async () => {
    const { message } = await failing(sse(...open(called('c1', 'read', '{"a'), 0), 'cut'));
    expect(message).toMatchObject({ stopReason: 'error', content: [{ type: 'tool_call', arguments: '{"a' }] });
  });
});
