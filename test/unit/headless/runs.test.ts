import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { promptOf } from '../../../src/headless/prompt.js';
import { programWithModelHere } from '../../support/entries/program-here.js';
import { messagesIn, type ProgramEnd } from '../../support/headless-program.js';
import { httpError, lastToolResults, lastUserText, reply } from '../../support/model-server/index.js';
import { temporaryFolder, writeAt } from '../../support/temporary-folder.js';

const program = programWithModelHere();

const gnomon = (args: readonly string[], input = '', env: Readonly<Record<string, string>> = {}): Promise<ProgramEnd> => program.run(args, { input, env });
/** What the user said last in a request. */
const saidIn = (n: number): string =>
  program.server.requests
    .slice(n, n + 1)
    .map(({ body }) => lastUserText(body))
    .join('');
/** What the user said in the first request. */
const saidFirst = (): string => saidIn(0);
const says = (...words: readonly string[]): void => program.server.setScript(() => reply().text(...words));

describe('a prompt on the command line', () => {
  it('is sent without what comes too late in the pipe, which is said', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const open = promptOf('What is this?', new PassThrough());
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await open).toEqual({ kind: 'prompt', words: 'What is this?', note: expect.stringContaining('Nothing came on standard input') as string });
    const slow = new PassThrough();
    const begun = promptOf('What is this?', slow);
    slow.write('It ');
    await vi.advanceTimersByTimeAsync(10_000);
    slow.end('has begun.');
    expect(await begun).toEqual({ kind: 'prompt', words: 'What is this?', data: 'It has begun.' });
  });

  it('can stand in the pipe alone', async () => {
    says('Fine.');
    expect((await gnomon([], 'What is this?')).code).toBe(0);
    expect(saidFirst()).toContain('What is this?');
  });

  it('is asked for where there is none, and no request is made', async () => {
    const { code, errors } = await gnomon([]);
    expect([code, errors]).toEqual([2, expect.stringContaining('There is no prompt.')]);
    expect(program.server.requests).toEqual([]);
  });

  it('is not answered by the demo where no model is set up: a script would take that for an answer', async () => {
    const { code, output, errors } = await program.runWithout(['-p', 'Say hello']);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toContain('No model is set up. Set the environment variable');
    expect((await program.runWithout(['-p', 'Say hello', '--model', 'demo/demo'])).output).toContain('I am the offline demo');
  });

  it('that needs a key which is not there says which variable has it', async () => {
    const { code, errors } = await program.runWithout(['-p', 'Say hello', '--model', 'anthropic/claude-sonnet-5-5']);
    expect([code, errors]).toEqual([1, 'No API key is set for Anthropic. Set the environment variable ANTHROPIC_API_KEY.\n']);
  });
});

