import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { selected, TestEditor } from '../../../support/acp-editor.js';
import { headlessProgram } from '../../../support/headless-program.js';
import { lastToolResults, type ModelServer, reply, resultText, startModelServer } from '../../../support/model-server/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { start } = headlessProgram();

let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer();
});
afterEach(() => server.close());

const MODEL = ['--model', 'anthropic/claude-sonnet-5-5'];

/** What the model does, one call a request. */
const CALLS: readonly (readonly [tool: string, input: object])[] = [
  ['read', { file_path: 'a.txt' }],
  ['edit', { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' }],
  ['write', { file_path: 'made.txt', content: 'made\n' }],
  ['bash', { command: 'touch touched.txt' }],
  ['read', { file_path: 'none.txt' }],
  ['grep', { pattern: 'TWO' }],
  ['bash', { command: 'rm -rf / --no-preserve-root' }],
  ['write', { file_path: '../outside.txt', content: 'x' }],
];

/** What users say to a call; the rest is denied. */
const allows = (tool: string): boolean => tool === 'edit' || tool === 'write';

/** What came of a run, without what only its folder tells. */
interface Effects {
  readonly results: readonly string[];
  readonly files: readonly (readonly [name: string, text: string])[];
  /** The tools that were asked about, in order. */
  readonly asked: readonly string[];
}

function effects(folder: string, before: number, asked: readonly string[]): Effects {
  const results = server.requests.slice(before).map(({ body }) => lastToolResults(body).map(resultText).join('\n').replaceAll(folder, '<folder>'));
  const files = readdirSync(folder)
    .sort()
    .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
  return { results, files, asked };
}

/** A folder with a project in a folder of its own, for what lies outside of it. */
function project(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
  return folder;
}

function script(): number {
  const before = server.requests.length;
  server.setScript(() => {
    const call = CALLS[server.requests.length - before - 1];
    return call === undefined ? reply().text('Done.') : reply().toolCall(...call);
  });
  return before;
}

const starting = (folder: string): Parameters<typeof start>[1] => ({
  folder,
  home: temporaryFolder(),
  env: { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url },
});

async function byEditor(): Promise<Effects> {
  const folder = project();
  const before = script();
  const program = start(['acp', ...MODEL], starting(folder));
  onTestFinished(() => void program.process.kill('SIGKILL'));
  const editor = new TestEditor(program);
  await editor.initialize();
  editor.choose = ({ toolCall }) => selected(allows(toolCall.name ?? '') ? 'allow_once' : 'reject_once');
  const { sessionId } = await editor.agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
  await editor.prompt(sessionId, 'Do it');
  return effects(
    folder,
    before,
    editor.asked.map(({ toolCall }) => toolCall.name ?? ''),
  );
}

async function bySdkProtocol(): Promise<Effects> {
  const folder = project();
  const before = script();
  const flags = ['--output-format', 'stream-json', '--input-format', 'stream-json', '--permission-prompt-tool', 'stdio'];
  const program = start([...MODEL, ...flags], starting(folder));
  onTestFinished(() => void program.process.kill('SIGKILL'));
  const asked: string[] = [];
  let answered = 0;
  program.process.stdout.on('data', () => {
    const requests = program.messages.filter(({ type }) => type === 'control_request');
    for (const { request_id: id, request } of requests.slice(answered)) {
      const { tool_name: name, input } = request as { readonly tool_name: string; readonly input: object };
      answered += 1;
      asked.push(name.toLowerCase());
      const response = allows(name.toLowerCase()) ? { behavior: 'allow', updatedInput: input } : { behavior: 'deny', message: '' };
      program.send({ type: 'control_response', response: { subtype: 'success', request_id: id, response } });
    }
  });
  program.send({ type: 'user', message: { role: 'user', content: 'Do it' }, parent_tool_use_id: null, session_id: '' });
  await expect.poll(() => program.messages.filter(({ type }) => type === 'result').length).toBe(1);
  return effects(folder, before, asked);
}

it('a script has the same effects, is asked about alike, and is told the same, whichever protocol runs it (K-23)', async () => {
  const [editor, sdk] = [await byEditor(), await bySdkProtocol()];
  expect(editor).toEqual(sdk);
  expect(editor.asked.length).toBeGreaterThan(2);
  expect(editor.files).toEqual([
    ['a.txt', 'one\nTWO\n'],
    ['made.txt', 'made\n'],
  ]);
  expect(editor.results).toHaveLength(CALLS.length + 1);
});
