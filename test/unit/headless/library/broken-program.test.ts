import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import {
  CliConnectionError,
  CliNotFoundError,
  ControlRefusedError,
  ControlTimeoutError,
  GnomonError,
  InvalidInputError,
  JsonDecodeError,
  MessageParseError,
  NotConnectedError,
  type Options,
  ProcessFailedError,
  query,
  Session,
} from '../../../../src/headless/library/index.js';
import { allOf, failureOf, fakeProgram, fakeQuery, ofType, outcomes, started } from '../../../support/library-rig.js';
import { running } from '../../../support/running-processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const FINE = `write(INIT); write(answerOf('Fine.')); write(resultOf('Fine.'));`;
const runOf = (options: Options): ReturnType<typeof query> => started(query({ prompt: 'x', options }));

describe('a program that cannot be started', () => {
  it('because it is not there says where it was looked for', async () => {
    const cliPath = join(temporaryFolder(), 'gone.js');
    const { error } = await failureOf(runOf({ cliPath }));
    expect(error).toBeInstanceOf(CliNotFoundError);
    expect(error).toMatchObject({ path: cliPath, message: expect.stringContaining(cliPath) as unknown });
    expect((await failureOf(runOf({ cliPath: 'gnomon-that-nobody-has' }))).error).toMatchObject({ name: 'CliNotFoundError', path: 'gnomon-that-nobody-has' });
  });

  it('because it may not be run is an error of the connection', async () => {
    const cliPath = join(temporaryFolder(), 'not-executable');
    writeFileSync(cliPath, 'no program');
    chmodSync(cliPath, 0o644);
    expect((await failureOf(runOf({ cliPath }))).error).toBeInstanceOf(CliConnectionError);
  });

  it('because of its folder blames the folder', async () => {
    const { error } = await failureOf(fakeQuery({}, { cwd: join(temporaryFolder(), 'gone') }));
    expect(error).toBeInstanceOf(InvalidInputError);
    expect(error).toMatchObject({ message: expect.stringContaining('cwd') as unknown });
  });

  it('fails again whenever something is asked of it', async () => {
    const session = new Session({ cliPath: join(temporaryFolder(), 'gone.js') });
    await expect(session.send('x')).rejects.toThrow(CliNotFoundError);
    await expect(session.setModel('a/b')).rejects.toThrow(NotConnectedError);
    await expect(allOf(session.events)).rejects.toThrow(CliNotFoundError);
    await expect(allOf(session.events)).rejects.toThrow(CliNotFoundError);
    await session.close();
  });
});

