import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type McpServer, methods, RequestError } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { TestEditor, type UpdateKind } from '../../../support/acp-editor.js';
import { inEnvironment, ProgramHere, programHere } from '../../../support/entries/program-here.js';
import { headlessProgram } from '../../../support/headless-program.js';
import { gate, httpError, lastToolResults, lastUserText, type ModelServer, reply, startModelServer } from '../../../support/model-server/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { start, run } = headlessProgram();

let server: ModelServer;
let folder: string;
let home: string;

beforeEach(async () => {
  server = await startModelServer();
  [folder, home] = [temporaryFolder(), temporaryFolder()];
});
afterEach(() => server.close());

const MODEL = ['--model', 'anthropic/claude-sonnet-5-5'];
const env = (): Readonly<Record<string, string>> => ({ ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url });

/** An editor with the program in this process. */
function connect(args: readonly string[] = MODEL): TestEditor<ProgramHere> {
  const editor = new TestEditor(new ProgramHere({ args: ['acp', ...args], folder, environment: inEnvironment(home, server.url) }));
  onTestFinished(async () => {
    editor.program.process.stdin.end();
    await editor.program.end;
  });
  return editor;
}

async function opened(...args: readonly string[]): Promise<TestEditor<ProgramHere>> {
  const editor = connect([...MODEL, ...args]);
  await editor.initialize();
  return editor;
}

/** The same with the program in a process of its own, as editors have it. */
async function started(args: readonly string[] = []): Promise<TestEditor> {
  const program = start(['acp', ...MODEL, ...args], { folder, home, env: env() });
  onTestFinished(() => void program.process.kill('SIGKILL'));
  const editor = new TestEditor(program);
  await editor.initialize();
  return editor;
}

const newSession = async ({ agent }: Pick<TestEditor, 'agent'>, cwd = folder, mcpServers: McpServer[] = []): Promise<string> =>
  (await agent.request(methods.agent.session.new, { cwd, mcpServers })).sessionId;
const says = (...words: readonly string[]): void => server.setScript(() => reply().text(...words));
/** What a request was refused with. */
const refusal = (request: Promise<unknown>): Promise<RequestError> =>
  request.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: unknown) => (error instanceof RequestError ? error : Promise.reject(new Error(String(error)))),
  );
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('the handshake', () => {
  it('names the version, the program, and what it can do', async () => {
    const answer = await connect().initialize();
    expect(answer).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'gnomon', title: 'Gnomon' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        sessionCapabilities: { list: {}, resume: {}, close: {} },
      },
    });
    expect(answer.agentCapabilities?.promptCapabilities?.audio ?? false).toBe(false);
  });

  it('has to come first', async () => {
    const { code } = await refusal(newSession(connect()));
    expect(code).toBe(-32600);
  });

  it('is not needed to be told what is wrong with the command line', async () => {
    const ends = await Promise.all([
      run(['acp', '--nonsense'], { folder, home }),
      programHere.run(['acp', 'Fix it'], { folder, home }),
      programHere.run(['acp', '--settings', '{"sandbox":{"enabled":true}}'], { folder, home }),
      programHere.run(['acp', '--resume', 'x'], { folder, home }),
    ]);
    expect(ends.map(({ code, output }) => [code, output])).toEqual(ends.map(() => [2, '']));
    expect(ends[2].errors).toContain('--settings');
  });
});

describe('on a terminal', () => {
  it('the help lists no option that is refused', async () => {
    const { code, output } = await programHere.run(['acp', '--help'], { folder, home });
    expect(code).toBe(0);
    const flags = [...output.matchAll(/^ {2}(?:-\w,| {3}) --([\w-]+)(?: ([A-Z]+))?/gm)].filter(([, flag]) => flag !== 'help' && flag !== 'version');
    expect(flags.map(([, flag]) => flag)).toEqual(expect.arrayContaining(['model', 'permission-mode', 'trust-project', 'dangerously-skip-permissions']));
    const values: Readonly<Record<string, string>> = {
      'permission-mode': 'bypassPermissions',
      effort: 'low',
      settings: '{}',
      'setting-sources': 'user',
      'mcp-config': '{"mcpServers":{}}',
    };
    const all = flags.flatMap(([, flag = '', value]) => (value === undefined ? [`--${flag}`] : [`--${flag}`, values[flag] ?? '1']));
    expect(await programHere.run(['acp', ...all], { folder, home })).toMatchObject({
      code: 0,
      output: '',
      errors: expect.not.stringContaining('cannot') as string,
    });
  });

  it('it says what it waits for', async () => {
    let screen = '';
    const program = new ProgramHere({ args: ['acp'], folder, environment: inEnvironment(home, server.url), screen: (text) => (screen += text) });
    await expect.poll(() => screen).toContain('This serves editors: it reads messages of the Agent Client Protocol');
    program.interrupt();
    expect((await program.end).code).toBe(130);
  });
});

