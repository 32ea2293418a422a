import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ModelServer,
  type WireBlock,
  type WireMessage,
  gate,
  lastToolResults,
  lastUserText,
  promptedScript,
  reply,
  resultText,
  startModelServer,
} from '../../../support/model-server/index.js';

let server: ModelServer;
beforeAll(async () => {
  server = await startModelServer({ script: () => reply().text('ok') });
});
afterAll(() => server.close());

const USER: WireMessage = { role: 'user', content: 'Hi' };
const CALL: WireBlock = { type: 'tool_use', id: 'a', name: 'read', input: {} };
const RESULT: WireBlock = { type: 'tool_result', tool_use_id: 'a', content: 'x' };

async function post(body: object, headers: Record<string, string> = {}): Promise<Response> {
  const usual = { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2026-10-21' };
  const whole = JSON.stringify({ model: 'm', max_tokens: 10, messages: [USER], ...body });
  return fetch(`${server.url}/v1/messages`, { method: 'POST', headers: { ...usual, ...headers }, body: whole });
}

async function problem(body: object): Promise<string | undefined> {
  const response = await post(body);
  const { error } = (await response.json()) as { error?: { type: string; message: string } };
  expect(response.status).toBe(error === undefined ? 200 : 400);
  if (error !== undefined) expect(error.type).toBe('invalid_request_error');
  return error?.message;
}

describe('the model server', () => {
  it.each<[string, object, RegExp]>([
    ['no messages', { messages: [] }, /at least one message/],
    ['an assistant first', { messages: [{ role: 'assistant', content: 'x' }, USER] }, /first message/],
    ['an assistant last', { messages: [USER, { role: 'assistant', content: 'x' }] }, /prefill/],
    ['an unknown role', { messages: [{ role: 'tool', content: 'x' }] }, /role/],
    ['empty content', { messages: [{ role: 'user', content: [] }] }, /non-empty content/],
    ['empty text', { messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] }, /must be non-empty/],
    ['blank text', { messages: [{ role: 'user', content: ' \n' }] }, /non-whitespace/],
    ['a call without a result', { messages: [USER, { role: 'assistant', content: [CALL] }, USER] }, /without `tool_result`/],
    ['a result without a call', { messages: [{ role: 'user', content: [RESULT] }] }, /unexpected `tool_use_id`/],
    ['two results for a call', { messages: [USER, { role: 'assistant', content: [CALL] }, { role: 'user', content: [RESULT, RESULT] }] }, /single result/],
    [
      'a late result',
      { messages: [USER, { role: 'assistant', content: [CALL] }, { role: 'user', content: [{ type: 'text', text: 'x' }, RESULT] }] },
      /come first/,
    ],
    [
      'input that is no object',
      { messages: [USER, { role: 'assistant', content: [{ ...CALL, input: [1] }] }, { role: 'user', content: [RESULT] }] },
      /dictionary/,
    ],
    [
      'an odd id',
      { messages: [USER, { role: 'assistant', content: [{ ...CALL, id: 'a:b' }] }, { role: 'user', content: [{ ...RESULT, tool_use_id: 'a:b' }] }] },
      /pattern/,
    ],
    [
      'an unknown signature',
      { messages: [USER, { role: 'assistant', content: [{ type: 'thinking', thinking: 'x', signature: 'y' }] }, USER] },
      /Invalid `signature`/,
    ],
    ['unknown encrypted thinking', { messages: [USER, { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'y' }] }, USER] }, /Invalid `data`/],
    ['an image in an answer', { messages: [USER, { role: 'assistant', content: [{ type: 'image' }] }, USER] }, /does not match/],
    ['temperature', { temperature: 0.5 }, /Extra inputs/],
    ['two tools of one name', { tools: [tool('a'), tool('a')] }, /unique/],
    ['five marks', { tools: [1, 2, 3, 4, 5].map((n) => ({ ...tool(`t${n}`), cache_control: { type: 'ephemeral' } })) }, /maximum of 4/],
    ['a budget above the limit', { thinking: { type: 'enabled', budget_tokens: 2_000 } }, /greater than `thinking.budget_tokens`/],
  ])('refuses %s like the API', async (_, body, words) => {
    expect(await problem(body)).toMatch(words);
    expect(server.requests.at(-1)?.problem).toMatch(words);
  });

  it('takes turns of one role in a row as one', async () => {
    const messages = [USER, { role: 'assistant', content: [CALL] }, { role: 'user', content: [RESULT] }, USER, USER];
    expect(await problem({ messages })).toBeUndefined();
  });

  it('knows the thinking that it sent, and notices a changed letter', async () => {
    server.setScript(() => reply().thinking('I think', 'signed').redacted('secret').text('so'));
    const { content } = (await (await post({})).json()) as { content: WireBlock[] };
    server.setScript(() => reply().text('ok'));
    const again = (blocks: readonly WireBlock[]): Promise<string | undefined> => problem({ messages: [USER, { role: 'assistant', content: blocks }, USER] });
    expect(await again(content)).toBeUndefined();
    expect(await again([{ ...content[0], type: 'thinking', thinking: 'I thin' }])).toMatch(/Invalid `signature`/);
  });

  it.each<[Record<string, string>, number]>([
    [{ 'x-api-key': 'right' }, 200],
    [{ authorization: 'Bearer right' }, 200],
    [{ authorization: 'Bearer wrong' }, 401],
    [{}, 401],
  ])('looks at the key: %o gives %i', async (headers, status) => {
    const strict = await startModelServer({ apiKey: 'right', script: () => reply().text('ok') });
    const body = JSON.stringify({ model: 'm', max_tokens: 1, messages: [USER] });
    const response = await fetch(`${strict.url}/v1/messages`, { method: 'POST', headers: { 'anthropic-version': '1', ...headers }, body });
    expect(response.status).toBe(status);
    await strict.close();
  });

  it('sends pieces of exactly the sizes asked for', async () => {
    server.setScript(() => reply().text('hello').chunked(1));
    const response = await post({ stream: true });
    const reader = response.body?.getReader();
    for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read()) expect(piece.value).toHaveLength(1);
    expect.hasAssertions();
  });

  it('holds at a gate, with everything before it sent, and sees a client that goes away', async () => {
    const hold = gate();
    server.setScript(() => reply().text('before', hold, 'after'));
    const leaving = new AbortController();
    const usual = { 'x-api-key': 'k', 'anthropic-version': '1' };
    const body = JSON.stringify({ model: 'm', max_tokens: 1, messages: [USER], stream: true });
    const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers: usual, body, signal: leaving.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    while (!seen.includes('before')) seen += (await reader?.read())?.value ?? '';
    await hold.reached;
    expect(seen).not.toContain('after');
    const gone = server.requests.at(-1)?.closedByClient;
    leaving.abort();
    await reader?.read().catch(() => undefined);
    expect(await gone).toBe(true);
  });

  it('says so when a script fails', async () => {
    server.setScript(() => {
      throw new Error('expected another prompt');
    });
    expect((await post({})).status).toBe(500);
    expect(String(server.errors.at(-1))).toContain('expected another prompt');
  });

  it('answers by the prompt, and helps scripts to read requests', async () => {
    server.setScript(promptedScript);
    const { content } = (await (await post({ messages: [{ role: 'user', content: 'please bulk 3' }] })).json()) as { content: WireBlock[] };
    expect(content).toEqual([{ type: 'text', text: 'word 00000. word 00001. word 00002. ' }]);
    const messages = [USER, { role: 'assistant', content: [CALL] }, { role: 'user', content: [RESULT, { type: 'text', text: 'more' }] }];
    const body = { model: 'm', max_tokens: 1, messages };
    expect(lastUserText(body)).toBe('more');
    expect(lastToolResults(body).map(resultText)).toEqual(['x']);
  });
});

function tool(name: string): Record<string, unknown> {
  return { name, description: 'x', input_schema: { type: 'object' } };
}
