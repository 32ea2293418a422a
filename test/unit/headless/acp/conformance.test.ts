import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { selected, TestEditor } from '../../../support/acp-editor.js';
import { editorHere } from '../../../support/acp-here.js';
import { acpDefinition, acpProblem } from '../../../support/acp-schema.js';
import { MODEL } from '../../../support/entries/entry.js';
import { inEnvironment, ProgramHere } from '../../../support/entries/program-here.js';
import { gate, lastToolResults, lastUserText, type ModelServer, reply, resultText, startModelServer } from '../../../support/model-server/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

// The required cases of the profile acp-core-v1 0.3.0 of acpx, by their ids, with a model in place of the commands of its example agent. Not among them is
// session.prompt.post_success_drain, which its profile does not list, either: this agent tells nothing of a prompt behind its answer.

let server: ModelServer;
let folder: string;
let editor: TestEditor<ProgramHere>;

beforeEach(async () => {
  server = await startModelServer();
  folder = temporaryFolder();
  server.setScript(({ body }) => reply().text(`You said: ${lastUserText(body).trim().split('\n').at(-1) ?? ''}`));
  const environment = inEnvironment(temporaryFolder(), server.url);
  editor = new TestEditor(new ProgramHere({ args: ['acp', '--model', MODEL], folder, environment }));
  editor.save = (path, text) => writeFileSync(path, text);
});
afterEach(async () => {
  editor.program.process.stdin.end();
  await editor.program.end;
  await server.close();
});

const { session } = methods.agent;
const initialize = (): ReturnType<typeof editor.initialize> => editor.initialize({ fs: { readTextFile: true, writeTextFile: true } });
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

describe('K-20: acp.v1', () => {
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

  it('K-21: permissions.write.approved', async () => {
    calls('write', { file_path: 'a.txt', content: 'a\n' });
    await editor.prompt(await newSession(), 'x');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('a\n');
    expect(editor.fileRequests).toContain(`write ${join(folder, 'a.txt')}`);
  });
});

describe('every message', () => {
  it('that the agent sends is of the schema that the package publishes', async () => {
    const abilities = { session: { notices: {}, compaction: {} }, elicitation: { form: {} }, _meta: { terminal_output: true } };
    const { editor, server: models, folder: project, id } = await editorHere(abilities);
    writeFileSync(join(project, 'a.txt'), 'one\n');
    const answers = [
      reply().thinking('I look.').text('So.').toolCall('read', { file_path: 'a.txt' }),
      reply().toolCall('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }).toolCall('bash', { command: 'touch b; echo done' }),
      reply()
        .toolCall('todo', { todos: [{ text: 'Look', status: 'done' }] })
        .toolCall('ask', { question: 'Which?', choices: ['Left', 'Right'] }),
      reply().toolCall('nonsense', {}),
    ];
    models.setScript((_request, n) => answers[n] ?? reply().text('Fine. '.repeat(3_000)));
    await editor.prompt(id, 'one');
    await editor.prompt(id, 'two');
    await editor.prompt(id, '/compact');
    const { agent } = editor;
    const responses = {
      SetSessionModeResponse: await agent.request(session.setMode, { sessionId: id, modeId: 'plan' }),
      SetSessionConfigOptionResponse: await agent.request(session.setConfigOption, { sessionId: id, configId: 'effort', value: 'high' }),
      ListSessionsResponse: await agent.request(session.list, {}),
      CloseSessionResponse: await agent.request(session.close, { sessionId: id }),
      LoadSessionResponse: await agent.request(session.load, { sessionId: id, cwd: project, mcpServers: [] }),
      ResumeSessionResponse: await agent.request(session.resume, { sessionId: id, cwd: project }),
      NewSessionResponse: await agent.request(session.new, { cwd: project, mcpServers: [] }),
      DeleteSessionResponse: await agent.request(session.delete, { sessionId: id }),
      PromptResponse: { stopReason: await agent.request(session.new, { cwd: project, mcpServers: [] }).then(({ sessionId }) => editor.prompt(sessionId, 'x')) },
      InitializeResponse: await editor.initialize(abilities),
    };
    const sent = editor.received.split('\n').filter((line) => line !== '');
    const calls = sent.map((line) => JSON.parse(line) as { readonly method?: string; readonly params?: unknown });
    const told = calls.flatMap(({ method, params }) => (method === undefined ? [] : (acpProblem(acpDefinition(method), params) ?? [])));
    expect([...told, ...Object.entries(responses).flatMap(([name, value]) => acpProblem(name, value) ?? [])]).toEqual([]);
    expect(new Set(editor.updates().map(({ sessionUpdate }) => sessionUpdate))).toEqual(new Set(UPDATES));
    expect([editor.asked.length > 0, editor.forms.length > 0]).toEqual([true, true]);
  });
});

/** All stable updates but `notice`, for which nothing went wrong, and `compaction_summary_chunk`, as summaries are told when they are whole. */
const UPDATES = [
  ...['user_message_chunk', 'agent_message_chunk', 'agent_thought_chunk', 'tool_call', 'tool_call_update', 'plan', 'available_commands_update'],
  ...['current_mode_update', 'config_option_update', 'session_info_update', 'usage_update', 'compaction_update'],
];

// What acplint 0.2.0 (rinadelph/acplint, src/acplint/runner.py) asks of an agent beyond that profile.
describe('K-20: acplint', () => {
  it('session_lifecycle: one without a message is loaded, resumed, closed, and deleted, and what is not offered is no method', async () => {
    const [id, other] = [await newSession(), await newSession()];
    const { agent } = editor;
    for (const method of [session.load, session.resume] as const)
      expect(await agent.request(method, { sessionId: id, cwd: folder, mcpServers: [] })).toMatchObject({ modes: { currentModeId: 'default' } });
    expect([await agent.request(session.close, { sessionId: id }), await agent.request(session.delete, { sessionId: id })]).toEqual([{}, {}]);
    expect(await codeOf(agent.request(methods.agent.logout, {}))).toBe(-32_601);
    expect(await editor.prompt(other, 'hello')).toBe('end_turn');
  });

  it('stress and schema_validation: sessions that begin at once, and another initialize in between, are all answered', async () => {
    await initialize();
    const begin = (): Promise<{ readonly sessionId: string }> => editor.agent.request(session.new, { cwd: folder, mcpServers: [] });
    const [one, again, two, three] = await Promise.all([begin(), initialize(), begin(), begin()]);
    expect(new Set([one, two, three].map(({ sessionId }) => sessionId)).size).toBe(3);
    expect(again).toMatchObject({ protocolVersion: 1, agentCapabilities: { loadSession: true } });
  });
});
