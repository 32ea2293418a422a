import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createWriteLock } from '../../../../../src/customization/write-lock.js';
import type { ViewElicitation } from '../../../../../src/protocol/elicitation.js';
import { createNodePorts } from '../../../../../src/node/host/node-ports.js';
import { eventually } from '../../../../support/eventually.js';
import { FAKE_AGREEMENT, fakeTool, listed } from '../../../../support/mcp/fake-connector.js';
import { ServersRig } from '../../../../support/mcp/servers-rig.js';
import { form, page } from '../../../../support/panel-host/servers-scenes.js';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { entryOf } from '../../../mcp/servers/rig.js';
import { MemoryLog } from '../../../engine/rig.js';

/** The page of a window without servers at first, and what is answered to them. @param asked what servers ask in the chat that it shows */
function rig({ asked = [] }: { readonly asked?: readonly ViewElicitation[] } = {}) {
  const [folder, home, log] = [temporaryFolder(), temporaryFolder(), new MemoryLog()];
  const calls: unknown[] = [];
  const window = new ServersRig({
    home,
    log,
    // What is configured changes when a test says so.
    ports: {
      ...createNodePorts({ folders: [folder], trusted: true, storage: home, settings: {}, defaults: {}, log, lock: createWriteLock(join(home, 'locks'), log) }),
      keepWatching: () => ({ dispose: () => undefined }),
    },
    window: {
      open: () => Promise.resolve(),
      add: () => Promise.resolve(),
      configure: () => Promise.resolve(),
      copy: () => Promise.resolve(),
      progress: (_title, _stop, work) => work(),
    },
    openLog: () => ({ appendLine: () => undefined, show: () => undefined, dispose: () => undefined }),
    asking: {
      open: (session) => (session === 's' ? asked.map((each) => ({ ...each, serverId: 'github', session })) : []),
      answer: (...args) => calls.push(args),
    },
  });
  onTestFinished(() => window.dispose());
  const { posts, current, pane } = window;
  /** Has so many servers configured. Resolves when they are there. */
  const configure = async (count: number): Promise<readonly string[]> => {
    const names = Array.from({ length: count }, (_, index) => `s${index}`);
    const mcpServers = Object.fromEntries(names.map((name) => [name, { command: 'node', args: [] }]));
    await writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers }));
    await window.configurations.read();
    await eventually(() => expect(window.servers.states.length).toBe(count));
    return window.servers.states.map(({ id }) => id);
  };
  const ask: ServersRig['send'] = (message) => window.send(message);
  return { window, posts, calls, ask, current, pane, configure };
}

describe('the list of servers', () => {
  it('M-02: comes at once, again with each change, and not after it was closed', async () => {
    const { posts, ask, configure } = rig();
    const counts = (): readonly number[] => [...new Set(posts.flatMap((post) => (post.type === 'servers' ? [post.view.servers.length] : [])))];
    await configure(1);
    await ask({ type: 'list_servers' });
    expect(counts()).toEqual([1]);
    await configure(2);
    await eventually(() => expect(counts()).toEqual([1, 2]));
    await ask({ type: 'close_servers' });
    await configure(3);
    await delay(300);
    expect(counts()).toEqual([1, 2]);
  });

  it('M-53: has an end, and says what it leaves out', async () => {
    const { posts, ask, window } = rig();
    await window.servers.update(Array.from({ length: 1_000 }, (_, index) => entryOf(`s${index}`)));
    await ask({ type: 'list_servers' });
    expect(posts).toMatchObject([{ type: 'servers', view: { left: { servers: 700 } } }]);
    expect(window.window.count).toBe(1_000);
  });

  it('a page that has just come begins with the chat, and gets what is asked there', async () => {
    const { posts, ask, pane } = rig({ asked: [form] });
    await ask({ type: 'list_servers' });
    posts.length = 0;
    pane.greet();
    expect(posts).toEqual([{ type: 'elicitations', elicitations: [form] }]);
    expect(pane.listed).toBe(false);
  });

  it('what a chat was asked goes with it', () => {
    const { posts, current, pane } = rig({ asked: [form] });
    pane.refresh();
    current.id = 'other';
    pane.refresh();
    pane.refresh();
    expect(posts).toEqual([
      { type: 'elicitations', elicitations: [form] },
      { type: 'elicitations', elicitations: [] },
    ]);
  });
});

