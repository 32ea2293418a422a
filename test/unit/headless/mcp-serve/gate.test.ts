import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { StreamTransport } from '../../../support/entries/mcp-client.js';
import { programHere } from '../../../support/entries/program-here.js';
import { headlessProgram } from '../../../support/headless-program.js';
import { lastToolResults, type ModelServer, reply, resultText, startModelServer } from '../../../support/model-server/index.js';
import { sampled, someNth } from '../../../support/runs.js';
import { temporaryFolder, writeAt } from '../../../support/temporary-folder.js';
import { ALLOW, type CallEnd, DENY, ERAS, serve, type ServerStart } from './rig.js';

// What decides is in this process; one case has it decide in the program as it is shipped.
const { path } = headlessProgram();

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** Contents of files by their paths; what is no text is written as JSON. */
type Files = Readonly<Record<string, object | string>>;

/** A layer that decides about a call, with what comes of it. */
interface Layer {
  readonly name: string;
  readonly args?: readonly string[];
  readonly call: Call;
  /** What files of the user and of the project say, by their paths in the home folder and in the folder. */
  readonly home?: Files;
  readonly project?: Files;
  /** Whether it runs where nobody can be asked, and where somebody says yes. */
  readonly runs: { readonly unasked: boolean; readonly allowed: boolean };
}

const WRITE: Call = ['write', { file_path: 'made.txt', content: 'made\n' }];
const TOUCH: Call = ['bash', { command: 'touch made.txt' }];
const BYPASS = ['--dangerously-skip-permissions'];
const never = { unasked: false, allowed: false };
const always = { unasked: true, allowed: true };
const asks = { unasked: false, allowed: true };

/** A hook of the user that prints an answer for every call. */
const hook = (event: string, output: object): Files => ({
  '.claude/settings.json': {
    hooks: { [event]: [{ matcher: '*', hooks: [{ type: 'command', command: `echo '${JSON.stringify({ hookSpecificOutput: output })}'` }] }] },
  },
});
const preToolUse = (permissionDecision: string): Files =>
  hook('PreToolUse', { hookEventName: 'PreToolUse', permissionDecision, permissionDecisionReason: 'The hook says so.' });
const PERMITS = hook('PermissionRequest', { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } });
const rules = (permissions: object): Files => ({ '.claude/settings.json': { permissions } });

const OF_USER: Files = { '.gnomon/settings.json': { permissions: { allow: ['Edit'] } } };

const LAYERS: readonly Layer[] = [
  { name: 'a hook that denies, whatever is bypassed', args: BYPASS, call: TOUCH, home: preToolUse('deny'), runs: never },
  { name: 'a hook that asks, whatever is bypassed', args: BYPASS, call: TOUCH, home: preToolUse('ask'), runs: asks },
  { name: 'a hook that allows', call: TOUCH, home: preToolUse('allow'), runs: always },
  { name: 'a hook that answers for the user, where somebody could be asked', call: TOUCH, home: PERMITS, runs: asks },
  {
    name: 'a deny rule of the command line, before an allow rule and the mode',
    args: [...BYPASS, '--allowedTools', 'Bash', '--disallowedTools', 'Bash(touch:*)'],
    call: TOUCH,
    runs: never,
  },
  {
    name: 'a deny rule of the settings that are named',
    args: [...BYPASS, '--settings', '{"permissions":{"deny":["Edit(made.txt)"]}}'],
    call: WRITE,
    runs: never,
  },
  { name: 'a deny rule of a project that is not trusted', args: BYPASS, call: WRITE, project: rules({ deny: ['Edit'] }), runs: never },
  { name: 'an ask rule', args: BYPASS, call: WRITE, project: rules({ ask: ['Edit'] }), runs: asks },
  { name: 'an allow rule of a project that is not trusted', call: WRITE, project: rules({ allow: ['Edit'] }), runs: asks },
  { name: 'an allow rule of the user', call: WRITE, home: OF_USER, runs: always },
  { name: 'an allow rule of layers that are left out', args: ['--setting-sources', 'project'], call: WRITE, home: OF_USER, runs: asks },
  {
    name: 'a safety check, before an allow rule and the mode',
    args: [...BYPASS, '--allowedTools', 'Edit'],
    call: ['write', { file_path: '.git/hooks/made.txt', content: 'x' }],
    runs: asks,
  },
  { name: 'plan mode', args: ['--permission-mode', 'plan', '--allowedTools', 'Edit'], call: WRITE, runs: never },
  { name: 'a mode that never asks', args: ['--permission-mode', 'dontAsk'], call: WRITE, runs: never },
  { name: 'a mode that always asks', args: ['--permission-mode', 'ask'], call: ['read', { file_path: 'there.txt' }], runs: asks },
  { name: 'a mode that accepts edits', args: ['--permission-mode', 'acceptEdits'], call: WRITE, runs: always },
  { name: 'an allow rule', args: ['--allowedTools', 'Bash(touch made.txt)'], call: TOUCH, runs: always },
  { name: 'a file with secrets', call: ['read', { file_path: '.env' }], runs: asks },
  { name: 'nothing that allows', call: TOUCH, runs: asks },
];

