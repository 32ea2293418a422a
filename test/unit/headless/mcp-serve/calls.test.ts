import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Progress } from '@modelcontextprotocol/client';
import { beforeEach, describe, expect, it } from 'vitest';
import { leftFor, pendingIn } from '../../../../src/agent-host/changes/bring-changes.js';
import { createDiskFiles } from '../../../../src/agent-host/changes/disk-files.js';
import type { McpElicitation, McpElicitationAnswer } from '../../../../src/domain/mcp/request.js';
import { LedgerStore } from '../../../../src/edits/ledger-store.js';
import { restoreBefore } from '../../../../src/edits/restore.js';
import { checkpointsIn } from '../../../../src/headless/storage/session-places.js';
import { createNodeFileLayer } from '../../../../src/node/files/node-file-layer.js';
import { eventually } from '../../../support/eventually.js';
import { programHere } from '../../../support/entries/program-here.js';
import { environmentOf, headlessProgram, type RunningProgram } from '../../../support/headless-program.js';
import { editorStorage, ownStorage, sessionsIn } from '../../../support/headless-sessions.js';
import { running } from '../../../support/running-processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { connectTo, tool } from '../../mcp/client/connected.js';
import { testLog } from '../../session/support/setup.js';
import { ALLOW, ERAS, serve, type ServedClient, type ServerStart } from './rig.js';

const { start, path } = headlessProgram();
const { run } = programHere;
const BYPASS = ['--dangerously-skip-permissions'];
const IMAGE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

let folder: string;
let home: string;

beforeEach(() => {
  [folder, home] = [realpathSync(temporaryFolder()), temporaryFolder()];
});

const served = (more: Partial<ServerStart> = {}): Promise<ServedClient> => serve({ program: path('gnomon.js'), folder, home, args: BYPASS, ...more });
const lines = (name: string): readonly string[] => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8').trim().split('\n') : []);
/** A command that says which process it is, and which its child is, and goes on. */
const lasting = (name: string): string => `sleep 1000 & echo $! >> ${name}; echo $$ >> ${name}; wait`;

async function started(name: string): Promise<readonly number[]> {
  await eventually(() => expect(lines(name)).toHaveLength(2));
  return lines(name).map(Number);
}

// Each of the longer cases is with a process in one era and in this process in the other; a connection is made with a process in both.
describe.each(ERAS)('tools over MCP (%s)', (era) => {
  it('are listed with titles, schemas, and hints', async () => {
    const { client } = await serve({ folder, home, era });
    const { tools } = await client.listTools();
    const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint === true).map(({ name }) => name);
    const destroying = tools.filter(({ annotations }) => annotations?.destructiveHint === true).map(({ name }) => name);
    const open = tools.filter(({ annotations }) => annotations?.openWorldHint === true).map(({ name }) => name);
    expect(reading).toEqual(['read', 'grep', 'glob', 'list', 'fetch']);
    expect(destroying).toEqual(['write', 'edit', 'bash', 'jobs']);
    expect(open).toEqual(['bash', 'fetch']);
    for (const { title, description, inputSchema } of tools) {
      expect([title, description]).toEqual([expect.stringMatching(/^[A-Z]/), expect.stringMatching(/\w{3}/)]);
      expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) as object, additionalProperties: false });
    }
    expect(client.getInstructions()).toContain(folder);
    expect(client.getServerVersion()).toMatchObject({ name: 'gnomon', title: 'Gnomon' });
  });

  it('read, change, and run; what goes wrong is in the result', async () => {
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
    writeFileSync(join(folder, 'dot.png'), Buffer.from(IMAGE, 'base64'));
    const { client, call } = await (era === 'modern' ? served({ era }) : serve({ folder, home, args: BYPASS, era }));
    expect(await call('read', { file_path: 'a.txt' })).toEqual({ text: '1\tone\n2\ttwo', failed: false });
    expect(await call('edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' })).toMatchObject({ failed: false });
    expect(await call('bash', { command: 'echo out; exit 3' })).toEqual({ text: expect.stringMatching(/^out\n.*exit code 3/s) as string, failed: true });
    expect(await call('read', { nonsense: 1 })).toEqual({ text: expect.stringContaining('file_path: missing') as string, failed: true });
    expect(await call('read', { file_path: 'none.txt' })).toEqual({ text: expect.stringContaining('does not exist') as string, failed: true });
    const { content } = await client.callTool({ name: 'read', arguments: { file_path: 'dot.png' } });
    expect(content).toContainEqual({ type: 'image', mimeType: 'image/png', data: IMAGE });
    await expect(client.callTool({ name: 'nothing' })).rejects.toMatchObject({ code: -32_602 });
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\nTWO\n');
  });

  it('tell how far a call is; one that is cancelled is dead with all that it started, and others go on', async () => {
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    const { call } = await (era === 'legacy' ? served({ era }) : serve({ folder, home, args: BYPASS, era }));
    const stop = new AbortController();
    const told: Progress[] = [];
    const ran = call('bash', { command: `echo begun; ${lasting('ids')}` }, { signal: stop.signal, onprogress: (progress) => told.push(progress) });
    const outcome = ran.then(
      () => 'answered',
      () => 'cancelled',
    );
    const processes = await started('ids');
    // Reading goes on beside it, and what changes something waits for it.
    expect((await call('read', { file_path: 'a.txt' })).failed).toBe(false);
    const edit = call('write', { file_path: 'later.txt', content: 'x' });
    await eventually(() => expect(told.map(({ message }) => message)).toContain('begun'));
    expect(running(processes)).toHaveLength(2);
    expect(existsSync(join(folder, 'later.txt'))).toBe(false);
    stop.abort();
    expect(await outcome).toBe('cancelled');
    expect((await edit).failed).toBe(false);
    await eventually(() => expect(running(processes)).toEqual([]));
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, index) => index + 1));
  });
});

