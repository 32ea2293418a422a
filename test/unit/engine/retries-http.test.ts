import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anthropicModelInfo } from '../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { watchedFetch } from '../../../src/provider/http/watched-fetch.js';
import {
  type ModelServer,
  type RecordedRequest,
  type Reply,
  gate,
  htmlReply,
  httpError,
  reply,
  resetReply,
  startModelServer,
} from '../../support/model-server/index.js';
import { type Rig, outline, rig, testTool } from './rig.js';

const hello = [{ type: 'text' as const, text: 'hello' }];

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer();
});
afterAll(() => server.close());

let before = 0;
beforeEach(() => {
  before = server.requests.length;
});

/** A session on the real provider whose server gives one answer after another; waits are over at once and are kept. */
function start(...answers: readonly Reply[]): Rig & { readonly waits: number[] } {
  const first = server.requests.filter(({ problem }) => problem === undefined).length;
  server.setScript((_request, n) => answers[n - first] ?? httpError(500, 'api_error', 'There is no answer left.'));
  const waits: number[] = [];
  const it = rig({ maxRetries: 3, wait: (ms) => Promise.resolve(void waits.push(ms)), tools: [testTool('read')] });
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('k'), baseUrl: () => server.url, fetch: watchedFetch(undefined, { idleMs: 200 }) });
  it.session.setModel(provider, anthropicModelInfo('claude-opus-5-5'));
  return { ...it, waits };
}

/** What was asked since the test began; nothing of it may have been refused by the rules of the API. */
function asked(): readonly RecordedRequest[] {
  const requests = server.requests.slice(before);
  expect(requests.map(({ problem }) => problem)).toEqual(requests.map(() => undefined));
  return requests;
}

