import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Request } from '../../../../../src/domain/model/provider.js';
import type { OpenAiOptions } from '../../../../../src/provider/openai/provider.js';
import { presetOf } from '../../../../../src/provider/openai/models/presets.js';
import { type ChatRequest, json } from '../../../../support/openai-server/index.js';
import { type ResponsesServer, called, reasoning, said, saidAs, startResponsesServer } from '../../../../support/responses-server/index.js';
import { drain, failure } from '../../../../support/stream-conformance.js';
import { assistant, call, never, providerFor, request, result, user } from '../rig.js';

let server: ResponsesServer;
beforeAll(async () => {
  server = await startResponsesServer();
});
afterAll(() => server.close());

/** Sends a request over Responses and gives what the server saw; it refused nothing. */
async function sent(change: Partial<Request>, options: Partial<OpenAiOptions> = {}): Promise<ChatRequest> {
  server.play([said('ok')]);
  await drain(providerFor(server, 'openai', options).stream(request({ model: 'gpt-5.6-terra', ...change }), never()));
  expect(server.problems).toEqual([]);
  const seen = server.requests.at(-1);
  if (seen === undefined) throw new Error('nothing arrived');
  return seen;
}

/** Every model over Responses, as an endpoint of the user's own. */
const OWN: Partial<OpenAiOptions> = { preset: { ...presetOf('vllm'), api: 'responses' } };
const TOOL = { name: 'read', description: 'Reads.', parameters: { type: 'object', properties: {} } };
const ENCRYPTED = ['reasoning.encrypted_content'];

describe('the body', () => {
  it('stores nothing, and has instructions, items, flat tools and the name of the cache', async () => {
    const messages = [user('Fix it'), user(' '), assistant({ type: 'text', text: 'Reading.' }, call('a')), result('a', '', true), user('Go on')];
    const { body, path } = await sent({ messages, tools: [TOOL], effort: 'high', maxTokens: 500, cacheKey: 'session-1' });
    expect(path).toBe('/v1/responses');
    expect(body).toEqual({
      model: 'gpt-5.6-terra',
      instructions: 'You are a test.',
      input: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Fix it' }] },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.' }] },
        { type: 'function_call', call_id: 'a', name: 'read', arguments: '{"path":"x"}' },
        { type: 'function_call_output', call_id: 'a', output: 'The tool failed without a message.' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go on' }] },
      ],
      tools: [{ type: 'function', ...TOOL, strict: false }],
      parallel_tool_calls: true,
      max_output_tokens: 500,
      reasoning: { effort: 'high', summary: 'auto' },
      include: ENCRYPTED,
      prompt_cache_key: 'session-1',
      store: false,
      stream: true,
    });
  });

  it.each<[string, Partial<Request>, object]>([
    ['gpt-5.6-terra', {}, { effort: 'none' }],
    ['gpt-5.6-terra', { effort: 'max' }, { effort: 'max', summary: 'auto' }],
    ['gpt-5-mini', { effort: 'off' }, { effort: 'minimal', summary: 'auto' }],
    ['gpt-5-pro', { effort: 'off' }, { effort: 'high', summary: 'auto' }],
    ['gpt-5.3-codex', {}, { effort: 'low', summary: 'auto' }],
    ['o4-mini', { effort: 'medium' }, { effort: 'medium', summary: 'auto' }],
    ['', { effort: 'xhigh' }, { effort: 'xhigh', summary: 'auto' }],
  ])('asks “%s” with %o to reason as %o, and never with a temperature', async (model, change, expected) => {
    const { body } = await sent({ model, temperature: 1, ...change });
    expect(body).toMatchObject({ reasoning: expected, include: ENCRYPTED });
  });

  it('asks models that do not reason for none, and takes their temperature', async () => {
    const { body } = await sent({ model: 'gpt-4.1', temperature: 0.5, cacheKey: 's' }, { preset: { ...presetOf('openai'), api: 'responses' } });
    expect(body).toMatchObject({ temperature: 0.5, prompt_cache_key: 's' });
    for (const field of ['reasoning', 'include', 'tools', 'parallel_tool_calls', 'max_output_tokens']) expect(body).not.toHaveProperty(field);
  });

  it('asks a model of an own endpoint to reason where the user says that it can, under no name of OpenAI’s cache', async () => {
    const { body } = await sent({ model: 'my-deployment', effort: 'low', cacheKey: 's' }, OWN);
    expect(body).toMatchObject({ model: 'my-deployment', reasoning: { effort: 'low', summary: 'auto' } });
    expect(body).not.toHaveProperty('prompt_cache_key');
    expect((await sent({ model: 'gpt-4-deployment' }, OWN)).body).not.toHaveProperty('reasoning');
  });

  it('leaves room for reasoning that nobody asked for, and keeps to the least limit', async () => {
    expect((await sent({ model: 'o4-mini', maxTokens: 20, effort: 'off' })).body).toMatchObject({ max_output_tokens: 4_116 });
    expect((await sent({ maxTokens: 5, effort: 'off' })).body).toMatchObject({ max_output_tokens: 16 });
    expect((await sent({ model: 'o4-mini', tools: [TOOL] })).body).not.toHaveProperty('parallel_tool_calls');
  });

  it.each(['', '/v1', '/v1/', '/v1/responses', '/v1/responses/', '/v1/chat/completions'])('goes to an address that ends with “%s”', async (ending) => {
    expect((await sent({}, { baseUrl: () => `${server.url}${ending}` })).path).toBe('/v1/responses');
  });

  it('goes to Azure with its header for the key', async () => {
    const azure: Partial<OpenAiOptions> = {
      preset: { ...presetOf('openai'), needsKey: false, api: 'responses' },
      apiKey: () => Promise.resolve(undefined),
      headers: { 'api-key': 'azure-key' },
      baseUrl: () => `${server.url}/openai/v1`,
    };
    server.setScript((seen) =>
      seen.path === '/openai/v1/responses' ? json({ object: 'response', status: 'completed', output: [said('Whole').item] }) : undefined,
    );
    const stream = providerFor(server, 'openai', azure).stream(request(), never());
    expect(await drain(stream)).toMatchObject([{ delta: 'Whole' }]);
    expect(server.requests.at(-1)?.headers).toMatchObject({ 'api-key': 'azure-key' });
    expect(server.requests.at(-1)?.headers).not.toHaveProperty('authorization');
  });

  it('is not sent when there is nothing to say', async () => {
    const before = server.requests.length;
    const model = 'gpt-5.6-terra';
    expect(
      await failure(
        providerFor(server)
          .stream(request({ model, messages: [user(' ')] }), never())
          .next(),
      ),
    ).toMatchObject({ kind: 'invalid_request' });
    expect(
      await failure(
        providerFor(server)
          .stream(request({ model, temperature: 3 }), never())
          .next(),
      ),
    ).toMatchObject({ name: 'InvalidDataError' });
    expect(server.requests).toHaveLength(before);
  });
});

