import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type AgentMessage, NotConnectedError, ProcessFailedError, query, Session, type UserFrame } from '../../../../src/headless/library/index.js';
import { allOf, fakeProgram, idOf, libraryHere, ofType, outcomes, realOptions, realProgram, started, tracked, user } from '../../../support/library-rig.js';
import { gate, httpError, reply } from '../../../support/model-server/index.js';
import { running } from '../../../support/running-processes.js';

const real = libraryHere();

const deltas = (messages: readonly AgentMessage[]): string =>
  ofType(messages, 'stream_event')
    .map(({ event }) => (event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : ''))
    .join('');

describe('a prompt', () => {
  it('is answered in messages of the contract: init first, one session, and one result', async () => {
    real.says('Hello. ', 'I am the model.');
    const messages = await allOf(real.ask('Say hello'));
    expect(messages.map((message) => [message.type, 'subtype' in message ? message.subtype : undefined])).toEqual([
      ['system', 'init'],
      ['assistant', undefined],
      ['result', 'success'],
    ]);
    expect(messages[0]).toMatchObject({
      cwd: real.folder,
      model: 'claude-sonnet-5-5',
      permissionMode: 'default',
      tools: expect.arrayContaining(['Bash', 'Read']) as unknown,
    });
    expect(outcomes(messages)).toEqual(['Hello. I am the model.']);
    expect(new Set(messages.map((message) => ('session_id' in message ? message.session_id : ''))).size).toBe(1);
  });

  it('can be several messages, which come while others are answered, each with its result', async () => {
    real.echoes();
    const run = started(query({ prompt: conversation(), options: real.options }));
    let results = 0;
    let goOn = (): void => undefined;
    const first = new Promise<void>((done) => (goOn = done));
    async function* conversation(): AsyncGenerator<UserFrame> {
      yield user('one');
      await first;
      yield user('two');
      yield user('three');
    }
    const messages: AgentMessage[] = [];
    for await (const message of run) {
      messages.push(message);
      if (message.type === 'result' && (results += 1) === 1) goOn();
    }
    expect(outcomes(messages)).toEqual(['You said one.', 'You said two.', 'You said three.']);
    expect(ofType(messages, 'system')).toHaveLength(1);
    expect(ofType(messages, 'result').map(({ num_turns }) => num_turns)).toEqual([1, 1, 1]);
  });

  it('can have pictures', async () => {
    real.says('A dot.');
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    async function* pictures(): AsyncGenerator<UserFrame> {
      await Promise.resolve();
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } } as const;
      yield { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] } };
    }
    expect(outcomes(await allOf(query({ prompt: pictures(), options: real.options })))).toEqual(['A dot.']);
    expect(JSON.stringify(real.server.requests[0]?.body)).toContain(data);
  });

  it('that a model fails on has an error for its result, and the loop just ends', async () => {
    real.server.setScript(() => httpError(400, 'invalid_request_error', 'No such thing.'));
    expect(outcomes(await allOf(real.ask('x')))).toEqual([expect.stringMatching(/^error_during_execution: .*No such thing/)]);
  });

  it('tells of requests that are made again', async () => {
    real.server.setScript(() =>
      real.server.requests.length === 1 ? httpError(529, 'overloaded_error', 'Too much.', { 'retry-after': '0' }) : reply().text('Now.'),
    );
    const messages = await allOf(real.ask('x'));
    expect(messages).toContainEqual(expect.objectContaining({ type: 'system', subtype: 'api_retry', attempt: 1, error_status: 529, error: 'overloaded' }));
    expect(outcomes(messages)).toEqual(['Now.']);
  });
});

describe('partial messages', () => {
  it('come only when they are asked for, and make up the answer', async () => {
    const words = ['Grüße ', '👋🏽', ' aus\n', 'der ', 'Ferne.'];
    real.says(...words);
    expect(ofType(await allOf(real.ask('x')), 'stream_event')).toEqual([]);
    const messages = await allOf(real.ask('x', { includePartialMessages: true }));
    expect(deltas(messages)).toBe(words.join(''));
    expect(outcomes(messages)).toEqual([words.join('')]);
    expect(ofType(messages, 'unknown')).toEqual([]);
  });
});

