import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Provider, Request } from '../../../src/domain/model/provider.js';
import type { JsonSchema } from '../../../src/domain/tool/tool.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { createDemoProvider } from '../../../src/provider/demo/provider.js';
import { type OpenAiServer, type Reply, chunk, DONE, json, sse, startOpenAiServer } from '../../support/openai-server/index.js';
import { answer, said } from '../../support/responses-server/index.js';
import { drain, failure } from '../../support/stream-conformance.js';
import { never, providerFor, request } from './openai/rig.js';

type Body = Readonly<Record<string, unknown>>;
interface Refused {
  readonly status?: number;
  readonly error: object;
}

let server: OpenAiServer;
let bodies: Body[] = [];
let refuses: (body: Body) => Refused | undefined = () => undefined;
const MESSAGE_EVENTS = [
  { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '{}' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

beforeAll(async () => {
  server = await startOpenAiServer(({ path, body }): Reply => {
    bodies.push(body);
    const refusal = refuses(body);
    if (refusal !== undefined) return json({ error: refusal.error }, refusal.status ?? 400);
    if (path.endsWith('/messages')) return sse(...MESSAGE_EVENTS.map((data) => ({ data })));
    return path.endsWith('/responses') ? answer(said('{}')) : sse(chunk({ content: '{}' }), chunk({}, 'stop'), DONE);
  });
});
beforeEach(() => {
  bodies = [];
  refuses = () => undefined;
});
afterAll(() => server.close());

/** All that strict mode wants, and a bound that Anthropic does not take. */
const SCORE: JsonSchema = {
  type: 'object',
  properties: { score: { type: 'integer', minimum: 1, maximum: 10 }, why: { type: 'string' } },
  required: ['score', 'why'],
  additionalProperties: false,
};
/** The reason may be missing. */
const LOOSE: JsonSchema = { ...SCORE, required: ['score'] };
const LIST: JsonSchema = { type: 'array', items: { type: 'string' } };

const inWords = (schema: JsonSchema): string =>
  'You are a test.\n\nAnswer with one JSON value that is valid against the following JSON Schema, and with nothing else: no code fence, nothing before or behind it.\n' +
  `<schema>\n${JSON.stringify(schema)}\n</schema>`;

interface Wire {
  readonly name: string;
  readonly model: string;
  readonly make: () => Provider;
  readonly system: (body: Body) => unknown;
  readonly format: (body: Body) => unknown;
}

const systemOfChat = (body: Body): unknown => (body['messages'] as readonly Body[])[0]?.['content'];
const MESSAGES: Wire = {
  name: 'Messages',
  model: 'claude-opus-4-6',
  make: () => createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url }),
  system: (body) => (body['system'] as readonly Body[])[0]?.['text'],
  format: (body) => (body['output_config'] as Body | undefined)?.['format'],
};
const CHAT: Wire = {
  name: 'chat completions',
  model: 'some-model',
  make: () => providerFor(server, 'vllm'),
  system: systemOfChat,
  format: (body) => body['response_format'],
};
const RESPONSES: Wire = {
  name: 'Responses',
  model: 'gpt-5.6-terra',
  make: () => providerFor(server, 'openai'),
  system: (body) => body['instructions'],
  format: (body) => (body['text'] as Body | undefined)?.['format'],
};
const WIRES = [MESSAGES, CHAT, RESPONSES];

const ask = (provider: Provider, change: Partial<Request>): Promise<unknown> => drain(provider.stream(request(change), never()));
const sent = (n: number): Body => bodies[n] ?? {};