describe('a program that fails', () => {
  it('gives its exit code, and what it wrote to standard error without credentials; the callback gets all of it', async () => {
    const secret = 'hunter2-hunter2-hunter2';
    let heard = '';
    const { error, before } = await failureOf(
      fakeQuery(
        { user: `write(INIT); process.stderr.write('boom api_key=sk-abcdefghijklmnop1234 and ' + process.env.MY_TOKEN + '\\n', () => process.exit(3));` },
        { env: { MY_TOKEN: secret }, stderr: (text) => (heard += text) },
      ),
    );
    expect(error).toBeInstanceOf(ProcessFailedError);
    expect(error).toBeInstanceOf(GnomonError);
    expect(error).toMatchObject({ exitCode: 3, signal: null, stderr: 'boom api_key=[redacted] and [redacted]' });
    expect(String(error)).not.toMatch(/sk-abc|hunter2/);
    expect(heard).toContain(secret);
    expect(before.map(({ type }) => type)).toEqual(['system']);
  });

  it('in the middle of a line says so, with the line as its cause', async () => {
    const { error } = await failureOf(fakeQuery({ user: `process.stdout.write('{"type":"assis', () => process.exit(3));` }));
    expect(error).toBeInstanceOf(ProcessFailedError);
    expect(error).toMatchObject({ exitCode: 3, cause: { name: 'JsonDecodeError', line: '{"type":"assis' } });
  });

  it('after its results fails all the same', async () => {
    const { error, before } = await failureOf(fakeQuery({ user: `${FINE} setTimeout(() => process.exit(4), 50);` }));
    expect(error).toMatchObject({ name: 'ProcessFailedError', exitCode: 4 });
    expect(outcomes(before)).toEqual(['Fine.']);
  });

  it.each([
    ['before its result', `write(INIT); process.exitCode = 0; setTimeout(() => process.exit(0), 20);`],
    ['before it has said anything', 'process.exit(0);'],
  ])('%s without saying so is an error', async (_when, user) => {
    const { error } = await failureOf(fakeQuery({ user }));
    expect(error).toBeInstanceOf(CliConnectionError);
    expect(error).toMatchObject({ message: expect.stringContaining('without the result') as unknown });
  });

  it('between the messages of a session is an error', async () => {
    const session = new Session({ cliPath: fakeProgram({ user: `${FINE} setTimeout(() => process.exit(0), 20);` }) });
    await session.send('x');
    expect((await failureOf(session.events)).error).toBeInstanceOf(CliConnectionError);
    await expect(session.send('x')).rejects.toThrow(NotConnectedError);
  });

  it('to read its input is an error for who writes', async () => {
    const start = `import { closeSync } from 'node:fs'; process.stdin.destroy(); closeSync(0); setTimeout(() => write(INIT), 200); setInterval(() => undefined, 1_000);`;
    const session = new Session({ cliPath: fakeProgram({ start }) });
    const events = session.events[Symbol.asyncIterator]();
    await events.next();
    await expect(session.send('x')).rejects.toThrow(CliConnectionError);
    await session.close();
  });
});

describe('a line of a program', () => {
  it.each([
    ['that is cut off at the end', `process.stdout.write(JSON.stringify(resultOf('Fine.')).slice(0, -9), () => process.exit(0));`, '{"session_id":'],
    ['that is garbage', `write(INIT); raw('Segmentation fault\\n'); ${FINE}`, 'Segmentation fault'],
    ['with garbage before it', `raw('log: '); ${FINE}`, 'log: {'],
  ])('%s is an error that shows it', async (_what, user, shown) => {
    const { error } = await failureOf(fakeQuery({ user }));
    expect(error).toBeInstanceOf(JsonDecodeError);
    expect(error).toMatchObject({ line: expect.stringContaining(shown) as unknown, cause: expect.any(SyntaxError) as unknown });
  });

  it('is shown in part, and without credentials', async () => {
    const { error } = await failureOf(fakeQuery({ user: `raw('{"token":"sk-abcdefghijklmnop1234", ' + 'x'.repeat(100_000) + '\\n');` }));
    expect(error).toBeInstanceOf(JsonDecodeError);
    expect(String(error)).toMatch(/\[redacted\].*…$/);
    expect(String(error).length).toBeLessThan(400);
  });

  it('that is no UTF-8 is an error', async () => {
    const { error } = await failureOf(fakeQuery({ user: `process.stdout.write(Buffer.from([0x7b, 0xff, 0xfe, 0x7d, 0x0a]));` }));
    expect(error).toBeInstanceOf(JsonDecodeError);
  });

  it.each(['null', '[1]', '"text"', '3'])('that is %s is an error', async (line) => {
    const { error } = await failureOf(fakeQuery({ user: `raw('${line}\\n');` }));
    expect(error).toBeInstanceOf(MessageParseError);
  });

  it('can end as on Windows, begin with a byte-order mark, be empty, and be the last without a line break', async () => {
    const start = `raw('\\uFEFF\\r\\n\\n{"type":"keep_alive"}\\r\\n');`;
    const user = `raw(JSON.stringify(INIT) + '\\r\\n\\r\\n' + JSON.stringify(answerOf('Fine.')) + '\\n'); process.stdout.write(JSON.stringify(resultOf('Fine.')), () => process.exit(0));`;
    expect(outcomes(await allOf(fakeQuery({ start, user })))).toEqual(['Fine.']);
  });

  it('can be cut anywhere, in its characters too', async () => {
    const text = 'Grüße 👋🏽 \u2028 日本語\r\n"quoted"';
    const user = `
      const bytes = Buffer.from([INIT, answerOf(${JSON.stringify(text)}), resultOf(${JSON.stringify(text)})].map((each) => JSON.stringify(each) + '\\r\\n').join(''));
      const next = (at) => { if (at < bytes.length) process.stdout.write(bytes.subarray(at, at + 1), () => setImmediate(next, at + 1)); };
      next(0);`;
    expect(outcomes(await allOf(fakeQuery({ user })))).toEqual([text]);
  });

  const big = `write(INIT); write(resultOf('x'.repeat(20_000_000)));`;
  it('can have 20 million characters', async () => {
    expect(outcomes(await allOf(fakeQuery({ user: big }))).map(({ length }) => length)).toEqual([20_000_000]);
  });

  it('that is longer than it may be is an error', async () => {
    const { error, before } = await failureOf(fakeQuery({ user: big }, { maxBufferSize: 1_000_000 }));
    expect(error).toBeInstanceOf(JsonDecodeError);
    expect(error).toMatchObject({ cause: expect.any(RangeError) as unknown, line: expect.stringMatching(/^.{199}…$/) as unknown });
    expect(before).toHaveLength(1);
  });
});

