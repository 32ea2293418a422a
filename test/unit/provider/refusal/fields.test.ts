import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ProviderError } from '../../../../src/domain/errors.js';
import type { EventStream } from '../../../../src/domain/model/event-stream.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { BODY_FIELDS } from '../../../../src/provider/anthropic/message-parts.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { CHAT_FIELDS, RESPONSE_FIELDS } from '../../../../src/provider/openai/body-fields.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import type { PresetId } from '../../../../src/provider/openai/models/presets.js';
import { type BodyField, hasField, valueOf } from '../../../../src/provider/refusal/body-fields.js';
import { type OpenAiServer, type Reply, chunk, DONE, json, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { answer, said } from '../../../support/responses-server/index.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { assistant, call, never, optionsFor, providerFor, request, result, user } from '../openai/rig.js';

let server: OpenAiServer;
let seen: { readonly path: string; readonly body: object }[] = [];
let refuses: (body: object) => { readonly status: number; readonly error: object } | undefined = () => undefined;
const MESSAGE_EVENTS = [
  { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'ok' } },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

beforeAll(async () => {
  server = await startOpenAiServer(({ path, body }): Reply => {
    seen.push({ path, body });
    const refusal = refuses(body);
    if (refusal !== undefined) return json({ error: refusal.error }, refusal.status);
    if (path.endsWith('/messages')) return sse(...MESSAGE_EVENTS.map((data) => ({ data })));
    return path.endsWith('/responses') ? answer(said('ok')) : sse(chunk({ content: 'ok' }), chunk({}, 'stop'), DONE);
  });
});
afterAll(() => server.close());

/** How servers say that they do not know a field, or not this value of it. Sources: OpenAI, Azure, Gemini, Anthropic, xAI, Groq, Mistral, LiteLLM. */
const PHRASES: readonly ((name: string) => object)[] = [
  (name) => ({ message: `Unsupported parameter: '${name}' is not supported with this model.`, param: name, code: 'unsupported_parameter' }),
  (name) => ({ message: `Unsupported value: '${name}' does not support 0.2 with this model. Only the default (1) value is supported.` }),
  (name) => ({ message: `Unrecognized request argument supplied: ${name}` }),
  (name) => ({ message: `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`, status: 'INVALID_ARGUMENT' }),
  (name) => ({ type: 'invalid_request_error', message: `${name}: Extra inputs are not permitted` }),
  (name) => ({ message: `Model grok-4 does not support parameter ${name}.` }),
  (name) => ({ message: `\`${name}\` is not supported with this model` }),
  (name) => ({ detail: [{ type: 'extra_forbidden', loc: ['body', ...name.split('.')], msg: 'Extra inputs are not permitted' }] }),
  (name) => ({ message: `No endpoints found that support the ${name} parameter` }),
  (name) => ({ message: `${name} is not available on your plan` }),
  (name) => ({ message: `Bad request. ${name} must be one of low, medium` }),
  (name) => ({ message: `Provider returned error`, metadata: { raw: JSON.stringify({ error: { message: `property '${name}' is unsupported` } }) } }),
];

interface Wire {
  readonly name: string;
  readonly fields: readonly BodyField[];
  readonly request: Request;
  readonly stream: (asked: Request) => EventStream;
}

const TOOL = { name: 'read', description: 'Reads', parameters: { type: 'object' }, streamed: true } as const;
const ASKED = request({ tools: [TOOL], maxTokens: 2_000, temperature: 0.5, cacheKey: 's' });
const chatOf = (id: PresetId, change: Partial<Request>): Wire => {
  const provider = providerFor(server, id);
  return { name: id, fields: CHAT_FIELDS, request: { ...ASKED, ...change }, stream: (asked) => provider.stream(asked, never()) };
};
const messagesOf = (change: Partial<Request>): Wire => {
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url, cacheDuration: () => '1h' });
  return { name: 'messages', fields: BODY_FIELDS, request: { ...ASKED, ...change }, stream: (asked) => provider.stream(asked, never()) };
};
const responsesOf = (change: Partial<Request>): Wire => {
  const provider = providerFor(server, 'openai');
  return { name: 'responses', fields: RESPONSE_FIELDS, request: { ...ASKED, ...change }, stream: (asked) => provider.stream(asked, never()) };
};

function wires(): readonly Wire[] {
  return [
    messagesOf({ model: 'claude-opus-4-6', effort: 'high' }),
    messagesOf({ model: 'claude-opus-4-6' }),
    chatOf('openai', { model: 'gpt-4.1' }),
    chatOf('ollama', { effort: 'high' }),
    chatOf('openrouter', { model: 'anthropic/claude-x', effort: 'high' }),
    chatOf('deepseek', { effort: 'high', messages: [user('a'), assistant(call('c1')), result('c1', 'x')] }),
    responsesOf({ model: 'gpt-5.6-terra', effort: 'high' }),
    responsesOf({ model: 'gpt-5.2', effort: 'low' }),
  ];
}

/** The bodies of what is asked while the server refuses a field with the value that it has at first. */
async function ask(wire: Wire, field: BodyField, error: object, whole: object): Promise<readonly object[]> {
  seen = [];
  const first = JSON.stringify(valueOf(whole, field));
  refuses = (body) => (JSON.stringify(valueOf(body, field)) === first ? { status: 400, error } : undefined);
  await drain(wire.stream(wire.request));
  return seen.map(({ body }) => body);
}

