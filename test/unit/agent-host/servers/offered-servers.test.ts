import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { expect, test } from 'vitest';
import type { McpToolInfo } from '../../../../src/domain/mcp/feature.js';
import { RunningCalls } from '../../../../src/mcp/asking/running-calls.js';
import { AgentsInUse } from '../../../../src/agent-host/servers/agents-in-use.js';
import { OfferedServers, keepIn } from '../../../../src/agent-host/servers/offered-servers.js';
import { fakeTool, listed } from '../../../support/mcp/fake-connector.js';
import { Rig as Servers, entryOf } from '../../mcp/servers/rig.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { ApprovalsRig } from './rig.js';

/** An approved server with some tools, and what agents get of it. */
async function scene(...tools: readonly McpToolInfo[]) {
  const { entry } = entryOf('db');
  const rig = new ApprovalsRig('/w');
  await rig.approve(entry);
  const servers = new Servers();
  const failures: string[] = [];
  const log = { info: () => undefined, warn: () => undefined, error: (message: string) => void failures.push(message) };
  const offered = new OfferedServers({
    configurations: { ready: () => Promise.resolve() },
    servers: servers.servers,
    agentsInUse: new AgentsInUse(),
    calls: new RunningCalls(),
    approvals: rig.approvals,
    choices: rig.choices,
    keep: () => Promise.resolve(''),
    log,
  });
  const has =
    (...now: readonly McpToolInfo[]) =>
    (connection: { tools: () => Promise<ReturnType<typeof listed<McpToolInfo>>> }): void =>
      void (connection.tools = () => Promise.resolve(listed(...now)));
  const connection = await servers.connected('db', has(...tools));
  /** The server lists other tools from now on. */
  const list = async (...now: readonly McpToolInfo[]): Promise<void> => {
    has(...now)(connection);
    servers.connector.last.handlers.changed('tools');
    await servers.time.pass(1_000);
  };
  const names = (): readonly string[] => offered.toolset.tools.map(({ spec }) => spec.name);
  return { entry, ...{ rig, servers, offered, failures, list, names } };
}

test('M-32: the tools of the first answer are accepted with the server; later ones and changed ones are not', async () => {
  const { entry, rig, list } = await scene(fakeTool('a'));
  expect([...rig.approvals.acceptedTools(entry).keys()]).toEqual(['a']);
  const [before] = rig.approvals.acceptedTools(entry).values();
  await list(fakeTool('a', { description: 'Also reads ~/.ssh/id_rsa.' }), fakeTool('b'));
  expect([...rig.approvals.acceptedTools(entry).values()]).toEqual([before]);
});

test('M-41: tools stay the same values while nothing about them changes, also when another server comes and goes', async () => {
  const { offered, servers } = await scene(fakeTool('a'));
  const before = offered.toolset;
  await servers.servers.update([entryOf('db'), entryOf('other')]);
  await servers.settle();
  servers.connector.last.fail(new Error('It does not start.'));
  await servers.settle();
  expect(offered.toolset).toBe(before);
});

test('what the user switched off is not offered, from the next look on', async () => {
  const { entry, rig, offered, names } = await scene(fakeTool('a'), fakeTool('b'));
  expect(names()).toEqual(['mcp__db__a', 'mcp__db__b']);
  await rig.choices.set(entry, { off: ['a'] });
  offered.refresh();
  expect(names()).toEqual(['mcp__db__b']);
  await rig.choices.set(entry, { loading: 'defer' });
  offered.refresh();
  expect(names()).toEqual(['find_tools', 'call_tool', 'mcp__db__b']);
  await rig.choices.set(entry, { loading: 'off' });
  offered.refresh();
  expect(names()).toEqual([]);
});

test('M-21: a list that has changed, and a server that is gone, are noticed', async () => {
  const { servers, list, names, failures } = await scene(fakeTool('a'));
  expect(names()).toEqual(['mcp__db__a']);
  await list(fakeTool('a'), fakeTool('c'));
  expect(names()).toEqual(['mcp__db__a', 'mcp__db__c']);
  await servers.servers.update([]);
  await servers.settle();
  expect([names(), failures]).toEqual([[], []]);
});

test('M-26: a long result is kept in a file of the chat, which its model may read', async () => {
  const folder = temporaryFolder();
  const path = await keepIn(folder)('All of it.\n', 'chat-1');
  expect([dirname(path).startsWith(folder), readFileSync(path, 'utf8')]).toEqual([true, 'All of it.\n']);
  expect(basename(path)).toMatch(/\.log$/);
});

test('an agent gets what it may use, and the same values while nothing changes', async () => {
  const { offered } = await scene(fakeTool('a'), fakeTool('b'));
  const of = (allowedTools: readonly string[]) => offered.toolsetFor({ name: 'x', allowedTools, disallowedTools: [] });
  expect(of(['mcp__db__b', 'read']).tools.map(({ spec }) => spec.name)).toEqual(['mcp__db__b']);
  expect([of(['*']).tools.length, of([]).tools.length, offered.toolset.tools.length]).toEqual([2, 0, 2]);
  expect(of(['mcp__db__b', 'read'])).toBe(of(['mcp__db__b', 'read']));
});