describe('a message of a program', () => {
  it.each([
    ['a field that is missing', `const { model, ...rest } = INIT; write(rest);`, 'model'],
    ['a field that is something else', `write({ ...resultOf('x'), usage: { input_tokens: 'many' } });`, 'usage.input_tokens'],
    ['a result of a kind that there is not', `write({ ...resultOf('x'), subtype: 'error_of_tomorrow' });`, 'type'],
    ['no type', `write({ session_id: 's' });`, 'type'],
  ])('with %s is an error that says where', async (_what, user, path) => {
    const { error } = await failureOf(fakeQuery({ user }));
    expect(error).toBeInstanceOf(MessageParseError);
    expect(error).toMatchObject({ path });
  });

  it('of a type, or with a block or an event, that is not known is passed on as it is', async () => {
    const messages = await allOf(
      fakeQuery({
        user: `write(INIT); write({ ...session, type: 'tool_progress', n: 1 }); write({ ...session, type: 'system', subtype: 'status' });
          write({ ...session, type: 'stream_event', parent_tool_use_id: null, event: { type: 'ping' } });
          const message = answerOf('x'); message.message.content.push({ type: 'hologram', size: 3 }); write(message); write(resultOf('Fine.'));`,
      }),
    );
    expect(ofType(messages, 'unknown').map(({ raw }) => raw['type'])).toEqual(['tool_progress', 'system', 'stream_event']);
    expect(ofType(messages, 'assistant')[0]?.message.content).toEqual([
      { type: 'text', text: 'x' },
      { type: 'unknown', raw: { type: 'hologram', size: 3 } },
    ]);
  });

  it('can have fields that are not known', async () => {
    expect(await allOf(fakeQuery({ user: `write({ ...INIT, mood: 'good' }); write(resultOf('Fine.'));` }))).toMatchObject([{ mood: 'good' }, {}]);
  });

  it('that is a second result is given, too', async () => {
    expect(outcomes(await allOf(fakeQuery({ user: `write(INIT); write(resultOf('one')); write(resultOf('two'));` })))).toEqual(['one', 'two']);
  });
});