describe('what the model does', () => {
  const edits = (): void =>
    program.server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().text('I create it.').toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
    );

  it('runs where the mode allows it, and is listed at the end', async () => {
    edits();
    const { code, output, errors } = await gnomon(['-p', 'Make it', '--permission-mode', 'acceptEdits']);
    expect({ code, output }).toEqual({ code: 0, output: 'I create it.\n\nDone.\n' });
    expect(errors).toBe('1 file changed:\n  made.txt: created (+1 −0)\n');
    expect(readFileSync(join(program.folder, 'made.txt'), 'utf8')).toBe('made\n');
    // What is kept needs no place to undo it from.
    const kept = readdirSync(join(program.home, 'data'), { recursive: true, encoding: 'utf8' });
    expect(kept.filter((path) => /review./.test(path))).toEqual([]);
  });

  it('is denied with its reason where nobody can be asked', async () => {
    edits();
    const { code, errors } = await gnomon(['-p', 'Make it']);
    expect(code).toBe(0);
    expect(errors).toMatch(/^Denied: write made\.txt – Nobody can be asked here, and this needs permission: /);
    expect(existsSync(join(program.folder, 'made.txt'))).toBe(false);
    expect(JSON.stringify(program.server.requests[1]?.body)).toContain('Nobody can be asked here');
  });

  it('runs where a rule of the command line allows it, and is denied where one denies it', async () => {
    edits();
    await gnomon(['-p', 'Make it', '--allowedTools', 'Edit(made.txt)']);
    expect(existsSync(join(program.folder, 'made.txt'))).toBe(true);
    const { errors } = await gnomon(['-p', 'Make it', '--permission-mode', 'acceptEdits', '--disallowedTools', 'Edit(made.txt)']);
    expect(errors).toContain('Denied: write made.txt');
  });

  it('reads notebooks as their cells', async () => {
    const cell = { cell_type: 'code', id: 'a', execution_count: null, metadata: {}, outputs: [], source: ['print(1)'] };
    writeAt(join(program.folder, 'a.ipynb'), JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] }));
    program.server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall('read', { file_path: 'a.ipynb' }) : reply().text('Done.')));
    await gnomon(['-p', 'x']);
    const told = JSON.stringify(program.server.requests.at(-1)?.body);
    expect(told).toContain('%% cell');
    expect(told).not.toContain('nbformat');
  });

  it('has only the tools that are named', async () => {
    says('Fine.');
    await gnomon(['-p', 'x', '--tools', 'Read,Grep']);
    await gnomon(['-p', 'x', '--tools', '']);
    const tools = program.server.requests.map(({ body }) => (body.tools ?? []).map((tool) => tool['name']));
    expect(tools).toEqual([['read', 'grep'], []]);
  });

  it('ends at the limit of requests, with an error', async () => {
    program.server.setScript(() => reply().toolCall('read', { file_path: `${program.server.requests.length}.txt` }));
    const { code, output } = await gnomon(['-p', 'x', '--max-turns', '2', '--output-format', 'json']);
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({ type: 'result', subtype: 'error_max_turns', is_error: true, num_turns: 2 });
    expect(program.server.requests).toHaveLength(2);
  });

  it('ends at the limit of money, before the request that would exceed it', async () => {
    program.server.setScript(() =>
      reply()
        .usage({ output_tokens: 1_000_000 })
        .toolCall('read', { file_path: `${program.server.requests.length}.txt` }),
    );
    const { code, output } = await gnomon(['-p', 'x', '--max-budget-usd', '0.5', '--output-format', 'json']);
    expect([code, JSON.parse(output)]).toMatchObject([1, { subtype: 'error_max_budget_usd' }]);
    expect(program.server.requests).toHaveLength(1);
  });
});

describe('the formats of the output', () => {
  it('json is one object with the answer and its figures', async () => {
    says('Hello.');
    const { output } = await gnomon(['-p', 'x', '--output-format', 'json']);
    expect(messagesIn(output)).toEqual([
      expect.objectContaining({ type: 'result', subtype: 'success', result: 'Hello.', num_turns: 1, permission_denials: [] }),
    ]);
  });

  it('stream-json begins with init and ends with the only result, all of one session', async () => {
    writeAt(join(program.folder, 'a.txt'), 'one\n');
    program.server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall('read', { file_path: 'a.txt' }) : reply().text('One.')));
    const { output } = await gnomon(['-p', 'x', '--output-format', 'stream-json', '--verbose']);
    const messages = messagesIn(output);
    expect(messages.map(({ type }) => type)).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
    expect(messages[0]).toMatchObject({ subtype: 'init', cwd: program.folder, permissionMode: 'default', model: 'claude-sonnet-5-5' });
    expect(messages[0]?.['tools']).toEqual(expect.arrayContaining(['Bash', 'Read', 'Edit']));
    expect(messages[1]).toMatchObject({
      message: { content: [{ type: 'tool_use', name: 'Read', input: { file_path: join(program.folder, 'a.txt') } }], stop_reason: 'tool_use' },
    });
    expect(messages[2]).toMatchObject({ message: { content: [{ type: 'tool_result', content: [{ type: 'text', text: '1\tone' }] }] } });
    expect(new Set(messages.map(({ session_id }) => session_id)).size).toBe(1);
    expect(new Set(messages.map(({ uuid }) => uuid)).size).toBe(messages.length);
  });

  it('reports an answer while it comes only where that is asked for', async () => {
    says('One, ', 'two, ', 'three.');
    const plain = messagesIn((await gnomon(['-p', 'x', '--output-format', 'stream-json'])).output);
    expect(plain.filter(({ type }) => type === 'stream_event')).toEqual([]);
    const partial = messagesIn((await gnomon(['-p', 'x', '--output-format', 'stream-json', '--include-partial-messages'])).output);
    const deltas = partial.flatMap(({ event }) => {
      const { delta } = (event ?? {}) as { readonly delta?: { readonly type: string; readonly text?: string } };
      return delta?.type === 'text_delta' ? [delta.text] : [];
    });
    expect(deltas.join('')).toBe('One, two, three.');
  });
});

