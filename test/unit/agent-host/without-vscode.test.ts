import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../../../src/domain/model/message.js';
import type { Ask } from '../../../src/domain/tool/asks.js';
import { serverId } from '../../../src/domain/mcp/tool-name.js';
import { type ModelServer, reply, startModelServer } from '../../support/model-server/index.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { nodeHost } from './node-host.js';

// Whatever would need a window fails where it is loaded.
vi.mock('vscode', () => {
  throw new Error('There is no window here.');
});

const SERVER = join(import.meta.dirname, '../../support/mcp/modern-server.mjs');

let server: ModelServer;
let home: string;
let folder: string;
let storage: string;
let log: MemoryLog;

function file(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

beforeEach(async () => {
  server = await startModelServer();
  [home, folder, storage] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
  log = new MemoryLog();
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  vi.stubEnv('ANTHROPIC_API_KEY', 'sk-test');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.close();
});

const open = (): ReturnType<typeof nodeHost> => nodeHost({ folder, storage, settings: { 'gnomon.anthropic.baseUrl': server.url }, log });

const untimed = ({ timestamp: _, ...rest }: Message): object => rest;

const textOfResults = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => (message.role === 'tool_result' ? [message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')] : []));

test('an agent works without a window: with a skill, a hook, an agent file, a rule, and a server; asks are answered, and the session is opened again', async () => {
  const hooked = join(home, 'hooked.json');
  file(join(folder, '.claude', 'skills', 'greet', 'SKILL.md'), '---\nname: greet\ndescription: How to greet people here.\n---\nSay ahoy.\n');
  file(join(folder, '.claude', 'agents', 'careful.md'), '---\nname: careful\ndescription: Takes care.\n---\nBe careful.\n');
  file(join(folder, '.claude', 'settings.json'), JSON.stringify({ permissions: { deny: ['Bash(rm:*)'] } }));
  file(join(folder, 'CLAUDE.md'), 'Use tabs here.\n');
  file(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: { modern: { command: process.execPath, args: [SERVER] } } }));
  const command = `cat > ${JSON.stringify(hooked)}`;
  file(join(home, '.claude', 'settings.json'), JSON.stringify({ hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command }] }] } }));
  file(join(folder, 'old.txt'), 'old\n');

  const first = await open();
  const { host } = first;
  await host.servers.configurations.read();
  const [entry] = host.servers.configurations.current.servers.map((each) => each.entry);
  expect(entry).toMatchObject({ name: 'modern' });
  const id = serverId('modern');
  await expect.poll(() => host.servers.all.state(id)).toMatchObject({ status: 'pending', waitsFor: 'approval' });
  // What a person reads and approves.
  if (entry !== undefined) await host.servers.approvals.approve(entry, (await host.servers.approvals.judge(entry)).effective.hash);
  await host.servers.all.recheck();
  host.servers.all.want();
  await expect.poll(() => host.servers.all.state(id)?.status).toBe('connected');

  const replies = [
    reply().toolCall('bash', { command: 'rm old.txt' }).toolCall('bash', { command: 'touch made.txt' }),
    reply().toolCall('mcp__modern__add', { a: 1, b: 2 }),
    reply().text('Ahoy.'),
  ];
  server.setScript((_request, n) => replies[n] ?? reply().text('There is nothing else.'));
  await host.agents.ready();
  const session = await first.start({ agent: host.agents.find('careful') });
  const asked: Ask[] = [];
  host.sessions.onDidChangeAsks(() => {
    for (const ask of host.sessions.asks) {
      if (asked.some(({ callId }) => callId === ask.callId)) continue;
      asked.push(ask);
      if (ask.kind === 'permission') session.answer(ask.callId, { type: 'allow' }, ask.revision);
    }
  });
  const turn = await session.send([{ type: 'text', text: 'Tidy up, then greet.' }]).turn;
  expect({ end: turn.end, error: turn.error, told: log.lines.filter((line) => !line.startsWith('Hook PreToolUse')) }).toEqual({
    end: 'end_turn',
    error: undefined,
    told: [],
  });

  expect(asked.map((ask) => [ask.kind, ask.who, ask.kind === 'permission' ? ask.plan.subject : ''])).toEqual([
    ['permission', { session: session.id, depth: 0 }, 'touch made.txt'],
    ['permission', { session: session.id, depth: 0 }, expect.anything()],
  ]);
  expect(readFileSync(join(folder, 'old.txt'), 'utf8')).toBe('old\n');
  expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('');
  expect(JSON.parse(readFileSync(hooked, 'utf8'))).toMatchObject({ hook_event_name: 'PreToolUse', session_id: session.id, agent_type: 'careful' });
  const told = server.requests[0]?.raw ?? '';
  for (const words of ['Use tabs here.', 'How to greet people here.', 'Be careful.', 'mcp__modern__add']) expect(told).toContain(words);
  expect(server.requests.at(-1)?.raw).toContain('Bash(rm:*)');
  expect(textOfResults(session.messages).at(-1)).toMatch(/\n3\n/);

  const { messages } = session;
  await session.close();
  await first.close();
  const second = await open();
  const again = await second.reopen(session.id);
  expect(again.messages.map(untimed)).toEqual(messages.map(untimed));
  await again.close();
  await second.close();
});

test('nothing in the agent host imports VS Code', async () => {
  const { metafile } = await build({
    entryPoints: ['src/agent-host/agent-host.ts', 'src/node/host/node-ports.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    external: ['vscode'],
    metafile: true,
    write: false,
    outdir: 'dist',
    logLevel: 'silent',
  });
  const importing = Object.entries(metafile.inputs).flatMap(([path, { imports }]) => (imports.some((each) => each.path === 'vscode') ? [path] : []));
  expect(importing).toEqual([]);
  expect(Object.keys(metafile.inputs).filter((path) => path.startsWith('src/vscode/'))).toEqual([]);
});
