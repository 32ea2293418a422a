import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Tool } from '../../../src/domain/tool/tool.js';
import type { WebSearch } from '../../../src/domain/workspace/web-search.js';
import { createSearxngSearch } from '../../../src/node/web/search/searxng.js';
import { createSearchTool } from '../../../src/tool/index.js';
import { answers, calls, stops } from '../../support/scripted-provider/index.js';
import { asked, ok, outline, rig, statesOf, testTool } from './rig.js';

let server: Server;
let url = '';
let queries: (string | null)[] = [];
/** Whether the server answers at all. */
let silent = false;
let arrived: () => void = () => undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    queries.push(new URL(request.url ?? '', 'http://x').searchParams.get('q'));
    arrived();
    if (silent) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ results: [{ url: 'https://a.example/', title: 'A', content: 'words' }] }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  queries = [];
  silent = false;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const go = [{ type: 'text' as const, text: 'go' }];
const search = [...calls(0, 'a', { name: 'web_search', args: { query: 'fake timers' } }), ...stops('tool_use')];

/** A search that costs something. */
function priced(costUsd: number | undefined): Tool {
  const inner = createSearxngSearch({ url });
  const usage = { inputTokens: 1_000, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 };
  const webSearch: WebSearch = { ...inner, search: async (query, signal) => ({ ...(await inner.search(query, signal)), spent: { usage, costUsd } }) };
  return createSearchTool(webSearch);
}

describe('a search of the web', () => {
  test('tool-22: sends nothing before the user allows it, and then exactly what they saw', async () => {
    const { session, events } = rig({ tools: [createSearchTool(createSearxngSearch({ url }))], scripts: [search, answers('Done.')] });
    const turn = session.send(go).turn;
    const event = await asked(session, 'a');
    expect(event).toMatchObject({ state: { plan: { preview: { kind: 'search', query: 'fake timers' } } } });
    expect(queries).toEqual([]);
    session.answer('a', { type: 'allow' });
    await turn;
    expect(queries).toEqual(['fake timers']);
    expect(statesOf(events, 'a')).toEqual(['pending', 'awaiting_approval', 'running', 'done']);
    expect(outline(session.messages)[2]).toContain('[1] A\nhttps://a.example/\nwords');
  });

  test('tool-22: sends nothing when it is denied', async () => {
    const { session } = rig({ tools: [createSearchTool(createSearxngSearch({ url }))], scripts: [search, answers('Done.')] });
    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'deny' });
    await turn;
    expect(queries).toEqual([]);
  });

  test('is stopped with the turn', async () => {
    silent = true;
    const { session, events } = rig({ tools: [createSearchTool(createSearxngSearch({ url }))], scripts: [search] });
    const sent = new Promise<void>((resolve) => (arrived = resolve));
    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'allow' });
    await sent;
    session.cancel();
    expect((await turn).end).toBe('aborted');
    expect(statesOf(events, 'a').at(-1)).toBe('cancelled');
  });

  test('counts what it cost, for the turn and the chat', async () => {
    const { session, gate, events } = rig({ tools: [priced(0.25)], scripts: [search, answers('Done.')] });
    gate.judgment = () => ({ type: 'allow', reason: 'a rule' });
    const without = rig({ tools: [testTool('web_search', { execute: () => ok('x') })], scripts: [search, answers('Done.')] });

    const [turn, free] = await Promise.all([session.send(go).turn, without.session.send(go).turn]);

    expect((turn.costUsd ?? 0) - (free.costUsd ?? 0)).toBeCloseTo(0.25);
    expect(session.costUsd).toBeCloseTo(turn.costUsd ?? 0);
    expect(turn.usage.inputTokens - free.usage.inputTokens).toBe(1_000);
    expect(events.filter(({ type }) => type === 'usage').length).toBe(3);
  });

  test('makes the cost unknown where its own is', async () => {
    const { session, gate } = rig({ tools: [priced(undefined)], scripts: [search, answers('Done.')] });
    gate.judgment = () => ({ type: 'allow', reason: 'a rule' });
    await session.send(go).turn;
    expect(session.costUsd).toBeUndefined();
  });

  test('is not sent where a limit leaves no room for it, and the model is told', async () => {
    const inner = createSearxngSearch({ url });
    const tool = createSearchTool({ ...inner, estimate: { costUsd: 0.25, tokens: 0, requests: 0 } });
    const dear = stops('tool_use', { inputTokens: 1_000_000, outputTokens: 0 });
    const { session, gate } = rig({ tools: [tool], caps: () => ({ maxCostUsd: 1 }), scripts: [[...search.slice(0, -2), ...dear]] });
    gate.judgment = () => ({ type: 'allow', reason: 'a rule' });
    expect(await session.send(go).turn).toMatchObject({ end: 'cap', costUsd: 1 });
    expect(queries).toEqual([]);
    expect(outline(session.messages).at(-1)).toContain('result#a!: Not run');
  });
});
