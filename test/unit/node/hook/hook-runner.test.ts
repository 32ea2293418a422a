import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { HookHandler } from '../../../../src/domain/hook/definition.js';
import type { HookAnswer } from '../../../../src/domain/hook/runner.js';
import { createHookRunner } from '../../../../src/node/hook/hook-runner.js';
import { eventually } from '../../../support/eventually.js';

let folder = '';
const runner = createHookRunner();

beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gnomon hooks $(touch x) '))));
afterAll(async () => {
  runner.dispose();
  await rm(folder, { recursive: true, force: true });
});
afterEach(() => vi.unstubAllEnvs());

interface More {
  readonly input?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly handler?: Partial<Extract<HookHandler, { type: 'command' }>>;
}

function run(command: string, { input = '{"a":1}', timeoutMs = 20_000, signal = new AbortController().signal, handler = {} }: More = {}): Promise<HookAnswer> {
  return runner.run({ handler: { type: 'command', command, ...handler }, input, timeoutMs, cwd: folder, variables: { CLAUDE_PROJECT_DIR: folder } }, signal);
}

function textOf(answer: HookAnswer): string {
  return answer.type === 'exited' ? Buffer.from(answer.stdout).toString() : answer.type;
}

async function pidFrom(file: string): Promise<number> {
  await eventually(async () => expect(await readFile(join(folder, file), 'utf8')).toMatch(/^\d+\n$/));
  return Number(await readFile(join(folder, file), 'utf8'));
}