describe('K-17: an answer in a form that is asked for', () => {
  const schema = JSON.stringify({ type: 'object', properties: { answer: { type: 'integer' } }, required: ['answer'], additionalProperties: false });
  const result = ({ output }: ProgramEnd): unknown => JSON.parse(output);

  it('is data in the result', async () => {
    says('{"answer": 42}');
    const { code, ...end } = await gnomon(['-p', 'x', '--output-format', 'json', '--json-schema', schema]);
    expect(code).toBe(0);
    expect(result({ code, ...end })).toMatchObject({ subtype: 'success', structured_output: { answer: 42 }, num_turns: 1 });
  });

  it('is asked for again where it is another one, and the figures are those of all requests', async () => {
    program.server.setScript(() => reply().text(program.server.requests.length === 1 ? 'It is 42.' : '{"answer": 42}'));
    expect(result(await gnomon(['-p', 'x', '--output-format', 'json', '--json-schema', schema]))).toMatchObject({
      structured_output: { answer: 42 },
      num_turns: 2,
    });
    expect(saidIn(1)).toContain('not valid against the JSON Schema');
  });

  it('is all that is printed as text: no attempt that did not hold, and nothing where none did', async () => {
    program.server.setScript(() => reply().text(program.server.requests.length === 1 ? 'It is 42.' : '```json\n{ "answer": 42 }\n```'));
    expect(await gnomon(['-p', 'x', '--json-schema', schema])).toMatchObject({ code: 0, output: '{"answer":42}\n' });
    says('It is 42.');
    const end = await gnomon(['-p', 'x', '--json-schema', schema]);
    expect(end).toMatchObject({ code: 1, output: '' });
    expect(end.errors).toContain('not in the form that was asked for');
  });

  it('is an error where it was cut off', async () => {
    program.server.setScript(() => reply().text('{"ans').stop('max_tokens'));
    const end = await gnomon(['-p', 'x', '--json-schema', schema]);
    expect(end).toMatchObject({ code: 1, output: '' });
    expect(end.errors).toContain('cut off');
  });

  it('is an error when it is another one each time', async () => {
    says('It is 42.');
    const end = await gnomon(['-p', 'x', '--output-format', 'json', '--json-schema', schema]);
    expect(end.code).toBe(1);
    expect(result(end)).toMatchObject({ subtype: 'error_max_structured_output_retries', is_error: true, num_turns: 3 });
  });

  it('is refused before anything is asked where the schema cannot be read', async () => {
    expect((await gnomon(['-p', 'x', '--json-schema', '{"type": 1}'])).code).toBe(2);
    expect((await gnomon(['-p', 'x', '--json-schema', 'nonsense'])).code).toBe(2);
    expect(program.server.requests).toEqual([]);
  });
});