describe('the schema of an answer', () => {
  test('goes into the body of Messages beside the effort, with what the API does not take in descriptions', async () => {
    await ask(MESSAGES.make(), { model: MESSAGES.model, output: LOOSE, effort: 'high', maxTokens: 2_000 });
    expect(sent(0)).toEqual({
      model: 'claude-opus-4-6',
      max_tokens: 2_000,
      system: [{ type: 'text', text: 'You are a test.', cache_control: { type: 'ephemeral' } }],
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello', cache_control: { type: 'ephemeral' } }] }],
      thinking: { type: 'adaptive', display: 'summarized' },
      output_config: {
        effort: 'high',
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: { score: { type: 'integer', description: '{minimum: 1, maximum: 10}' }, why: { type: 'string' } },
            additionalProperties: false,
            required: ['score'],
          },
        },
      },
      stream: true,
    });
  });

  test('goes into the body of chat completions, strictly where strict mode takes it', async () => {
    await ask(CHAT.make(), { output: SCORE });
    await ask(CHAT.make(), { output: LOOSE });
    const whole = (json_schema: object): object => ({
      model: 'some-model',
      messages: [
        { role: 'system', content: 'You are a test.' },
        { role: 'user', content: 'Hello' },
      ],
      response_format: { type: 'json_schema', json_schema },
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(bodies).toEqual([whole({ name: 'answer', schema: SCORE, strict: true }), whole({ name: 'answer', schema: LOOSE })]);
  });

  test('goes into the body of Responses, strictly where strict mode takes it', async () => {
    await ask(RESPONSES.make(), { model: RESPONSES.model, output: SCORE });
    await ask(RESPONSES.make(), { model: RESPONSES.model, output: LOOSE });
    const whole = (format: object): object => ({
      model: RESPONSES.model,
      instructions: 'You are a test.',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello' }] }],
      reasoning: { effort: 'none' },
      include: ['reasoning.encrypted_content'],
      text: { format: { type: 'json_schema', ...format } },
      store: false,
      stream: true,
    });
    expect(bodies).toEqual([whole({ name: 'answer', schema: SCORE, strict: true }), whole({ name: 'answer', schema: LOOSE, strict: false })]);
  });

  test.each(WIRES)('goes in words over $name where the API takes none of its kind', async ({ make, model, system, format }) => {
    await ask(make(), { model, output: LIST });
    expect(bodies).toHaveLength(1);
    expect([system(sent(0)), format(sent(0))]).toEqual([inWords(LIST), undefined]);
  });

  test('goes in words to DeepSeek, which takes no schema, and alone where there is no other system prompt', async () => {
    await ask(providerFor(server, 'deepseek'), { output: SCORE });
    await ask(providerFor(server, 'deepseek'), { output: SCORE, systemPrompt: ' ' });
    expect(systemOfChat(sent(0))).toBe(inWords(SCORE));
    expect(systemOfChat(sent(1))).toBe(inWords(SCORE).replace('You are a test.\n\n', ''));
    expect(bodies.some((body) => 'response_format' in body)).toBe(false);
  });

  test('goes in words to the demo', async () => {
    const asked: Request[] = [];
    const demo = createDemoProvider({
      // eslint-disable-next-line @typescript-eslint/require-await
      script: async function* script(seen) {
        asked.push(seen);
        yield { type: 'stop', stopReason: 'end_turn', rawStopReason: 'end_turn' };
      },
    });
    await ask(demo, { model: 'demo', output: SCORE });
    expect(asked).toEqual([request({ model: 'demo', systemPrompt: inWords(SCORE) })]);
  });
});

/** How servers say that they, or this model, know no schema of answers. Sources: beside the fields in `body-fields.ts`. */
const UNKNOWN_FIELD: Readonly<Record<string, readonly Refused[]>> = {
  Messages: [
    { error: { type: 'invalid_request_error', message: 'output_config.format: Extra inputs are not permitted' } },
    { error: { type: 'invalid_request_error', message: "'claude-x' does not support structured outputs." } },
  ],
  'chat completions': [
    { error: { message: 'This model does not support response format `json_schema`. See supported models.', type: 'invalid_request_error' } },
    { error: { message: 'This response_format type is unavailable now', type: 'invalid_request_error', param: null, code: 'invalid_request_error' } },
    { error: { message: 'Failed to deserialize: response_format.type `json_schema` is unavailable now' }, status: 422 },
    { error: { code: 20_024, message: 'Json mode is not supported for this model.' } },
    { error: { message: 'Unrecognized request argument supplied: response_format' } },
  ],
  Responses: [
    { error: { message: "Unsupported parameter: 'text.format' is not supported with this model.", param: 'text.format' } },
    { error: { message: "Unknown parameter: 'text'.", param: 'text' } },
  ],
};
/** How they say that they do not take this one. */
const WRONG_SCHEMA: Readonly<Record<string, readonly Refused[]>> = {
  Messages: [{ error: { type: 'invalid_request_error', message: "output_config.format.schema: For 'object' type, property 'x' is not supported" } }],
  'chat completions': [
    {
      error: {
        message: "Invalid schema for response_format 'answer': In context=(), 'additionalProperties' is required to be supplied and to be false.",
        param: 'response_format',
      },
    },
    { error: { message: "'response_format.json_schema.schema' must be an object" } },
    { error: { message: 'Failed to generate JSON. Please adjust your prompt.', type: 'invalid_request_error', code: 'json_validate_failed' } },
  ],
  Responses: [{ error: { message: "Invalid schema for response_format 'answer'.", code: 'invalid_json_schema', param: 'text.format.schema' } }],
};
const rows = (table: Readonly<Record<string, readonly Refused[]>>): readonly { wire: Wire; refused: Refused; name: string }[] =>
  WIRES.flatMap((wire) => (table[wire.name] ?? []).map((refused) => ({ wire, refused, name: `${wire.name}: ${JSON.stringify(refused.error)}` })));

