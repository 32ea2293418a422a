import { describe, expect, it } from 'vitest';
import { chooseAgents, findAgent } from '../../../../src/config/agents/choose.js';
import type { AgentFile } from '../../../../src/domain/config/agent.js';
import type { ConfigLayer } from '../../../../src/domain/config/origin.js';
import { originOf } from './rig.js';

const agent = (name: string, display: string, layer: ConfigLayer, line?: number): AgentFile => ({
  name,
  description: display,
  allowedTools: ['*'],
  disallowedTools: [],
  skills: [],
  hooks: [],
  userInvocable: true,
  fields: [],
  origin: { ...originOf(display, layer), ...(line === undefined ? {} : { line }) },
});
const tester = [
  agent('tester', '.claude/agents/b.md', 'project'),
  agent('tester', '.claude/agents/t.md', 'user'),
  agent('Tester', '.claude/agents/a.md', 'project'),
  agent('other', '.gnomon/agents/o.md', 'user'),
];

describe('agents of the same name', () => {
  it('S-21: that of the project wins over that of the user, which is reached by its qualified name', () => {
    const choice = chooseAgents([agent('x', 'u.md', 'user'), agent('x', 'p.md', 'project')]);
    expect(choice.agents.map(({ name, qualifiedName, agent: { origin } }) => [name, qualifiedName, origin.layer])).toEqual([
      ['x', 'project:x', 'project'],
      ['user:x', 'user:x', 'user'],
    ]);
    expect(choice.agents[0]?.overridden).toMatchObject([
      { origin: { file: '/home/me/u.md' }, why: '/ws/p.md has the same name and counts more. This agent is reached as “user:x”.' },
    ]);
    expect(choice.problems).toEqual([]);
  });

  it('S-21: of two in one layer, the first by its path wins, and both paths are named', () => {
    const { agents, problems } = chooseAgents(tester);
    expect(agents.map(({ name, agent: { origin } }) => [name, origin.file])).toEqual([
      ['Tester', '/ws/.claude/agents/a.md'],
      ['other', '/home/me/.gnomon/agents/o.md'],
      ['user:tester', '/home/me/.claude/agents/t.md'],
    ]);
    expect(problems).toEqual([
      {
        file: '/ws/.claude/agents/b.md',
        key: 'name',
        message: 'The agent “tester” is in /ws/.claude/agents/a.md and in /ws/.claude/agents/b.md. That in /ws/.claude/agents/a.md is used.',
      },
    ]);
    expect(agents[0]?.overridden.map(({ origin }) => origin.file)).toEqual(['/ws/.claude/agents/b.md', '/home/me/.claude/agents/t.md']);
  });

  it('S-21: the winner does not depend on the order in which files are read', () => {
    const names = (agents: readonly AgentFile[]): unknown => chooseAgents(agents).agents.map(({ name, agent: { origin } }) => [name, origin.file]);
    expect(names([...tester].reverse())).toEqual(names(tester));
  });

  it('S-21: in one file, the first wins', () => {
    const { agents, problems } = chooseAgents([agent('m', '.roomodes', 'project', 20), agent('m', '.roomodes', 'project', 3)]);
    expect(agents.map(({ agent: { origin } }) => origin.line)).toEqual([3]);
    expect(problems).toMatchObject([{ line: 20, message: expect.stringContaining('/ws/.roomodes:3 and in /ws/.roomodes:20') as string }]);
  });

  it('S-21: the layers are managed, local, project, user', () => {
    const layers = ['user', 'project', 'local', 'managed'] as const;
    expect(chooseAgents(layers.map((layer) => agent('x', `${layer}.md`, layer))).agents.map(({ name }) => name)).toEqual([
      'x',
      'local:x',
      'project:x',
      'user:x',
    ]);
  });

  it('are found by both names, whatever their case', () => {
    const choice = chooseAgents(tester);
    expect(
      ['TESTER', 'project:tester', 'user:Tester', 'other', 'user:other', 'local:tester', 'nobody'].map((name) => findAgent(choice, name)?.agent.origin.file),
    ).toEqual([
      '/ws/.claude/agents/a.md',
      '/ws/.claude/agents/a.md',
      '/home/me/.claude/agents/t.md',
      '/home/me/.gnomon/agents/o.md',
      '/home/me/.gnomon/agents/o.md',
      undefined,
      undefined,
    ]);
  });
});