describe('a command line that cannot be followed', () => {
  it.each([
    ['a rule that allows', ['--allowedTools', 'Foo(']],
    ['a rule that denies', ['--disallowedTools', 'Bash(ls']],
    ['an id', ['--session-id', '../x']],
    ['a model', ['--model', 'nope']],
    ['a provider', ['--model', 'nope/bar']],
    ['an agent', ['--agent', 'nope']],
  ])('because of %s is an error before anything is asked', async (_what, args) => {
    const { code, errors } = await gnomon(['-p', 'x', ...args]);
    expect([code, program.server.requests]).toEqual([2, []]);
    expect(errors).toContain(args[1]?.replace(/\($/, ''));
    // Rules come from settings, too, and ids from elsewhere.
    if (args[0] !== '--model' && args[0] !== '--agent') expect(errors).toContain(`${args[0]}: `);
    expect(errors.trim().split('\n')).toHaveLength(1);
  });

  it('as a server of it cannot start is said', async () => {
    says('Fine.');
    const servers = JSON.stringify({ mcpServers: { mine: { command: join(program.folder, 'no-such-program') } } });
    expect((await gnomon(['-p', 'x', '--mcp-config', servers])).errors).toContain('The MCP server “mine” does not work: ');
  });
});

describe('sessions', () => {
  const result = ({ output }: ProgramEnd): { readonly session_id: string; readonly result: string } =>
    JSON.parse(output) as { readonly session_id: string; readonly result: string };
  const told = (n: number): number => program.server.requests[n]?.body.messages.length ?? 0;

  it('are gone on with by their id, or the newest of the folder, or in a copy', async () => {
    says('Fine.');
    const first = result(await gnomon(['-p', 'one', '--output-format', 'json']));
    const second = result(await gnomon(['-p', 'two', '--output-format', 'json', '--continue']));
    expect(second.session_id).toBe(first.session_id);
    const fork = result(await gnomon(['-p', 'three', '--output-format', 'json', '--resume', first.session_id, '--fork-session']));
    expect(fork.session_id).not.toBe(first.session_id);
    expect([0, 1, 2].map(told)).toEqual([1, 3, 5]);
  });

  it('keep their agent, which may be there to limit them, unless another one or none is named', async () => {
    const looker = join(program.home, '.claude', 'agents', 'looker.md');
    writeAt(looker, '---\nname: looker\ndescription: Looks\ntools: Read\n---\nLook.\n');
    const toolsOf = (n: number): readonly string[] =>
      ((program.server.requests[n]?.body['tools'] ?? []) as readonly { readonly name: string }[]).map(({ name }) => name);
    says('Fine.');
    await gnomon(['-p', 'Look', '--agent', 'looker']);
    await gnomon(['-p', 'Look again', '--continue']);
    expect([toolsOf(0), toolsOf(1)]).toEqual([['read'], ['read']]);
    rmSync(looker);
    const gone = await gnomon(['-p', 'Look again', '--continue']);
    expect([gone.code, gone.errors]).toEqual([1, expect.stringContaining('The agent “looker” of this session is not there.')]);
    await gnomon(['-p', 'Change it', '--continue', '--agent', 'none']);
    expect(program.server.requests).toHaveLength(3);
    expect(toolsOf(2)).toContain('write');
  });

  it('leave the one that a copy was made of as it is', async () => {
    says('Fine.');
    const { session_id: id } = result(await gnomon(['-p', 'one', '--output-format', 'json']));
    const stored = (): readonly string[] =>
      readdirSync(join(program.home, 'data'), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith(`${id}.json`))
        .map((path) => readFileSync(join(program.home, 'data', path), 'utf8'));
    const before = stored();
    expect(before).toHaveLength(1);
    await gnomon(['-p', 'two', '--resume', id, '--fork-session']);
    expect(stored()).toEqual(before);
  });

  it('that are not there are an error, and nothing is asked', async () => {
    const { code, errors } = await gnomon(['-p', 'x', '--resume', 'nothing-like-it']);
    expect([code, errors.trim()]).toEqual([1, expect.stringMatching(/nothing-like-it/)]);
    expect((await gnomon(['-p', 'x', '--continue'])).errors).toContain('There is no session of this folder');
    expect(program.server.requests).toEqual([]);
  });

  it('are not stored where that is not wanted, and nothing of them is left', async () => {
    says('Fine.');
    const passing = temporaryFolder();
    expect((await gnomon(['-p', 'x', '--no-session-persistence'], '', { TMPDIR: passing })).code).toBe(0);
    expect(readdirSync(passing)).toEqual([]);
    expect(readdirSync(program.home, { recursive: true, encoding: 'utf8' }).filter((path) => path.includes('sessions'))).toEqual([]);
    expect((await gnomon(['-p', 'x', '--no-session-persistence', '--continue'])).code).toBe(2);
    expect(program.server.requests).toHaveLength(1);
  });

  it('can have a given id, copies too', async () => {
    says('Fine.');
    const id = '3f0e8a52-8f0e-4c3c-9d0b-2b8a3a1f5f10';
    expect(result(await gnomon(['-p', 'x', '--output-format', 'json', '--session-id', id])).session_id).toBe(id);
    expect(result(await gnomon(['-p', 'x', '--output-format', 'json', '--continue', '--fork-session', '--session-id', 'copy'])).session_id).toBe('copy');
  });
});

describe('the end of a run', () => {
  it('that comes after other attempts names no key that servers repeat', async () => {
    program.server.setScript((_request, n) => (n === 0 ? httpError(500, 'api_error', 'invalid key sk-test-1234567890') : reply().text('Fine.')));
    const { code, errors } = await gnomon(['-p', 'x']);
    expect([code, errors]).toEqual([0, expect.stringContaining('Trying again')]);
    expect(errors).not.toContain('sk-test-1234567890');
  });

  it('is an error where the model refuses, with a sentence that says what to do', async () => {
    program.server.setScript(() => httpError(401, 'authentication_error', 'invalid x-api-key'));
    const { code, output, errors } = await gnomon(['-p', 'x']);
    expect([code, output]).toEqual([1, '']);
    expect(errors).toMatch(/API key/);
  });
});

describe('K-15: a repository that is not trusted', () => {
  it('brings nothing that runs or is sent, but is worked on', async () => {
    writeAt(join(program.folder, 'CLAUDE.md'), 'CANARY INSTRUCTIONS\n');
    writeAt(join(program.folder, '.mcp.json'), JSON.stringify({ mcpServers: { spy: { command: 'touch', args: [join(program.folder, 'canary-server')] } } }));
    const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: `touch ${join(program.folder, 'canary-hook')}` }] }] };
    writeAt(join(program.folder, '.claude', 'settings.json'), JSON.stringify({ hooks, permissions: { allow: ['Bash(touch:*)'], deny: ['Read(secret.txt)'] } }));
    writeAt(join(program.folder, 'secret.txt'), 'CANARY SECRET\n');
    program.server.setScript(({ body }) =>
      lastToolResults(body).length === 0
        ? reply()
            .toolCall('bash', { command: 'touch canary-rule' })
            .toolCall('read', { file_path: 'secret.txt' })
            .toolCall('write', { file_path: 'made.txt', content: 'made\n' })
        : reply().text('Done.'),
    );
    const { code } = await gnomon(['-p', 'x', '--permission-mode', 'acceptEdits']);
    expect(code).toBe(0);
    expect(readdirSync(program.folder).sort()).toEqual(['.claude', '.mcp.json', 'CLAUDE.md', 'made.txt', 'secret.txt']);
    for (const { raw } of program.server.requests) expect(raw).not.toMatch(/CANARY/);
  });

  it('does not keep hooks of the user from guarding what is done in it', async () => {
    const guard = { PreToolUse: [{ matcher: 'Write', hooks: [{ type: 'command', command: 'echo "Not here." >&2; exit 2' }] }] };
    writeAt(join(program.home, '.claude', 'settings.json'), JSON.stringify({ hooks: guard }));
    program.server.setScript(({ body }) =>
      lastToolResults(body).length === 0 ? reply().toolCall('write', { file_path: 'made.txt', content: 'made\n' }) : reply().text('Done.'),
    );
    const { errors } = await gnomon(['-p', 'x', '--permission-mode', 'acceptEdits']);
    expect(errors).toContain('Not here.');
    expect(existsSync(join(program.folder, 'made.txt'))).toBe(false);
  });
});

it('what Git would show is found out where Git takes a while: nobody can be asked here', async () => {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: program.folder });
  git('init', '-q');
  writeFileSync(join(program.folder, 'a.txt'), 'one\n');
  git('add', '.');
  git('commit', '-qm', 'a');
  writeFileSync(join(program.folder, 'a.txt'), 'two\n');
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const slow = temporaryFolder();
  writeFileSync(join(slow, 'git'), `#!/bin/sh\nsleep 0.1\nexec ${real} "$@"\n`, { mode: 0o755 });
  program.calls('bash', { command: 'git diff' });
  await gnomon(['-p', 'What was changed?'], '', { PATH: `${slow}${delimiter}${process.env['PATH'] ?? ''}` });
  expect(program.results).toEqual([expect.stringContaining('+two')]);
});