it('does without summaries where the organization gets none, and asks for none again', async () => {
  const words = {
    error: {
      message: 'Your organization must be verified to generate reasoning summaries.',
      type: 'invalid_request_error',
      param: 'reasoning.summary',
      code: 'unsupported_value',
    },
  };
  const provider = providerFor(server);
  const model = 'gpt-5.6-terra';
  const before = server.requests.length;
  server.play(json(words, 400), [reasoning(), said('ok')]);
  await drain(provider.stream(request({ model, effort: 'low' }), never()));
  await drain(provider.stream(request({ model, effort: 'low' }), never()));
  expect(server.requests.slice(before).map(({ body }) => body['reasoning'])).toEqual([
    { effort: 'low', summary: 'auto' },
    { effort: 'low' },
    { effort: 'low' },
  ]);
  server.play(json(words, 400));
  expect(await failure(provider.stream(request({ model, effort: 'low' }), never()).next())).toMatchObject({ kind: 'invalid_request' });
  expect(server.requests).toHaveLength(before + 4);
});

it('sends the phase of each text back', async () => {
  server.play([saidAs('commentary', 'On the way.'), said(' \n'), called('c1', 'read', '{}'), said('Plain.'), saidAs('final_answer', 'Here.')]);
  const stream = providerFor(server).stream(request({ model: 'gpt-5.3-codex' }), never());
  await drain(stream);
  const { body } = await sent({ model: 'gpt-5.3-codex', messages: [user('a'), stream.message(), result('c1', 'x')] });
  expect((body['input'] as { phase?: string }[]).map(({ phase }) => phase)).toEqual([undefined, 'commentary', undefined, undefined, 'final_answer', undefined]);
});
