import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AgentHost } from '../../../src/agent-host/agent-host.js';
import type { FileLayer } from '../../../src/domain/config/origin.js';
import type { GivenText, StartConfiguration } from '../../../src/domain/host/start-configuration.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { MemoryLog } from '../engine/rig.js';
import { nodeHost } from './node-host.js';

let home: string;
let folder: string;

function file(path: string, content: string | object): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
}

beforeEach(() => {
  [home, folder] = [temporaryFolder(), temporaryFolder()];
  vi.stubEnv('HOME', home);
  vi.stubEnv('USERPROFILE', home);
  for (const [base, layer] of [
    [home, 'user'],
    [folder, 'project'],
  ] as const) {
    file(join(base, '.claude', 'settings.json'), settingsOf(layer));
    file(join(base, '.claude', 'agents', `${layer}.md`), `---\nname: of-${layer}\ndescription: x\n---\nWork.\n`);
    file(join(base, '.claude', 'skills', layer, 'SKILL.md'), `---\nname: ${layer}\ndescription: x\n---\nWork.\n`);
    file(join(base, '.claude', 'commands', `${layer}.md`), 'Work.\n');
    file(join(base, '.claude', 'rules', 'rule.md'), `Rule of the ${layer}.\n`);
    file(join(base, '.cursor', 'mcp.json'), servers(layer));
  }
  file(join(folder, '.gnomon', 'settings.local.json'), settingsOf('local'));
  file(join(folder, 'CLAUDE.md'), 'Instructions of the project.\n');
  file(join(folder, 'CLAUDE.local.md'), 'Instructions of the local layer.\n');
  file(join(home, '.claude.json'), { ...servers('everywhere'), projects: { [folder]: servers('here') } });
});
afterEach(() => void vi.unstubAllEnvs());

const settingsOf = (layer: string): object => ({
  permissions: { deny: [`Read(${layer}.txt)`] },
  hooks: { Stop: [{ hooks: [{ type: 'command', command: `echo ${layer}` }] }] },
});
const servers = (...names: readonly string[]): object => ({ mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])) });
const given = (content: object, name = '--settings'): GivenText => ({ file: name, display: name, text: JSON.stringify(content) });

async function hostWith(start: Partial<StartConfiguration>): Promise<AgentHost> {
  const node = await nodeHost({ folder, storage: temporaryFolder(), log: new MemoryLog(), startedWith: { servers: [], onlyTheseServers: false, ...start } });
  onTestFinished(() => node.close());
  return node.host;
}

/** All that a host has found, by its names. */
async function foundBy(host: AgentHost): Promise<Readonly<Record<string, readonly string[]>>> {
  await Promise.all([host.agents.ready(), host.skills.ready(), host.commandFiles.ready(), host.servers.configurations.read(), host.layers.ready()]);
  const { files } = await host.factory.instructions();
  return {
    agents: host.agents.agents.map(({ name }) => name),
    skills: host.skills.found.choice.skills.map(({ skill: { name } }) => name),
    commands: host.commandFiles.commands.map(({ name }) => name),
    rules: host.permissions.book.rules().map(({ text }) => text),
    hooks: (await host.hooks.registered.list()).map(({ hook: { origin } }) => origin.layer),
    servers: host.servers.configurations.current.servers.map(({ entry }) => entry.name),
    instructions: files.map(({ text }) => text.trim()),
  };
}

const OF_LAYER: Readonly<Record<FileLayer, Readonly<Record<string, readonly string[]>>>> = {
  user: {
    agents: ['of-user'],
    skills: ['user'],
    commands: ['user'],
    rules: ['Read(user.txt)'],
    hooks: ['user'],
    servers: ['everywhere', 'user'],
    instructions: ['Rule of the user.'],
  },
  project: {
    agents: ['of-project'],
    skills: ['project'],
    commands: ['project'],
    rules: ['Read(project.txt)'],
    hooks: ['project'],
    servers: ['project'],
    instructions: ['Rule of the project.', 'Instructions of the project.'],
  },
  local: {
    agents: [],
    skills: [],
    commands: [],
    rules: ['Read(local.txt)'],
    hooks: ['local'],
    servers: ['here'],
    instructions: ['Instructions of the local layer.'],
  },
};