describe('MCP servers that the user has configured in the editor', () => {
  it('are started without another word, and the model has their tools, which ask', async () => {
    const modern = { name: 'modern', command: process.execPath, args: [resolve('test/support/mcp/modern-server.mjs')], env: [] };
    server.setScript(({ body }) => {
      if (lastToolResults(body).length > 0) return reply().text('Three.');
      return body.tools?.some(({ name }) => name === 'mcp__modern__add') === true
        ? reply().toolCall('mcp__modern__add', { a: 1, b: 2 })
        : reply().text('Not yet.');
    });
    const editor = await opened('--allowedTools', 'mcp__modern__add');
    const sessionId = await newSession(editor, folder, [modern]);
    // A server is not waited for very long before a request: one that starts slowly is there at a later message.
    await expect
      .poll(
        async () => {
          await editor.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'Add' }] });
          return server.requests.flatMap(({ body }) => lastToolResults(body)).length;
        },
        { timeout: 30_000 },
      )
      .toBe(1);
    expect(JSON.stringify(server.requests.at(-1)?.body)).toMatch(/\\n3\\n|"3"|text":"3/);
  });
});

describe('a new session', () => {
  it('says which modes, models, and efforts can be chosen; bypassing only where the program was started so', async () => {
    const editor = await opened();
    const { modes, configOptions } = await editor.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
    expect(modes?.currentModeId).toBe('default');
    expect(modes?.availableModes.map(({ id }) => id)).toEqual(['default', 'acceptEdits', 'plan', 'ask']);
    expect(modes?.availableModes.every(({ name, description }) => name !== '' && (description ?? '') !== '')).toBe(true);
    expect(configOptions?.map(({ id, category, currentValue }) => [id, category, currentValue])).toEqual([
      ['mode', 'mode', 'default'],
      ['model', 'model', 'anthropic/claude-sonnet-5-5'],
      ['effort', 'thought_level', expect.any(String)],
    ]);
    const bypassing = await opened('--allow-dangerously-skip-permissions');
    const more = await bypassing.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
    expect([more.modes?.currentModeId, more.modes?.availableModes.at(-1)?.id]).toEqual(['default', 'bypassPermissions']);
  });

  it.each([
    ['relative', { cwd: 'src', mcpServers: [] }],
    ['null', { cwd: null, mcpServers: [] }],
    ['missing', { mcpServers: [] }],
    ['not there', { cwd: '/nothing/like/it', mcpServers: [] }],
    ['a number', { cwd: 1, mcpServers: [] }],
  ])('is refused for a folder that is %s', async (_, params) => {
    const editor = await opened();
    expect((await refusal(editor.agent.request('session/new', params))).code).toBe(-32602);
  });

  it('is refused with a sentence for a model that there is not', async () => {
    const editor = connect(['--model', 'no-such-model']);
    await editor.initialize();
    expect(await refusal(newSession(editor))).toMatchObject({ code: -32603, message: expect.stringContaining('no-such-model') as string });
  });
});

