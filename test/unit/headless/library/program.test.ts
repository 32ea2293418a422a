import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  AbortError,
  type AgentMessage,
  type CanUseTool,
  ControlRefusedError,
  NotConnectedError,
  type Options,
  ProcessFailedError,
  type Query,
  query,
  Session,
  type UserFrame,
} from '../../../../src/headless/library/index.js';
import { headlessProgram } from '../../../support/headless-program.js';
import { allOf, failureOf, fakeProgram, ofType, outcomes, realOptions, started, tracked } from '../../../support/library-rig.js';
import { gate, httpError, lastToolResults, lastUserText, type ModelServer, reply, resultText, startModelServer } from '../../../support/model-server/index.js';
import { running } from '../../../support/running-processes.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const program = headlessProgram();

let server: ModelServer;
let folder: string;
let home: string;
let options: Options;

beforeEach(async () => {
  server = await startModelServer();
  [folder, home] = [temporaryFolder(), temporaryFolder()];
  options = { ...realOptions({ server, folder, home }), cliPath: program.path('gnomon.js') };
});
afterEach(() => server.close());

const says = (...words: readonly string[]): void => server.setScript(() => reply().text(...words));
const echoes = (): void => server.setScript(({ body }) => reply().text(`You said ${lastUserText(body).split('\n').at(-1) ?? ''}.`));
const writes = (): void =>
  server.setScript(({ body }) =>
    lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
  );
const ask = (prompt: string, more: Options = {}): Query => started(query({ prompt, options: { ...options, ...more } }));
const user = (content: string): UserFrame => ({ type: 'user', message: { role: 'user', content } });
const inFolder = (name: string): string => join(folder, name);
const idOf = (messages: readonly AgentMessage[]): string => ofType(messages, 'result')[0]?.session_id ?? '';

describe('a prompt', () => {
  it('is answered in messages of the contract: init first, one session, and one result', async () => {
    says('Hello. ', 'I am the model.');
    const messages = await allOf(ask('Say hello'));
    expect(messages.map((message) => [message.type, 'subtype' in message ? message.subtype : undefined])).toEqual([
      ['system', 'init'],
      ['assistant', undefined],
      ['result', 'success'],
    ]);
    expect(messages[0]).toMatchObject({
      cwd: folder,
      model: 'claude-sonnet-5-5',
      permissionMode: 'default',
      tools: expect.arrayContaining(['Bash', 'Read']) as unknown,
    });
    expect(outcomes(messages)).toEqual(['Hello. I am the model.']);
    expect(new Set(messages.map((message) => ('session_id' in message ? message.session_id : ''))).size).toBe(1);
  });

  it('is run by the program beside the library where nothing else is said', async () => {
    says('Fine.');
    const built = (await import(pathToFileURL(program.path('library.js')).href)) as { readonly query: typeof query };
    expect(outcomes(await allOf(built.query({ prompt: 'x', options: realOptions({ server, folder, home }) })))).toEqual(['Fine.']);
  });

  it('can be several messages, which come while others are answered, each with its result', async () => {
    echoes();
    const run = started(query({ prompt: conversation(), options }));
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
    says('A dot.');
    const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    async function* pictures(): AsyncGenerator<UserFrame> {
      await Promise.resolve();
      const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } } as const;
      yield { type: 'user', message: { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] } };
    }
    expect(outcomes(await allOf(query({ prompt: pictures(), options })))).toEqual(['A dot.']);
    expect(JSON.stringify(server.requests[0]?.body)).toContain(data);
  });

  it('that a model fails on has an error for its result, and the loop just ends', async () => {
    server.setScript(() => httpError(400, 'invalid_request_error', 'No such thing.'));
    expect(outcomes(await allOf(ask('x')))).toEqual([expect.stringMatching(/^error_during_execution: .*No such thing/)]);
  });

  it('tells of requests that are made again', async () => {
    server.setScript(() => (server.requests.length === 1 ? httpError(529, 'overloaded_error', 'Too much.', { 'retry-after': '0' }) : reply().text('Now.')));
    const messages = await allOf(ask('x'));
    expect(messages).toContainEqual(expect.objectContaining({ type: 'system', subtype: 'api_retry', attempt: 1, error_status: 529, error: 'overloaded' }));
    expect(outcomes(messages)).toEqual(['Now.']);
  });

  it('that is in the middle of an answer when the program is killed fails, with what killed it', async () => {
    const held = gate();
    server.setScript(() => reply().text('I begin.').hold(held));
    const { cliPath, pid } = tracked(program.path('gnomon.js'));
    const run = ask('x', { cliPath, includePartialMessages: true });
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
});