/** Those that are tried in a run, every second one, and those of them whose calls a model makes, too. All in the soak. */
const TRIED = someNth(LAYERS, 2);
const MODEL_LAYERS = sampled(TRIED);

/** What is in every project. */
const PROJECT: Files = { 'there.txt': 'there\n', '.env': 'KEY=canary-1\n', '.git/HEAD': 'ref: refs/heads/main\n' };

function write(folder: string, files: Files): void {
  for (const [name, content] of Object.entries(files)) writeAt(join(folder, name), content);
}

/** Where a call is made. */
interface Place {
  readonly folder: string;
  readonly home: string;
}

/** A project with a user, as a layer has them. */
function place({ home: ofUser = {}, project = {} }: Pick<Layer, 'home' | 'project'>): Place {
  const [folder, home] = [temporaryFolder(), temporaryFolder()];
  write(home, ofUser);
  write(folder, { ...PROJECT, ...project });
  return { folder, home };
}

interface Effect extends CallEnd {
  readonly made: boolean;
}

const effectIn = (folder: string, { text, failed }: CallEnd): Effect => ({
  text: text.replaceAll(folder, '<folder>').replaceAll(/after [\d.]+ s/g, 'after a while'),
  failed,
  made: existsSync(join(folder, 'made.txt')) || existsSync(join(folder, '.git/hooks/made.txt')),
});

/** What comes of the call of a model in a run that nobody watches. */
async function byModel(layer: Layer, { folder, home }: Place): Promise<Effect> {
  server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall(...layer.call) : reply().text('Done.')));
  const env = { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url };
  await programHere.run(['-p', 'Go', '--model', 'anthropic/claude-sonnet-5-5', ...(layer.args ?? [])], { folder, home, env });
  const [result] = lastToolResults(server.requests.at(-1)?.body ?? expect.unreachable('Nothing was sent.'));
  return effectIn(folder, { text: resultText(result ?? expect.unreachable('There is no result.')), failed: result?.['is_error'] === true });
}

/** What comes of the same call over MCP: where nobody can be asked, where somebody says no, and where they say yes. */
async function byClient(
  layer: Layer,
  start: Place & Pick<ServerStart, 'program' | 'era'>,
): Promise<{ readonly unasked: Effect; readonly denied: Effect; readonly allowed: Effect }> {
  const { folder } = start;
  let says = DENY;
  const { call, callUnasked } = await serve({ ...start, args: layer.args ?? [], user: () => says });
  const effect = (end: CallEnd): Effect => {
    const what = effectIn(folder, end);
    clean(folder);
    return what;
  };
  const unasked = effect(await callUnasked(...layer.call));
  const denied = effect(await call(...layer.call));
  says = ALLOW;
  return { unasked, denied, allowed: effect(await call(...layer.call)) };
}

function clean(folder: string): void {
  for (const name of ['made.txt', '.git/hooks/made.txt']) rmSync(join(folder, name), { force: true });
}

it.each(TRIED)('decides over MCP as for a model, and asks only where it would: $name', async (layer) => {
  const where = place(layer);
  const model = MODEL_LAYERS.includes(layer) ? await byModel(layer, where) : undefined;
  clean(where.folder);
  const client = await byClient(layer, { ...where, era: 'modern' });
  const changes = layer.call[0] !== 'read';
  const effect = (runs: boolean): Partial<Effect> => ({ failed: !runs, made: runs && changes });
  expect(client.unasked).toMatchObject(effect(layer.runs.unasked));
  if (model !== undefined) expect(client.unasked).toEqual(model);
  // Hooks that answer for the user do so only where there is one.
  expect(client.denied).toMatchObject(effect(layer.runs.unasked || layer.home === PERMITS));
  expect(client.allowed).toMatchObject(effect(layer.runs.allowed));
});

