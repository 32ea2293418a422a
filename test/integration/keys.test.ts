import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as vscode from 'vscode';

/** A server on loopback that notes the key of each request for its list of models, and takes one. */
interface ListServer {
  readonly url: string;
  /** The next request with a key. */
  askedWith(key: string): Promise<void>;
  close(): void;
}

async function startListServer(): Promise<ListServer> {
  const asked: string[] = [];
  let noted = (): void => undefined;
  const server = createServer((request, response) => {
    asked.push(String(request.headers['x-api-key'] ?? ''));
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"data":[{"type":"model","id":"claude-opus-5","display_name":"Claude Opus 5"}],"has_more":false}');
    noted();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    askedWith: (key) =>
      new Promise((resolve) => {
        noted = () => {
          if (asked.splice(0).includes(key)) resolve();
        };
        noted();
      }),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** What a user chooses from a list, by the beginning of its label, or types. */
type Answer = { readonly pick: string } | { readonly type: string };

/** Answers the questions that a command asks, in order, and gives the lists and titles that it showed. */
async function answering(command: string, argument: string | undefined, answers: readonly Answer[]): Promise<readonly string[]> {
  const { showQuickPick, showInputBox } = vscode.window;
  const left = [...answers];
  const shown: string[] = [];
  const window: { showQuickPick: unknown; showInputBox: unknown } = vscode.window;
  window.showQuickPick = async (
    items: readonly vscode.QuickPickItem[] | Thenable<readonly vscode.QuickPickItem[]>,
    { title = '' }: vscode.QuickPickOptions,
  ) => {
    const all = await items;
    shown.push(`${title}: ${all.map(({ label, description = '' }) => `${label} ${description}`.trim()).join(', ')}`);
    const answer = left.shift();
    const found = all.find(({ label }) => answer !== undefined && 'pick' in answer && label.startsWith(answer.pick));
    assert.ok(found, `${JSON.stringify(answer)} in ${shown.at(-1) ?? ''}`);
    return found;
  };
  window.showInputBox = ({ title = '', password = false }: vscode.InputBoxOptions) => {
    shown.push(`${title}${password ? ' (hidden)' : ''}`);
    const answer = left.shift();
    assert.ok(answer !== undefined && 'type' in answer, title);
    return Promise.resolve(answer.type);
  };
  try {
    await vscode.commands.executeCommand(command, ...(argument === undefined ? [] : [argument]));
  } finally {
    Object.assign(window, { showQuickPick, showInputBox });
  }
  assert.deepEqual(left, []);
  return shown;
}

describe('several API keys', () => {
  it('are added, chosen, renamed and removed by commands; requests carry the one in use', async () => {
    const server = await startListServer();
    const configure = (value: string | undefined): Thenable<void> =>
      vscode.workspace.getConfiguration().update('gnomon.anthropic.baseUrl', value, vscode.ConfigurationTarget.Global);
    const anthropic = { pick: 'Anthropic' };
    const run = (command: string, ...answers: readonly Answer[]): Promise<readonly string[]> => answering(command, undefined, answers);
    try {
      await vscode.commands.executeCommand('gnomon.focusChat');
      await configure(server.url);
      const first = server.askedWith('key-of-work');
      await run('gnomon.addApiKey', anthropic, { type: 'work' }, { type: 'key-of-work' });
      await first;
      const added = await answering('gnomon.useApiKey', 'anthropic/claude-opus-5', [
        { pick: '$(add)' },
        { type: 'home' },
        { type: 'key-of-home' },
        { pick: 'Nothing for Now' },
      ]);
      assert.deepEqual(added.slice(0, 3), [
        'Use API Key: work in use, $(add) Add Another Key…',
        'Add API Key for Anthropic',
        'Anthropic API Key “home” (hidden)',
      ]);
      const second = server.askedWith('key-of-home');
      await answering('gnomon.useApiKey', 'anthropic/claude-opus-5', [{ pick: 'home' }, { pick: 'All Anthropic Models' }]);
      await second;
      await run('gnomon.renameApiKey', { pick: 'home' }, { type: 'private' });
      const cleared = await run('gnomon.clearApiKey', { pick: 'private' });
      assert.deepEqual(cleared, ['Clear API Key: private in use, work']);
      // What is in use and gone is offered to be set again.
      const third = server.askedWith('new-key');
      const set = await run('gnomon.setApiKey', anthropic, { pick: 'private' }, { type: 'new-key' });
      assert.equal(set[1], 'Set API Key: private in use · not saved, work, $(add) Add Another Key…');
      await third;
      await run('gnomon.clearApiKey', { pick: 'private' });
      await run('gnomon.clearApiKey');
      await answering('gnomon.useApiKey', 'anthropic/claude-opus-5', [{ pick: '$(add)' }, { type: 'default' }, { type: 'last' }]);
      await run('gnomon.clearApiKey');
    } finally {
      await configure(undefined);
      server.close();
    }
  });
});
