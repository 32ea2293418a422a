import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../../../src/protocol/messages.js';
import type { ServerRequest } from '../../../../../src/protocol/panel/server-requests.js';
import type { ChatPane } from '../../../../../src/chat/pane/chat-pane.js';
import type { Panel } from '../../../../../src/chat/pane/panel.js';
import { PaneServers } from '../../../../../src/chat/pane/pane-servers.js';
import { serverHandlers } from '../../../../../src/chat/pane/requests/server-handlers.js';
import { NO_SERVERS, type ServersPort } from '../../../../../src/chat/servers/servers-port.js';
import { form, page, serverRow, servers } from '../../../../support/panel-host/servers-scenes.js';

/** A pane whose servers are as given, what its pages are told, and what is asked of the servers. */
function rig(over: Partial<ServersPort> = {}) {
  const posts: HostMessage[] = [];
  const calls: unknown[] = [];
  let changed = (): void => undefined;
  const port: ServersPort = {
    ...NO_SERVERS,
    view: () => servers,
    onDidChange: (listener) => {
      changed = listener;
      return () => (changed = () => undefined);
    },
    answer: (...args) => calls.push(args),
    ...over,
  };
  const post = (message: HostMessage): void => void posts.push(message);
  const current = { id: 's' };
  const pane = { current, servers: new PaneServers({ port, post, session: () => current.id, moved: () => undefined }) };
  const handlers = serverHandlers(pane as unknown as ChatPane);
  const panel = { post } as unknown as Panel;
  const ask = <Type extends ServerRequest['type']>(message: Extract<ServerRequest, { type: Type }>): unknown =>
    (handlers[message.type] as (message: ServerRequest, panel: Panel) => unknown)(message, panel);
  return { posts, calls, ask, current, pane, change: () => changed() };
}

describe('the list of servers', () => {
  it('M-02: comes at once, again with each change, and not after it was closed', () => {
    const { posts, ask, change } = rig();
    change();
    ask({ type: 'list_servers' });
    change();
    ask({ type: 'close_servers' });
    change();
    expect(posts.map(({ type }) => type)).toEqual(['servers', 'servers']);
  });

  it('M-53: has an end, and says what it leaves out', () => {
    const many = { ...servers, servers: Array.from({ length: 1_000 }, (_, index) => serverRow(`s${index}`)) };
    const { posts, ask } = rig({ view: () => many });
    ask({ type: 'list_servers' });
    expect(posts).toMatchObject([{ type: 'servers', view: { left: { servers: 700 } } }]);
  });

  it('a page that has just come begins with the chat, and gets what is asked there', () => {
    const { posts, ask, pane } = rig({ elicitations: (session) => (session === 's' ? [form] : []) });
    ask({ type: 'list_servers' });
    posts.length = 0;
    pane.servers.greet();
    expect(posts).toEqual([{ type: 'elicitations', elicitations: [form] }]);
    expect(pane.servers.listed).toBe(false);
  });

  it('what a chat was asked goes with it', () => {
    const { posts, current, pane } = rig({ elicitations: (session) => (session === 's' ? [form] : []) });
    pane.servers.refresh();
    current.id = 'other';
    pane.servers.refresh();
    pane.servers.refresh();
    expect(posts).toEqual([
      { type: 'elicitations', elicitations: [form] },
      { type: 'elicitations', elicitations: [] },
    ]);
  });
});

describe('what is done about servers', () => {
  it('is told: a failure, and what came of it', async () => {
    const { posts, ask } = rig({ act: () => Promise.resolve('The report was copied.'), approve: () => Promise.reject(new Error('It changed.')) });
    await ask({ type: 'server_action', id: 'github', action: 'copy_report' });
    await ask({ type: 'approve_server', id: 'github', hash: 'old' });
    expect(posts).toEqual([
      { type: 'servers_told', level: 'info', text: 'The report was copied.' },
      { type: 'servers_told', level: 'error', text: 'It changed.' },
    ]);
  });

  it('descriptions are whole or not there, and what is left out is counted', async () => {
    const tool = { name: 't', description: 'x'.repeat(1_500_000), on: true, tokens: 1, annotations: {} };
    const { posts, ask } = rig({ details: () => Promise.resolve({ tools: [tool, tool, tool], prompts: [], resources: [], left: 0, warnings: [] }) });
    await ask({ type: 'load_server', id: 'github' });
    expect(posts).toEqual([
      { type: 'server_details', id: 'github', revision: 1, details: { tools: [tool, tool], prompts: [], resources: [], left: 1, warnings: [] } },
    ]);
  });

  it('a picture is sent as bytes of its own', async () => {
    const data = new Uint8Array(new ArrayBuffer(100), 10, 3);
    const { posts, ask } = rig({ icon: () => Promise.resolve({ mimeType: 'image/png', data }) });
    await ask({ type: 'load_server_icon', id: 'github' });
    const [icon] = posts;
    expect(icon?.type === 'server_icon' && icon.data.buffer.byteLength).toBe(3);
  });
});

describe('M-12: an answer to what a server asks', () => {
  const good = { title: 'Release', day: '2026-01-31', channel: 'web' };

  it('is passed on when it is one to this chat, and as the form wants it', () => {
    const { calls, ask } = rig({ elicitations: (session) => (session === 's' ? [form, page('https://example.com')] : []) });
    ask({ type: 'answer_elicitation', id: 'e1', action: 'accept', content: good });
    ask({ type: 'answer_elicitation', id: 'e1', action: 'decline', content: good });
    ask({ type: 'answer_elicitation', id: 'e1', action: 'cancel' });
    ask({ type: 'answer_elicitation', id: 'e2', action: 'accept', content: good });
    expect(calls).toEqual([
      ['e1', { action: 'accept', content: good }],
      ['e1', { action: 'decline' }],
      ['e1', { action: 'cancel' }],
      ['e2', { action: 'accept' }],
    ]);
  });

  it('is not passed on when anything in it is wrong', () => {
    const { calls, ask, current } = rig({ elicitations: (session) => (session === 's' ? [form] : []) });
    ask({ type: 'answer_elicitation', id: 'e1', action: 'accept' });
    ask({ type: 'answer_elicitation', id: 'e1', action: 'accept', content: { ...good, day: 'soon' } });
    ask({ type: 'answer_elicitation', id: 'e1', action: 'accept', content: { ...good, more: 'x' } });
    ask({ type: 'answer_elicitation', id: 'other', action: 'cancel' });
    current.id = 'other';
    ask({ type: 'answer_elicitation', id: 'e1', action: 'accept', content: good });
    expect(calls).toEqual([]);
  });
});
