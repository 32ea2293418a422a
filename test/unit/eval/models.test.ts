import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { evaluate } from '../../eval/evaluate.js';
import { measure, planRuns } from '../../eval/measure.js';
import type { RunRecord } from '../../eval/results.js';
import { tasks } from '../../eval/tasks/index.js';
import { chooseModel } from '../../eval/choose-model.js';
import { readOptions } from '../../eval/options.js';
import { type OpenAiServer, type Reply, type Step, FakeOllama, chunk, DONE, json, sse, startOpenAiServer } from '../../support/openai-server/index.js';
import { HAS_BUBBLEWRAP } from '../node/sandbox/rig.js';

let server: OpenAiServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** A server with the model `small`, which answers chat completions as given, in order; the last answer again and again. */
async function serve(...answers: readonly Reply[]): Promise<string> {
  let asked = 0;
  server = await startOpenAiServer(({ path }) => {
    if (path === '/v1/models') return json({ object: 'list', data: [{ id: 'small', object: 'model' }] });
    return path === '/v1/chat/completions' ? answers[Math.min(asked++, answers.length - 1)] : undefined;
  });
  return `${server.url}/v1`;
}

const USAGE: Step = {
  data: { choices: [], usage: { prompt_tokens: 900, completion_tokens: 30, total_tokens: 930, prompt_tokens_details: { cached_tokens: 600 } } },
};

function said(text: string): Reply {
  return sse(chunk({ content: text }), chunk({}, 'stop'), USAGE, DONE);
}