describe('a schema that the server refuses', () => {
  test.each(rows(UNKNOWN_FIELD))('goes in words, also the next ones, where it knows none: $name', async ({ wire, refused }) => {
    const { make, model, system, format } = wire;
    refuses = (body) => (format(body) === undefined ? undefined : refused);
    const provider = make();
    await ask(provider, { model, output: SCORE });
    expect(bodies.map((body) => [system(body), format(body) === undefined])).toEqual([
      ['You are a test.', false],
      [inWords(SCORE), true],
    ]);
    await ask(provider, { model, output: LOOSE });
    expect([bodies.length, system(sent(2)), format(sent(2))]).toEqual([3, inWords(LOOSE), undefined]);
    // Another model of the same server may know it.
    await ask(provider, { model: `${model}-2`, output: SCORE });
    expect(bodies).toHaveLength(5);
    expect(format(sent(3))).toBeDefined();
  });

  test.each(rows(WRONG_SCHEMA))('goes in words, and no other one, where it takes others: $name', async ({ wire, refused }) => {
    const { make, model, system, format } = wire;
    refuses = (body) => (JSON.stringify(format(body) ?? '').includes('"why"') ? refused : undefined);
    const provider = make();
    const other: JsonSchema = { ...SCORE, properties: { score: { type: 'integer' } }, required: ['score'] };
    await ask(provider, { model, output: SCORE });
    await ask(provider, { model, output: SCORE });
    await ask(provider, { model, output: other });
    expect(bodies.map((body) => [system(body), format(body) === undefined])).toEqual([
      ['You are a test.', false],
      [inWords(SCORE), true],
      [inWords(SCORE), true],
      ['You are a test.', false],
    ]);
  });

  test('goes in words before the effort goes, where both are in a field that is refused as a whole', async () => {
    refuses = ({ output_config }) => (output_config === undefined ? undefined : { error: { message: 'output_config: Extra inputs are not permitted' } });
    await ask(MESSAGES.make(), { model: MESSAGES.model, output: SCORE, effort: 'high' });
    expect(bodies.map(({ output_config }) => Object.keys((output_config ?? {}) as Body))).toEqual([['effort', 'format'], ['effort'], []]);
    expect(MESSAGES.system(sent(2))).toBe(inWords(SCORE));
  });

  test('stays where only the effort beside it, or strict mode, is refused', async () => {
    refuses = ({ output_config }) =>
      'effort' in ((output_config ?? {}) as Body) ? { error: { message: 'This model does not support the effort parameter.' } } : undefined;
    await ask(MESSAGES.make(), { model: MESSAGES.model, output: SCORE, effort: 'high' });
    expect(MESSAGES.format(sent(1))).toEqual(MESSAGES.format(sent(0)));
    bodies = [];
    refuses = (body) =>
      JSON.stringify(body).includes('"strict":true') ? { error: { message: 'response_format.json_schema.strict: extra fields not permitted' } } : undefined;
    await ask(CHAT.make(), { output: SCORE });
    expect(CHAT.format(sent(1))).toEqual({ type: 'json_schema', json_schema: { name: 'answer', schema: SCORE } });
  });

  test('is told as it was refused, and not remembered, where words do not help either', async () => {
    refuses = () => ({ error: { message: 'Unrecognized request argument supplied: response_format' } });
    const provider = CHAT.make();
    expect(await failure(ask(provider, { output: SCORE }))).toMatchObject({
      kind: 'invalid_request',
      message: expect.stringContaining('response_format') as string,
    });
    expect(bodies).toHaveLength(2);
    refuses = () => undefined;
    await ask(provider, { output: SCORE });
    expect(CHAT.format(sent(2))).toBeDefined();
  });
});
