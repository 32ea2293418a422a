import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { type CanUseTool, ControlRefusedError, ControlTimeoutError, MessageParseError, type query } from '../../../../src/headless/library/index.js';
import { allOf, failureOf, fakeProgram, fakeQuery, hurried, ofType, outcomes } from '../../../support/library-rig.js';
import { running } from '../../../support/running-processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const FINE = `write(INIT); write(answerOf('Fine.')); write(resultOf('Fine.'));`;

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
        user: `write(INIT); write({ ...session, type: 'tool_progress', n: 1 }); write({ ...session, type: 'system', subtype: 'hook_started' });
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
  it('K-06: has its control frames kept from who reads, and gets an error for a request that there is not', async () => {
    const messages = await allOf(
      fakeQuery({
        start: `process.stdin.on('data', (bytes) => { for (const line of String(bytes).split('\\n')) if (line.includes('"control_response"')) { write(INIT); write(resultOf(line)); } });`,
        user: `write({ type: 'control_cancel_request', request_id: 'nobody' }); write({ type: 'control_response', response: { subtype: 'success', request_id: 'nobody', response: {} } });
          write({ type: 'control_request', request_id: 'r', request: { subtype: 'open_the_door' } }); write({ type: 'control_response' });`,
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

  it.each(['', ', request_id: 7', ', request_id: ""'])('asks for what cannot be answered is an error: {type: "control_request"%s}', async (id) => {
    const { error } = await failureOf(fakeQuery({ user: `write(INIT); write({ type: 'control_request'${id}, request: { subtype: 'hook_callback' } });` }));
    expect(error).toMatchObject({ name: 'MessageParseError', path: 'request_id' });
  });

  it('gets an error for an answer that is too long for it', async () => {
    const user = `write(INIT); write({ type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool', tool_name: 'Write', input: {}, tool_use_id: 't' } });`;
    const control = 'write(resultOf(frame.response.error));';
    const content = 'x'.repeat(40 * 1024 * 1024);
    const canUseTool: CanUseTool = () => Promise.resolve({ behavior: 'allow', updatedInput: { content } });
    expect(outcomes(await allOf(fakeQuery({ user, control }, { canUseTool })))).toEqual([expect.stringContaining('at most 33554432 can be sent')]);
  });

  it('says what a call would change whose arguments do not say that', async () => {
    const user = `write({ type: 'control_request', request_id: 'r', request: { subtype: 'can_use_tool', tool_name: 'agents', input: {}, tool_use_id: 't', description: 'a.txt: -one +two' } });`;
    const control = 'write(INIT); write(resultOf(frame.response.response.message));';
    const canUseTool: CanUseTool = (_tool, _input, { description = '' }) => Promise.resolve({ behavior: 'deny', message: `Not ${description}` });
    expect(outcomes(await allOf(fakeQuery({ user, control }, { canUseTool })))).toEqual(['Not a.txt: -one +two']);
  });

  it('K-06: asks twice by the same id and is answered once, and may answer twice', async () => {
    const asked: string[] = [];
    let goOn = (): void => undefined;
    // It is asked about last, so that all that comes before it has come.
    const last = new Promise<void>((done) => (goOn = done));
    const run = fakeQuery(
      {
        start: `let n = 0; const ask = (id, tool_name = id) => write({ type: 'control_request', request_id: id, request: { subtype: 'can_use_tool', tool_name, input: {}, tool_use_id: 't' } });`,
        user: `ask('same'); ask('same'); ask('last');`,
        control: `
          if (frame.type === 'control_request') { answer(frame, { model: 'a/b' }); answer(frame, { model: 'c/d' }); }
          else if (frame.response.request_id === 'same') { n += 1; ask('other'); }
          else if (frame.response.request_id === 'other') { write(INIT); write(resultOf(String(n))); }`,
      },
      {
        canUseTool: async (tool) => {
          asked.push(tool);
          if (tool === 'last') goOn();
          await last;
          return { behavior: 'allow' };
        },
      },
    );
    expect(await run.setModel('a/b')).toBe('a/b');
    expect([outcomes(await allOf(run)), asked]).toEqual([['1'], ['same', 'last', 'other']]);
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

  it('K-06: is not waited for longer than a minute', async () => {
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
    const count = join(temporaryFolder(), 'count');
    const written = (): number => Number(existsSync(count) ? readFileSync(count, 'utf8') : 0);
    let last = -1;
    const isHeldUp = (): boolean => {
      const before = last;
      last = written();
      return last > 0 && last === before;
    };
    const run = fakeQuery({
      start: `import { writeFileSync } from 'node:fs';`,
      user: `write(INIT); (async () => { for (let n = 0; n < 300; n += 1) { writeFileSync(${JSON.stringify(count)}, String(n)); if (!process.stdout.write(JSON.stringify(answerOf('x'.repeat(100_000))) + '\\n')) await new Promise((done) => process.stdout.once('drain', done)); }
        writeFileSync(${JSON.stringify(marker)}, ''); write(resultOf('Fine.')); })();`,
    });
    await run.next();
    await expect.poll(isHeldUp, { interval: 250, timeout: 10_000 }).toBe(true);
    expect(written()).toBeLessThan(299);
    expect(existsSync(marker)).toBe(false);
    expect(ofType(await allOf(run), 'assistant')).toHaveLength(300);
    expect(existsSync(marker)).toBe(true);
  });
});

describe('a program that does not end', () => {
  const hurriedQuery = (parts: Parameters<typeof fakeProgram>[0]): ReturnType<typeof query> => fakeQuery(parts, hurried(fakeProgram(parts)));
  const pidOf = async (run: ReturnType<typeof query>): Promise<number> => {
    for (let next = await run.next(); next.done !== true; next = await run.next()) if (next.value.type === 'system') return Number(next.value.session_id);
    return 0;
  };

  it('is killed when it does not react to anything', async () => {
    const run = hurriedQuery({ start: `process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1_000);`, user: `write(INIT);` });
    const pid = await pidOf(run);
    await run.close();
    expect(running([pid])).toEqual([]);
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  it('but ends its output is ended', async () => {
    const run = hurriedQuery({ user: `${FINE} process.stdout.end(); setInterval(() => undefined, 1_000);` });
    const pid = await pidOf(run);
    expect(outcomes(await allOf(run))).toEqual(['Fine.']);
    expect(running([pid])).toEqual([]);
  });

  it('because of a process that it left behind is not waited for', async () => {
    const run = hurriedQuery({
      start: `import { spawn } from 'node:child_process';`,
      user: `spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 20_000)'], { stdio: 'inherit', detached: true }).unref(); ${FINE} process.stdout.write('', () => process.exit(0));`,
    });
    const before = Date.now();
    expect(outcomes(await allOf(run))).toEqual(['Fine.']);
    expect(Date.now() - before).toBeLessThan(15_000);
  });
});