describe('a prompt', () => {
  it('is answered in pieces, in order, and its turn ends', async () => {
    server.setScript(() => reply().thinking('I think.').text('Hello. ', 'I am the model.'));
    const editor = await opened();
    const id = await newSession(editor);
    expect(await editor.prompt(id, 'Say hello')).toBe('end_turn');
    expect(editor.words('agent_thought_chunk')).toBe('I think.');
    expect(editor.words('agent_message_chunk')).toBe('Hello. I am the model.');
    const kinds = editor.updates(id).map(({ sessionUpdate }) => sessionUpdate);
    expect(kinds.indexOf('agent_thought_chunk')).toBeLessThan(kinds.indexOf('agent_message_chunk'));
    expect(new Set(editor.ofKind('agent_message_chunk').map(({ messageId }) => messageId)).size).toBe(1);
    expect(editor.ofKind('usage_update').at(-1)).toMatchObject({ used: expect.any(Number) as number, size: expect.any(Number) as number });
    expect(editor.ofKind('user_message_chunk')).toEqual([]);
  });

  it('can have images, resources, and links', async () => {
    says('Fine.');
    const editor = await opened();
    const sessionId = await newSession(editor);
    const uri = `file://${join(folder, 'src', 'a.ts')}`;
    await editor.agent.request(methods.agent.session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'Compare ' },
        { type: 'resource', resource: { uri, text: 'const a = 1;' } },
        { type: 'text', text: ' with ' },
        { type: 'resource_link', uri: `file://${join(folder, 'b.ts')}`, name: 'b.ts' },
        { type: 'image', data: image, mimeType: 'image/png' },
      ],
    });
    const [request] = server.requests;
    expect(request && lastUserText(request.body)).toContain(`Compare ${join('src', 'a.ts')} with @b.ts`);
    expect(request?.raw).toContain('const a = 1;');
    expect(request?.raw).toContain(image);
  });

  it.each([
    ['nothing', []],
    ['sound', [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }]],
    ['an image that is none', [{ type: 'image', data: 'AAAA', mimeType: 'image/tiff' }]],
    ['a block of a kind that there is not', [{ type: 'nonsense' }]],
    ['no list', 'Say hello'],
  ])('is refused with %s in it, and no request is made', async (_, prompt) => {
    const editor = await opened();
    const sessionId = await newSession(editor);
    expect((await refusal(editor.agent.request('session/prompt', { sessionId, prompt }))).code).toBe(-32602);
    expect(server.requests).toEqual([]);
  });

  it('of a session that there is not is refused, as is any other request for it', async () => {
    const editor = await opened();
    const { session } = methods.agent;
    const errors = await Promise.all([
      refusal(editor.prompt('nobody', 'x')),
      refusal(editor.agent.request(session.setMode, { sessionId: 'nobody', modeId: 'plan' })),
      refusal(editor.agent.request(session.load, { sessionId: 'nobody', cwd: folder, mcpServers: [] })),
      refusal(editor.agent.request(session.resume, { sessionId: '../nobody', cwd: folder })),
    ]);
    expect(errors.map(({ code }) => code)).toEqual([-32002, -32002, -32002, -32002]);
    await editor.agent.notify(session.cancel, { sessionId: 'nobody' });
    expect(await newSession(editor)).not.toBe('');
  });

  it('without a key fails with a sentence that says what to do', async () => {
    const editor = new TestEditor(programHere.start(['acp', ...MODEL], { folder, home, env: { ANTHROPIC_BASE_URL: server.url } }));
    onTestFinished(async () => {
      editor.program.process.stdin.end();
      await editor.program.end;
    });
    await editor.initialize();
    const error = await refusal(editor.prompt(await newSession(editor), 'x'));
    expect(error.message).toMatch(/API key/);
  });

  it('that the server refuses fails with its reason, and the key is in no message', async () => {
    server.setScript(() => httpError(401, 'authentication_error', 'invalid x-api-key'));
    const editor = await opened();
    const error = await refusal(editor.prompt(await newSession(editor), 'x'));
    expect(error.message).toMatch(/API key/);
    expect(editor.received).not.toContain('sk-test-1234567890');
  });

  it('ends at the limits of the model and of requests with their own reasons', async () => {
    server.setScript(() => reply().toolCall('read', { file_path: `${server.requests.length}.txt` }));
    const editor = await opened('--max-turns', '2');
    expect(await editor.prompt(await newSession(editor), 'x')).toBe('max_turn_requests');
    expect(server.requests).toHaveLength(2);
  });
});

describe('a method that there is not', () => {
  it('is refused as such, and changes nothing', async () => {
    says('Fine.');
    const editor = await opened();
    const id = await newSession(editor);
    expect((await refusal(editor.agent.request('session/nonsense', {}))).code).toBe(-32601);
    expect((await refusal(editor.agent.request('authenticate', { methodId: 'x' }))).code).toBe(-32601);
    editor.program.process.stdin.write('no json\n[1]\n{"jsonrpc":"2.0"}\n');
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
  });
});

