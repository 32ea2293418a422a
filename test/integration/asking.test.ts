import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { RunningCalls } from '../../src/mcp/asking/running-calls.js';
import { besidesOf, createWindowAsking } from '../../src/agent-host/servers/window-asking.js';
import { elicitationsOf } from '../../src/chat/servers/server-views.js';
import { settings } from '../../src/vscode/settings/vscode-settings.js';
import { vscodeFolders } from '../../src/vscode/workspace/folders.js';

describe('what MCP servers may know and ask in a window', () => {
  function asking(trusted: boolean) {
    return createWindowAsking({
      calls: new RunningCalls(),
      stateOf: (id) => ({
        id,
        entry: {
          name: 'web',
          source: { scope: 'user', format: 'gnomon', file: 'gnomon.mcp' },
          config: { type: 'http', url: 'https://mcp.example.com/x', headers: {} },
        },
        status: 'connected',
        tools: [],
        prompts: [],
        resources: [],
        templates: [],
        warnings: [],
        stderr: [],
        restarts: 0,
      }),
      sessions: { shown: 'chat', find: () => undefined, tell: (_session, text) => assert.fail(text) },
      ports: {
        folders: vscodeFolders,
        trust: { trusted: () => trusted, onDidGrant: () => () => undefined },
        servers: { openExternal: () => Promise.resolve(false) },
        clock: { timestamp: () => '2026-11-26T00:00:00Z', monotonic: () => 0 },
      },
      sampling: settings.sampling,
      choose: () => Promise.reject(new Error('No model is needed.')),
      log: { info: () => undefined, warn: () => undefined, error: (line) => assert.fail(line) },
    });
  }

  it('are the workspace folders, once the workspace is trusted', () => {
    const folder = vscode.workspace.workspaceFolders?.[0];
    assert.ok(folder);
    assert.deepEqual(asking(true).questions('web').roots(), [{ uri: pathToFileURL(folder.uri.fsPath).href, name: folder.name }]);
    assert.deepEqual(asking(false).questions('web').roots(), []);
  });

  it('M-14: are no answers of models, unless the user wants that', async () => {
    const configuration = vscode.workspace.getConfiguration('gnomon.mcp');
    assert.equal('sample' in asking(true).questions('web'), false);
    await configuration.update('sampling', 'ask', vscode.ConfigurationTarget.Global);
    assert.equal('sample' in asking(true).questions('web'), true);
    await configuration.update('sampling', undefined, vscode.ConfigurationTarget.Global);
  });

  it('M-13: is shown to pages and counted as waiting, with the server’s own host beside another one', async () => {
    const window = asking(true);
    const answer = window
      .questions('web')
      .elicit?.({ mode: 'url', message: 'Sign in', url: 'https://login.example.org/', id: 'e' }, new AbortController().signal);
    const [shown] = elicitationsOf(window, 'chat');
    assert.ok(shown);
    assert.deepEqual(shown, {
      id: shown.id,
      server: 'web',
      asked: { mode: 'url', message: 'Sign in', url: 'https://login.example.org/', id: 'e' },
      ownHost: 'mcp.example.com',
    });
    assert.deepEqual(besidesOf(window).of('chat'), [{ id: shown.id, kind: 'server' }]);
    window.answer(shown.id, { action: 'decline' });
    assert.deepEqual(await answer, { action: 'decline' });
    assert.deepEqual(elicitationsOf(window, 'chat'), []);
  });
});
