import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { selected, TestEditor } from '../../../support/acp-editor.js';
import { headlessProgram } from '../../../support/headless-program.js';
import { gate, lastToolResults, lastUserText, type ModelServer, reply, resultText, startModelServer } from '../../../support/model-server/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

// The required cases of the profile acp-core-v1 of acpx, by their ids, with a model in place of the commands of its example agent.
const { start } = headlessProgram();

let server: ModelServer;
let folder: string;
let editor: TestEditor;

beforeEach(async () => {
  server = await startModelServer();
  folder = temporaryFolder();
  server.setScript(({ body }) => reply().text(`You said: ${lastUserText(body).trim().split('\n').at(-1) ?? ''}`));
  const env = { ANTHROPIC_API_KEY: 'sk-test-1234567890', ANTHROPIC_BASE_URL: server.url };
  const program = start(['acp', '--model', 'anthropic/claude-sonnet-5-5'], { folder, home: temporaryFolder(), env });
  onTestFinished(() => void program.process.kill('SIGKILL'));
  editor = new TestEditor(program);
  editor.save = (path, text) => writeFileSync(path, text);
});
afterEach(() => server.close());

const { session } = methods.agent;
const initialize = (): ReturnType<TestEditor['initialize']> => editor.initialize({ fs: { readTextFile: true, writeTextFile: true } });
async function newSession(): Promise<string> {
  await initialize();
  return (await editor.agent.request(session.new, { cwd: folder, mcpServers: [] })).sessionId;
}
async function codeOf(request: Promise<unknown>): Promise<number> {
  const error: unknown = await request.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof RequestError ? error.code : 0;
}
/** One call, and then the end of the turn. */
const calls = (tool: string, input: object): void =>
  server.setScript(({ body }) => (lastToolResults(body).length === 0 ? reply().toolCall(tool, input) : reply().text('Done.')));
const results = (): string => server.requests.flatMap(({ body }) => lastToolResults(body).map(resultText)).join('\n');

describe('acp.v1', () => {
  it('initialize.handshake', async () => {
    expect((await initialize()).protocolVersion).toBe(1);
  });

  it('session.new.basic', async () => {
    expect(await newSession()).not.toBe('');
  });

  it('session.prompt.single_turn, and session.update.termination', async () => {
    const id = await newSession();
    expect(await editor.prompt(id, 'hello')).toBe('end_turn');
    expect(editor.words('agent_message_chunk')).toBe('You said: hello');
    expect(editor.notifications.every(({ sessionId }) => sessionId === id)).toBe(true);
  });

  it('session.prompt.multi_turn', async () => {
    const id = await newSession();
    expect([await editor.prompt(id, 'one'), await editor.prompt(id, 'two')]).toEqual(['end_turn', 'end_turn']);
    expect(editor.words('agent_message_chunk')).toBe('You said: oneYou said: two');
  });

  it('session.prompt.echo_empty', async () => {
    expect(await editor.prompt(await newSession(), 'echo')).toBe('end_turn');
    expect(editor.ofKind('agent_message_chunk')).not.toEqual([]);
  });

  it('session.prompt.unrecognized', async () => {
    expect(await editor.prompt(await newSession(), 'frobnicate 1 2 3')).toBe('end_turn');
  });

  it('session.prompt.structured_blocks', async () => {
    const sessionId = await newSession();
    const uri = `file://${join(folder, 'a.md')}`;
    const { stopReason } = await editor.agent.request(session.prompt, {
      sessionId,
      prompt: [
        { type: 'text', text: 'Look at ' },
        { type: 'resource_link', name: 'a.md', uri },
        { type: 'resource', resource: { uri, text: '# A' } },
      ],
    });
    expect(stopReason).toBe('end_turn');
  });

  it('session.prompt.background_completion', async () => {
    const held = gate();
    server.setScript(() => reply().text('One. ').hold(held).text('Two.'));
    const prompt = editor.prompt(await newSession(), 'x');
    await held.reached;
    held.open();
    expect(await prompt).toBe('end_turn');
    expect(editor.words('agent_message_chunk')).toBe('One. Two.');
  });

  it('session.cancel.in_flight, and session.cancel.followup_prompt', async () => {
    const held = gate();
    onTestFinished(() => held.open());
    const id = await newSession();
    server.setScript(({ body }) => (lastUserText(body).includes('go on') ? reply().text('After.') : reply().text('I wait.').hold(held)));
    const prompt = editor.prompt(id, 'wait');
    await held.reached;
    await editor.agent.notify(session.cancel, { sessionId: id });
    expect(await prompt).toBe('cancelled');
    expect(await editor.prompt(id, 'go on')).toBe('end_turn');
  });

  it('session.cancel.idle', async () => {
    const id = await newSession();
    await editor.agent.notify(session.cancel, { sessionId: id });
    expect(await editor.prompt(id, 'x')).toBe('end_turn');
  });

  it('errors.invalid_params, errors.invalid_params.cwd_null, errors.invalid_prompt_session_type, and errors.unknown_session', async () => {
    await initialize();
    const prompt = [{ type: 'text', text: 'x' }];
    const codes = [
      editor.agent.request('session/new', { cwd: 12, mcpServers: [] }),
      editor.agent.request('session/new', { cwd: null, mcpServers: [] }),
      editor.agent.request('session/prompt', { sessionId: 12, prompt }),
      editor.agent.request('session/prompt', { sessionId: 'nobody', prompt }),
    ].map(codeOf);
    expect(await Promise.all(codes)).toEqual([-32602, -32602, -32602, -32002]);
  });

  it('errors.permission_denied: what the editor does not give is not read behind its back', async () => {
    writeFileSync(join(folder, 'a.txt'), 'CANARY\n');
    calls('read', { file_path: 'a.txt' });
    editor.refuse = new RequestError(-32001, 'Permission denied by the editor');
    expect(await editor.prompt(await newSession(), 'x')).toBe('end_turn');
    expect(editor.ofKind('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
    expect(results()).toContain('Permission denied by the editor');
    expect(results()).not.toContain('CANARY');
  });

  it('errors.permission_denied.write', async () => {
    calls('write', { file_path: 'a.txt', content: 'a\n' });
    editor.choose = () => selected('reject_once');
    expect(await editor.prompt(await newSession(), 'x')).toBe('end_turn');
    expect(existsSync(join(folder, 'a.txt'))).toBe(false);
    expect(editor.ofKind('tool_call_update').at(-1)).toMatchObject({ status: 'failed' });
  });

  it('permissions.read.approved', async () => {
    writeFileSync(join(folder, 'a.txt'), 'CANARY\n');
    editor.buffers.set(join(folder, 'a.txt'), 'CANARY\n');
    calls('read', { file_path: 'a.txt' });
    await editor.prompt(await newSession(), 'x');
    expect(results()).toContain('CANARY');
    expect(editor.fileRequests).toEqual([`read ${join(folder, 'a.txt')}`]);
  });

  it('permissions.write.approved', async () => {
    calls('write', { file_path: 'a.txt', content: 'a\n' });
    await editor.prompt(await newSession(), 'x');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a\n');
    expect(editor.fileRequests).toContain(`write ${join(folder, 'a.txt')}`);
  });
});
