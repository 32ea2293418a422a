import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { InvalidInputError, type Options, ProcessFailedError, query, Session } from '../../../../src/headless/library/index.js';
import { allOf, failureOf, fakeProgram, fakeQuery, idOf, libraryHere, ofType, outcomes, started } from '../../../support/library-rig.js';
import { lastToolResults, reply, resultText } from '../../../support/model-server/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const real = libraryHere();

describe('an option', () => {
  const requestOf = async (more: Options): Promise<string> => {
    real.says('Fine.');
    await allOf(real.ask('x', more));
    return JSON.stringify(real.server.requests.at(-1)?.body);
  };

  it('limits the requests for one message', async () => {
    real.server.setScript(() => reply().toolCall('read', { file_path: `${real.server.requests.length}.txt` }));
    const messages = await allOf(real.ask('x', { maxTurns: 2 }));
    expect(ofType(messages, 'result')).toMatchObject([{ subtype: 'error_max_turns', is_error: true, num_turns: 2, errors: [expect.any(String)] }]);
    expect(real.server.requests).toHaveLength(2);
  });

  it('limits what the run may cost', async () => {
    real.server.setScript(() =>
      reply()
        .usage({ output_tokens: 1_000_000 })
        .toolCall('read', { file_path: `${real.server.requests.length}.txt` }),
    );
    expect(ofType(await allOf(real.ask('x', { maxBudgetUsd: 0.5 })), 'result')).toMatchObject([{ subtype: 'error_max_budget_usd' }]);
  });

  it('is the system prompt, or what is added to it', async () => {
    expect(await requestOf({ systemPrompt: 'You are a parrot.' })).toContain('You are a parrot.');
    const preset = await requestOf({ systemPrompt: { type: 'preset', append: 'You like to sing.' } });
    expect([preset.includes('You like to sing.'), preset.includes('Gnomon')]).toEqual([true, true]);
  });

  it('allows and denies by rules, and says which tools there are', async () => {
    real.writes();
    await allOf(real.ask('Make it', { allowedTools: ['Read', 'Edit(made.txt)'] }));
    expect(existsSync(real.inFolder('made.txt'))).toBe(true);
    const denied = await allOf(real.ask('Make it', { permissionMode: 'acceptEdits', disallowedTools: ['Edit(made.txt)'] }));
    expect(ofType(denied, 'result')[0]?.permission_denials).toHaveLength(1);
    real.says('Fine.');
    const init = (await allOf(real.ask('x', { tools: ['Read', 'Grep'] })))[0];
    expect(init).toMatchObject({ tools: ['Read', 'Grep'] });
    expect((await allOf(real.ask('x', { tools: [] })))[0]).toMatchObject({ tools: [] });
  });

  it('names the new session, the effort, and more folders', async () => {
    const other = temporaryFolder();
    writeFileSync(join(other, 'note.txt'), 'A note.\n');
    const sessionId = '123e4567-e89b-42d3-a456-426614174000';
    real.server.setScript(({ body }) =>
      lastToolResults(body).length === 0
        ? reply().toolCall('read', { file_path: join(other, 'note.txt') })
        : reply().text(lastToolResults(body).map(resultText).join('')),
    );
    const messages = await allOf(real.ask('x', { sessionId, effort: 'low', addDirs: [other] }));
    expect(idOf(messages)).toBe(sessionId);
    expect(outcomes(messages)).toEqual([expect.stringContaining('A note.')]);
  });

  it('that the program refuses fails with its exit code and its reason', async () => {
    const { error, before } = await failureOf(real.ask('x', { extraArgs: { 'sandbox-harder': null } }));
    expect(error).toBeInstanceOf(ProcessFailedError);
    expect(error).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--sandbox-harder') as string });
    expect([before, real.server.requests]).toEqual([[], []]);
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
      strictMcpConfig: true,
      trustProject: true,
      allowDangerouslySkipPermissions: true,
      permissionMode: 'auto',
      agent: '-x',
      sessionStorage: 'vscode',
      ...(process.getuid === undefined ? {} : { user: process.getuid() }),
    };
    const [cwd, ours, path, args, uid] = JSON.parse(outcomes(await allOf(fakeQuery({ user }, options))).join('')) as [string, string, string, string[], number];
    expect([cwd, ours, path, uid]).toEqual([join(folder, 'in'), 'yes', 'none', process.getuid?.()]);
    expect(args).toEqual(
      expect.arrayContaining([
        '--agent=-x',
        '--session-storage=vscode',
        '--setting-sources=',
        '--strict-mcp-config',
        '--trust-project',
        '--allow-dangerously-skip-permissions',
        '--permission-mode=auto',
      ]),
    );
  });
});
