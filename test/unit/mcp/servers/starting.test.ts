import { describe, expect, it } from 'vitest';
import { McpError } from '../../../../src/domain/mcp/connection.js';
import { MCP_STATUSES } from '../../../../src/domain/mcp/server.js';
import { FAKE_AGREEMENT, fakeTool, listed } from '../../../support/mcp/fake-connector.js';
import { CALL, OPEN_GATE, Rig, SOURCE, entryOf, http, stdio } from './rig.js';

describe('starting servers', () => {
  it('M-30: starts nothing because of an entry', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db'), entryOf('web', { config: http('https://example.org/mcp') })]);
    await rig.time.pass(60_000);
    expect(rig.servers.states.map(({ id }) => id)).toEqual(['db', 'web']);
    expect(rig.phase()).toBe('pending/start');
    expect(rig.connector.attempts).toEqual([]);
  });

  it('M-02: tells each state at once, and it is exactly one of five', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db')]);
    rig.servers.want();
    expect(rig.phases()).toEqual(['start', 'connecting']);
    await rig.settle();
    await rig.answer();
    expect(rig.phases()).toEqual(['start', 'connecting', 'connected']);
    expect(rig.state().agreement).toEqual(FAKE_AGREEMENT);
    expect(rig.state().tools.map(({ name }) => name)).toEqual(['echo']);
    const states = rig.events.flatMap((event) => (event.type === 'state' ? [event.state] : []));
    expect(new Set(states).size).toBe(states.length);
    for (const { status, waitsFor } of states) {
      expect(MCP_STATUSES).toContain(status);
      expect(waitsFor !== undefined).toBe(status === 'pending');
    }
  });

  it.each(['trust', 'approval', 'changed', 'input'] as const)('conf-01: shows that it waits for %s, and does not start, whoever wants it', async (waitsFor) => {
    const rig = new Rig();
    rig.gate = () => Promise.resolve({ may: false, waitsFor });
    await rig.servers.update([entryOf('db')]);
    rig.servers.want();
    await rig.settle();
    expect(rig.phase()).toBe(`pending/${waitsFor}`);
    rig.servers.start('db');
    await rig.settle();
    expect(rig.phase()).toBe(`pending/${waitsFor}`);
    expect(rig.connector.attempts).toEqual([]);
  });

  it('starts a wanted server as soon as it may', async () => {
    const rig = new Rig();
    rig.gate = () => Promise.resolve({ may: false, waitsFor: 'approval' });
    await rig.servers.update([entryOf('db')]);
    rig.servers.want();
    rig.gate = OPEN_GATE;
    await rig.servers.recheck('db');
    expect(rig.phase()).toBe('pending/connecting');
    await rig.settle();
    expect(rig.connector.attempts).toHaveLength(1);
  });

  it('conf-03: asks the gate again directly before a start', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db')]);
    rig.gate = () => Promise.resolve({ may: false, waitsFor: 'changed' });
    rig.servers.want();
    await rig.settle();
    expect(rig.phase()).toBe('pending/changed');
    expect(rig.connector.attempts).toEqual([]);
  });

  it('can be stopped and started while the gate does not answer', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db')]);
    rig.gate = () => new Promise(() => undefined);
    rig.servers.want();
    await rig.settle();
    await rig.servers.stop('db');
    rig.gate = OPEN_GATE;
    rig.servers.start('db');
    await rig.settle();
    await rig.answer();
    expect(rig.phase()).toBe('connected');
  });

  it('shows why an entry cannot be resolved', async () => {
    const rig = new Rig();
    rig.gate = () => Promise.reject(new McpError('refused', 'The variable DB_HOST has no value.'));
    await rig.servers.update([entryOf('db')]);
    expect(rig.phase()).toBe('failed: The variable DB_HOST has no value.');
  });

  it('shows a server only when it is known what it waits for', async () => {
    const rig = new Rig();
    let judge: () => void = () => undefined;
    rig.gate = (entry) => new Promise((resolve) => (judge = () => void OPEN_GATE(entry).then(resolve)));
    const updated = rig.servers.update([entryOf('db')]);
    await rig.settle();
    expect(rig.servers.states).toEqual([]);
    expect(rig.events).toEqual([]);
    judge();
    await updated;
    expect(rig.phase()).toBe('pending/start');
  });

  it('M-24: says that a server is slow, lets others go on, and takes its late answer', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('slow'), entryOf('db')]);
    rig.servers.want();
    await rig.settle();
    const [slow, db] = rig.connector.attempts;
    db?.succeed();
    let ready = false;
    void rig.servers.ready(5_000).then(() => (ready = true));
    await rig.time.pass(4_999);
    expect(ready).toBe(false);
    await rig.time.pass(1);
    expect(ready).toBe(true);
    expect(rig.phase('db')).toBe('connected');
    // It is waited for once, and not with every message.
    let again = false;
    void rig.servers.ready(5_000).then(() => (again = true));
    await rig.settle();
    expect(again).toBe(true);
    await rig.time.pass(25_000);
    expect(rig.phase('slow')).toBe('pending/connecting: It has not answered for 30 seconds. Gnomon keeps waiting.');
    await rig.time.pass(600_000);
    slow?.succeed();
    await rig.settle();
    expect(rig.phase('slow')).toBe('connected');
    expect(rig.state('slow').tools).toHaveLength(1);
  });

  it('is ready when nothing is connecting any more, however that ended', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('a'), entryOf('b'), entryOf('c')]);
    await rig.servers.ready(1_000);
    rig.servers.want();
    await rig.settle();
    let ready = false;
    void rig.servers.ready(60_000).then(() => (ready = true));
    const [a, b, c] = rig.connector.attempts;
    a?.succeed();
    b?.fail(new McpError('unauthorized', 'Sign in.'));
    await rig.settle();
    expect(ready).toBe(false);
    c?.fail(new McpError('unreachable', 'There is no such program.'));
    await rig.settle();
    expect(ready).toBe(true);
  });

  it('M-24: counts as connected though its tools do not come, and takes them when they come', async () => {
    const rig = new Rig();
    let give: () => void = () => undefined;
    await rig.connected('db', (connection) => {
      connection.tools = () => new Promise((resolve) => (give = () => resolve(listed(fakeTool('late')))));
    });
    expect(rig.phase()).toBe('pending/connecting');
    await rig.time.pass(10_000);
    expect(rig.phase()).toBe('connected');
    give();
    await rig.settle();
    expect(rig.state().tools.map(({ name }) => name)).toEqual(['late']);
  });

  it('M-25: waits for a sign-in without asking again, and starts after it', async () => {
    const rig = new Rig();
    await rig.servers.update([entryOf('db', { config: http('https://example.org/mcp') })]);
    rig.servers.want();
    await rig.settle();
    rig.connector.last.fail(new McpError('unauthorized', 'It wants you to sign in.', { code: 401 }));
    await rig.time.pass(600_000);
    rig.servers.want();
    await rig.settle();
    expect(rig.phase()).toBe('needs-auth: It wants you to sign in.');
    expect(rig.connector.attempts).toHaveLength(1);
    rig.servers.start('db');
    await rig.settle();
    await rig.answer();
    expect(rig.phase()).toBe('connected');
  });

  it('M-25: needs a sign-in when a call says so, and ends the connection', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    const [tool] = rig.state().tools;
    connection.result = () => Promise.reject(new McpError('unauthorized', 'The sign-in has expired.'));
    await expect(rig.servers.call('db', tool ?? fakeTool('none'), {}, CALL)).rejects.toThrow('The sign-in has expired.');
    await rig.time.pass(60_000);
    expect(rig.phase()).toBe('needs-auth: The sign-in has expired.');
    expect(connection.closes).toBe(1);
    expect(rig.connector.attempts).toHaveLength(1);
  });

  it('M-53: starts at most 20 at the same time, and none waits for those that hang', async () => {
    const rig = new Rig();
    await rig.servers.update(Array.from({ length: 50 }, (_, index) => entryOf(`s${index}`)));
    rig.servers.want();
    await rig.settle();
    expect(rig.connector.attempts).toHaveLength(20);
    rig.connector.attempts[0]?.succeed();
    await rig.settle();
    expect(rig.connector.attempts).toHaveLength(21);
    await rig.servers.stop('s30');
    await rig.time.pass(10_000);
    expect(rig.connector.attempts).toHaveLength(41);
    expect(rig.connector.attempts.map(({ target }) => target.name)).not.toContain('s30');
    await rig.time.pass(10_000);
    expect(rig.connector.attempts).toHaveLength(49);
  });

  it('passes on what it may ask, what it logs, and which resources changed', async () => {
    const rig = new Rig();
    await rig.connected();
    const { handlers } = rig.connector.last;
    expect(handlers.roots()).toEqual([]);
    expect(handlers.sample).toBeUndefined();
    handlers.resourceUpdated('file:///a');
    handlers.logged({ level: 'info', text: 'red\u001b[31m' });
    expect(rig.events.slice(-2)).toEqual([
      { type: 'resource', id: 'db', uri: 'file:///a' },
      { type: 'log', id: 'db', line: { level: 'info', text: 'red' } },
    ]);
  });
});