describe('a message that is too long', () => {
  const long = 'x'.repeat(32 * 1024 * 1024);

  it('is refused with a sentence, and the session goes on', async () => {
    says('Fine.');
    const editor = await opened();
    const id = await newSession(editor);
    expect(await refusal(editor.prompt(id, long))).toMatchObject({ code: -32600, message: expect.stringContaining('is too long') as string });
    expect(editor.program.errors).toContain('is too long');
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
  });

  it.each([
    ['first', `{"id":"7","jsonrpc":"2.0","method":"session/prompt","params":{"a":"${long}"}}`, '"7"'],
    ['last', `{"jsonrpc":"2.0","method":"session/prompt","params":{"a":"${long}","id":1},"id":-7}`, '-7'],
    ['not there', `{"jsonrpc":"2.0","method":"session/cancel","params":{"a":"${long}","id":1}}`, 'null'],
  ])('is refused by its id where that is %s', async (_, line, id) => {
    const editor = await opened();
    editor.program.process.stdin.write(`${line}\n`);
    await expect.poll(() => editor.received).toContain(`{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,`);
    expect(await newSession(editor)).not.toBe('');
  });

  it('is a failed answer where the agent has asked', async () => {
    server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall('read', { file_path: 'a.txt' }) : reply().text('Done.')));
    writeFileSync(join(folder, 'a.txt'), 'on the disk');
    const editor = connect();
    editor.buffers.set(join(folder, 'a.txt'), long);
    await editor.initialize({ fs: { readTextFile: true, writeTextFile: true } });
    expect(await editor.prompt(await newSession(editor), 'x')).toBe('end_turn');
    expect(editor.fileRequests).toContain(`read ${join(folder, 'a.txt')}`);
  });
});

describe('a cancellation', () => {
  it('stops an answer, and the next prompt is answered even where it comes at once', async () => {
    const held = gate();
    server.setScript(({ body }) => (lastUserText(body).includes('second') ? reply().text('Second.') : reply().text('I begin.').hold(held)));
    const editor = await opened();
    const id = await newSession(editor);
    const first = editor.prompt(id, 'first');
    await expect.poll(() => editor.words('agent_message_chunk')).toContain('I begin.');
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: id });
    const second = editor.prompt(id, 'second');
    expect(await first).toBe('cancelled');
    expect(await second).toBe('end_turn');
    held.open();
    expect(editor.words('agent_message_chunk')).toContain('Second.');
  });

  it('that follows a prompt at once is not lost', async () => {
    const held = gate();
    onTestFinished(() => held.open());
    server.setScript(() => reply().text('I begin.').hold(held));
    const editor = await opened();
    const id = await newSession(editor);
    const prompt = editor.prompt(id, 'x');
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: id });
    expect(await prompt).toBe('cancelled');
  });

  it('changes nothing where nothing is answered', async () => {
    says('Fine.');
    const editor = await opened();
    const id = await newSession(editor);
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: id });
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
    await editor.agent.notify(methods.agent.session.cancel, { sessionId: id });
    expect(await editor.prompt(id, 'y')).toBe('end_turn');
  });

  it('of the request itself stops it, too', async () => {
    const held = gate();
    onTestFinished(() => held.open());
    server.setScript(() => reply().text('I begin.').hold(held));
    const editor = await opened();
    const sessionId = await newSession(editor);
    const stop = new AbortController();
    const prompt = editor.agent.request(
      methods.agent.session.prompt,
      { sessionId, prompt: [{ type: 'text', text: 'x' }] },
      { cancellationSignal: stop.signal },
    );
    await expect.poll(() => editor.words('agent_message_chunk')).toContain('I begin.');
    stop.abort();
    expect(await prompt).toEqual({ stopReason: 'cancelled' });
  });

  it('is needed before another prompt', async () => {
    const held = gate();
    server.setScript(() => reply().text('I begin.').hold(held).text('Done.'));
    const editor = await opened();
    const id = await newSession(editor);
    const first = editor.prompt(id, 'x');
    await expect.poll(() => editor.words('agent_message_chunk')).toContain('I begin.');
    expect((await refusal(editor.prompt(id, 'y'))).code).toBe(-32600);
    held.open();
    expect(await first).toBe('end_turn');
  });
});