it.each(LAYERS.filter(({ name }) => ['plan mode', 'an allow rule', 'nothing that allows'].includes(name)))(
  'decides in the same way for a client of earlier revisions: $name',
  async (layer) => {
    const where = { ...place(layer), ...(layer.name === 'an allow rule' ? { program: path('gnomon.js') } : {}) };
    const [without, client] = await Promise.all([serve({ ...where, args: layer.args ?? [] }), byClient(layer, { ...where, era: 'legacy' })]);
    expect([client.denied.failed, client.allowed.failed]).toEqual([!layer.runs.unasked, !layer.runs.allowed]);
    expect((await without.call(...layer.call)).failed).toBe(!layer.runs.unasked);
  },
);

describe('a question', () => {
  const layer: Layer = { name: '', call: TOUCH, runs: asks };

  it.each(ERAS)('has the whole command, or the whole difference (%s)', async (era) => {
    const { folder, home } = place(layer);
    const { call, questions } = await serve({ folder, home, era, user: () => DENY });
    const command = `echo ${'x'.repeat(3_000)}\u202E && touch made.txt`;
    await call('bash', { command });
    await call('write', { file_path: 'made.txt', content: Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join('') });
    expect(questions[0]).toContain(command.replace('\u202E', '\\u{202e}'));
    expect(questions[0]).toContain('test-client 1.2');
    expect(questions[1]).toMatch(/\+line 0\n[\s\S]*\+line 499/);
    expect(questions).toHaveLength(2);
  });

  it('that cannot be shown as a whole is not put: the call is denied', async () => {
    const { folder, home } = place(layer);
    const { call, questions } = await serve({ folder, home, user: () => ALLOW });
    const { text, failed } = await call('write', { file_path: 'made.txt', content: 'a line of a file\n'.repeat(20_000) });
    expect([text, failed, questions.length]).toEqual([expect.stringContaining('more in this call than can be shown'), true, 0]);
    expect(readdirSync(folder)).not.toContain('made.txt');
  });

  it.each(ERAS)('is put before a file is read, and again with what would become of it (%s)', async (era) => {
    const { folder, home } = place(layer);
    let left = 1;
    const user = (): typeof ALLOW => (left-- > 0 ? ALLOW : DENY);
    const { call, questions } = await serve({ folder, home, era, args: ['--permission-mode', 'ask'], user });
    const edit = { file_path: 'there.txt', old_string: 'there', new_string: 'here' };
    expect((await call('edit', edit)).failed).toBe(true);
    left = 2;
    expect((await call('edit', edit)).failed).toBe(false);
    expect(questions.map((each) => each.includes('+here'))).toEqual([false, true, false, true]);
    expect(readFileSync(join(folder, 'there.txt'), 'utf8')).toBe('here\n');
  });

  it('comes in the order of the calls, and its answer is for that call', async () => {
    const { folder, home } = place(layer);
    const user = ({ params }: { readonly params: { readonly message: string } }): typeof ALLOW => (params.message.includes('touch 2.txt') ? ALLOW : DENY);
    const { call, questions } = await serve({ folder, home, user });
    const ends = await Promise.all([1, 2, 3].map((number) => call('bash', { command: `touch ${number}.txt` })));
    expect(questions.map((each) => /touch (\d)/.exec(each)?.[1])).toEqual(['1', '2', '3']);
    expect(ends.map(({ failed }) => failed)).toEqual([true, false, true]);
    expect(readdirSync(folder).filter((name) => /^\d/.test(name))).toEqual(['2.txt']);
  });

  it.each(ERAS)('that is not answered with the one choice is a denial (%s)', async (era) => {
    const { folder, home } = place(layer);
    const answers = [
      { action: 'accept' as const },
      { action: 'accept' as const, content: {} },
      { action: 'accept' as const, content: { decision: 'allow once' } },
      { action: 'accept' as const, content: { decision: 'Deny' } },
      { action: 'decline' as const },
      { action: 'decline' as const, content: { decision: 'Allow once' } },
      { action: 'cancel' as const, content: { decision: 'Allow once' } },
    ];
    let next = 0;
    const { call } = await serve({ folder, home, era, user: () => answers[next++] ?? ALLOW });
    while (next < answers.length) expect((await call(...TOUCH)).failed).toBe(true);
    expect(readdirSync(folder)).not.toContain('made.txt');
    expect(await call(...TOUCH)).toEqual({ text: expect.stringContaining('exit code 0') as string, failed: false });
  });

  it('that the client fails at is a denial', async () => {
    const { folder, home } = place(layer);
    const user = (): never => {
      throw new Error('No window.');
    };
    const { call } = await serve({ folder, home, user });
    expect(await call(...TOUCH)).toEqual({ text: expect.stringMatching(/denied.*No window/s) as string, failed: true });
  });

  // The official client does not send such answers.
  it.each([{}, { action: 'maybe' }, { action: 'accept' }, { action: 'accept', content: 7 }, { action: 'accept', content: { decision: 'Allow' } }])(
    'whose answer cannot be read is a denial that says so: %j',
    async (answer) => {
      const { folder, home } = place(layer);
      const program = programHere.start(['mcp', 'serve'], { folder, home });
      onTestFinished(async () => {
        program.process.stdin.end();
        await program.end;
      });
      const lines: JSONRPCMessage[] = [];
      const transport = new StreamTransport(program);
      transport.onmessage = (message) => {
        lines.push(message);
        if ('method' in message && 'id' in message) void transport.send({ jsonrpc: '2.0', id: message.id, result: answer });
      };
      await transport.start();
      const [name, args] = TOUCH;
      const params = { protocolVersion: '2025-06-18', capabilities: { elicitation: {} }, clientInfo: { name: 'raw', version: '1' } };
      await transport.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
      await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } });
      await expect
        .poll(() => JSON.stringify(lines.find((line) => 'result' in line && line.id === 2)))
        .toMatch(/gave no answer that can be understood.*"isError":true/);
      expect(readdirSync(folder)).not.toContain('made.txt');
    },
  );

  it('is not put to a client that can only show addresses', async () => {
    const { folder, home } = place(layer);
    const served = await serve({ folder, home, capabilities: { elicitation: { url: {} } }, user: () => ALLOW });
    expect(await served.call(...TOUCH)).toEqual({ text: expect.stringContaining('Nobody can be asked here') as string, failed: true });
    expect(served.questions).toEqual([]);
  });

  it('is about the call as a hook leaves it, and its answer holds for that alone', async () => {
    const rewriting: Layer = {
      ...layer,
      home: hook('PreToolUse', { hookEventName: 'PreToolUse', permissionDecision: 'ask', updatedInput: { command: 'touch rewritten.txt' } }),
    };
    const { folder, home } = place(rewriting);
    const { call, questions } = await serve({ folder, home, user: () => ALLOW });
    expect((await call(...TOUCH)).failed).toBe(false);
    expect(questions[0]).toContain('touch rewritten.txt');
    expect(readdirSync(folder)).toContain('rewritten.txt');
    expect(readdirSync(folder)).not.toContain('made.txt');
  });
});

