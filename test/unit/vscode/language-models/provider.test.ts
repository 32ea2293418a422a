import { describe, expect, it } from 'vitest';
import { isAbortError, ProviderError } from '../../../../src/domain/errors.js';
import type { Message } from '../../../../src/domain/model/message.js';
import type { Request } from '../../../../src/domain/model/provider.js';
import { NO_USAGE } from '../../../../src/domain/model/usage.js';
import { listVsCodeModels, selectorOf, vsCodeModelInfo } from '../../../../src/vscode/language-models/models.js';
import { createVsCodeLmProvider } from '../../../../src/vscode/language-models/provider.js';
import { drain, failure } from '../../../support/stream-conformance.js';
import { FakeLm, FakeLmError } from './fake-lm.js';
import { request, user } from './request.js';

const NOW = '2026-01-02T03:04:05.678Z';
const never = (): AbortSignal => new AbortController().signal;

/** What the model was sent for a request, as plain data. */
async function sent(change: Partial<Request>): Promise<{ messages: unknown; options: unknown }> {
  const fake = new FakeLm();
  await drain(createVsCodeLmProvider(fake.api).stream(request(change), never()));
  const [seen] = fake.requests;
  return { messages: JSON.parse(JSON.stringify(seen?.messages)) as unknown, options: seen?.options };
}

async function refused(prepare: (fake: FakeLm) => void, change: Partial<Request> = {}): Promise<ProviderError> {
  const fake = new FakeLm();
  prepare(fake);
  const error = await failure(drain(createVsCodeLmProvider(fake.api).stream(request(change), never())));
  if (error instanceof ProviderError) return error;
  throw error;
}

describe('vscode-lm requests', () => {
  it('begins with the system prompt as a message of the person, since the API has no system role', async () => {
    expect((await sent({})).messages).toEqual([
      { role: 1, content: 'You are a test.' },
      { role: 1, content: [{ value: 'Hello' }] },
    ]);
    expect((await sent({ systemPrompt: ' ' })).messages).toEqual([{ role: 1, content: [{ value: 'Hello' }] }]);
  });

  it('has the schema of the answer in words, since the API has no field for it', async () => {
    const output = { type: 'object', properties: { score: { type: 'integer' } } };
    const { messages, options } = await sent({ output });
    expect(messages).toMatchObject([{ role: 1, content: expect.stringMatching(/^You are a test\.\n\nAnswer with one JSON value/) as string }, { role: 1 }]);
    expect(JSON.stringify(messages)).toContain(JSON.stringify(JSON.stringify(output)).slice(1, -1));
    expect(JSON.stringify(options)).not.toContain('score');
  });

  it('C11: sends calls with their input, results by call id, images as data; thinking stays here (stream-20)', async () => {
    const messages: readonly Message[] = [
      {
        role: 'user',
        timestamp: NOW,
        content: [
          { type: 'text', text: 'See' },
          { type: 'image', data: new Uint8Array([1, 2]), mimeType: 'image/png' },
        ],
      },
      {
        role: 'assistant',
        timestamp: NOW,
        stopReason: 'tool_use',
        rawStopReason: '',
        usage: NO_USAGE,
        content: [
          { type: 'thinking', thinking: 'hm', signature: new Uint8Array([9]) },
          { type: 'text', text: 'Reading.' },
          { type: 'tool_call', id: 'c1', name: 'read', arguments: '{"path":"a"}' },
          { type: 'tool_call', id: 'c2', name: 'read', arguments: '{"pa' },
        ],
      },
      { role: 'tool_result', toolCallId: 'c1', toolName: 'read', isError: false, timestamp: NOW, content: [{ type: 'text', text: 'one' }] },
      { role: 'tool_result', toolCallId: 'c2', toolName: 'read', isError: true, timestamp: NOW, content: [] },
      user('Go on'),
    ];
    expect((await sent({ systemPrompt: '', messages })).messages).toEqual([
      { role: 1, content: [{ value: 'See' }, { data: { 0: 1, 1: 2 }, mimeType: 'image/png' }] },
      { role: 2, content: [{ value: 'Reading.' }, { callId: 'c1', name: 'read', input: { path: 'a' } }, { callId: 'c2', name: 'read', input: {} }] },
      {
        role: 1,
        content: [
          { callId: 'c1', content: [{ value: 'one' }] },
          { callId: 'c2', content: [{ value: 'The tool failed without a message.' }] },
          { value: 'Go on' },
        ],
      },
    ]);
  });

  it('offers tools and passes on what the person set for the model; otherwise nothing', async () => {
    const tools = [{ name: 'read', description: 'Read', parameters: { type: 'object' } }];
    expect((await sent({ tools, temperature: 0.5, maxTokens: 99 })).options).toMatchObject({
      tools: [{ name: 'read', description: 'Read', inputSchema: { type: 'object' } }],
      modelOptions: { temperature: 0.5, max_tokens: 99 },
    });
    const { options } = await sent({ maxTokens: 0 });
    expect(Object.keys(options as object)).toEqual(['justification']);
  });

  it('P33: refuses a temperature out of range before anything is sent', async () => {
    const fake = new FakeLm();
    const error = await failure(drain(createVsCodeLmProvider(fake.api).stream(request({ temperature: 3 }), never())));
    expect(error.message).toContain('temperature');
    expect(fake.requests).toHaveLength(0);
  });
});