function called(...calls: readonly (readonly [name: string, args: object])[]): Reply {
  return sse(
    chunk(
      {
        tool_calls: calls.map(([name, args], index) => ({ index, id: `call-${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } })),
      },
      'tool_calls',
    ),
    USAGE,
    DONE,
  );
}

async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly printed: string; readonly told: string }> {
  const [printed, told] = [[] as string[], [] as string[]];
  const code = await evaluate(args, {
    env,
    print: (text) => void printed.push(text),
    progress: (line) => void told.push(line),
    signal: new AbortController().signal,
  });
  return { code, printed: printed.join('\n'), told: told.join('\n') };
}

const ONE = ['--tasks', 'question-find-a-value', '--runs', '1'];

test('a server is measured by its address, with its first model, and gets no key that is not named for it', async () => {
  const address = await serve(said('Port 8417, set in src/config.mjs:1.'));
  const { code, printed } = await run([...ONE, '--no-sandbox', '--base-url', address], { OPENAI_API_KEY: 'sk-of-another-service' });
  expect(code).toBe(0);
  expect(printed).toContain('Model vllm/small');
  expect(printed).toMatch(/^question-find-a-value +1 of 1 +21–100 % +1\.0 +900 +67 % +30 +unknown +0\.0 +0\.0/m);
  expect(printed).not.toContain('Not measured');
  expect(JSON.stringify(server?.requests.map(({ headers }) => headers))).not.toContain('sk-of-another-service');
  expect(server?.requests.at(-1)?.raw).toContain('You are Gnomon');
});

test('a model of Ollama is found by its name without the tag', async () => {
  const answer = new FakeOllama(8192, () => []);
  server = await startOpenAiServer((request) =>
    request.path === '/v1/models' ? json({ object: 'list', data: [{ id: 'qwen3:latest', object: 'model' }] }) : answer.script(request),
  );
  const options = readOptions(['--provider', 'ollama', '--base-url', `${server.url}/v1`, '--model', 'qwen3']);
  expect((await chooseModel(options, {}))?.model).toMatchObject({ provider: 'ollama', id: 'qwen3', label: 'qwen3:latest' });
});

test('a key of OpenAI is used at the address that the environment gives for it', async () => {
  const address = await serve();
  const chosen = await chooseModel(readOptions([]), { OPENAI_API_KEY: 'sk-own', OPENAI_BASE_URL: address, OPENROUTER_API_KEY: 'sk-other' });
  expect(chosen?.model).toMatchObject({ provider: 'openai', id: 'gpt-5.6-terra' });
  expect(server?.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([['/v1/models', 'Bearer sk-own']]);
});

test('a price can be given', async () => {
  const address = await serve(said('Port 8417, set in src/config.mjs:1.'));
  expect((await run([...ONE, '--no-sandbox', '--base-url', address, '--price', '10,100,1', '--key-variable', 'OWN_KEY'], { OWN_KEY: 'own' })).printed).toMatch(
    / 0\.0066 /,
  );
  expect(server?.requests.at(-1)?.headers.authorization).toBe('Bearer own');
});

test('the model gets the system prompt of a file, with the facts about the workspace and the instructions of the project', async () => {
  const address = await serve(said('Done.'));
  const folder = mkdtempSync(join(tmpdir(), 'gnomon-prompt-'));
  writeFileSync(join(folder, 'own.md'), 'You are an agent of a test.');
  await run(['--tasks', 'care-instructions', '--runs', '1', '--no-sandbox', '--base-url', address, '--prompt', join(folder, 'own.md')]);
  rmSync(folder, { recursive: true });
  const [system] = server?.requests.at(-1)?.body.messages ?? [];
  const text = JSON.stringify(system);
  expect(text).toMatch(/You are an agent of a test\..+Working directory: .+\/workspace.+Each source file begins with the line/);
  expect(text).not.toContain('You are Gnomon');
});

test('a refused key ends the measurement, and nothing of it counts', async () => {
  const { code, printed } = await run([
    '--tasks',
    'question-find-a-value',
    '--runs',
    '4',
    '--no-sandbox',
    '--base-url',
    await serve(json({ error: { message: 'bad key' } }, 401)),
  ]);
  expect(code).toBe(1);
  expect(printed).toContain('Not all runs were made:');
  expect(printed).toContain('1 of 1 runs');
  expect(printed).toMatch(/^all +0 of 0/m);
});

test('a request that the server does not understand is Gnomon’s own failure', async () => {
  const { printed } = await run([...ONE, '--no-sandbox', '--base-url', await serve(json({ error: { message: 'unknown field' } }, 400))]);
  expect(printed).toMatch(/^question-find-a-value +0 of 1/m);
});

test('a server that fails again and again is left alone', async () => {
  const options = readOptions(['--base-url', await serve(json({ error: { message: 'oops' } }, 500))]);
  const chosen = await chooseModel(options, {});
  if (chosen === undefined) throw new Error('There is no model.');
  const records: RunRecord[] = [];
  const note = (record: RunRecord): Promise<void> => Promise.resolve(void records.push(record));
  const limits = { sandboxed: false, timeMs: 60_000, maxRetries: 0, signal: new AbortController().signal };
  const ended = await measure(planRuns(tasks, 1, 1), {
    agentOf: () => ({ ...chosen, effort: 'off' }),
    limits,
    jobs: 1,
    maxCostUsd: undefined,
    spentUsd: 0,
    note,
  });
  expect(ended).toContain('3 runs in a row');
  expect(records.map(({ outcome }) => outcome)).toEqual(['not measured', 'not measured', 'not measured']);
});

test('an agent that takes too long has failed', async () => {
  const { printed } = await run([...ONE, '--no-sandbox', '--time-limit', '0.01', '--base-url', await serve({ kind: 'hang' })]);
  expect(printed).toMatch(/^question-find-a-value +0 of 1/m);
  expect(printed).toContain('It took longer than it may.');
});

test('files outside of the workspace are out of reach of the file tools', async () => {
  const outside = join(tmpdir(), `gnomon-eval-outside-${process.pid}`);
  const address = await serve(
    called(['write', { file_path: outside, content: 'x' }], ['read', { file_path: '/etc/passwd' }]),
    said('Port 8417, src/config.mjs'),
  );
  expect((await run([...ONE, '--no-sandbox', '--base-url', address])).printed).toMatch(/^question-find-a-value +1 of 1.+ 2\.0 +2\.0 +\d/m);
  expect(existsSync(outside)).toBe(false);
});

test.runIf(HAS_BUBBLEWRAP)('commands change nothing outside of the workspace, and are not let out of the sandbox', async () => {
  // Not in the folder for temporary files, of which commands have one of their own.
  const outside = join(process.cwd(), `.gnomon-eval-outside-${process.pid}`);
  const command = `touch ${outside}`;
  const address = await serve(
    called(['bash', { command }], ['bash', { command, unsandboxed: true }]),
    called(['bash', { command: 'touch made' }]),
    said('Port 8417, src/config.mjs'),
  );
  const { printed } = await run([...ONE, '--base-url', address]);
  const made = existsSync(outside);
  rmSync(outside, { force: true });
  expect(made).toBe(false);
  expect(printed).toContain('made was changed, added or removed');
});

test.each([
  [{ ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'b' }, [], 'anthropic/claude-sonnet-5-5'],
  [{ ANTHROPIC_API_KEY: 'a' }, ['--model', 'claude-opus-5'], 'anthropic/claude-opus-5'],
  [{ ANTHROPIC_API_KEY: 'a' }, ['--model', 'anthropic/claude-opus-5'], 'anthropic/claude-opus-5'],
  [{ ANTHROPIC_API_KEY: ' ' }, [], undefined],
  [{}, [], undefined],
])('with %j and %j the model is %s', async (env, args, name) => {
  const chosen = await chooseModel(readOptions(args), env);
  expect(chosen === undefined ? undefined : `${chosen.model.provider}/${chosen.model.id}`).toBe(name);
});
