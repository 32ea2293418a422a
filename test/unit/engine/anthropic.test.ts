import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { OpenSession } from '../../../src/domain/session/session-store.js';
import type { AgentSession } from '../../../src/engine/agent-session.js';
import { createAgentSession } from '../../../src/engine/live-session.js';
import { createNodeFileLayer } from '../../../src/node/files/node-file-layer.js';
import { anthropicModelInfo } from '../../../src/provider/anthropic/models.js';
import { createAnthropicProvider } from '../../../src/provider/anthropic/provider.js';
import { createSessions } from '../../../src/session/create-sessions.js';
import { type ModelServer, type Reply, gate, httpError, reply, startModelServer } from '../../support/model-server/index.js';
import { asked, MemoryLog, ok, outline, TestGate, testTool } from './rig.js';

const go = [{ type: 'text' as const, text: 'go' }];
const clock = { timestamp: () => new Date().toISOString(), monotonic: () => performance.now() };

let server: ModelServer;
let folder: string;
const sessions: AgentSession[] = [];

beforeAll(async () => {
  server = await startModelServer();
  folder = await mkdtemp(join(tmpdir(), 'engine-'));
});
afterEach(async () => {
  for (const session of sessions.splice(0)) await session.close();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

function store() {
  return createSessions({ folder, files: createNodeFileLayer(), clock, log: new MemoryLog() }).store;
}

/** Lets the server answer with these, one after another. */
function script(...replies: readonly Reply[]): void {
  const first = server.requests.length;
  const queue = [...replies];
  server.setScript((request) => queue.shift() ?? httpError(500, 'api_error', `no reply for request ${request.n - first}`));
}

async function start(open?: OpenSession): Promise<AgentSession> {
  const provider = createAnthropicProvider({ apiKey: () => Promise.resolve('key'), baseUrl: () => server.url });
  const session = createAgentSession({
    open: open ?? (await store().create('Be good.')),
    tools: [testTool('read'), testTool('bash', { kind: 'execute', execute: () => ok('ran') })],
    gate: new TestGate(),
    clock,
    log: new MemoryLog(),
    provider,
    model: anthropicModelInfo('claude-sonnet-4-5'),
    mode: 'default',
    maxRounds: 20,
    maxRetries: 0,
    effort: 'medium',
  });
  sessions.push(session);
  return session;
}

function expectAccepted(): void {
  expect(server.requests.flatMap((request) => request.problem ?? [])).toEqual([]);
  expect(server.errors).toEqual([]);
}

describe('with the Anthropic provider, over HTTP, on a real session store', () => {
  test('stream-20: thinking and tools over rounds, then the session is opened again and goes on', async () => {
    script(
      reply().thinking('Where is it?', 'sig-1').text('Looking.').toolCall('read', { on: 'a' }).toolCall('read', { on: 'b' }),
      reply().thinking('There.', 'sig-2').toolCall('fly', {}),
      reply().text('Done.'),
      reply().text('Still here.'),
    );
    const session = await start();
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 3 });
    await session.close();

    const again = await start(await store().open(session.id));
    expect(outline(again.messages)).toEqual(outline(session.messages));
    expect(again.costUsd).toBe(session.costUsd);
    expect(await again.send(go).turn).toMatchObject({ end: 'end_turn' });

    expectAccepted();
    const body = JSON.stringify(server.requests.at(-1)?.body.messages);
    expect(body).toContain('sig-1');
    expect(body).toContain('sig-2');
  });

  test.each([
    ['before the first byte', (at: ReturnType<typeof gate>) => reply().hold(at).text('Never.')],
    ['in thinking', (at: ReturnType<typeof gate>) => reply().thinking(['One', at, 'two'], 'sig-x')],
    ['in text', (at: ReturnType<typeof gate>) => reply().thinking('Whole.', 'sig-y').text('Half ', at, 'rest')],
    [
      'in the arguments of a call',
      (at: ReturnType<typeof gate>) =>
        reply()
          .text('I will')
          .toolCall('read', {}, { chunks: ['{"on":', at, '"a"}'] }),
    ],
  ])('stream-19: Stop %s; the next message works and the connection is closed', async (_name, make) => {
    const at = gate();
    script(make(at), reply().text('Going on.'));
    const session = await start();
    const first = server.requests.length;

    const turn = session.send(go).turn;
    await at.reached;
    session.cancel();

    expect(await turn).toMatchObject({ end: 'aborted' });
    const request = await server.request(first);
    expect(await request.closedByClient).toBe(true);
    at.open();
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expectAccepted();
  });

  test('stream-19: Stop while a prompt is open; both calls are answered, the next message works', async () => {
    script(reply().toolCall('bash', { on: 'x' }, { id: 'one' }).toolCall('bash', { on: 'y' }, { id: 'two' }), reply().text('Going on.'));
    const session = await start();

    const turn = session.send(go).turn;
    await asked(session, 'one');
    session.cancel();

    expect(await turn).toMatchObject({ end: 'aborted' });
    expect(outline(session.messages).slice(-2)).toEqual(['result#one!: Cancelled by the user.', 'result#two!: Cancelled by the user.']);
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expectAccepted();
  });

  test('a cut connection, an overloaded server and the length limit each leave a session that goes on', async () => {
    script(
      reply().thinking('Hm.', 'sig-z').text('Half').cut(),
      reply().text('Hal').errorEvent('overloaded_error', 'Overloaded'),
      httpError(529, 'overloaded_error', 'Overloaded'),
      reply()
        .toolCall('read', {}, { chunks: ['{"on":"a'] })
        .stop('max_tokens'),
      reply().text('At last.'),
      reply().text('And more.'),
    );
    const session = await start();

    expect(await session.send(go).turn).toMatchObject({ end: 'error', error: { kind: 'interrupted' } });
    expect(await session.retry().turn).toMatchObject({ end: 'error', error: { kind: 'overloaded' } });
    expect(await session.retry().turn).toMatchObject({ end: 'error', error: { kind: 'overloaded' } });
    expect(await session.retry().turn).toMatchObject({ end: 'end_turn', rounds: 2 });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn' });
    expectAccepted();
  });
});