it('work with Gnomon’s own client, which finds the newest revision and asks its user', async () => {
  const asked: string[] = [];
  const elicit = ({ message }: McpElicitation): Promise<McpElicitationAnswer> => {
    asked.push(message);
    return Promise.resolve({ action: 'accept', content: { decision: 'Allow once' } });
  };
  const env = Object.fromEntries(Object.entries(environmentOf(home)).filter((pair): pair is [string, string] => pair[1] !== undefined));
  const config = { type: 'stdio', command: process.execPath, args: [path('gnomon.js'), 'mcp', 'serve', '--cwd', folder], env } as const;
  const { connection } = await connectTo(config, { handlers: { elicit } });
  expect(connection.agreement).toMatchObject({ era: 'modern', revision: '2026-07-28', server: { name: 'gnomon' }, capabilities: { tools: true } });
  const made = await connection.callTool(
    await tool(connection, 'write'),
    { file_path: 'made.txt', content: 'made\n' },
    { signal: new AbortController().signal },
  );
  expect(made).toMatchObject({ isError: false });
  expect(asked).toEqual([expect.stringContaining('+made')]);
  expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('made\n');
});

describe('the end', () => {
  const endInput = ({ process: child }: RunningProgram): void => void child.stdin.end();
  const signalled =
    (signal: NodeJS.Signals) =>
    ({ process: child }: RunningProgram): void =>
      void child.kill(signal);

  it.each([
    ['of its input', 0, endInput],
    ['by SIGINT', 130, signalled('SIGINT')],
    ['by SIGTERM', 143, signalled('SIGTERM')],
  ] as const)('%s ends all that runs, and says so by the exit code', async (_, code, end) => {
    const program = start(['mcp', 'serve', ...BYPASS], { folder, home });
    const call = (id: number, args: object): object => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'bash', arguments: args } });
    program.send(call(1, { command: lasting('ids') }), call(2, { command: lasting('other') }));
    const processes = await started('ids');
    end(program);
    expect(await program.end).toEqual({ code, output: '', errors: '' });
    expect(running(processes)).toEqual([]);
    expect(readdirSync(folder)).not.toContain('other');
  });

  it.each([
    ['of its input', endInput],
    ['by SIGTERM', signalled('SIGTERM')],
  ] as const)('%s ends what runs also where the client reads nothing', async (how, end) => {
    const program = start(['mcp', 'serve', ...BYPASS], { folder, home });
    program.process.stdout.pause();
    program.send({ jsonrpc: '2.0', id: 'command', method: 'tools/call', params: { name: 'bash', arguments: { command: lasting('ids') } } });
    const processes = await started('ids');
    // More than a pipe holds.
    for (let id = 0; id < 300; id += 1) program.send({ jsonrpc: '2.0', id, method: 'tools/list' });
    const exited = new Promise((resolve) => program.process.once('exit', resolve));
    end(program);
    await eventually(() => expect(running(processes)).toEqual([]));
    if (how === 'by SIGTERM') expect(await exited).toBe(143);
    program.process.stdout.resume();
    await program.end;
  });

  it('of a client that is gone is noticed by its output, too', async () => {
    const program = start(['mcp', 'serve'], { folder, home });
    program.process.stdout.destroy();
    program.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { jsonrpc: '2.0', id: 2, method: 'ping' });
    expect((await program.end).code).toBe(0);
  });
});