describe('the tools', () => {
  const plain: Layer = { name: '', call: TOUCH, runs: asks };

  it('are those that --tools names and no deny rule takes away as a whole', async () => {
    const where = place(plain);
    const names = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { client } = await serve({ ...where, args });
      return (await client.listTools()).tools.map(({ name }) => name);
    };
    const lists = await Promise.all([
      names(),
      names('--tools', 'Read,Bash,TodoWrite'),
      names('--tools', 'apply_patch'),
      names('--disallowedTools', 'Bash,Edit(src/**),WebFetch(*)'),
      names('--disallowedTools', 'Edit', '--disallowedTools', 'Grep'),
      names('--tools', ''),
    ]);
    const all = ['read', 'write', 'edit', 'grep', 'glob', 'list', 'bash', 'jobs', 'fetch'];
    expect(lists).toEqual([
      all,
      ['read', 'bash', 'jobs'],
      ['apply_patch'],
      ['read', 'write', 'edit', 'grep', 'glob', 'list', 'jobs'],
      ['read', 'glob', 'list', 'bash', 'jobs', 'fetch'],
      [],
    ]);
  });

  it('that are not listed cannot be called, by whatever name', async () => {
    const { folder, home } = place(plain);
    const { call } = await serve({ folder, home, args: [...BYPASS, '--tools', 'Read', '--disallowedTools', 'Read'] });
    for (const name of ['bash', 'Bash', 'write', 'ask', 'todo', 'skill', '__proto__', 'read ']) await expect(call(name, TOUCH[1])).rejects.toThrow('no tool');
    expect(await call('read', { file_path: 'there.txt' })).toMatchObject({ failed: true });
  });
});
