import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { SERVERS_SETTING } from '../../src/agent-host/servers/configurations.js';
import type { ServerRequest } from '../../src/protocol/panel/server-requests.js';
import type { ServerConsent, ServerDetails, ServerImport } from '../../src/protocol/servers.js';
import { fakeTool, listed } from '../support/mcp/fake-connector.js';
import { waitFor } from '../vscode/wait.mjs';
import { ServersRig } from '../support/mcp/servers-rig.js';
import { WINDOW } from '../../src/vscode/composition/window-ports.js';
import { serversWindow } from '../../src/vscode/mcp/servers-window.js';

const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
const file = join(root, '.mcp.json');

describe('MCP servers of a window', () => {
  let home: string;
  let rig: ServersRig;
  const log = { info: () => undefined, warn: () => undefined, error: (message: string, error?: unknown) => assert.fail(`${message} ${String(error)}`) };

  const names = (): readonly string[] => rig.configurations.current.servers.map(({ entry }) => entry.name);

  function write(servers: Readonly<Record<string, unknown>>): void {
    writeFileSync(file, JSON.stringify({ mcpServers: servers }, undefined, 2));
  }

  async function untilNames(...expected: readonly string[]): Promise<void> {
    await waitFor(() => JSON.stringify(names()) === JSON.stringify(expected), { what: `the servers ${expected.join()}`, timeoutMs: 20_000 });
  }

  const consentOf = async (id: string): Promise<ServerConsent | undefined> => (await rig.ask('server_consent', { type: 'load_server_consent', id })).consent;
  const detailsOf = async (id: string): Promise<ServerDetails> => (await rig.ask('server_details', { type: 'load_server', id })).details;
  const importsNow = async (): Promise<readonly ServerImport[]> => (await rig.ask('server_imports', { type: 'load_server_imports' })).files;
  /** What the user is told when the page asks for something. */
  const told = async (message: ServerRequest): Promise<string> => (await rig.ask('servers_told', message)).text;

  beforeEach(() => {
    home = realpathSync(mkdtempSync(join(tmpdir(), 'gnomon-home-')));
    rig = new ServersRig({ home, ports: WINDOW, window: serversWindow, openLog: (name) => vscode.window.createOutputChannel(name), log });
  });
  afterEach(async () => {
    await rig.dispose();
    rmSync(file, { force: true });
    rmSync(home, { recursive: true, force: true });
    await vscode.workspace.getConfiguration().update(SERVERS_SETTING, undefined, vscode.ConfigurationTarget.Global);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('M-50: files of the workspace, of the home folder, and the setting are read, again when one changes', async () => {
    write({ a: { command: 'a' }, broken: { comand: 'b' } });
    await rig.configurations.read();
    assert.deepEqual([names(), rig.configurations.current.problems.length], [['a'], 1]);
    mkdirSync(join(home, '.cursor'));
    writeFileSync(join(home, '.cursor', 'mcp.json'), JSON.stringify({ mcpServers: { c: { command: 'c' } } }));
    await rig.configurations.read();
    assert.deepEqual([...names()].sort(), ['a', 'c']);
    await vscode.workspace.getConfiguration().update(SERVERS_SETTING, { s: { command: 's' } }, vscode.ConfigurationTarget.Global);
    await waitFor(() => names().includes('s'), { what: 'the server of the setting', timeoutMs: 20_000 });
    rmSync(join(home, '.cursor'), { recursive: true });
    await vscode.workspace.getConfiguration().update(SERVERS_SETTING, undefined, vscode.ConfigurationTarget.Global);
    await untilNames('a');
    write({});
    await untilNames();
  });

  it('M-30 M-02: a server is shown until it is approved, starts then, and is told of as it is', async () => {
    write({ db: { command: 'db-server', args: ['--all'], env: { KEY: 'canary' } } });
    await rig.configurations.read();
    const { id } = await rig.until('db');
    rig.servers.want();
    assert.deepEqual([rig.row(id)?.status, rig.row(id)?.waitsFor, rig.connector.attempts.length], ['pending', 'approval', 0]);
    const consent = await consentOf(id);
    assert.deepEqual([consent?.command, consent?.args, consent?.env], ['db-server', ['--all'], ['KEY']]);
    assert.match(await told({ type: 'approve_server', id, hash: 'another' }), /has just changed/);
    let tellings = 0;
    const stop = rig.window.onDidChange(() => void tellings++);
    await rig.approve('db');
    assert.equal(rig.connector.last.target.config.type === 'stdio' && rig.connector.last.target.config.env['KEY'], 'canary');
    await waitFor(() => tellings > 0, { what: 'the pages to be told', timeoutMs: 20_000 });
    stop();
    assert.deepEqual([rig.row(id)?.status, rig.row(id)?.approved, rig.row(id)?.tools.on, await consentOf(id)], ['connected', true, 1, undefined]);
    write({ db: { command: 'db-server', args: ['--all', '--more'], env: { KEY: 'canary' } } });
    await rig.until('db', ({ waitsFor }) => waitsFor === 'changed');
    assert.match((await consentOf(id))?.changes[0]?.diff ?? '', /^\+.*--more/m);
    await rig.send({ type: 'server_action', id, action: 'revoke' });
    assert.deepEqual([rig.row(id)?.waitsFor, rig.row(id)?.approved], ['approval', undefined]);
  });

  it('M-32: a tool that has changed is shown with both sides until it is accepted as it is', async () => {
    write({ db: { command: 'db-server' } });
    await rig.configurations.read();
    const { id, connection } = await rig.approve('db');
    connection.tools = () => Promise.resolve(listed(fakeTool('echo', { description: 'Sends it away, too.' })));
    rig.connector.last.handlers.changed('tools');
    await waitFor(() => rig.row(id)?.tools.changed === 1, { what: 'the changed tool', timeoutMs: 20_000 });
    const changed = (await detailsOf(id)).tools[0]?.changed;
    assert.match(changed?.diff ?? '', /^-.*Does echo\.[^]*^\+.*Sends it away, too\./m);
    assert.match(await told({ type: 'accept_server_tool', id, tool: 'echo', hash: 'another' }), /has just changed/);
    await rig.send({ type: 'accept_server_tool', id, tool: 'echo', hash: changed?.hash ?? '' });
    assert.equal(rig.row(id)?.tools.changed, 0);
  });

  it('what the user chooses of a server is shown, kept, and takes effect', async () => {
    write({ db: { command: 'db-server' } });
    await rig.configurations.read();
    const { id, entry } = await rig.approve('db');
    await rig.send({ type: 'set_server_tool', id, tool: 'echo', on: false });
    await rig.send({ type: 'set_server_budget', id, budget: 'defer' });
    assert.deepEqual([rig.row(id)?.tools.on, rig.row(id)?.budget, (await detailsOf(id)).tools[0]?.on], [0, 'defer', false]);
    await rig.send({ type: 'server_action', id, action: 'disable' });
    assert.deepEqual([rig.row(id)?.status, rig.choices.of(entry)], ['disabled', { off: ['echo'], loading: 'defer', enabled: false }]);
    await rig.send({ type: 'set_server_tool', id, tool: 'echo', on: true });
    assert.deepEqual(rig.choices.of(entry).off, []);
  });

  it('M-38: a report is copied, with what was sent and without values of the environment', async () => {
    write({ db: { command: 'db-server', env: { API_TOKEN: 'canary-of-the-test' } } });
    await rig.configurations.read();
    const { id } = await rig.approve('db');
    rig.connector.last.handlers.traffic({
      direction: 'sent',
      text: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params: { token: 'canary-of-the-test' } }),
    });
    assert.equal(await told({ type: 'server_action', id, action: 'copy_report' }), 'The report was copied to the clipboard.');
    const report = await vscode.env.clipboard.readText();
    assert.match(report, /ping/);
    assert.doesNotMatch(report, /canary-of-the-test/);
    assert.deepEqual(
      (await rig.ask('server_inspection', { type: 'inspect_server', id })).inspection.messages.map(({ method }) => method),
      ['ping'],
    );
  });

  it('an import copies servers into the setting once, and starts none', async () => {
    mkdirSync(join(home, '.cursor'));
    writeFileSync(
      join(home, '.cursor', 'mcp.json'),
      JSON.stringify({ mcpServers: { clock: { command: 'clock-server', args: ['--utc'] }, ws: { type: 'ws', url: 'ws://x' } } }),
    );
    const found = (await importsNow()).flatMap(({ program, servers }) => servers.map((server) => ({ program, ...server })));
    const [clock] = found;
    assert.deepEqual([clock?.program, clock?.name, clock?.refused], ['Cursor', 'clock', undefined]);
    assert.match(await told({ type: 'import_servers', keys: [clock?.key ?? ''] }), /^1 server was added/);
    assert.deepEqual(vscode.workspace.getConfiguration().inspect(SERVERS_SETTING)?.globalValue, {
      clock: { type: 'stdio', command: 'clock-server', args: ['--utc'], env: {} },
    });
    assert.notEqual((await importsNow()).flatMap(({ servers }) => servers)[0]?.refused, undefined);
    assert.equal(rig.connector.attempts.length, 0);
  });

  it('a place to add a server to is made, with the cursor in it, and what is there is left as it is', async () => {
    await rig.send({ type: 'add_server', to: 'workspace' });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor !== undefined);
    assert.equal(editor.document.uri.fsPath, file);
    assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { mcpServers: {} });
    assert.equal(editor.document.getText(new vscode.Range(editor.selection.active.translate(0, -1), editor.selection.active.translate(0, 1))), '{}');
    write({ a: { command: 'a' } });
    const before = readFileSync(file, 'utf8');
    await rig.send({ type: 'add_server', to: 'workspace' });
    assert.equal(readFileSync(file, 'utf8'), before);
  });

  it('M-51: a problem leads to its line', async () => {
    write({ a: { command: 'a' }, b: { comand: 'b' } });
    await rig.configurations.read();
    const [problem] = rig.window.view('').problems;
    assert.deepEqual([problem?.display, problem?.line], ['.mcp.json', 6]);
    // A document that was open before has the new text only when VS Code has noticed it.
    await waitFor(async () => (await vscode.workspace.openTextDocument(file)).lineCount > 6, { what: 'the new text', timeoutMs: 20_000 });
    await rig.send({ type: 'open_servers_problem', id: problem?.id ?? '' });
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 5);
  });

  it('values that were entered are known by the file that asks for them, until they are forgotten', async () => {
    const inputs = [{ id: 'key', description: 'The key', password: true }];
    await rig.secrets.store(`gnomon.mcp.input:${JSON.stringify(['/w/a.json', 'key'])}`, 'canary');
    assert.deepEqual([...(await rig.inputs.values('/w/a.json', inputs))], [['key', 'canary']]);
    assert.equal((await rig.inputs.values('/w/b.json', inputs)).size, 0);
    assert.equal(await rig.inputs.ask('/w/a.json', inputs, 'db'), true);
    await rig.inputs.forget('/w/a.json', inputs);
    assert.equal((await rig.inputs.values('/w/a.json', inputs)).size, 0);
  });
});
