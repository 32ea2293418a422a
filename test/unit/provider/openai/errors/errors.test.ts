import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProviderError } from '../../../../../src/domain/errors.js';
import type { PresetId } from '../../../../../src/provider/openai/models/presets.js';
import { type OpenAiServer, type Reply, chunk, DONE, html, json, sse, startOpenAiServer } from '../../../../support/openai-server/index.js';
import { drain, failure } from '../../../../support/stream-conformance.js';
import { never, providerFor, request } from '../rig.js';
import { says } from '../../../../support/wording.js';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());

async function failing(answer: Reply, id: PresetId = 'openai'): Promise<{ error: ProviderError; partial: string }> {
  server.setScript(() => answer);
  const stream = providerFor(server, id).stream(request(), never());
  const error = await failure(drain(stream));
  if (!(error instanceof ProviderError)) throw error;
  readable(error.message);
  const [first] = stream.message().content;
  return { error, partial: first?.type === 'text' ? first.text : '' };
}

/** What a person reads is a sentence: never JSON, markup, a stack or an internal name. */
function readable(message: string): void {
  expect(message).not.toMatch(/[{}[\]]|<\w|undefined|null|TypeError|APIError|_error\b/);
  expect(message).toMatch(/^[A-Z0-9].*\.$/);
}

const plain = (message: string, type = 'invalid_request_error', code: string | null = null): object => ({ error: { message, type, param: null, code } });
const mistral = (message: string, code: string | null = null): object => ({ object: 'error', message, type: 'invalid_request_error', param: null, code });
const google = (message: string, status: string, code: number, details: readonly object[] = []): object => [{ error: { code, message, status, details } }];