describe('bad input', () => {
  it('is answered line by line, and standard output has nothing but the protocol', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const call = (id: number, args: string): string => `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${args}}`;
    const input = [
      'garbage',
      call(1, '{"name":5}'),
      call(2, '{"name":"read","arguments":"x"}'),
      call(3, `{"name":"read","arguments":{"file_path":${deep}}}`),
      call(4, `{"name":"read","arguments":{"file_path":${'['.repeat(1_000)}${']'.repeat(1_000)}}}`),
      '{"jsonrpc":"2.0","id":5,"method":"nothing/like/it"}',
      '{"jsonrpc":"2.0","id":"x","result":{}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{"a":1}}}',
      '{"jsonrpc":"2.0","id":6,"method":"ping"}',
    ];
    const program = start(['mcp', 'serve'], { folder, home });
    program.process.stdin.write(`${input.join('\n')}\n`);
    await eventually(() => expect(program.messages.map(({ id }) => id)).toContain(6));
    await eventually(() => expect(program.messages).toHaveLength(7));
    program.process.stdin.end();
    expect((await program.end).code).toBe(0);
    const codes = new Map(program.messages.map(({ id, error, result }) => [id, error === undefined ? result : (error as { readonly code: number }).code]));
    expect([undefined, 1, 2, 3, 5].map((id) => codes.get(id))).toEqual([-32_700, -32_602, -32_602, expect.anything(), -32_601]);
    expect(codes.get(4)).toMatchObject({ isError: true });
    expect(codes.get(6)).toEqual({});
  });

  it('on the command line ends it with 2 before anything is served', async () => {
    const ends = await Promise.all([
      run(['mcp', 'serve', '--model', 'x'], { folder, home }),
      run(['mcp', 'serve', '--cwd', 'none'], { folder, home }),
      run(['mcp', 'serve', '--tools', 'Nonsense'], { folder, home }),
      run(['mcp', 'serve', '--settings', '{"sandbox":{"enabled":true}}'], { folder, home }),
    ]);
    expect(ends.map(({ code, output }) => [code, output])).toEqual(ends.map(() => [2, '']));
    expect(ends.map(({ errors }) => errors)).toEqual(['--model', 'none', 'Nonsense', 'sandbox'].map((word) => expect.stringContaining(word) as string));
    expect(readdirSync(home)).toEqual([]);
  });
});

/** The changes that pend in a folder for them. */
function pendingOf(review: string): ReturnType<LedgerStore['load']> {
  return new LedgerStore(review, { files: createNodeFileLayer(), save: () => Promise.reject(new Error('It is only read.')) }, testLog()).load();
}

describe('what is left behind', () => {
  it('is a session of the folder with what changed something, also after a kill; and nothing without one', async () => {
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    const first = await served({ args: [], user: () => ALLOW });
    await first.call('read', { file_path: 'a.txt' });
    await first.client.close();
    expect((await run(['sessions', '--json'], { folder, home })).output).toBe('');
    const second = await served({ args: [], user: () => ALLOW });
    await second.call('read', { file_path: 'a.txt' });
    await second.call('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
    await second.call('bash', { command: 'echo more >> a.txt' });
    // What is on the disk is what the user has: nothing pends that no window would show.
    await eventually(async () => expect(await pendingOf(join(ownStorage(folder, home), 'review'))).toEqual([]));
    process.kill(second.pid, 'SIGKILL');
    await eventually(() => expect(running([second.pid])).toEqual([]));
    const [listed] = (await run(['sessions', '--json'], { folder, home })).output.trim().split('\n');
    expect(JSON.parse(listed ?? '')).toMatchObject({ title: 'edit, called over MCP by test-client 1.2' });
    const { id } = JSON.parse(listed ?? '') as { readonly id: string };
    const { output } = await run(['sessions', 'show', id], { folder, home });
    expect(output).toMatch(/edit, called over MCP[\s\S]*a\.txt[\s\S]*bash, called over MCP[\s\S]*echo more/);
    expect(output).not.toContain('read, called');
  });

  it('is a chat of VS Code where that is wanted, in which each call can be undone on its own', async () => {
    const storage = editorStorage({ folder, home });
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    const { client, call } = await served({ args: [...BYPASS, '--session-storage', 'vscode'] });
    await call('read', { file_path: 'a.txt' });
    await call('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' });
    await call('edit', { file_path: 'a.txt', old_string: 'two', new_string: 'three' });
    await client.close();
    const [chat] = await sessionsIn(storage).store.list();
    const { session } = await sessionsIn(storage).library.read(chat?.id ?? '');
    expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool_result', 'user', 'assistant', 'tool_result']);
    const deps = { checkpoints: checkpointsIn(storage, testLog()), files: createDiskFiles(), ask: () => Promise.resolve('cancel' as const) };
    const texts: string[] = [];
    for (const index of [3, 0]) {
      await restoreBefore(deps, session.id, index);
      texts.push(readFileSync(join(folder, 'a.txt'), 'utf8'));
    }
    expect(texts).toEqual(['two\n', 'one\n']);
    expect(await pendingOf(pendingIn(leftFor(storage, session.id).path))).toMatchObject([{ path: join(folder, 'a.txt'), baseline: 'one\n', agent: 'three\n' }]);
  });

  it('is nothing where sessions are not stored, and the folder is another one where that is named', async () => {
    mkdirSync(join(folder, 'sub'));
    const { client, call } = await serve({ folder, home, args: [...BYPASS, '--no-session-persistence', '--cwd', 'sub'] });
    expect((await call('write', { file_path: 'made.txt', content: 'x' })).failed).toBe(false);
    await client.close();
    expect(readdirSync(join(folder, 'sub'))).toEqual(['made.txt']);
    expect((await run(['sessions', '--json'], { folder: join(folder, 'sub'), home })).output).toBe('');
  });
});