describe('vscode-lm answers', () => {
  it('P2 P3: says end_turn or tool_use, without usage, and passes over parts it does not know', async () => {
    const fake = new FakeLm();
    fake.strange = [{ value: 'thought', kind: 'thinking' }, undefined, 7];
    fake.acts = [
      { kind: 'text', deltas: ['a'] },
      { kind: 'calls', calls: [{ id: 'c', name: 'read', deltas: ['{}'] }] },
      { kind: 'text', deltas: ['b'] },
    ];
    const stream = createVsCodeLmProvider(fake.api, () => NOW).stream(request(), never());
    await drain(stream);
    expect(stream.message()).toEqual({
      role: 'assistant',
      content: [
        { type: 'text', text: 'a' },
        { type: 'tool_call', id: 'c', name: 'read', arguments: '{}' },
        { type: 'text', text: 'b' },
      ],
      stopReason: 'tool_use',
      rawStopReason: '',
      usage: NO_USAGE,
      timestamp: NOW,
    });
  });

  it.each([
    ['NoPermissions', 'consent', /not allowed.*choose “Allow”.*choose another model/],
    ['Blocked', 'quota', /quota is used up.*\(you are out\).*choose another model/],
    ['NotFound', 'not_found', /acme\/m\/1 is no longer available.*choose another model/],
    ['Unknown', 'server', /request to acme\/m\/1 failed \(you are out\)\. Try again/],
  ])('a refusal with code %s is %s, in words with what to do next', async (code, kind, words) => {
    const error = await refused((fake) => (fake.refusal = new FakeLmError(code, 'you are out.')));
    expect(error.kind).toBe(kind);
    expect(error.message).toMatch(words);
  });

  it('shows no raw body of another extension', async () => {
    const error = await refused((fake) => (fake.refusal = new FakeLmError('Unknown', 'x', new Error('{"error":{"secret":1}}'))));
    expect(error.message).toBe('The request to acme/m/1 failed. Try again, or choose another model.');
    expect(error.fact).toBe('The request to acme/m/1 failed.');
  });

  it('stream-03: a break in the middle is interrupted, and what arrived is kept', async () => {
    const error = await refused((fake) => (fake.acts = [{ kind: 'text', deltas: ['part'] }, { kind: 'cut' }]));
    expect(error.kind).toBe('interrupted');
    expect(error.message).toContain('(socket hang up)');
    expect(error.fact).toMatch(/\(socket hang up\)\.$/);
  });

  it('a model that is not there is not_found, without a request', async () => {
    const error = await refused((fake) => (fake.models = []));
    expect(error.kind).toBe('not_found');
    expect(error.message).toMatch(/Install or sign in/);
  });

  it('stream-19: a stop while VS Code asks the person is a stop, not a refusal', async () => {
    const fake = new FakeLm();
    fake.acts = [{ kind: 'silence' }];
    const controller = new AbortController();
    const stream = createVsCodeLmProvider(fake.api).stream(request(), controller.signal);
    const pull = failure(stream.next());
    controller.abort();
    expect(isAbortError(await pull)).toBe(true);
  });
});

describe('vscode-lm models', () => {
  it('lists them under vendor and id, which select them again', async () => {
    const fake = new FakeLm();
    expect(await listVsCodeModels(fake.api)).toEqual([
      {
        provider: 'vscode-lm',
        id: 'acme/m/1',
        label: 'Acme One',
        contextWindow: 5_096,
        maxOutputTokens: 4_096,
        efforts: [],
        supportsImages: true,
        supportsTools: true,
      },
    ]);
    expect(selectorOf('acme/m/1')).toEqual({ vendor: 'acme', id: 'm/1' });
    expect(vsCodeModelInfo('x/y')).toMatchObject({ id: 'x/y', label: 'x/y' });
  });
});