describe('what is chosen', () => {
  it('is the mode, which is told when it changes', async () => {
    server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'a.txt', content: 'a\n' }) : reply().text('Done.'),
    );
    const editor = await opened();
    const id = await newSession(editor);
    await editor.agent.request(methods.agent.session.setMode, { sessionId: id, modeId: 'acceptEdits' });
    await expect.poll(() => editor.ofKind('current_mode_update')).toMatchObject([{ currentModeId: 'acceptEdits' }]);
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
    expect(editor.asked).toEqual([]);
    const refused = ['bypassPermissions', 'nonsense', ''].map((modeId) =>
      refusal(editor.agent.request(methods.agent.session.setMode, { sessionId: id, modeId })),
    );
    expect((await Promise.all(refused)).map(({ code }) => code)).toEqual([-32602, -32602, -32602]);
  });

  it('is the mode, the model, and the effort as options', async () => {
    says('Fine.');
    const editor = await opened();
    const sessionId = await newSession(editor);
    const choose = async (configId: string, value: string): Promise<unknown> => {
      const { configOptions } = await editor.agent.request(methods.agent.session.setConfigOption, { sessionId, configId, value });
      return configOptions.find(({ id }) => id === configId)?.currentValue;
    };
    expect(await choose('mode', 'plan')).toBe('plan');
    expect(await choose('effort', 'high')).toBe('high');
    expect(await choose('model', 'anthropic/claude-opus-5')).toBe('anthropic/claude-opus-5');
    await editor.prompt(sessionId, 'x');
    expect(server.requests[0]?.body.model).toBe('claude-opus-5');
    const refused = [
      ['nonsense', 'x'],
      ['model', 'nonsense/model'],
      ['model', 'opus'],
      ['effort', 'nonsense'],
      ['mode', 'bypassPermissions'],
    ].map(([configId = '', value = '']) => refusal(choose(configId, value)));
    expect((await Promise.all(refused)).every(({ code }) => code === -32602 || code === -32603)).toBe(true);
  });
});

describe('stored sessions', () => {
  it('are listed, and loaded with what was said and done', async () => {
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().thinking('I look.').text('I read it.').toolCall('read', { file_path: 'a.txt' }) : reply().text('One.'),
    );
    const first = await opened();
    const id = await newSession(first);
    await first.prompt(id, 'What is in it?');
    first.program.process.stdin.end();
    expect((await first.program.end).code).toBe(0);

    const editor = await opened();
    const { sessions } = await editor.agent.request(methods.agent.session.list, { cwd: folder });
    expect(sessions).toMatchObject([{ sessionId: id, cwd: folder, title: expect.stringContaining('What is in it?') as string }]);
    expect((await editor.agent.request(methods.agent.session.list, {})).sessions).toEqual(sessions);
    expect((await editor.agent.request(methods.agent.session.list, { cwd: home })).sessions).toEqual([]);
    const { modes } = await editor.agent.request(methods.agent.session.load, { sessionId: id, cwd: folder, mcpServers: [] });
    expect(modes?.currentModeId).toBe('default');
    const shown: readonly UpdateKind[] = ['user_message_chunk', 'agent_thought_chunk', 'agent_message_chunk', 'tool_call'];
    expect(
      editor
        .updates(id)
        .map(({ sessionUpdate }) => sessionUpdate)
        .filter((kind) => shown.includes(kind)),
    ).toEqual(['user_message_chunk', 'agent_thought_chunk', 'agent_message_chunk', 'tool_call', 'agent_message_chunk']);
    expect(editor.words('user_message_chunk')).toBe('What is in it?');
    expect(editor.words('agent_message_chunk')).toBe('I read it.One.');
    expect(editor.ofKind('tool_call')).toMatchObject([{ kind: 'read', status: 'completed', title: 'Read a.txt' }]);
    const before = editor.updates(id).length;
    says('More.');
    expect(await editor.prompt(id, 'And now?')).toBe('end_turn');
    expect(editor.updates(id).length).toBeGreaterThan(before);
    expect(server.requests.at(-1)?.raw).toContain('What is in it?');
  });

  it('are gone on with without a word of what was before', async () => {
    says('Fine.');
    const first = await opened();
    const id = await newSession(first);
    await first.prompt(id, 'Remember me');
    await first.agent.request(methods.agent.session.close, { sessionId: id });
    expect((await refusal(first.prompt(id, 'x'))).code).toBe(-32002);
    await first.agent.request(methods.agent.session.resume, { sessionId: id, cwd: folder });
    const before = first.words('agent_message_chunk');
    await first.prompt(id, 'Again');
    expect(first.words('user_message_chunk')).toBe('');
    expect(first.words('agent_message_chunk')).toBe(`${before}Fine.`);
    expect(server.requests.at(-1)?.raw).toContain('Remember me');
  });
});