describe('the layers that files are read of', () => {
  test.each<readonly FileLayer[]>([[], ['user'], ['project'], ['local'], ['user', 'local'], ['user', 'project', 'local']])(
    'are these alone: %s %s %s',
    async (...layers) => {
      const found = await foundBy(await hostWith({ layers }));
      for (const [kind, names] of Object.entries(found)) {
        expect([kind, [...names].sort()]).toEqual([kind, layers.flatMap((layer) => OF_LAYER[layer][kind] ?? []).sort()]);
      }
    },
  );

  test('are all where nothing is said', async () => {
    const found = await foundBy(await hostWith({}));
    expect(found['hooks']).toEqual(['user', 'project', 'local']);
    expect(found['servers']).toEqual(['project', 'here', 'everywhere', 'user']);
  });

  test('do not make an open home folder one of the user: others could have put files there', async () => {
    folder = home;
    expect(await foundBy(await hostWith({ layers: ['user'] }))).toMatchObject({ agents: [], skills: [], commands: [], rules: [], hooks: [] });
  });
});

describe('settings of the command line', () => {
  test('are a layer of their own: their rules and hooks are the user’s, and what they deny holds whatever a workspace allows', async () => {
    file(join(folder, '.claude', 'settings.json'), { permissions: { allow: ['Bash(rm:*)'], deny: ['Read(project.txt)'] }, maxTurns: 50 });
    const host = await hostWith({ settings: given({ permissions: { deny: ['Bash(rm:*)'], allow: ['Read(project.txt)', 'Edit'] }, maxTurns: 3, ...HOOK }) });
    await host.layers.ready();
    const entries = host.permissions.book.listing().entries.map(({ rule, source, state }) => [source.label, rule.effect, rule.text, state]);
    expect(entries).toEqual(
      expect.arrayContaining([
        ['--settings', 'deny', 'Bash(rm:*)', 'holds'],
        ['--settings', 'allow', 'Edit', 'holds'],
        ['.claude/settings.json', 'deny', 'Read(project.txt)', 'holds'],
        ['.claude/settings.json', 'allow', 'Bash(rm:*)', 'needs_consent'],
      ]),
    );
    expect(host.fileSettings.caps()).toEqual({ maxTurns: 3 });
    const runnable = await host.hooks.registered.definitionsFor('Stop', { skills: [], commands: [], ofAgent: [] });
    expect(runnable.map(({ origin: { layer } }) => layer)).toEqual(['flag', 'user']);
    const entry = host.permissions.book.listing().entries.find(({ source }) => source.place === 'flag');
    await expect(host.permissions.book.update({ type: 'removeRules', effect: 'deny', rules: [entry?.rule.text ?? ''], scope: 'user' })).rejects.toThrow();
  });

  const HOOK = { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo flag' }] }] } };
});

describe('servers of the command line', () => {
  test('need no approval, and go before those of the same name', async () => {
    const host = await hostWith({
      servers: [given({ mcpServers: { user: { command: 'mine', cwd: 'sub' }, within: { type: 'sdk', name: 'within' } } }, '--mcp-config')],
    });
    await host.servers.configurations.read();
    const { servers: all } = host.servers.configurations.current;
    expect(all.map(({ entry }) => [entry.name, entry.source.scope])).toEqual([
      ['user', 'program'],
      ['project', 'workspace'],
      ['here', 'user'],
      ['everywhere', 'user'],
    ]);
    const [own, ofProject] = all;
    if (own === undefined || ofProject === undefined) throw new Error('They are not there.');
    expect(await host.servers.approvals.verdict(own.entry)).toMatchObject({
      may: true,
      target: { cwd: folder, config: { command: 'mine', cwd: join(folder, 'sub') } },
    });
    expect(await host.servers.approvals.verdict(ofProject.entry)).toEqual({ may: false, waitsFor: 'approval' });
  });

  test('are the only ones where the user says so, whatever a project or an agent has', async () => {
    file(join(folder, '.claude', 'agents', 'served.md'), '---\nname: served\ndescription: x\nmcpServers:\n  - agents:\n      command: x\n---\nWork.\n');
    const none = await hostWith({ onlyTheseServers: true });
    await none.servers.configurations.read();
    expect(none.servers.configurations.current.servers).toEqual([]);
    const one = await hostWith({ onlyTheseServers: true, servers: [given(servers('mine'), '--mcp-config')] });
    expect((await foundBy(one))['servers']).toEqual(['mine']);
  });
});