describe('a program that asks, or does not answer', () => {
  it('has its control frames kept from who reads, and gets an error for a request that there is not', async () => {
    const messages = await allOf(
      fakeQuery({
        start: `process.stdin.on('data', (bytes) => { for (const line of String(bytes).split('\\n')) if (line.includes('"control_response"')) { write(INIT); write(resultOf(line)); } });`,
        user: `write({ type: 'control_cancel_request', request_id: 'nobody' }); write({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody', response: {} } });
          write({ type: 'control_request', request_id: 'r', request: { subtype: 'open_the_door' } }); write({ type: 'control_response' }); write({ type: 'control_request' });`,
      }),
    );
    const answers = outcomes(messages).map((line) => (JSON.parse(line) as { response: unknown }).response);
    expect(answers[0]).toEqual({
      subtype: 'error',
      request_id: 'r',
      error: expect.stringContaining('open_the_door') as unknown,
      error_code: 'unsupported_request',
    });
    expect(messages.every(({ type }) => type === 'system' || type === 'result')).toBe(true);
  });

  it('asks twice by the same id and is answered once, and may answer twice', async () => {
    let asked = 0;
    const run = fakeQuery(
      {
        start: `let n = 0; const ask = (id) => write({ type: 'control_request', request_id: id, request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' } });`,
        user: `ask('same'); ask('same');`,
        control: `
          if (frame.type === 'control_request') { answer(frame, { model: 'a/b' }); answer(frame, { model: 'c/d' }); }
          else if (frame.response.request_id === 'same') { n += 1; ask('other'); }
          else { write(INIT); write(resultOf(String(n))); }`,
      },
      {
        canUseTool: () => {
          asked += 1;
          return new Promise((done) => setTimeout(done, 50, { behavior: 'allow' }));
        },
      },
    );
    expect(await run.setModel('a/b')).toBe('a/b');
    expect([outcomes(await allOf(run)), asked]).toEqual([['1'], 2]);
  });

  it('gets an error for an answer that is no JSON', async () => {
    const loop: Record<string, unknown> = {};
    loop['loop'] = loop;
    const run = fakeQuery(
      {
        start: `process.stdin.on('data', (bytes) => { if (String(bytes).includes('"control_response"')) { write(INIT); write(resultOf(String(bytes))); } });`,
        user: `write({ type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' } });`,
      },
      { canUseTool: () => Promise.resolve({ behavior: 'allow', updatedInput: loop }) },
    );
    expect(outcomes(await allOf(run))).toEqual([expect.stringContaining('"subtype":"error"')]);
  });

  it('is not waited for longer than a minute', async () => {
    const run = fakeQuery({ control: `if (frame.request.subtype === 'mcp_status') answer(frame, { mcpServers: [] });` });
    expect(await run.mcpStatus()).toEqual([]);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const waiting = run.setModel('a/b').catch((error: unknown) => error);
      await vi.advanceTimersByTimeAsync(60_000);
      const error = await waiting;
      expect(error).toBeInstanceOf(ControlTimeoutError);
      expect(error).toMatchObject({ subtype: 'set_model', waitedMs: 60_000 });
    } finally {
      vi.useRealTimers();
    }
  });

  it('to the beginning is not waited for longer than a minute, and is ended', async () => {
    let isUp = (): void => undefined;
    const up = new Promise<void>((done) => (isUp = done));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const run = fakeQuery({ initialize: '', user: `process.stderr.write('up');` }, { stderr: () => isUp() });
      const failed = failureOf(run);
      await up;
      await vi.advanceTimersByTimeAsync(60_000);
      expect((await failed).error).toMatchObject({ name: 'ControlTimeoutError', subtype: 'initialize' });
    } finally {
      vi.useRealTimers();
    }
  });

  it('refuses what it is asked for with its reason; to refuse the beginning ends the run', async () => {
    const control = `write({ type: 'control_response', response: { subtype: 'error', request_id: frame.request_id, error: 'Not today.' } });`;
    const run = fakeQuery({ user: FINE, control });
    await expect(run.setModel('a/b')).rejects.toThrow(ControlRefusedError);
    await expect(run.setModel('a/b')).rejects.toThrow('Not today.');
    expect(outcomes(await allOf(run))).toEqual(['Fine.']);
    const { error } = await failureOf(fakeQuery({ initialize: control }));
    expect(error).toMatchObject({ name: 'ControlRefusedError', subtype: 'initialize' });
  });

  it('gives an answer that cannot be read, which is an error', async () => {
    await expect(fakeQuery({ control: `answer(frame, { mode: 'nonsense' });` }).setPermissionMode('plan')).rejects.toThrow(MessageParseError);
  });

  it('can be asked while nobody reads its messages', async () => {
    const run = fakeQuery({
      user: `write(INIT); for (let n = 0; n < 5_000; n += 1) write(answerOf(String(n)));`,
      control: `answer(frame, { model: 'a/b' }); write(resultOf('Fine.'));`,
    });
    await run.next();
    expect(await run.setModel('a/b')).toBe('a/b');
    const messages = await allOf(run);
    expect([ofType(messages, 'assistant').length, outcomes(messages)]).toEqual([5_000, ['Fine.']]);
  });

  it('is held up while nobody reads its messages', async () => {
    const marker = join(temporaryFolder(), 'written');
    const run = fakeQuery({
      start: `import { writeFileSync } from 'node:fs';`,
      user: `write(INIT); (async () => { for (let n = 0; n < 300; n += 1) { if (!process.stdout.write(JSON.stringify(answerOf('x'.repeat(100_000))) + '\\n')) await new Promise((done) => process.stdout.once('drain', done)); }
        writeFileSync(${JSON.stringify(marker)}, ''); write(resultOf('Fine.')); })();`,
    });
    await run.next();
    await new Promise((done) => setTimeout(done, 1_000));
    expect(existsSync(marker)).toBe(false);
    expect(ofType(await allOf(run), 'assistant')).toHaveLength(300);
    expect(existsSync(marker)).toBe(true);
  });
});