describe('a session', () => {
  /** What is stored of a session. */
  const storedOf = (id: string): string =>
    readdirSync(real.home, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.includes(id) && statSync(join(real.home, path)).isFile())
      .sort()
      .map((path) => `${path}\n${readFileSync(join(real.home, path), 'utf8')}`)
      .join('\n');

  it('is gone on with by its id, by being the newest, or in a copy that leaves it as it is', async () => {
    real.echoes();
    const first = idOf(await allOf(real.ask('one')));
    expect(idOf(await allOf(real.ask('two', { resume: first })))).toBe(first);
    const before = storedOf(first);
    expect(before).toContain('two');
    const copy = idOf(await allOf(real.ask('three', { resume: first, forkSession: true })));
    expect(copy).not.toBe(first);
    expect([storedOf(first) === before, storedOf(copy)]).toEqual([true, expect.stringContaining('three')]);
    expect(idOf(await allOf(real.ask('four', { continueConversation: true })))).toBe(copy);
    expect(idOf(await allOf(real.ask('five', { resume: first })))).toBe(first);
    const said = real.server.requests.map(({ body }) => body.messages.filter(({ role }) => role === 'user').length);
    expect(said).toEqual([1, 2, 3, 4, 3]);
  });

  it('that there is not has an error for its result', async () => {
    const messages = await allOf(real.ask('x', { resume: '00000000-0000-4000-8000-000000000000' }));
    expect(messages.map(({ type }) => type)).toEqual(['result']);
    expect(outcomes(messages)).toEqual([expect.stringMatching(/^error_during_execution: ./)]);
    expect(real.server.requests).toEqual([]);
  });
});

describe('a program of its own', () => {
  const real = realProgram();

  it('is that beside the library where nothing else is said', async () => {
    real.says('Fine.');
    const built = (await import(pathToFileURL(real.path('library.js')).href)) as { readonly query: typeof query };
    expect(outcomes(await allOf(built.query({ prompt: 'x', options: realOptions(real) })))).toEqual(['Fine.']);
  });

  it('that is killed in the middle of an answer fails, with what killed it', async () => {
    const held = gate();
    real.server.setScript(() => reply().text('I begin.').hold(held));
    const { cliPath, pid } = tracked(real.path('gnomon.js'));
    const run = real.ask('x', { cliPath, includePartialMessages: true });
    let error: unknown;
    try {
      for await (const message of run) if (message.type === 'stream_event' && message.event.type === 'content_block_delta') process.kill(pid(), 'SIGKILL');
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(ProcessFailedError);
    expect(error).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
    held.open();
  });

  it('ends with the process that has started it', async () => {
    const cliPath = fakeProgram({ start: 'process.stdin.on("end", () => undefined); setInterval(() => undefined, 1_000); write(INIT);' });
    const script = join(real.folder, 'caller.mjs');
    writeFileSync(
      script,
      `import { query } from ${JSON.stringify(pathToFileURL(real.path('library.js')).href)};
      const { value } = await query({ prompt: 'x', options: { cliPath: ${JSON.stringify(cliPath)} } }).next();
      process.stdout.write(value.session_id, () => process.exit(0));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [script]);
    expect(Number(stdout)).toBeGreaterThan(0);
    await expect.poll(() => running([Number(stdout)])).toEqual([]);
  });

  it('K-19: has ten thousand pieces wait for a slow reader, and none is lost', async () => {
    real.server.setScript(() => reply().bulk(10_000, (n) => `${n} `));
    const messages: AgentMessage[] = [];
    for await (const message of real.ask('x', { includePartialMessages: true })) {
      messages.push(message);
      if (messages.length < 60) await new Promise((done) => setTimeout(done, 5));
    }
    const text = Array.from({ length: 10_000 }, (_, n) => `${n} `).join('');
    expect(deltas(messages)).toBe(text);
    expect(outcomes(messages)).toEqual([text]);
  });

  it('goes on until its session is closed, over loops that are left', async () => {
    real.echoes();
    const { cliPath, isRunning } = tracked(real.path('gnomon.js'));
    const session = new Session({ ...real.options, cliPath });
    const answers: string[] = [];
    for (const words of ['one', 'two']) {
      await session.send(words);
      for await (const message of session.events) {
        answers.push(...outcomes([message]));
        if (message.type === 'result') break;
      }
    }
    expect(answers).toEqual(['You said one.', 'You said two.']);
    expect(real.server.requests[1]?.body.messages.length).toBe(3);
    await session.close();
    expect(isRunning()).toBe(false);
    await expect(session.send('three')).rejects.toThrow(NotConnectedError);
    expect(await allOf(session.events)).toEqual([]);
  });
});