/** One that has ended and is not collected by its parent, as in a container without an init process, does not run. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return !['Z', 'X', ''].includes(stat.slice(stat.lastIndexOf(')') + 2).charAt(0));
}

describe('hooks that are command lines', () => {
  test('get what happened on standard input, run in the folder, and answer with their exit code', async () => {
    expect(textOf(await run('cat; pwd'))).toBe(`{"a":1}${folder}\n`);
    expect(await run('echo no >&2; exit 2')).toMatchObject({ type: 'exited', exitCode: 2, stderr: 'no\n' });
    expect(textOf(await run('echo "$CLAUDE_PROJECT_DIR"'))).toBe(`${folder}\n`);
    await mkdir(join(folder, 'inner'));
    expect(textOf(await run('pwd', { handler: { cwd: 'inner' } }))).toBe(`${join(folder, 'inner')}\n`);
  });

  test('H-13: every way to end is told apart', async () => {
    await writeFile(join(folder, 'no-program'), 'x', { mode: 0o644 });
    expect(await run('exit 126')).toMatchObject({ type: 'exited', exitCode: 126 });
    expect(await run('no-such-program-of-this-machine')).toMatchObject({ type: 'exited', exitCode: 127 });
    expect(await run('kill -9 $$')).toMatchObject({ type: 'killed', signal: 'SIGKILL' });
    expect(await run('no-such-program', { handler: { args: [] } })).toMatchObject({
      type: 'not_started',
      why: expect.stringContaining('no-such-program') as string,
    });
    expect(await run(join(folder, 'no-program'), { handler: { args: [] } })).toMatchObject({
      type: 'not_started',
      why: expect.stringContaining('not executable') as string,
    });
    expect(await run('true', { handler: { cwd: join(folder, 'nowhere') } })).toMatchObject({
      type: 'not_started',
      why: expect.stringContaining('no folder') as string,
    });
  });

  test('H-14: at its time the whole group is killed', async () => {
    const answer = run('(echo $BASHPID > sleeper; exec sleep 60) & trap "" TERM; sleep 60', { timeoutMs: 1_000 });
    const pid = await pidFrom('sleeper');
    expect(await answer).toMatchObject({ type: 'timed_out' });
    expect(await isRunning(pid)).toBe(false);
  });

  test('are killed when the turn is stopped; one that comes too late does not start', async () => {
    const stop = new AbortController();
    const answer = run('echo $$ > stopped; sleep 60', { signal: stop.signal });
    const pid = await pidFrom('stopped');
    stop.abort();
    expect(await answer).toMatchObject({ type: 'aborted' });
    expect(await isRunning(pid)).toBe(false);
    expect(await run('touch canary', { signal: stop.signal })).toMatchObject({ type: 'aborted' });
    await expect(readFile(join(folder, 'canary'))).rejects.toThrow();
  });

  test('H-20: five run side by side: none ends before all have begun', async () => {
    const together = (name: number): string => `touch side-${name}; until [ "$(ls side-* | wc -l)" = 5 ]; do sleep 0.05; done`;
    const answers = await Promise.all(Array.from({ length: 5 }, (_, name) => run(together(name))));
    expect(answers).toMatchObject(answers.map(() => ({ type: 'exited', exitCode: 0 })));
  });

  test('H-47: one that made a session of its own ends with the window, too', async () => {
    const another = createHookRunner();
    const start = {
      handler: { type: 'command', command: 'setsid bash -c "echo \\$\\$ > daemon; exec sleep 60" & exit 0' } as const,
      input: '',
      timeoutMs: 60_000,
      cwd: folder,
      variables: {},
    };
    expect(await another.run(start, new AbortController().signal)).toMatchObject({ type: 'exited' });
    const daemon = await pidFrom('daemon');
    expect(await isRunning(daemon)).toBe(true);
    another.dispose();
    await eventually(async () => expect(await isRunning(daemon)).toBe(false));
  });

  test('H-47: those that run when the window is closed are aborted, and none starts after that', async () => {
    const another = createHookRunner();
    const start = (command: string): Promise<HookAnswer> =>
      another.run({ handler: { type: 'command', command }, input: '', timeoutMs: 60_000, cwd: folder, variables: {} }, new AbortController().signal);
    const answer = start('echo $$ > closing; sleep 60');
    const pid = await pidFrom('closing');
    const starting = start('touch late-canary; sleep 60');
    another.dispose();
    expect(await Promise.all([answer, starting])).toMatchObject([{ type: 'aborted' }, { type: 'aborted' }]);
    expect(await isRunning(pid)).toBe(false);
    expect(await start('touch canary')).toMatchObject({ type: 'aborted' });
    await expect(readFile(join(folder, 'canary'))).rejects.toThrow();
  });

  test('leave no listener on the signal of a turn', async () => {
    const turn = new AbortController();
    await Promise.all(Array.from({ length: 3 }, () => run('true', { signal: turn.signal })));
    expect(getEventListeners(turn.signal, 'abort')).toEqual([]);
  });

  test('a time that no timer can take is as long as one can', async () => {
    expect(await run('sleep 0.2; echo done', { timeoutMs: 1e12 })).toMatchObject({ type: 'exited', exitCode: 0 });
    expect(await run('echo never > canary', { handler: { args: ['a\0b'] } })).toMatchObject({ type: 'not_started' });
  });

  test('H-46: one that keeps its input open and reads nothing of 10 MB ends with its time', async () => {
    expect(await run('sleep 60', { input: 'x'.repeat(10_000_000), timeoutMs: 500 })).toMatchObject({ type: 'timed_out' });
  });

  test('H-46: one that reads nothing of a long input does not hang', async () => {
    expect(await run('echo done', { input: 'x'.repeat(10_000_000) })).toMatchObject({ type: 'exited', exitCode: 0 });
  });

  test('H-47: what it leaves in the background does not hold up the turn, and ends with its time or with the window', async () => {
    const start = performance.now();
    expect(await run('(echo $BASHPID > timed; exec sleep 60) & exit 0', { timeoutMs: 5_000 })).toMatchObject({ type: 'exited', exitCode: 0 });
    expect(performance.now() - start).toBeLessThan(4_900);
    const timed = await pidFrom('timed');
    await eventually(async () => expect(await isRunning(timed)).toBe(false));

    const another = createHookRunner();
    await another.run(
      { handler: { type: 'command', command: '(echo $BASHPID > left; exec sleep 60) & exit 0' }, input: '', timeoutMs: 60_000, cwd: folder, variables: {} },
      new AbortController().signal,
    );
    const left = await pidFrom('left');
    expect(await isRunning(left)).toBe(true);
    another.dispose();
    await eventually(async () => expect(await isRunning(left)).toBe(false));
  });

  test('H-50 conf-17: output without end is cut, and nothing hangs', async () => {
    const answer = await run('head -c 20000000 /dev/zero; echo error >&2');
    expect(answer).toMatchObject({ type: 'exited', exitCode: 0, cut: true, stderr: 'error\n' });
    expect(answer.type === 'exited' && answer.stdout.length).toBe(1024 * 1024);
    // Noise on standard error does not make an answer one that was cut.
    const noisy = await run('head -c 20000000 /dev/zero >&2; echo "{}"');
    expect(noisy).toMatchObject({ type: 'exited', exitCode: 0 });
    expect(noisy).not.toHaveProperty('cut');
    expect(noisy.type === 'exited' && [noisy.stderr.length, textOf(noisy)]).toEqual([64 * 1024, '{}\n']);
  });

  test('H-45 tool-19: no key is in the environment unless the hook names it', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-planted');
    vi.stubEnv('MY_TOKEN', 'planted-too');
    expect(textOf(await run('env'))).not.toContain('planted');
    expect(textOf(await run('echo $MY_TOKEN', { handler: { env: { MY_TOKEN: 'given' } } }))).toBe('given\n');
  });

  test('H-52 conf-18: without a shell nothing of the arguments is run', async () => {
    const args = ['-e', 'console.log(JSON.stringify(process.argv.slice(1)))', 'a b', '"', "'", '$(touch canary)', 'x\ny', '; touch canary'];
    expect(JSON.parse(textOf(await run(process.execPath, { handler: { args } })))).toEqual(args.slice(2));
    await expect(readFile(join(folder, 'canary'))).rejects.toThrow();
  });
});

describe('hooks that are requests', () => {
  const seen: { readonly method: string | undefined; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks).toString() });
      if (request.url === '/slow') return;
      if (request.url === '/elsewhere') response.writeHead(302, { location: '/' });
      else response.writeHead(request.url === '/down' ? 503 : 200);
      response.end(request.url === '/long' ? 'x'.repeat(3_000_000) : '{"decision":"block"}');
    });
  });
  let url = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const post = (
    path: string,
    more: Partial<Extract<HookHandler, { type: 'http' }>> = {},
    timeoutMs = 20_000,
    signal = new AbortController().signal,
  ): Promise<HookAnswer> =>
    runner.run(
      { handler: { type: 'http', url: `${url}${path}`, headers: {}, allowedEnvVars: [], ...more }, input: '{"a":1}', timeoutMs, cwd: folder, variables: {} },
      signal,
    );

  test('get what happened, with the variables that they name and no others', async () => {
    vi.stubEnv('HOOK_TOKEN', 'let-me-in');
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-planted');
    const answer = await post('/', { headers: { Authorization: 'Bearer $HOOK_TOKEN', 'X-Other': '${ANTHROPIC_API_KEY}' }, allowedEnvVars: ['HOOK_TOKEN'] });
    expect(answer).toMatchObject({ type: 'responded', status: 200 });
    expect(seen.at(-1)).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { authorization: 'Bearer let-me-in', 'x-other': '', 'content-type': 'application/json' },
    });
  });

  test('follow no redirect, read no body without end, and end in time or with the turn', async () => {
    const before = seen.length;
    expect(await post('/elsewhere')).toMatchObject({ type: 'responded', status: 302 });
    expect(seen.length).toBe(before + 1);
    expect(await post('/down')).toMatchObject({ type: 'responded', status: 503 });
    expect(await post('/long')).toMatchObject({ type: 'responded', cut: true });
    expect(await post('/slow', {}, 300)).toMatchObject({ type: 'timed_out' });
    expect(await post('/slow', {}, 20_000, AbortSignal.timeout(50))).toMatchObject({ type: 'aborted' });
    expect(await post('/', { url: 'http://127.0.0.1:1/' })).toMatchObject({ type: 'not_started', why: expect.stringContaining('127.0.0.1:1') as string });
  });

  test('never reject, whatever the address or a header is, and repeat no value', async () => {
    vi.stubEnv('HOOK_TOKEN', 'planted\nX-Evil: 1');
    const before = seen.length;
    const why = (part: string): object => ({ type: 'not_started', why: expect.stringContaining(part) as string });
    for (const bad of ['data:text/plain,{}', 'file:///etc/passwd', 'nonsense', '']) expect(await post('', { url: bad })).toMatchObject(why('http://'));
    const answers = [
      await post('', { url: `http://me:planted@${new URL(url).host}/` }),
      await post('/', { headers: { 'X-A': '$HOOK_TOKEN' }, allowedEnvVars: ['HOOK_TOKEN'] }),
    ];
    expect(answers).toMatchObject([why('password'), why('X-A')]);
    expect(JSON.stringify(answers)).not.toContain('planted');
    expect(seen.length).toBe(before);
  });

  test('H-47: those that wait when the window is closed are aborted', async () => {
    const another = createHookRunner();
    const before = seen.length;
    const answer = another.run(
      { handler: { type: 'http', url: `${url}/slow`, headers: {}, allowedEnvVars: [] }, input: '', timeoutMs: 60_000, cwd: folder, variables: {} },
      new AbortController().signal,
    );
    await eventually(() => expect(seen.length).toBe(before + 1));
    another.dispose();
    expect(await answer).toMatchObject({ type: 'aborted' });
  });
});