it('A program ends with the process that has started it', async () => {
  const cliPath = fakeProgram({ start: 'process.stdin.on("end", () => undefined); setInterval(() => undefined, 1_000); write(INIT);' });
  const script = join(folder, 'caller.mjs');
  writeFileSync(
    script,
    `import { query } from ${JSON.stringify(pathToFileURL(program.path('library.js')).href)};
    const { value } = await query({ prompt: 'x', options: { cliPath: ${JSON.stringify(cliPath)} } }).next();
    process.stdout.write(value.session_id, () => process.exit(0));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  expect(Number(stdout)).toBeGreaterThan(0);
  await expect.poll(() => running([Number(stdout)])).toEqual([]);
});

describe('partial messages', () => {
  const deltas = (messages: readonly AgentMessage[]): string =>
    ofType(messages, 'stream_event')
      .map(({ event }) => (event.type === 'content_block_delta' && event.delta.type === 'text_delta' ? event.delta.text : ''))
      .join('');

  it('come only when they are asked for, and make up the answer', async () => {
    const words = ['Grüße ', '👋🏽', ' aus\n', 'der ', 'Ferne.'];
    says(...words);
    expect(ofType(await allOf(ask('x')), 'stream_event')).toEqual([]);
    const messages = await allOf(ask('x', { includePartialMessages: true }));
    expect(deltas(messages)).toBe(words.join(''));
    expect(outcomes(messages)).toEqual([words.join('')]);
    expect(ofType(messages, 'unknown')).toEqual([]);
  });

  it('of ten thousand pieces wait for a slow reader, and none is lost', async () => {
    server.setScript(() => reply().bulk(10_000, (n) => `${n} `));
    const messages: AgentMessage[] = [];
    for await (const message of ask('x', { includePartialMessages: true })) {
      messages.push(message);
      if (messages.length < 60) await new Promise((done) => setTimeout(done, 5));
    }
    const text = Array.from({ length: 10_000 }, (_, n) => `${n} `).join('');
    expect(deltas(messages)).toBe(text);
    expect(outcomes(messages)).toEqual([text]);
  });
});

describe('a call that needs permission', () => {
  const asked: Parameters<CanUseTool>[] = [];
  const answering =
    (...answers: readonly Awaited<ReturnType<CanUseTool>>[]): CanUseTool =>
    (...call) => {
      asked.push(call);
      return Promise.resolve(answers[Math.min(asked.length, answers.length) - 1] ?? { behavior: 'deny', message: '' });
    };
  beforeEach(() => {
    asked.length = 0;
    writes();
  });

  it('is asked about, and runs when that is allowed', async () => {
    const messages = await allOf(ask('Make it', { canUseTool: answering({ behavior: 'allow' }) }));
    expect(asked).toMatchObject([
      ['Write', { file_path: inFolder('made.txt'), content: 'made\n' }, { toolUseId: expect.any(String) as string, reason: expect.any(String) as string }],
    ]);
    expect(readFileSync(inFolder('made.txt'), 'utf8')).toBe('made\n');
    expect(outcomes(messages)).toEqual(['Done.']);
  });

  it('is not asked about again where the answer had the suggested rules', async () => {
    server.setScript(({ body }) => (lastToolResults(body).length < 1 ? reply().toolCall('bash', { command: 'touch made.txt' }) : reply().text('Done.')));
    const canUseTool: CanUseTool = (name, input, context) => {
      asked.push([name, input, context]);
      return Promise.resolve({ behavior: 'allow', updatedPermissions: context.suggestions });
    };
    async function* twice(): AsyncGenerator<UserFrame> {
      await Promise.resolve();
      yield user('Make it');
      yield user('Make it again');
    }
    expect(outcomes(await allOf(query({ prompt: twice(), options: { ...options, canUseTool } })))).toEqual(['Done.', 'Done.']);
    expect(asked.map(([name, , { suggestions }]) => [name, suggestions.length])).toEqual([['Bash', 1]]);
  });

  it('is denied with words for the model, and listed in the result', async () => {
    const messages = await allOf(ask('Make it', { canUseTool: answering({ behavior: 'deny', message: 'Not on a Friday.' }) }));
    expect(existsSync(inFolder('made.txt'))).toBe(false);
    expect(server.requests[1] === undefined ? '' : lastToolResults(server.requests[1].body).map(resultText).join('')).toContain('Not on a Friday.');
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'success', permission_denials: [{ tool_name: 'Write' }] }]);
  });

  it('runs with other arguments where the answer has some', async () => {
    const other = { file_path: inFolder('other.txt'), content: 'other\n' };
    await allOf(ask('Make it', { canUseTool: answering({ behavior: 'allow', updatedInput: other }) }));
    expect([existsSync(inFolder('made.txt')), readFileSync(inFolder('other.txt'), 'utf8')]).toEqual([false, 'other\n']);
  });

  it('is denied, and the turn stopped, where the answer says so', async () => {
    const messages = await allOf(ask('Make it', { canUseTool: answering({ behavior: 'deny', message: 'Stop.', interrupt: true }) }));
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'error_during_execution', terminal_reason: 'aborted' }]);
    expect(server.requests).toHaveLength(1);
  });

  it('is denied where the callback fails, and where it gives no answer that can be used', async () => {
    await allOf(ask('Make it', { canUseTool: () => Promise.reject(new Error('The door is locked.')) }));
    const told = (): string => server.requests.map(({ body }) => lastToolResults(body).map(resultText).join('')).join('');
    expect(told()).toContain('The door is locked.');
    // As a program in JavaScript could.
    await allOf(ask('Make it', { canUseTool: () => Promise.resolve(JSON.parse('{"behavior":"maybe"}') as { behavior: 'allow' }) }));
    expect(told()).toContain('canUseTool gave no answer');
    expect(existsSync(inFolder('made.txt'))).toBe(false);
  });

  it('is denied where there is no callback', async () => {
    const messages = await allOf(ask('Make it'));
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'success', permission_denials: [{ tool_name: 'Write' }] }]);
  });

  it('needs no answer any more when the turn is interrupted', async () => {
    const run = ask('Make it', {
      canUseTool: (_name, _input, { signal }) => {
        void run.interrupt();
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('never told')), { once: true }));
      },
    });
    expect(outcomes(await allOf(run))).toEqual([expect.stringMatching(/^error_during_execution: /)]);
  });
});

describe('while it runs', () => {
  it('an answer can be interrupted, and has a result', async () => {
    const held = gate();
    server.setScript(() => reply().text('I begin.').hold(held));
    const run = ask('x', { includePartialMessages: true });
    const messages: AgentMessage[] = [];
    for await (const message of run) {
      messages.push(message);
      if (message.type === 'stream_event' && message.event.type === 'content_block_delta') await run.interrupt();
    }
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'error_during_execution', terminal_reason: 'aborted' }]);
    held.open();
  });

  it('the mode can be set, which tells the one that is in effect', async () => {
    writes();
    const run = ask('Make it');
    expect(await run.setPermissionMode('dontAsk')).toBe('default');
    await expect(run.setPermissionMode('bypassPermissions')).rejects.toThrow(ControlRefusedError);
    expect(await run.setPermissionMode('acceptEdits')).toBe('acceptEdits');
    expect(outcomes(await allOf(run))).toEqual(['Done.']);
    expect(existsSync(inFolder('made.txt'))).toBe(true);
    await expect(run.setPermissionMode('plan')).rejects.toThrow(NotConnectedError);
  });

  it('the model can be set, and one that there is not is refused', async () => {
    echoes();
    const run = ask('x');
    expect(await run.setModel('anthropic/claude-haiku-4-5')).toBe('anthropic/claude-haiku-4-5');
    await expect(run.setModel('nonsense')).rejects.toThrow('There is no model “nonsense”.');
    await allOf(run);
    expect(server.requests.map(({ body }) => body.model)).toEqual(['claude-haiku-4-5']);
  });

  it('servers and the context window can be asked about', async () => {
    says('Fine.');
    const run = ask('x');
    expect(await run.mcpStatus()).toEqual([]);
    for await (const message of run) if (message.type === 'result') break;
    const session = new Session(options);
    await session.send('x');
    for await (const message of session.events) if (message.type === 'result') break;
    expect(await session.contextUsage()).toMatchObject({
      model: 'claude-sonnet-5-5',
      totalTokens: expect.any(Number) as number,
      rawMaxTokens: expect.any(Number) as number,
    });
    await session.close();
  });

  it.each(['abortController', 'signal'] as const)('it can be aborted by %s, and no process is left then', async (name) => {
    const held = gate();
    server.setScript(() => reply().text('I begin.').hold(held));
    const { cliPath, isRunning } = tracked(program.path('gnomon.js'));
    const controller = new AbortController();
    const run = ask('x', { cliPath, includePartialMessages: true, ...(name === 'signal' ? { signal: controller.signal } : { abortController: controller }) });
    const { error } = await failureOf(
      (async function* (): AsyncGenerator<AgentMessage> {
        for await (const message of run) {
          yield message;
          if (message.type === 'stream_event') controller.abort();
        }
      })(),
    );
    expect(error).toBeInstanceOf(AbortError);
    expect(isRunning()).toBe(false);
    held.open();
  });

  it('a command that it runs ends with it', async () => {
    server.setScript(() => reply().toolCall('bash', { command: 'echo $$ > pid; sleep 300' }));
    const run = ask('x', { permissionMode: 'bypassPermissions' });
    const all = allOf(run);
    await expect.poll(() => existsSync(inFolder('pid')) && readFileSync(inFolder('pid'), 'utf8').trim()).toBeTruthy();
    const pid = Number(readFileSync(inFolder('pid'), 'utf8'));
    await run.close();
    await all;
    expect(running([pid])).toEqual([]);
  });

  it('a loop can be left, and no process is left then', async () => {
    const held = gate();
    server.setScript(() => reply().text('I begin.').hold(held));
    const { cliPath, isRunning } = tracked(program.path('gnomon.js'));
    for await (const message of ask('x', { cliPath })) if (message.type === 'system') break;
    expect(isRunning()).toBe(false);
    held.open();
  });
});

describe('a session', () => {
  /** What is stored of a session. */
  const storedOf = (id: string): string =>
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.includes(id) && statSync(join(home, path)).isFile())
      .sort()
      .map((path) => `${path}\n${readFileSync(join(home, path), 'utf8')}`)
      .join('\n');

  it('goes on until it is closed, over loops that are left', async () => {
    echoes();
    const { cliPath, isRunning } = tracked(program.path('gnomon.js'));
    const session = new Session({ ...options, cliPath });
    const answers: string[] = [];
    for (const words of ['one', 'two']) {
      await session.send(words);
      for await (const message of session.events) {
        answers.push(...outcomes([message]));
        if (message.type === 'result') break;
      }
    }
    expect(answers).toEqual(['You said one.', 'You said two.']);
    expect(server.requests[1]?.body.messages.length).toBe(3);
    await session.close();
    expect(isRunning()).toBe(false);
    await expect(session.send('three')).rejects.toThrow(NotConnectedError);
    expect(await allOf(session.events)).toEqual([]);
  });

  it('is gone on with by its id, by being the newest, or in a copy that leaves it as it is', async () => {
    echoes();
    const first = idOf(await allOf(ask('one')));
    expect(idOf(await allOf(ask('two', { resume: first })))).toBe(first);
    const before = storedOf(first);
    expect(before).toContain('two');
    const copy = idOf(await allOf(ask('three', { resume: first, forkSession: true })));
    expect(copy).not.toBe(first);
    expect([storedOf(first) === before, storedOf(copy)]).toEqual([true, expect.stringContaining('three')]);
    expect(idOf(await allOf(ask('four', { continueConversation: true })))).toBe(copy);
    expect(idOf(await allOf(ask('five', { resume: first })))).toBe(first);
    const said = server.requests.map(({ body }) => body.messages.filter(({ role }) => role === 'user').length);
    expect(said).toEqual([1, 2, 3, 4, 3]);
  });

  it('that there is not has an error for its result', async () => {
    const messages = await allOf(ask('x', { resume: '00000000-0000-4000-8000-000000000000' }));
    expect(messages.map(({ type }) => type)).toEqual(['result']);
    expect(outcomes(messages)).toEqual([expect.stringMatching(/^error_during_execution: ./)]);
    expect(server.requests).toEqual([]);
  });
});

describe('an option', () => {
  const requestOf = async (more: Options): Promise<string> => {
    says('Fine.');
    await allOf(ask('x', more));
    return JSON.stringify(server.requests.at(-1)?.body);
  };

  it('limits the requests for one message', async () => {
    server.setScript(() => reply().toolCall('read', { file_path: `${server.requests.length}.txt` }));
    const messages = await allOf(ask('x', { maxTurns: 2 }));
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'error_max_turns', is_error: true, num_turns: 2, errors: [expect.any(String)] }]);
    expect(server.requests).toHaveLength(2);
  });

  it('limits what the run may cost', async () => {
    server.setScript(() =>
      reply()
        .usage({ output_tokens: 1_000_000 })
        .toolCall('read', { file_path: `${server.requests.length}.txt` }),
    );
    expect(ofType(await allOf(ask('x', { maxBudgetUsd: 0.5 })), 'result')).toMatchObject([{ subtype: 'error_max_budget_usd' }]);
  });

  it('is the system prompt, or what is added to it', async () => {
    expect(await requestOf({ systemPrompt: 'You are a parrot.' })).toContain('You are a parrot.');
    const preset = await requestOf({ systemPrompt: { type: 'preset', append: 'You like to sing.' } });
    expect([preset.includes('You like to sing.'), preset.includes('Gnomon')]).toEqual([true, true]);
  });

  it('allows and denies by rules, and says which tools there are', async () => {
    writes();
    await allOf(ask('Make it', { allowedTools: ['Read', 'Edit(made.txt)'] }));
    expect(existsSync(inFolder('made.txt'))).toBe(true);
    const denied = await allOf(ask('Make it', { permissionMode: 'acceptEdits', disallowedTools: ['Edit(made.txt)'] }));
    expect(ofType(denied, 'result')[0]?.permission_denials).toHaveLength(1);
    says('Fine.');
    const init = (await allOf(ask('x', { tools: ['Read', 'Grep'] })))[0];
    expect(init).toMatchObject({ tools: ['Read', 'Grep'] });
    expect((await allOf(ask('x', { tools: [] })))[0]).toMatchObject({ tools: [] });
  });

  it('names the new session, the effort, and more folders', async () => {
    const other = temporaryFolder();
    writeFileSync(join(other, 'note.txt'), 'A note.\n');
    const sessionId = '123e4567-e89b-42d3-a456-426614174000';
    server.setScript(({ body }) =>
      lastToolResults(body).length === 0
        ? reply().toolCall('read', { file_path: join(other, 'note.txt') })
        : reply().text(lastToolResults(body).map(resultText).join('')),
    );
    const messages = await allOf(ask('x', { sessionId, effort: 'low', addDirs: [other] }));
    expect(idOf(messages)).toBe(sessionId);
    expect(outcomes(messages)).toEqual([expect.stringContaining('A note.')]);
  });

  it('that the program refuses fails with its exit code and its reason', async () => {
    const { error, before } = await failureOf(ask('x', { extraArgs: { 'sandbox-harder': null } }));
    expect(error).toBeInstanceOf(ProcessFailedError);
    expect(error).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--sandbox-harder') as string });
    expect([before, server.requests]).toEqual([[], []]);
  });
});