describe('changes of a configuration', () => {
  it('keeps unchanged servers running', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    await rig.servers.update([entryOf('new'), entryOf('db', { alwaysLoad: true, timeoutMs: 5, source: { ...SOURCE, line: 9 } })]);
    expect(connection.closes).toBe(0);
    expect(rig.phase()).toBe('connected');
    expect(rig.state().entry.alwaysLoad).toBe(true);
    expect(rig.servers.states.map(({ id }) => id)).toEqual(['new', 'db']);
  });

  it('conf-03: asks the gate again when something else of an entry has changed', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    rig.gate = () => Promise.resolve({ may: false, waitsFor: 'changed' });
    await rig.servers.update([entryOf('db', { source: { ...SOURCE, line: 9 } })]);
    expect(rig.phase()).toBe('connected');
    await rig.servers.update([entryOf('db', { timeoutMs: 600_000 })]);
    expect(rig.phase()).toBe('pending/changed');
    expect(connection.closes).toBe(1);
  });

  it('conf-24: ends a changed server at once, with what is pending', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    const [tool] = rig.state().tools;
    connection.result = () => new Promise(() => undefined);
    const call = expect(rig.servers.call('db', tool ?? fakeTool('none'), {}, CALL)).rejects.toThrow('“db” ended during the call. It was stopped.');
    await rig.settle();
    rig.gate = () => Promise.resolve({ may: false, waitsFor: 'changed' });
    await rig.servers.update([entryOf('db', { config: stdio('db', '--evil') })]);
    await call;
    expect(connection.closes).toBe(1);
    expect(rig.phase()).toBe('pending/changed');
    expect(rig.state().tools).toEqual([]);
    expect(rig.state().agreement).toBeUndefined();
    await rig.time.pass(60_000);
    expect(rig.connector.attempts).toHaveLength(1);
  });

  it('starts a changed server anew where that needs no approval, when the old process is gone', async () => {
    const rig = new Rig();
    let gone: () => void = () => undefined;
    await rig.connected('db', (connection) => {
      connection.closing = () => new Promise((resolve) => (gone = resolve));
    });
    await rig.servers.update([entryOf('db', { config: stdio('db', '--new') })]);
    await rig.settle();
    expect(rig.phase()).toBe('pending/connecting');
    expect(rig.connector.attempts).toHaveLength(1);
    gone();
    await rig.settle();
    expect(rig.connector.attempts).toHaveLength(2);
    expect(rig.connector.last.target.config).toEqual(stdio('db', '--new'));
  });

  it('ends a server whose entry is gone, and one that is about to connect', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    await rig.servers.update([entryOf('db'), entryOf('next')]);
    await rig.settle();
    const attempt = rig.connector.last;
    expect(attempt.target.name).toBe('next');
    await rig.servers.update([]);
    await rig.settle();
    expect(connection.closes).toBe(1);
    expect(attempt.signal.aborted).toBe(true);
    expect(rig.servers.states).toEqual([]);
    attempt.handlers.stderr('Still here.');
    await rig.time.pass(1_000);
    expect(rig.events.slice(-2)).toEqual([
      { type: 'removed', id: 'db' },
      { type: 'removed', id: 'next' },
    ]);
    await expect(rig.servers.call('db', fakeTool('echo'), {}, CALL)).rejects.toThrow('There is no server “db” any more.');
  });

  it('follows a switch in the file', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    await rig.servers.update([entryOf('db', { disabled: true })]);
    expect(rig.phase()).toBe('disabled');
    expect(connection.closes).toBe(1);
    await rig.servers.update([entryOf('db')]);
    await rig.settle();
    await rig.answer();
    expect(rig.phase()).toBe('connected');
  });

  it('keeps the newest of judgements that overtake each other', async () => {
    const rig = new Rig();
    const judgements: (() => void)[] = [];
    rig.gate = (entry) =>
      new Promise((resolve) =>
        judgements.push(() => (entry.timeoutMs === 2 ? resolve({ may: false, waitsFor: 'approval' }) : void OPEN_GATE(entry).then(resolve))),
      );
    void rig.servers.update([entryOf('db', { timeoutMs: 1 })]);
    void rig.servers.update([entryOf('db', { timeoutMs: 2 })]);
    await rig.settle();
    judgements[1]?.();
    await rig.settle();
    judgements[0]?.();
    await rig.settle();
    expect(rig.phase()).toBe('pending/approval');
  });
});