describe('what is done about servers', () => {
  it('is told: a failure, and what came of it; nothing for a server that is gone', async () => {
    const { posts, ask, configure } = rig();
    const [id = ''] = await configure(1);
    await ask({ type: 'server_action', id, action: 'copy_report' });
    await ask({ type: 'approve_server', id, hash: 'old' });
    await ask({ type: 'server_action', id: 'gone', action: 'copy_report' });
    expect(posts).toEqual([
      { type: 'servers_told', level: 'info', text: 'The report was copied to the clipboard.' },
      { type: 'servers_told', level: 'error', text: 'The server has just changed. Look at it again before you approve it.' },
    ]);
  });

  it('descriptions are whole or not there, and what is left out is counted', async () => {
    const { window, configure } = rig();
    await configure(1);
    const description = 'x'.repeat(1_500_000);
    const { id } = await window.approve('s0', (connection) => {
      connection.tools = () => Promise.resolve(listed(...['a', 'b', 'c'].map((name) => fakeTool(name, { description }))));
    });
    const { details, revision } = await window.ask('server_details', { type: 'load_server', id });
    expect([details.tools.map((tool) => [tool.name, tool.description === description]), details.left]).toEqual([
      [
        ['a', true],
        ['b', true],
      ],
      1,
    ]);
    expect(revision).toBe(window.row(id)?.revision);
  });

  it('an icon is sent as bytes of its own', async () => {
    const { window, configure } = rig();
    await configure(1);
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
    const { id } = await window.approve('s0', (connection) => {
      const icons = [{ src: `data:image/png;base64,${png.toString('base64')}` }];
      connection.agreement = { ...FAKE_AGREEMENT, server: { name: 'fake', version: '1', icons } };
    });
    const { data } = await window.ask('server_icon', { type: 'load_server_icon', id });
    expect([data.buffer.byteLength, Buffer.from(data)]).toEqual([png.length, png]);
  });
});

describe('M-12: an answer to what a server asks', () => {
  const good = { title: 'Release', day: '2026-01-31', channel: 'web' };

  it('is passed on when it is one to this chat, and as the form wants it', async () => {
    const { calls, ask } = rig({ asked: [form, page('https://example.com')] });
    await ask({ type: 'answer_elicitation', id: 'e1', action: 'accept', content: good });
    await ask({ type: 'answer_elicitation', id: 'e1', action: 'decline', content: good });
    await ask({ type: 'answer_elicitation', id: 'e1', action: 'cancel' });
    await ask({ type: 'answer_elicitation', id: 'e2', action: 'accept', content: good });
    expect(calls).toEqual([
      ['e1', { action: 'accept', content: good }],
      ['e1', { action: 'decline' }],
      ['e1', { action: 'cancel' }],
      ['e2', { action: 'accept' }],
    ]);
  });

  it('is not passed on when anything in it is wrong', async () => {
    const { calls, ask, current } = rig({ asked: [form] });
    await ask({ type: 'answer_elicitation', id: 'e1', action: 'accept' });
    await ask({ type: 'answer_elicitation', id: 'e1', action: 'accept', content: { ...good, day: 'soon' } });
    await ask({ type: 'answer_elicitation', id: 'e1', action: 'accept', content: { ...good, more: 'x' } });
    await ask({ type: 'answer_elicitation', id: 'other', action: 'cancel' });
    current.id = 'other';
    await ask({ type: 'answer_elicitation', id: 'e1', action: 'accept', content: good });
    expect(calls).toEqual([]);
  });
});
