import { describe, expect, it } from 'vitest';
import { McpError } from '../../../../src/domain/mcp/connection.js';
import type { McpListed, McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import { mergeList } from '../../../../src/mcp/servers/server-lists.js';
import { FAKE_AGREEMENT, fakeTool, listed } from '../../../support/mcp/fake-connector.js';
import { Rig } from './rig.js';

const NAME = ({ name }: McpToolInfo): string => name;

describe('mergeList', () => {
  it('M-07: keeps unchanged items as the same objects in their order, and adds new ones behind', () => {
    const before = [fakeTool('a'), fakeTool('b'), fakeTool('c'), fakeTool('d')];
    const now = [fakeTool('new'), fakeTool('d'), fakeTool('c', { description: 'Something else.' }), fakeTool('a')];
    const merged = mergeList(before, now, NAME);
    expect(merged.map(NAME)).toEqual(['a', 'c', 'd', 'new']);
    expect(merged[0]).toBe(before[0]);
    expect(merged[1]).toBe(now[2]);
    expect(merged[2]).toBe(before[3]);
  });

  it('M-41: gives the same list if only the order differs, of items or of keys', () => {
    const before = [fakeTool('a', { inputSchema: { type: 'object', properties: { x: {}, y: {} } } }), fakeTool('b')];
    const now = [fakeTool('b'), fakeTool('a', { inputSchema: { properties: { y: {}, x: {} }, type: 'object' } })];
    expect(mergeList(before, now, NAME)).toBe(before);
  });

  it('takes what is listed twice once, as it came first', () => {
    const first = fakeTool('a');
    expect(mergeList([], [first, fakeTool('a', { description: 'Another.' })], NAME)).toEqual([first]);
  });

  it('takes keys that objects have of their own', () => {
    const tools = [fakeTool('__proto__'), fakeTool('constructor')];
    expect(mergeList([], tools, NAME)).toEqual(tools);
  });
});

describe('the lists of a server', () => {
  it('reads the tools first, and the rest when it is connected', async () => {
    const rig = new Rig();
    let give: (tools: McpListed<McpToolInfo>) => void = () => undefined;
    const connection = await rig.connected('db', (made) => {
      made.tools = () => new Promise((resolve) => (give = resolve));
      made.prompts = () => Promise.resolve(listed({ name: 'review', arguments: [] }));
      made.resources = () => Promise.resolve(listed({ uri: 'file:///a', name: 'a' }));
      made.templates = () => Promise.resolve(listed({ uriTemplate: 'file:///{path}', name: 'files' }));
    });
    expect(connection.reads).toEqual({ tools: 1, prompts: 0, resources: 0, templates: 0 });
    give(listed(fakeTool('echo')));
    await rig.settle();
    expect(rig.state()).toMatchObject({
      status: 'connected',
      tools: [{ name: 'echo' }],
      prompts: [{ name: 'review' }],
      resources: [{ uri: 'file:///a' }],
      templates: [{ name: 'files' }],
    });
  });

  it('asks for no list that the server does not have', async () => {
    const rig = new Rig();
    const connection = await rig.connected('db', (made) => {
      made.agreement = { ...FAKE_AGREEMENT, capabilities: { ...FAKE_AGREEMENT.capabilities, prompts: false, resources: false } };
    });
    expect(connection.reads).toEqual({ tools: 1, prompts: 0, resources: 0, templates: 0 });
  });

  it('takes a list that there is not for an empty one: a server may say that it has resources, and have no templates', async () => {
    const rig = new Rig();
    await rig.connected('db', (made) => {
      made.agreement = { ...FAKE_AGREEMENT, capabilities: { ...FAKE_AGREEMENT.capabilities, tools: true, prompts: true, resources: true } };
      made.tools = () => Promise.resolve(listed(fakeTool('echo')));
      const missing = (): Promise<never> => Promise.reject(new McpError('answered', 'The server answered with an error: Method not found', { code: -32_601 }));
      made.prompts = missing;
      made.resources = missing;
      made.templates = missing;
    });
    await rig.settle();
    expect(rig.state()).toMatchObject({ tools: [{ name: 'echo' }], prompts: [], resources: [], templates: [], warnings: [] });
  });

  it('lets a list that fails harm no other, and keeps warnings', async () => {
    const rig = new Rig();
    await rig.connected('db', (made) => {
      made.tools = () => Promise.resolve({ items: [fakeTool('echo')], warnings: ['The list of tools has too many pages.'] });
      made.prompts = () => Promise.reject(new McpError('answered', 'Internal error'));
      made.resources = () => new Promise(() => undefined);
    });
    expect(rig.state()).toMatchObject({
      status: 'connected',
      tools: [{ name: 'echo' }],
      warnings: ['The list of tools has too many pages.', 'Its prompts could not be read: Internal error'],
    });
  });

  it('is connected without tools if those cannot be read, and takes them later', async () => {
    const rig = new Rig();
    const connection = await rig.connected('db', (made) => {
      made.tools = () => Promise.reject(new McpError('protocol', 'It is no list.'));
    });
    expect(rig.state()).toMatchObject({ status: 'connected', tools: [], warnings: ['Its tools could not be read: It is no list.'] });
    connection.tools = () => Promise.resolve(listed(fakeTool('echo')));
    rig.connector.last.handlers.changed('tools');
    await rig.settle();
    expect(rig.state()).toMatchObject({ tools: [{ name: 'echo' }], warnings: [] });
  });

  it('M-07: reads one at a time, and once more for any number of changes meanwhile', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    const { tools } = rig.state();
    const given: (() => void)[] = [];
    connection.tools = () => new Promise((resolve) => given.push(() => resolve(listed(fakeTool('echo'), fakeTool(`new${given.length}`)))));
    for (let round = 0; round < 2; round += 1) {
      for (let change = 0; change < 50; change += 1) rig.connector.last.handlers.changed('tools');
      await rig.settle();
      expect(connection.reads.tools).toBe(2);
    }
    given[0]?.();
    await rig.settle();
    expect(connection.reads.tools).toBe(3);
    given[1]?.();
    await rig.settle();
    expect(connection.reads.tools).toBe(3);
    expect(rig.state().tools.map(NAME)).toEqual(['echo', 'new2']);
    expect(rig.state().tools[0]).toBe(tools[0]);
  });

  it('M-07: reads a list that keeps changing ten times a minute', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    let version = 0;
    connection.tools = () => Promise.resolve(listed(fakeTool('echo'), fakeTool(`new${(version += 1)}`)));
    for (let change = 0; change < 240; change += 1) {
      rig.connector.last.handlers.changed('tools');
      await rig.time.pass(250);
    }
    expect(connection.reads.tools).toBe(11);
    await rig.time.pass(60_000);
    expect(rig.state().tools.map(NAME)).toEqual(['echo', `new${version}`]);
    const reads = connection.reads.tools;
    await rig.servers.stop('db');
    await rig.time.pass(120_000);
    expect(connection.reads.tools).toBe(reads);
  });

  it('keeps a list that cannot be read anew, with a warning', async () => {
    const rig = new Rig();
    const connection = await rig.connected();
    const { tools } = rig.state();
    connection.tools = () => Promise.reject(new McpError('timeout', 'No answer.'));
    rig.connector.last.handlers.changed('tools');
    await rig.settle();
    expect(rig.state().tools).toBe(tools);
    expect(rig.state().warnings).toEqual(['Its tools could not be read: No answer.']);
  });

  it('says that it left out what is listed twice', async () => {
    const rig = new Rig();
    await rig.connected('db', (made) => {
      made.tools = () => Promise.resolve(listed(fakeTool('echo'), fakeTool('echo', { description: 'Another.' })));
    });
    expect(rig.state()).toMatchObject({
      tools: [{ description: 'Does echo.' }],
      warnings: ['1 entries of its lists were left out, because others have the same names.'],
    });
  });

  it('tells nothing when nothing has changed', async () => {
    const rig = new Rig();
    await rig.connected();
    const told = rig.events.length;
    rig.connector.last.handlers.changed('tools');
    await rig.settle();
    expect(rig.events).toHaveLength(told);
  });

  it('ignores changes before it has answered', async () => {
    const rig = new Rig();
    const connection = await rig.connected('db', () => rig.connector.last.handlers.changed('tools'));
    expect(connection.reads.tools).toBe(1);
    expect(rig.phase()).toBe('connected');
  });
});