describe('the engine on the real provider', () => {
  test('stream-03: a reset before any output is tried again, with the same request byte for byte', async () => {
    const { session } = start(resetReply, reply().text('Hello.'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(outline(session.messages)).toEqual(['user: hello', 'assistant(end_turn): Hello.']);
    const [first, second] = asked();
    expect(second?.raw).toBe(first?.raw);
  });

  test('stream-03: a cut behind text keeps it, flagged, and no text is sent or told twice', async () => {
    const { session } = start(reply().text('Half an').cut(), reply().text('Half an answer.'), reply().text('More.'));
    await session.send(hello).turn;
    await session.send(hello).turn;
    expect(outline(session.messages).slice(0, 3)).toEqual(['user: hello', 'assistant(error): Half an', 'assistant(end_turn): Half an answer.']);
    expect(asked().at(-1)?.raw.split('Half an')).toHaveLength(2);
  });

  test('stream-05: a cut inside the arguments of a call runs nothing, and the next request is valid', async () => {
    const cutOff = reply().events(
      { type: 'content_block_start', index: 0, content_block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"on": "ha' } },
    );
    const { session, gate: judged } = start(cutOff.cut(), reply().text('Hello.'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(judged.judged).toEqual([]);
    expect(outline(session.messages)).toContain('result#toolu_1!: Not executed: the answer broke off.');
    expect(asked()).toHaveLength(2);
  });

  test('stream-06: overloaded in the middle backs off, and the error is no part of the text', async () => {
    const { session, waits } = start(reply().text('Half').errorEvent('overloaded_error', 'Overloaded'), reply().text('Whole.'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(waits).toHaveLength(1);
    expect(JSON.stringify(session.messages)).not.toContain('verloaded');
  });

  test.each<[Readonly<Record<string, string>>, number, number]>([
    [{}, 500, 1_000],
    [{ 'retry-after': '0' }, 500, 1_000],
    [{ 'retry-after': '-7' }, 500, 1_000],
    [{ 'retry-after': '1' }, 1_000, 2_000],
    [{ 'retry-after': '120' }, 120_000, 121_000],
  ])('stream-07: 429 with %o waits between %i and %i ms', async (headers, least, most) => {
    const { session, waits } = start(httpError(429, 'rate_limit_error', 'slow down', headers), reply().text('Hello.'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(waits).toHaveLength(1);
    expect(waits[0]).toBeGreaterThanOrEqual(least);
    expect(waits[0]).toBeLessThanOrEqual(most);
  });

  test('stream-07: 429 for an hour ends the turn and says when to try again', async () => {
    const { session, waits } = start(httpError(429, 'rate_limit_error', 'slow down', { 'retry-after': '3600' }));
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { message: expect.stringContaining('in 60 minutes') as string } });
    expect(waits).toEqual([]);
  });

  test.each([
    [500, 'api_error'],
    [502, 'api_error'],
    [503, 'api_error'],
    [504, 'timeout_error'],
    [529, 'overloaded_error'],
  ])('stream-08: %i is tried again, and its cause is told when it does not pass', async (status, type) => {
    const { session, waits } = start(...Array.from({ length: 4 }, () => httpError(status, type, 'Not now')));
    const turn = await session.send(hello).turn;
    expect(turn).toMatchObject({ end: 'error', error: { status } });
    expect(waits).toHaveLength(3);
    expect((turn.error as Error).message).not.toMatch(/[{}]/);
  });

  test.each([
    [400, 'invalid_request_error'],
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [404, 'not_found_error'],
    [413, 'request_too_large'],
  ])('stream-08: %i is not', async (status, type) => {
    const { session } = start(httpError(status, type, 'No'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { status } });
    expect(asked()).toHaveLength(1);
  });

  test('stream-09: neither is a login page', async () => {
    const { session } = start(htmlReply('<html>Sign in</html>'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { kind: 'not_a_stream' } });
    expect(asked()).toHaveLength(1);
  });

  test('stream-11: silence is tried again once, and the connection is closed', async () => {
    const { session } = start(reply().text('Half').hold(gate()), reply().text('Half').hold(gate()), reply().text('Too late.'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { kind: 'stalled' } });
    expect(asked()).toHaveLength(2);
    for (const request of asked()) expect(await request.closedByClient).toBe(true);
  });

  test('stream-12: a pause is gone on from with a request that the API accepts', async () => {
    const { session } = start(reply().text('So far.').stop('pause_turn'), reply().text('Done.'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(asked()[1]?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test.each([
    ['refusal', 'error', /refused to respond/],
    ['stop_sequence', 'end_turn', /^$/],
    ['something_new', 'unknown', /^$/],
  ])('stream-12: %s ends the turn as %s', async (reason, end, words) => {
    const { session } = start(reply().text('So far.').stop(reason));
    const turn = await session.send(hello).turn;
    expect(turn.end).toBe(end);
    expect(turn.error instanceof Error ? turn.error.message : '').toMatch(words);
    expect(asked()).toHaveLength(1);
  });

  test('stream-05: an answer that reached its length limit is gone on with, three times in a row', async () => {
    const cut = reply().text('So far.').stop('max_tokens');
    const { session } = start(cut, reply().text('Done.'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(asked()[1]?.body.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    const endless = start(cut, cut, cut, cut);
    expect(await endless.session.send(hello).turn).toMatchObject({ end: 'length', rounds: 4 });
  });

  test('stream-22: an answer that filled the context window is gone on with behind a summary', async () => {
    const { session } = start(
      reply().text('Earlier.'),
      reply().text('So far.').stop('model_context_window_exceeded'),
      reply().text('Summary.'),
      reply().text('Done.'),
    );
    await session.send(hello).turn;
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(JSON.stringify(asked().at(-1)?.body.messages)).toContain('Summary.');
  });

  test('stream-12: a refusal without a word is told as one, is not asked again, and what was refused with words does not go along', async () => {
    const { session } = start(reply().stop('refusal'), reply().text('I will not').stop('refusal'), reply().text('Sure.'));
    expect(await session.send(hello).turn).toMatchObject({ end: 'error', error: { message: expect.stringMatching(/refused to respond/) as string } });
    expect(asked()).toHaveLength(1);
    expect(await session.send(hello).turn).toMatchObject({ end: 'error' });
    expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
    expect(JSON.stringify(asked().at(-1)?.body)).not.toContain('I will not');
  });

  test('stream-13: an answer of nothing, of blanks, and of thinking only: asked once more, never sent back', async () => {
    for (const nothing of [reply(), reply().text(' \n'), reply().thinking('hm', 'c2ln')]) {
      const { session } = start(nothing, reply().text('Hello.'), reply().text('More.'));
      expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
      expect(await session.send(hello).turn).toMatchObject({ end: 'end_turn' });
      expect(
        asked()
          .at(-1)
          ?.body.messages.map(({ role }) => role),
      ).toEqual(['user', 'assistant', 'user']);
    }
  });

  test('stream-25: each attempt counts once, a repeated message_start too', async () => {
    const usage = { input_tokens: 100, output_tokens: 1 };
    const again = { type: 'message_start', message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage } };
    const { session } = start(reply().usage(usage).events(again).text('Half').cut(), reply().usage(usage, { output_tokens: 7 }).events(again).text('Whole.'));
    const turn = await session.send(hello).turn;
    expect(turn.usage).toMatchObject({ inputTokens: 200, outputTokens: 8 });
    expect(session.usage).toEqual(turn.usage);
  });

  test('stream-25: an answer that is stopped counts what was told of it, once', async () => {
    const held = gate();
    const { session } = start(reply().usage({ input_tokens: 100, output_tokens: 3 }).text('Half').hold(held));
    const turn = session.send(hello).turn;
    await held.reached;
    session.cancel();
    const { usage, end } = await turn;
    expect(end).toBe('aborted');
    expect(usage.inputTokens === 0 || (usage.inputTokens === 100 && usage.outputTokens === 3)).toBe(true);
    expect(session.usage).toEqual(usage);
  });
});