describe('answers with an error status', () => {
  it.each<[PresetId, number, object, string, RegExp]>([
    ['openai', 400, plain("Unknown parameter: 'x'"), 'invalid_request', /rejected the request \(Unknown parameter: 'x'\)/],
    [
      'openai',
      401,
      plain('Incorrect API key provided: sk-12***', 'invalid_request_error', 'invalid_api_key'),
      'authentication',
      /rejected the API key.*Gnomon: Set API Key.*OPENAI_API_KEY/,
    ],
    ['openai', 403, plain('Country not supported', 'request_forbidden'), 'permission', /does not have permission.*Country not supported/],
    [
      'openai',
      404,
      plain('The model `gpt-9` does not exist or you do not have access to it.', 'invalid_request_error', 'model_not_found'),
      'not_found',
      /gpt-9.*another model.*gnomon\.providers/,
    ],
    ['openai', 413, plain('Payload too large'), 'too_large', /larger than/],
    [
      'openai',
      429,
      plain('Rate limit reached for gpt-5 on tokens per min. Limit 30000. This model maximum context length is fine.', 'tokens', 'rate_limit_exceeded'),
      'rate_limit',
      /limiting your requests/,
    ],
    [
      'openai',
      429,
      plain('You exceeded your current quota, please check your plan and billing details.', 'insufficient_quota', 'insufficient_quota'),
      'quota',
      /exceeded its quota.*billing/,
    ],
    ['openai', 500, plain('The server had an error while processing your request', 'server_error'), 'server', /reported an internal error/],
    ['openai', 503, plain('The engine is currently overloaded, please try again later'), 'overloaded', /currently overloaded/],
    ['openai', 529, {}, 'overloaded', /overloaded/],
    [
      'openai',
      400,
      plain(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
        'invalid_request_error',
        'context_length_exceeded',
      ),
      'context_length',
      /too long for the model/,
    ],
    [
      'openai',
      400,
      plain('Function tools with reasoning_effort are not supported for gpt-6-astra in /v1/chat/completions. Please use /v1/responses instead.'),
      'invalid_request',
      /only in the Responses API\. Set “api” to “responses”.*gnomon\.providers/,
    ],
    ['openai', 404, plain('This model is only supported in v1/responses and not in v1/chat/completions.'), 'invalid_request', /only in the Responses API/],
    [
      'openai',
      429,
      plain(
        'Request too large for gpt-5.6 in organization org-x on tokens per min (TPM): Limit 30000, Requested 52000. The input or output tokens must be reduced in order to run successfully.',
        'tokens',
        'rate_limit_exceeded',
      ),
      'too_large',
      /Limit 30000/,
    ],
    [
      'openai',
      429,
      plain(
        'Rate limit reached for gpt-5.6 in organization org-x on tokens per min (TPM): Limit 30000, Used 20000, Requested 15000. Please try again in 10s.',
        'tokens',
        'rate_limit_exceeded',
      ),
      'rate_limit',
      /limiting/,
    ],
    [
      'mistral',
      400,
      mistral('Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length', '3051'),
      'context_length',
      /too long/,
    ],
    ['mistral', 400, mistral('Invalid model: mistral-nano', '1500'), 'invalid_request', /Invalid model: mistral-nano/],
    ['mistral', 401, { detail: 'Unauthorized' }, 'authentication', /MISTRAL_API_KEY/],
    ['mistral', 422, { detail: [{ type: 'missing', loc: ['body', 'messages'], msg: 'Field required' }] }, 'invalid_request', /Field required/],
    ['ollama', 404, plain('model "nope" not found, try pulling it first', 'api_error'), 'not_found', /try pulling it first.*another model/],
    ['ollama', 400, { error: 'registry.ollama.ai/library/gemma:2b does not support tools' }, 'invalid_request', /does not support tools/],
    ['ollama', 500, { error: 'the input length exceeds the context length' }, 'context_length', /too long/],
    ['openrouter', 400, { error: { message: 'x/y is not a valid model ID', code: 400 } }, 'not_found', /not a valid model ID/],
    ['openrouter', 402, { error: { message: 'This request requires more credits, or fewer max_tokens.', code: 402 } }, 'quota', /exceeded its quota/],
    [
      'openrouter',
      429,
      { error: { message: 'Provider returned error', code: 429, metadata: { raw: '{"error":{"message":"Upstream is busy"}}', provider_name: 'X' } } },
      'rate_limit',
      /limiting/,
    ],
    [
      'openrouter',
      400,
      { error: { message: 'Provider returned error', code: 400, metadata: { raw: '{"message":"maximum context length is 8192 tokens"}' } } },
      'context_length',
      /8192/,
    ],
    [
      'vllm',
      400,
      { object: 'error', message: 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.', type: 'BadRequestError', code: 400 },
      'context_length',
      /too long/,
    ],
    ['vllm', 404, { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', code: 404 }, 'not_found', /does not exist/],
    [
      'lmstudio',
      400,
      { error: 'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens.' },
      'context_length',
      /4096/,
    ],
    [
      'lmstudio',
      400,
      { error: { code: 400, message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } },
      'context_length',
      /too long/,
    ],
    ['deepseek', 402, plain('Insufficient Balance', 'unknown_error'), 'quota', /Insufficient Balance/],
    ['gemini', 400, google('API key not valid. Please pass a valid API key.', 'INVALID_ARGUMENT', 400), 'authentication', /GEMINI_API_KEY/],
    [
      'gemini',
      400,
      google('The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 'INVALID_ARGUMENT', 400),
      'context_length',
      /1200000/,
    ],
    ['gemini', 404, google('models/gemini-9 is not found for API version v1main', 'NOT_FOUND', 404), 'not_found', /gemini-9/],
    ['gemini', 503, google('The model is overloaded. Please try again later.', 'UNAVAILABLE', 503), 'overloaded', /overloaded/],
  ])('stream-08 %s %i %o is %s', async (id, status, body, kind, words) => {
    const before = server.requests.length;
    const { error } = await failing(json(body, status, { 'x-request-id': 'req_7' }), id);
    expect(error).toMatchObject({ kind, status, requestId: 'req_7' });
    expect(error.message).toMatch(words);
    // The SDK repeats nothing by itself.
    expect(server.requests).toHaveLength(before + 1);
  });

  it('stream-07 waits as long as the header or the body says', async () => {
    const header = await failing(json(plain('slow down'), 429, { 'retry-after': '3' }));
    expect(header.error).toMatchObject({ retryAfterMs: 3_000, message: expect.stringContaining(says('retryInSeconds', 3)) as string });
    const info = { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '34s' };
    const body = await failing(json(google('You exceeded your current quota', 'RESOURCE_EXHAUSTED', 429, [info]), 429), 'gemini');
    expect(body.error).toMatchObject({ kind: 'rate_limit', retryAfterMs: 34_000 });
  });

  it.each([
    [404, 'not_found'],
    [407, 'network'],
    [502, 'server'],
  ])('stream-08 stream-10 a page with status %i is %s, and the page is not shown', async (status, kind) => {
    const { error } = await failing(html('<html><title>Bad gateway</title></html>', status));
    expect(error.kind).toBe(kind);
    expect(error.message).not.toContain('gateway');
  });

  it('a proxy that refuses is said to, without advice, while the request is made again', async () => {
    const { error } = await failing(json({ error: { message: '', code: 407 } }));
    expect(error.fact).toMatch(/^A proxy refused the connection to \S+ \(status 407\)\.$/);
  });
});

it.each([301, 307])('does not follow a redirect (%i): neither key nor conversation go to another server', async (status) => {
  const before = server.requests.length;
  const { error } = await failing({ kind: 'plain', status, headers: { location: `${server.url}/elsewhere` }, body: '' });
  expect(error).toMatchObject({ kind: 'not_found', status });
  expect(server.requests).toHaveLength(before + 1);
});

describe('answers that are no stream', () => {
  it.each<[string, Reply, string]>([
    ['a login page', html('<html>Please sign in</html>'), 'a web page (content type text/html'],
    ['a JSON document', json({ ok: true }), 'a JSON document'],
    ['plain text', { kind: 'plain', status: 200, headers: { 'content-type': 'text/plain' }, body: 'Ollama is running' }, 'other content'],
  ])('stream-09 names %s', async (_, answer, words) => {
    const { error } = await failing(answer, 'ollama');
    expect(error.kind).toBe('not_a_stream');
    expect(error.message).toContain(words);
    expect(error.message).toContain('gnomon.providers');
  });

  it.each<[object, string]>([
    [plain('Overloaded, come back later', 'overloaded'), 'overloaded'],
    [{ error: { message: 'No credits: insufficient credits', code: 402 } }, 'quota'],
    [{ object: 'error', message: 'Model x does not exist' }, 'not_found'],
    [google('API key not valid', 'INVALID_ARGUMENT', 400), 'authentication'],
  ])('stream-06 an error with a good status is an error: %o', async (body, kind) => {
    expect((await failing(json(body))).error.kind).toBe(kind);
  });
});

describe('breaks', () => {
  it('stream-03 a connection that is cut in the middle keeps the partial answer', async () => {
    const { error, partial } = await failing(sse(chunk({ content: 'so far' }), 'cut'));
    expect(error).toMatchObject({ kind: 'interrupted' });
    expect(partial).toBe('so far');
  });

  it.each<[object, string]>([
    [plain('The server had an error', 'server_error'), 'server'],
    [{ error: { code: 502, message: 'Upstream broke', metadata: {} } }, 'server'],
    [{ error: { code: 429, message: 'Slow down' } }, 'rate_limit'],
    [{ error: { code: 'rate_limit_exceeded', message: 'Slow down' } }, 'rate_limit'],
    [{ error: 'something broke' }, 'server'],
    [{ object: 'error', message: 'maximum context length is 4096 tokens', code: 400 }, 'context_length'],
  ])('stream-06 %o in the stream is %s; the partial answer is kept and the error is no part of it', async (data, kind) => {
    const { error, partial } = await failing(sse(chunk({ content: 'so far' }), { data }, DONE));
    expect(error.kind).toBe(kind);
    expect(partial).toBe('so far');
  });

  it.each([
    ['error', 'server'],
    ['insufficient_system_resource', 'overloaded'],
  ])('stream-06 the stop reason %s is a failure: %s', async (reason, kind) => {
    const { error, partial } = await failing(sse(chunk({ content: 'so far' }), chunk({}, reason), DONE));
    expect(error.kind).toBe(kind);
    expect(partial).toBe('so far');
  });
});

describe('before a request', () => {
  it.each([undefined, '', ' '])('says what to do without a key (%o)', async (key) => {
    const before = server.requests.length;
    const stream = providerFor(server, 'mistral', { apiKey: () => Promise.resolve(key) }).stream(request(), never());
    expect(await failure(stream.next())).toMatchObject({
      kind: 'no_key',
      message: expect.stringMatching(/Mistral.*Gnomon: Set API Key.*MISTRAL_API_KEY/) as string,
    });
    expect(server.requests).toHaveLength(before);
  });

  it.each<[PresetId, RegExp]>([
    ['ollama', /^Gnomon cannot reach Ollama at 127\.0\.0\.1:\d+\. Make sure that it is running, then try again.*gnomon\.providers/],
    ['lmstudio', /LM Studio.*Make sure that it is running/],
    ['openai', /the connection was refused.*gnomon\.providers/],
  ])('stream-10 %s that refuses the connection', async (id, words) => {
    const port = await freePort();
    const stream = providerFor({ url: `http://127.0.0.1:${port}` }, id).stream(request(), never());
    const error = await failure(stream.next());
    expect(error).toMatchObject({ kind: 'network' });
    expect(error.message).toMatch(words);
    readable(error.message);
  });

  it.each(['localhost:8080', 'not an address', 'ftp://host'])('refuses “%s” as an address', async (address) => {
    const stream = providerFor(server, 'vllm', { baseUrl: () => address }).stream(request(), never());
    const error = await failure(stream.next());
    expect(error).toMatchObject({ kind: 'network' });
    expect(error.message).toContain(address);
    expect(error.message).toContain('gnomon.providers');
  });
});

/** A port on which nothing listens. */
async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => listener.once('listening', resolve));
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