describe('a program that does not end', () => {
  const pidOf = async (run: ReturnType<typeof query>): Promise<number> => {
    for (let next = await run.next(); next.done !== true; next = await run.next()) if (next.value.type === 'system') return Number(next.value.session_id);
    return 0;
  };

  it('is killed when it does not react to anything', async () => {
    const run = fakeQuery({ start: `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1_000);`, user: `write(INIT);` });
    const pid = await pidOf(run);
    await run.close();
    expect(running([pid])).toEqual([]);
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  it('but ends its output is ended', async () => {
    const run = fakeQuery({ user: `${FINE} process.stdout.end(); setInterval(() => undefined, 1_000);` });
    const pid = await pidOf(run);
    expect(outcomes(await allOf(run))).toEqual(['Fine.']);
    expect(running([pid])).toEqual([]);
  });

  it('because of a process that it left behind is not waited for', async () => {
    const run = fakeQuery({
      start: `import { spawn } from 'node:child_process';`,
      user: `spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 20_000)'], { stdio: 'inherit', detached: true }).unref(); ${FINE} setTimeout(() => process.exit(0), 100);`,
    });
    const before = Date.now();
    expect(outcomes(await allOf(run))).toEqual(['Fine.']);
    expect(Date.now() - before).toBeLessThan(15_000);
  });
});

describe('what is given to the library', () => {
  it.each<[string, object, string]>([
    ['that there is not', { maxTurnz: 3 }, '“maxTurnz”'],
    ['that the program does not have yet', { agents: {} }, '“agents”'],
    ['that is something else', { maxTurns: 1.5 }, '“maxTurns”'],
    ['with a part that there is not', { systemPrompt: { type: 'preset', apend: 'x' } }, '“systemPrompt”'],
    ['that contradicts another', { resume: 'a', continueConversation: true }, 'resume and continueConversation'],
    ['that needs another', { forkSession: true }, 'forkSession'],
    ['with a flag that is none', { extraArgs: { '--model x': null } }, 'extraArgs'],
  ])('as an option %s is refused at once, by its name', (_what, options, named) => {
    expect(() => query({ prompt: 'x', options })).toThrow(InvalidInputError);
    expect(() => new Session(options)).toThrow(named);
  });

  it('as a prompt cannot be empty', async () => {
    expect(() => query({ prompt: '  ' })).toThrow(InvalidInputError);
    // As a program in JavaScript could.
    expect(() => query({ prompt: JSON.parse('[]') as string })).toThrow('neither a text nor messages');
    const none = { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true as const, value: undefined }) }) };
    const run = started(query({ prompt: none, options: { cliPath: fakeProgram({}) } }));
    expect((await failureOf(run)).error).toBeInstanceOf(InvalidInputError);
  });

  it('as a prompt that fails ends the run with that error, and one that never goes on does not keep it', async () => {
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new TypeError('No words.')) }) };
    const failed = await failureOf(started(query({ prompt: failing, options: { cliPath: fakeProgram({}) } })));
    expect(failed.error).toBeInstanceOf(TypeError);
    let returned = 0;
    const forever = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<never>(() => undefined),
        return: () => {
          returned += 1;
          return new Promise<never>(() => undefined);
        },
      }),
    };
    const run = started(query({ prompt: forever, options: { cliPath: fakeProgram({ start: 'write(INIT);' }) } }));
    await run.next();
    await run.close();
    expect(await run.next()).toEqual({ done: true, value: undefined });
    expect(returned).toBe(1);
  });

  it('as servers and settings is in files that only the user can read, and that go with the run', async () => {
    const user = `import('node:fs').then(({ readFileSync, statSync }) => {
      const files = process.argv.filter((arg) => /^--(mcp-config|settings)=/.test(arg)).map((arg) => arg.slice(arg.indexOf('=') + 1));
      write(INIT); write(resultOf(JSON.stringify(files.map((path) => [path, statSync(path).mode & 0o777, JSON.parse(readFileSync(path, 'utf8'))]).concat([process.argv.join(' ')])))); });`;
    const mcpServers = { a: { command: 'a', env: { TOKEN: 'canary-1234' } } };
    const [settings, servers, argv] = JSON.parse(outcomes(await allOf(fakeQuery({ user }, { mcpServers, settings: { model: 'opus' } }))).join('')) as [
      [string, number, object],
      [string, number, object],
      string,
    ];
    expect([settings.slice(1), servers.slice(1)]).toEqual([
      [0o600, { model: 'opus' }],
      [0o600, { mcpServers }],
    ]);
    expect([argv.includes('canary'), existsSync(servers[0]), existsSync(settings[0])]).toEqual([false, false, false]);
  });

  it('as variables, folder, and sources reaches the program', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'in'));
    const user = `write(INIT); write(resultOf(JSON.stringify([process.cwd(), process.env.OURS, process.env.PATH ?? 'none', process.argv.slice(2), process.getuid?.()])));`;
    const options: Options = {
      cwd: join(folder, 'in'),
      env: { OURS: 'yes', PATH: undefined },
      settingSources: [],
      trustProject: true,
      allowDangerouslySkipPermissions: true,
      permissionMode: 'auto',
      agent: '-x',
      ...(process.getuid === undefined ? {} : { user: process.getuid() }),
    };
    const [cwd, ours, path, args, uid] = JSON.parse(outcomes(await allOf(fakeQuery({ user }, options))).join('')) as [string, string, string, string[], number];
    expect([cwd, ours, path, uid]).toEqual([join(folder, 'in'), 'yes', 'none', process.getuid?.()]);
    expect(args).toEqual(
      expect.arrayContaining(['--agent=-x', '--setting-sources=', '--trust-project', '--allow-dangerously-skip-permissions', '--permission-mode=auto']),
    );
  });
});