/** The body that a server gets which refuses nothing. */
async function bodyOf(wire: Wire): Promise<object> {
  refuses = () => undefined;
  await drain(wire.stream(wire.request));
  return seen.at(-1)?.body ?? {};
}

const body = (n: number): Readonly<Record<string, unknown>> => Object.fromEntries(Object.entries(seen[n]?.body ?? {}));

describe('a field that a server does not take', () => {
  test('is left out, once refused in any words, and not sent again in that session', async () => {
    const kinds = new Set<string>();
    for (const [index, { fields }] of wires().entries()) {
      const whole = await bodyOf(wires()[index] as Wire);
      const sent = fields.filter((each) => hasField(whole, each));
      for (const [place, field] of sent.entries()) {
        for (const phrase of PHRASES.filter((_, number) => number % 4 === (place + index) % 4)) {
          const wire = wires()[index] as Wire;
          const name = `${wire.name}: ${JSON.stringify(phrase(field.name))}`;
          const bodies = await ask(wire, field, phrase(field.name), whole);
          expect(bodies, name).toHaveLength(2);
          expect(valueOf(bodies[1] ?? {}, field), name).not.toEqual(valueOf(whole, field));
          expect(await ask(wire, field, phrase(field.name), whole), name).toHaveLength(1);
          kinds.add(`${wire.name} ${field.name}`);
        }
      }
    }
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        'deepseek reasoning_content',
        'messages cache_control',
        'messages output_config',
        'ollama stream_options',
        'openai temperature',
        'openrouter session_id',
        'responses include',
        'responses reasoning.effort',
      ]),
    );
    expect(kinds.size).toBeGreaterThan(25);
  });

  const TEMPERATURE: BodyField = { name: 'temperature' };
  const noTemperature = { message: "Unsupported parameter: 'temperature' is not supported with this model.", param: 'temperature' };

  test('is tried again in another session, with another model, key, or address', async () => {
    let [key, address] = ['a', `${server.url}/v1`];
    const provider = createOpenAiProvider({ ...optionsFor(server), keyName: () => Promise.resolve(key), baseUrl: () => address });
    const tries = async (change: Partial<Request> = {}): Promise<number> => {
      const wire: Wire = {
        name: 'openai',
        fields: CHAT_FIELDS,
        request: { ...ASKED, model: 'gpt-4.1', ...change },
        stream: (asked) => provider.stream(asked, never()),
      };
      return (await ask(wire, TEMPERATURE, noTemperature, { temperature: 0.5 })).length;
    };
    expect([await tries(), await tries(), await tries({ cacheKey: 'other' }), await tries({ model: 'gpt-4.1-mini' })]).toEqual([2, 1, 2, 2]);
    key = 'b';
    expect(await tries()).toBe(2);
    address = `${server.url}/gateway`;
    expect(await tries()).toBe(2);
    [key, address] = ['a', `${server.url}/v1`];
    expect(await tries()).toBe(1);
  });

  test('is asked without once: where that does not help, the first refusal is told, and nothing is remembered', async () => {
    const wire = chatOf('openai', { model: 'gpt-4.1' });
    refuses = () => ({ status: 400, error: noTemperature });
    seen = [];
    const error = await failure(drain(wire.stream(wire.request)));
    expect(error).toMatchObject({ kind: 'invalid_request', message: expect.stringMatching(/'temperature'.*Try again, or choose another model/) as string });
    expect(seen).toHaveLength(2);
    refuses = () => undefined;
    await drain(wire.stream(wire.request));
    expect(body(2)).toHaveProperty('temperature', 0.5);
  });

  test('is not searched for in a failure that is about something else', async () => {
    const wire = chatOf('openai', { model: 'gpt-4.1' });
    for (const [status, error] of [
      [429, noTemperature],
      [401, noTemperature],
      [400, { message: 'messages must include a user message; thinking about reasoning is fine' }],
    ] as const) {
      seen = [];
      refuses = () => ({ status, error });
      expect(await failure(drain(wire.stream(wire.request)))).toBeInstanceOf(ProviderError);
      expect(seen).toHaveLength(1);
    }
  });

  test('has another name where the server says so, and no name where it takes neither', async () => {
    const wire = chatOf('vllm', {});
    seen = [];
    refuses = (sent) =>
      'max_tokens' in sent
        ? { status: 400, error: { message: "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead." } }
        : undefined;
    await drain(wire.stream(wire.request));
    expect([body(0), body(1)]).toMatchObject([{ max_tokens: 2_000 }, { max_completion_tokens: 2_000 }]);
    seen = [];
    refuses = (sent) => ('max_completion_tokens' in sent ? { status: 400, error: { message: "Unknown parameter: 'max_completion_tokens'" } } : undefined);
    await drain(wire.stream(wire.request));
    expect(body(1)).not.toHaveProperty('max_tokens');
    expect(body(1)).not.toHaveProperty('max_completion_tokens');
  });

  test.each([
    ['max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for this model', 8_192],
    ['max_tokens is too large', 4_096],
  ])('is smaller where the API demands it: %s', async (message, expected) => {
    const wire = messagesOf({ model: 'claude-opus-4-6', maxTokens: 64_000 });
    seen = [];
    refuses = (sent) =>
      Object.entries(sent).some(([name, value]) => name === 'max_tokens' && Number(value) > 8_192)
        ? { status: 400, error: { type: 'invalid_request_error', message } }
        : undefined;
    await drain(wire.stream(wire.request));
    expect(body(1)).toHaveProperty('max_tokens', expected);
  });
});
