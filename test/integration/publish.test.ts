import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { McpEntry } from '../../src/domain/mcp/config.js';
import type { McpTarget } from '../../src/domain/mcp/connection.js';
import type { ApprovedServer, ApprovedServers } from '../../src/agent-host/servers/approved-servers.js';
import { Publication, publishServers } from '../../src/vscode/mcp/publish.js';
import { waitFor } from '../vscode/wait.mjs';

const TIMEOUT_MS = 20_000;
const SECRET = 'canary-3f9a';

describe('servers that VS Code gets', () => {
  function approved(
    config: McpEntry['config'],
    { name = 'db', version = 'v1', target }: { readonly name?: string; readonly version?: string; readonly target?: McpTarget } = {},
  ): ApprovedServer & { readonly resolved: { count: number } } {
    const resolved = { count: 0 };
    return {
      entry: { name, source: { scope: 'user', format: 'claude', file: '/home/ada/.claude.json' }, config },
      version,
      resolved,
      resolve: () => {
        resolved.count += 1;
        return Promise.resolve(target);
      },
    };
  }

  /** Servers that a test can change. */
  function list(...first: readonly ApprovedServer[]) {
    const listeners = new Set<() => void>();
    let now = first;
    const servers: ApprovedServers = {
      all: () => now,
      onDidChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
    const change = (...servers: readonly ApprovedServer[]): void => {
      now = servers;
      for (const listener of listeners) listener();
    };
    return { servers, listeners, change };
  }

  const stdio = { type: 'stdio' as const, command: 'node', args: ['server.js', `--key=${SECRET}`], env: { KEY: SECRET } };
  const http = { type: 'http' as const, url: `https://mcp.example.com/${SECRET}?k=${SECRET}`, headers: { Authorization: SECRET } };

  it('are listed without arguments, variables, headers and all else that may be a secret', async () => {
    const servers = [
      approved(stdio),
      approved(http, { name: 'web' }),
      approved({ ...http, url: 'https://${HOST}/x' }, { name: 'variable' }),
      approved({ type: 'sdk', name: 'a.b/c' }, { name: 'inside' }),
    ];
    const publication = new Publication(() => Promise.resolve(list(...servers).servers));
    const definitions = await publication.provideMcpServerDefinitions();
    assert.deepEqual(
      definitions.map(({ label, version }) => [label, version]),
      [
        ['Gnomon: db', 'v1'],
        ['Gnomon: web', 'v1'],
        ['Gnomon: variable', 'v1'],
      ],
    );
    assert.ok(!JSON.stringify(definitions).includes(SECRET));
    assert.ok(
      servers.every(({ resolved }) => resolved.count === 0),
      'a variable was replaced before a server was started',
    );
    publication.dispose();
  });

  it('get their variables when they are started, and only what is approved then', async () => {
    const target: McpTarget = { name: 'db', config: stdio, cwd: '/home/ada/shop' };
    const { servers, change } = list(approved(stdio, { target }), approved(http, { name: 'web', target: { name: 'web', config: http, cwd: '/' } }));
    const publication = new Publication(() => Promise.resolve(servers));
    const [db, web] = await publication.provideMcpServerDefinitions();
    assert.ok(db instanceof vscode.McpStdioServerDefinition && web instanceof vscode.McpHttpServerDefinition);
    const started = await publication.resolveMcpServerDefinition(db);
    assert.ok(started instanceof vscode.McpStdioServerDefinition);
    assert.deepEqual([started.command, started.args, started.env, started.cwd?.path], ['node', stdio.args, stdio.env, '/home/ada/shop']);
    const opened = await publication.resolveMcpServerDefinition(web);
    assert.ok(opened instanceof vscode.McpHttpServerDefinition);
    assert.deepEqual([opened.uri.toString(true), opened.headers], [http.url, http.headers]);
    // It was changed, or is not approved any more.
    change(approved(stdio, { version: 'v2', target }));
    assert.equal(await publication.resolveMcpServerDefinition(db), undefined);
    change(approved(stdio));
    assert.equal(await publication.resolveMcpServerDefinition(db), undefined);
    change(approved(http, { target: { name: 'db', config: http, cwd: '/' } }));
    assert.equal(await publication.resolveMcpServerDefinition(db), undefined);
    publication.dispose();
  });

  it('are read anew after each change, until that is switched off', async () => {
    const { servers, listeners, change } = list(approved(stdio));
    const publication = new Publication(() => Promise.resolve(servers));
    let changes = 0;
    publication.onDidChangeMcpServerDefinitions(() => (changes += 1));
    await publication.provideMcpServerDefinitions();
    await publication.provideMcpServerDefinitions();
    change();
    assert.equal(changes, 1);
    assert.deepEqual(await publication.provideMcpServerDefinitions(), []);
    publication.dispose();
    assert.equal(listeners.size, 0);
  });

  it('are asked for by VS Code only when the user wants that, and nothing is loaded before', async () => {
    let loads = 0;
    let wanted = false;
    const load = (): Promise<ApprovedServers> => {
      loads += 1;
      return Promise.resolve(list(approved(stdio)).servers);
    };
    const published = publishServers({ wanted: () => wanted, load });
    const configuration = vscode.workspace.getConfiguration('gnomon.mcp');
    try {
      wanted = true;
      const before = loads;
      await configuration.update('publishToVSCode', true, vscode.ConfigurationTarget.Global);
      await waitFor(() => loads > before, { what: 'VS Code to ask for the servers', timeoutMs: TIMEOUT_MS });
      assert.equal(before, 0);
    } finally {
      published.dispose();
      await configuration.update('publishToVSCode', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
