import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentSession } from '../../../src/engine/agent-session.js';
import type { Ground } from '../../../src/agent-host/ground.js';
import { type ModelServer, type StreamReply, reply, startModelServer } from '../../support/model-server/index.js';
import { eventually } from '../../support/eventually.js';
import { running } from '../../support/running-processes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { type NodeHost, nodeHost } from './node-host.js';

let server: ModelServer;
let root: string;
let host: NodeHost;
let own: Ground;

const at = (...names: readonly string[]): string => join(root, ...names);

function file(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

beforeEach(async () => {
  root = temporaryFolder();
  for (const name of ['home', 'first', 'second', 'storage']) mkdirSync(at(name));
  vi.stubEnv('HOME', at('home'));
  vi.stubEnv('USERPROFILE', at('home'));
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-test');
  server = await startModelServer();
  host = await nodeHost({ folder: at('first'), storage: at('storage'), settings: { 'gnomon.anthropic.baseUrl': server.url }, log: new MemoryLog() });
  own = host.groundIn(at('second'));
});
afterEach(async () => {
  own.dispose();
  await host.close();
  await server.close();
  vi.unstubAllEnvs();
});

/** Has a session do something, with its prompts allowed. @returns the calls that it was asked about */
async function work(session: AgentSession, ...replies: readonly StreamReply[]): Promise<readonly string[]> {
  const asked: string[] = [];
  const first = server.requests.length;
  server.setScript(({ n }) => replies[n - first] ?? reply().text('Done.'));
  const stop = session.onEvent((event) => {
    if (event.type !== 'tool_call' || event.state.status !== 'awaiting_approval') return;
    asked.push(event.state.plan.subject);
    session.answer(event.callId, { type: 'allow' });
  });
  expect((await session.send([{ type: 'text', text: 'Work.' }]).turn).end).toBe('end_turn');
  stop();
  return asked;
}

/** A command in the background that notes its process in a file. */
const job = (path: string): StreamReply =>
  reply().toolCall('bash', { command: `echo $$ > '${path}.part' && mv '${path}.part' '${path}' && exec sleep 300`, background: true });
const noted = (path: string): Promise<number> => eventually(() => Number(readFileSync(path, 'utf8')));

test('a session with a ground of its own is told of its folder, with the instructions there, and of no other', async () => {
  file(at('first', 'AGENTS.md'), 'Here we use tabs.\n');
  file(at('second', 'AGENTS.md'), 'Here we use spaces.\n');
  const [here, there] = [await host.start(), await host.start({}, own)];
  await work(here);
  await work(there);
  const [ofHere = '', ofThere = ''] = server.requests.map(({ raw }) => raw);
  expect([ofHere.includes(`Working directory: ${at('first')}`), ofHere.includes('Here we use tabs.')]).toEqual([true, true]);
  expect([ofThere.includes(`Working directory: ${at('second')}`), ofThere.includes('Here we use spaces.')]).toEqual([true, true]);
  expect([ofHere.includes(at('second')), ofHere.includes('spaces'), ofThere.includes(at('first')), ofThere.includes('tabs')]).toEqual(Array(4).fill(false));
  await Promise.all([here.close(), there.close()]);
});

test('links of instructions lead where the session may read: rules are about its own folder', async () => {
  file(at('home', '.claude', 'settings.json'), JSON.stringify({ permissions: { deny: ['Read(./private/**)'] } }));
  file(at('second', 'docs', 'open.md'), 'Words for everybody.\n');
  file(at('second', 'private', 'hidden.md'), 'Words for nobody.\n');
  symlinkSync(at('second', 'docs', 'open.md'), at('second', 'AGENTS.md'));
  symlinkSync(at('second', 'private', 'hidden.md'), at('second', 'CLAUDE.md'));
  await host.host.layers.read();
  const session = await host.start({}, own);
  await work(session);
  const [{ raw } = { raw: '' }] = server.requests;
  expect([raw.includes('Words for everybody.'), raw.includes('Words for nobody.')]).toEqual([true, false]);
  await session.close();
});

test('a relative path is one in the folder of the session, and leaving that needs a question', async () => {
  const session = await host.start({ mode: 'acceptEdits' }, own);
  const asked = await work(
    session,
    reply()
      .toolCall('write', { file_path: 'made.txt', content: 'mine\n' })
      .toolCall('write', { file_path: at('first', 'made.txt'), content: 'far\n' }),
  );
  expect(asked).toEqual([expect.stringContaining(at('first', 'made.txt'))]);
  expect([readFileSync(at('second', 'made.txt'), 'utf8'), readFileSync(at('first', 'made.txt'), 'utf8')]).toEqual(['mine\n', 'far\n']);
  await session.close();
});

test('a session that cannot be saved when it is closed ends its commands all the same, and nobody else’s', async () => {
  const created = await host.store.create('Be brief.');
  const recorder = new Proxy(created.recorder, {
    get: (target, name): unknown => {
      if (name === 'close') return () => target.close().then(() => Promise.reject(new Error('The disk is full.')));
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const [session, other] = [await host.start({ open: { ...created, recorder } }), await host.start()];
  await work(session, job(at('one')));
  await work(other, job(at('two')));
  const [one, two] = [await noted(at('one')), await noted(at('two'))];
  expect(running([one, two])).toEqual([one, two]);
  await expect(session.close()).rejects.toThrow('The disk is full.');
  expect(running([one, two])).toEqual([two]);
  expect([host.host.sessions.find(session.id), host.host.sessions.find(other.id)]).toEqual([undefined, other]);
  await other.close();
  expect(running([two])).toEqual([]);
});

test('a ground that is disposed kills what still runs on it, and nothing on another one', async () => {
  const [here, there] = [await host.start(), await host.start({}, own)];
  await work(here, job(at('one')));
  await work(there, job(at('two')));
  const [one, two] = [await noted(at('one')), await noted(at('two'))];
  own.dispose();
  await eventually(() => expect(running([one, two])).toEqual([one]));
  await Promise.all([here.close(), there.close()]);
  expect(running([one, two])).toEqual([]);
});
