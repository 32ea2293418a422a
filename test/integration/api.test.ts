import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { GnomonApi, GnomonEvent, GnomonExports, GnomonTurn } from '../../src/api/gnomon-api.js';
import { waitFor } from '../vscode/wait.mjs';

/** What the extension in test/fixtures/model-extension gives a test. */
interface ModelHandle {
  readonly requests: readonly {
    readonly messages: readonly vscode.LanguageModelChatRequestMessage[];
    readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  }[];
  answer: (report: (part: vscode.LanguageModelResponsePart) => void, token: vscode.CancellationToken) => Promise<void>;
  readonly parts: { readonly text: typeof vscode.LanguageModelTextPart; readonly call: typeof vscode.LanguageModelToolCallPart };
}

const CALLER = 'acme.word-counter';
const TOOL = 'ext__acme_word-counter__count_words';
const MODEL = 'vscode-lm/gnomon-test/played';
const TIMEOUT_MS = 20_000;

/** Needs the extensions of test/fixtures/api-extension, which is the example of docs/extension-api.md, and test/fixtures/model-extension. */
describe('the API for other extensions', () => {
  let exported: GnomonExports;
  let api: GnomonApi;
  let model: ModelHandle;

  before(async () => {
    const [gnomon, played, example] = [
      vscode.extensions.getExtension<GnomonExports>('gnomon.gnomon'),
      vscode.extensions.getExtension<ModelHandle>('gnomon-test.model-extension'),
      vscode.extensions.getExtension(CALLER),
    ];
    assert.ok(gnomon && played && example, 'the window was started without the extensions of test/fixtures');
    exported = await gnomon.activate();
    model = await played.activate();
    await example.activate();
    api = exported.getApi(1, CALLER);
    await configure('gnomon.model', MODEL);
  });
  afterEach(async () => {
    await configure('gnomon.permissions.allow', undefined);
    await configure('gnomon.permissions.deny', undefined);
    await Promise.all((await api.listSessions()).map((session) => session.close()));
  });
  after(() => configure('gnomon.model', undefined));

  async function configure(section: string, value: unknown): Promise<void> {
    await vscode.workspace.getConfiguration().update(section, value, vscode.ConfigurationTarget.Global);
  }

  /** The model answers with a call of the example's tool, and says after it what the tool said. */
  function callsTheTool(text: string): void {
    model.answer = (report) => {
      const result = toolResult();
      report(result === undefined ? new model.parts.call('c1', TOOL, { text }) : new model.parts.text(`It said: ${result}`));
      return Promise.resolve();
    };
  }

  /** What the latest request says of the tool. */
  function toolResult(): string | undefined {
    const parts = model.requests.at(-1)?.messages.at(-1)?.content ?? [];
    const result = parts.find((part) => part instanceof vscode.LanguageModelToolResultPart);
    return result === undefined ? undefined : JSON.stringify(result.content);
  }

  /** Those of turns: requests for titles, which come beside them, offer no tools. */
  function chatRequests(): ModelHandle['requests'] {
    return model.requests.filter(({ options }) => (options.tools ?? []).length > 0);
  }

  async function turnOf(events: readonly GnomonEvent[]): Promise<GnomonTurn> {
    const found = await waitFor(() => events.find((event) => event.type === 'turn_ended'), { what: 'the end of the turn', timeoutMs: TIMEOUT_MS });
    return found.turn;
  }

  it('is given in version 1 only, and to nobody who is not there', () => {
    assert.match(exported.apiVersion, /^1\./);
    assert.throws(() => exported.getApi(2 as 1, CALLER), { name: 'GnomonApiError', code: 'version' });
    assert.throws(() => exported.getApi(1, 'nobody.there'), { name: 'GnomonApiError', code: 'caller' });
  });

  it('starts a session and tells what happens in order, whatever listeners do', async () => {
    model.answer = (report) => {
      for (const text of ['one ', 'two']) report(new model.parts.text(text));
      return Promise.resolve();
    };
    const session = await api.startSession({ title: 'From outside', tools: ['read'] });
    session.onEvent(() => {
      throw new Error('a listener of a test');
    });
    const events: GnomonEvent[] = [];
    session.onEvent((event) => events.push(event));
    assert.equal(await session.send('Count'), 'sent');
    assert.equal((await turnOf(events)).end, 'done');
    assert.deepEqual(
      events.map((event) => (event.type === 'text' ? event.delta : event.type)),
      ['turn_started', 'one ', 'two', 'turn_ended'],
    );
    assert.equal(session.title, 'From outside');
    assert.equal(session.model, MODEL);
    assert.deepEqual(
      session.messages().map(({ role, text }) => [role, text]),
      [
        ['user', 'Count'],
        ['assistant', 'one two'],
      ],
    );
  });

  it('lets no extension bypass permissions, or reach what it did not start', async () => {
    await assert.rejects(api.startSession({ mode: 'bypassPermissions' as 'plan' }), { code: 'mode' });
    const own = await api.startSession();
    await assert.rejects(exported.getApi(1, 'gnomon-test.model-extension').openSession(own.id), { code: 'not_yours' });
    assert.deepEqual(await exported.getApi(1, 'gnomon-test.model-extension').listSessions(), []);
  });

  it('runs the tool of the example where a rule allows it, for its command', async () => {
    await configure('gnomon.permissions.allow', [TOOL]);
    callsTheTool('one two three');
    const turn = await vscode.commands.executeCommand<GnomonTurn>('acme.countWords');
    assert.equal(turn.end, 'done');
    assert.match(turn.text, /3 words/);
    assert.deepEqual(
      model.requests.at(-1)?.options.tools?.map(({ name }) => name),
      ['read', TOOL],
    );
  });

  it('runs it nowhere where a rule denies it', async () => {
    await configure('gnomon.permissions.deny', ['ext__acme_word-counter']);
    callsTheTool('one two three');
    const turn = await vscode.commands.executeCommand<GnomonTurn>('acme.countWords');
    assert.match(turn.text, /Permission denied/);
  });

  it('waits for the person without a rule: the call is told of as asked about, and does not run', async () => {
    callsTheTool('one two three');
    const session = await api.startSession({ tools: [TOOL] });
    const events: GnomonEvent[] = [];
    session.onEvent((event) => events.push(event));
    await session.send('Count');
    const asked = await waitFor(() => events.find((event) => event.type === 'permission_requested'), { what: 'the prompt', timeoutMs: TIMEOUT_MS });
    assert.equal(asked.tool, TOOL);
    assert.equal(session.state, 'waiting');
    session.cancel();
    assert.equal((await turnOf(events)).end, 'stopped');
    assert.ok(events.some((event) => event.type === 'permission_resolved' && !event.allowed));
    assert.ok(!events.some((event) => event.type === 'tool_call' && event.state === 'running'));
  });

  it('tells the model when a tool throws, and the turn goes on', async () => {
    await configure('gnomon.permissions.allow', [TOOL]);
    callsTheTool('');
    const turn = await vscode.commands.executeCommand<GnomonTurn>('acme.countWords');
    assert.equal(turn.end, 'done');
    assert.match(turn.text, /The text is empty/);
  });

  it('has the instructions of the workspace as they are with each message, and nothing from outside without consent', async () => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(folder);
    const [file, outside] = [vscode.Uri.joinPath(folder, 'CLAUDE.local.md'), vscode.Uri.file(join(tmpdir(), `gnomon-outside-${process.pid}.md`))];
    const write = (uri: vscode.Uri, text: string): Thenable<void> => vscode.workspace.fs.writeFile(uri, Buffer.from(text));
    model.answer = (report) => {
      report(new model.parts.text('Done.'));
      return Promise.resolve();
    };
    try {
      await write(outside, 'Said outside.');
      await write(file, `Said first. @${outside.fsPath}`);
      const session = await api.startSession({ tools: ['read'] });
      const events: GnomonEvent[] = [];
      session.onEvent((event) => events.push(event));
      await session.send('One');
      await turnOf(events);
      const first = chatRequests().at(-1);
      assert.match(JSON.stringify(first?.messages[0]?.content), /Said first\./);
      await write(file, 'Said later.');
      events.length = 0;
      await session.send('Two');
      await turnOf(events);
      const second = chatRequests().at(-1);
      assert.deepEqual(second?.messages.slice(0, first?.messages.length), first?.messages);
      assert.match(JSON.stringify(second?.messages.at(-1)?.content), /<instructions>.*\[Instructions of CLAUDE\.local\.md:.*Said later\./);
      assert.doesNotMatch(JSON.stringify(second?.messages), /Said outside/);
    } finally {
      await Promise.all([file, outside].map((uri) => vscode.workspace.fs.delete(uri)));
    }
  });

  it('refuses a tool that does not fit, and takes one back', async () => {
    const tool = { name: 'nothing', description: 'Does nothing.', inputSchema: { type: 'object' }, execute: () => 'nothing' };
    await assert.rejects(api.registerTool({ ...tool, inputSchema: { type: 'string' } }), { code: 'invalid' });
    const registered = await api.registerTool(tool);
    registered.dispose();
    await assert.rejects(api.startSession({ tools: [registered.name] }), { code: 'invalid' });
  });

  it('takes an MCP server, and takes one back', async () => {
    const server = { name: 'notes', handleMessage: () => undefined, close: () => undefined };
    await assert.rejects(api.registerMcpServer({ ...server, name: 'two words' }), { code: 'invalid' });
    const registered = await api.registerMcpServer(server);
    await assert.rejects(api.registerMcpServer(server), { code: 'invalid' });
    registered.dispose();
    (await api.registerMcpServer(server)).dispose();
  });
});
