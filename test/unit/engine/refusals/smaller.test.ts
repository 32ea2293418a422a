import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelInfo, Provider } from '../../../../src/domain/model/provider.js';
import { createAnthropicProvider } from '../../../../src/provider/anthropic/provider.js';
import { presetOf } from '../../../../src/provider/openai/models/presets.js';
import { createOpenAiProvider } from '../../../../src/provider/openai/provider.js';
import { type ModelServer, type StreamReply, httpError, reply, startModelServer } from '../../../support/model-server/index.js';
import { type OpenAiServer, type Reply, chunk, DONE, json, sse, startOpenAiServer } from '../../../support/openai-server/index.js';
import { TEST_MODEL } from '../../../support/scripted-provider/index.js';
import { type Rig, outline, rig, testTool } from '../rig.js';

let claude: ModelServer;
let chat: OpenAiServer;
beforeAll(async () => {
  [claude, chat] = await Promise.all([startModelServer({ lenient: true }), startOpenAiServer()]);
});
afterAll(() => Promise.all([claude.close(), chat.close()]));

const go = [{ type: 'text' as const, text: 'go' }];

function start(provider: Provider, model: ModelInfo): Rig {
  const it = rig({ tools: [testTool('read')], maxRetries: 8, wait: () => Promise.resolve() });
  it.session.setModel(provider, model);
  return it;
}

/** A session over Messages, with one answer after another; the last one repeats. */
function overMessages(...answers: readonly StreamReply[]): Rig {
  const left = [...answers];
  claude.setScript(() => (left.length > 1 ? left.shift() : left[0]) ?? httpError(500, 'api_error', 'none'));
  return start(createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => claude.url }), {
    ...TEST_MODEL,
    provider: 'anthropic',
    id: 'claude-opus-4-6',
  });
}

/** The same over chat completions, with a model of its own, as habits of servers are remembered by model. */
function overChat(id: string, ...answers: readonly Reply[]): Rig {
  const left = [...answers];
  chat.setScript(() => (left.length > 1 ? left.shift() : left[0]));
  const provider = createOpenAiProvider({ name: 'vllm', preset: presetOf('vllm'), apiKey: () => Promise.resolve('k'), baseUrl: () => `${chat.url}/v1` });
  return start(provider, { ...TEST_MODEL, provider: 'vllm', id });
}

test('an error in the middle of an answer is asked again for, whatever the Messages API calls it', async () => {
  const { session } = overMessages(reply().text('Half').errorEvent('invalid_request_error', 'Something went wrong'), reply().text('Whole.'));
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
  expect(outline(session.messages).at(-1)).toBe('assistant(end_turn): Whole.');
});

test.each(['end_turn', 'stop_sequence'])('calls beside %s are not run, and the model is asked again', async (reason) => {
  const { session, gate } = overMessages(reply().toolCall('read', { on: 'x' }, { id: 'a' }).stop(reason), reply().text('Done.'));
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
  expect(gate.judged).toEqual([]);
  const endless = overMessages(reply().toolCall('read', { on: 'x' }).stop(reason));
  expect(await endless.session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 4 });
});

test('a call that the server could not read of its model is asked for once more', async () => {
  const failed = json(
    {
      error: {
        message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
        type: 'invalid_request_error',
        code: 'tool_use_failed',
      },
    },
    400,
  );
  const { session } = overChat('a', failed, sse(chunk({ content: 'Done.' }), chunk({}, 'stop'), DONE));
  const before = chat.requests.length;
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
  expect(chat.requests).toHaveLength(before + 2);
  expect(await overChat('b', failed).session.send(go).turn).toMatchObject({ end: 'error', error: { kind: 'protocol' } });
});

test('answers of a server that never says why they stop are taken as whole from the second on', async () => {
  const silent = sse(chunk({ content: 'All of it.' }), DONE);
  const { session } = overChat('silent', silent);
  const before = chat.requests.length;
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
  expect(chat.requests).toHaveLength(before + 3);
});

test('an answer of a server that says it otherwise is cut off without that, however often', async () => {
  const whole = sse(chunk({ content: 'All of it.' }), chunk({}, 'stop'), DONE);
  const { session } = overChat('says', whole, sse(chunk({ content: 'All of' }), DONE));
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
  expect(await session.send(go).turn).toMatchObject({ end: 'error', error: { kind: 'interrupted' } });
});

test('a key that is no longer good is told as such; other words, that may repeat the key, are not', async () => {
  const expired = overChat('k1', json({ error: { message: 'The token has expired', type: 'auth' } }, 401));
  expect(await expired.session.send(go).turn).toMatchObject({
    error: { kind: 'authentication', message: expect.stringMatching(/rejected the API key \(The token has expired\)\. Run/) as string },
  });
  const repeated = overChat('k2', json({ error: { message: 'Key sk-proj-aaaaaaaaaaaaaaaaaaaaaaaa was revoked', type: 'auth' } }, 401));
  expect(await repeated.session.send(go).turn).toMatchObject({ error: { message: expect.not.stringContaining('sk-proj') as string } });
});

test.each([
  ['90', 'in 90 seconds'],
  ['7100', 'in 119 minutes'],
  ['7200', 'in 2 hours'],
  ['1000000000', 'later, or choose another model'],
])('a server that asks to wait %s seconds is told of as %s', async (seconds, words) => {
  const { session } = overChat(`w${seconds}`, json({ error: { message: 'slow down' } }, 429, { 'retry-after': seconds }));
  const turn = await session.send(go).turn;
  expect(turn).toMatchObject({ end: 'error', error: { message: expect.stringContaining(words) as string } });
});

test.each([409, 425, 499])('%i is tried again', async (status) => {
  const { session } = overChat(`s${status}`, json({ error: { message: 'not now' } }, status), sse(chunk({ content: 'Done.' }), chunk({}, 'stop'), DONE));
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
});

const piece = (call: object): ReturnType<typeof chunk> => chunk({ tool_calls: [{ index: 0, ...call }] });

test.each<[string, readonly ReturnType<typeof chunk>[]]>([
  [
    'its name in two pieces',
    [piece({ id: 'a', function: { name: 're', arguments: '' } }), piece({ function: { name: 'ad' } }), piece({ function: { arguments: '{"on":"x"}' } })],
  ],
  ['arguments before the name', [piece({ id: 'a', function: { arguments: '{"on":' } }), piece({ function: { name: 'read', arguments: '"x"}' } })]],
  [
    'arguments that are repeated and grow',
    [
      piece({ id: 'a', function: { name: 'read', arguments: '{"on' } }),
      piece({ function: { arguments: '{"on":"x"' } }),
      piece({ function: { arguments: '{"on":"x"}' } }),
    ],
  ],
  [
    'arguments that hold their own beginning',
    [
      piece({ id: 'a', function: { name: 'read', arguments: '{"on":"x","in":"' } }),
      piece({ function: { arguments: '{\\"on\\":' } }),
      piece({ function: { arguments: '"}' } }),
    ],
  ],
])('a call is read with %s', async (how, pieces) => {
  const { session, gate } = overChat(`call ${how}`, sse(...pieces, chunk({}, 'tool_calls'), DONE), sse(chunk({ content: 'Done.' }), chunk({}, 'stop'), DONE));
  expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
  expect(gate.judged.map(({ plan }) => `${plan.tool} ${plan.subject}`)).toEqual(['read x']);
  expect(session.messages.filter(({ role }) => role === 'tool_result')).toHaveLength(1);
});