describe('a stored session', () => {
  const stored = async (): Promise<string> => {
    says('Fine.');
    const first = await opened();
    const id = await newSession(first);
    await first.prompt(id, 'Hello');
    await first.agent.request(methods.agent.session.close, { sessionId: id });
    return id;
  };

  it('that is asked for several times at once is opened once, and each is told of it', async () => {
    const id = await stored();
    const editor = await opened();
    const load = (): Promise<unknown> => editor.agent.request(methods.agent.session.load, { sessionId: id, cwd: folder, mcpServers: [] });
    const resume = (): Promise<unknown> => editor.agent.request(methods.agent.session.resume, { sessionId: id, cwd: folder });
    const answers = await Promise.all([load(), resume(), load()]);
    expect(answers).toEqual(answers.map(() => expect.objectContaining({ modes: expect.anything() as unknown }) as unknown));
    expect(editor.words('user_message_chunk')).toBe('HelloHello');
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
  });

  it('that is open elsewhere is refused without a word of flags, which nobody can give there', async () => {
    const id = await stored();
    const other = await opened();
    await other.agent.request(methods.agent.session.resume, { sessionId: id, cwd: folder });
    const { message } = await refusal((await opened()).agent.request(methods.agent.session.load, { sessionId: id, cwd: folder, mcpServers: [] }));
    expect(message).toContain(`The session ${id} is open in another window or program.`);
    expect(message).not.toContain('--');
  });
});

describe('several sessions', () => {
  it('work side by side, each in its folder and with its updates', async () => {
    const other = temporaryFolder();
    const held = gate();
    server.setScript(({ body }) => (lastUserText(body).includes('slow') ? reply().text('Slow. ').hold(held).text('Done.') : reply().text('Quick.')));
    const editor = await opened();
    const [slow, quick] = [await newSession(editor), await newSession(editor, other)];
    const waiting = editor.prompt(slow, 'slow');
    await held.reached;
    expect(await editor.prompt(quick, 'quick')).toBe('end_turn');
    held.open();
    expect(await waiting).toBe('end_turn');
    expect(editor.words('agent_message_chunk', slow)).toBe('Slow. Done.');
    expect(editor.words('agent_message_chunk', quick)).toBe('Quick.');
    expect(server.requests.map(({ raw }) => [raw.includes(folder), raw.includes(other)])).toEqual([
      [true, false],
      [false, true],
    ]);
  });
});

describe('the program', () => {
  it('ends with its input, in the middle of an answer, too, and with what runs for it', async () => {
    server.setScript(() => reply().toolCall('bash', { command: 'sleep 987' }));
    const editor = await started(['--permission-mode', 'bypassPermissions']);
    const id = await newSession(editor);
    const prompt = editor.prompt(id, 'x').catch(() => 'closed');
    await expect.poll(() => editor.updates(id)).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'in_progress' }));
    editor.program.process.stdin.end();
    expect((await editor.program.end).code).toBe(0);
    expect(await prompt).toBe('closed');
    const processes = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' });
    expect(processes.split('\n').filter((line) => line === 'sleep 987')).toEqual([]);
  });

  it('ends when nobody reads its output, and by signals', async () => {
    server.setScript(() => reply().bulk(50_000, (n) => `word ${n} `));
    const unread = await started();
    const id = await newSession(unread);
    void unread.prompt(id, 'x').catch(() => undefined);
    await expect.poll(() => unread.ofKind('agent_message_chunk').length).toBeGreaterThan(0);
    unread.program.process.stdout.destroy();
    expect((await unread.program.end).code).toBe(0);
    const stopped = await started();
    await newSession(stopped);
    stopped.program.process.kill('SIGTERM');
    expect((await stopped.program.end).code).toBe(143);
  });

  it('writes nothing but the protocol to its output', async () => {
    mkdirSync(join(folder, '.claude'));
    writeFileSync(join(folder, '.claude', 'settings.json'), '{ broken');
    says('Fine.');
    const editor = await started();
    await editor.prompt(await newSession(editor), 'x');
    expect(editor.program.messages.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true);
  });

  it('names files as the editor does, where its project is behind a link', async () => {
    const link = join(temporaryFolder(), 'project');
    symlinkSync(folder, link);
    writeFileSync(join(folder, 'a.txt'), 'one\n');
    server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall('read', { file_path: 'a.txt' }) : reply().text('One.')));
    const editor = await opened();
    await editor.prompt(await newSession(editor, link), 'x');
    expect(editor.ofKind('tool_call_update').flatMap(({ locations }) => locations ?? [])).toContainEqual({ path: join(link, 'a.txt') });
  });
});
