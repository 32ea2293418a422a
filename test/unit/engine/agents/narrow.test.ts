import { describe, expect, it } from 'vitest';
import { type AgentTools, agentWithin, hasServer, hasTool, toolsOf } from '../../../../src/engine/agents/narrow.js';
import type { AgentFile } from '../../../../src/domain/config/agent.js';
import type { Tool } from '../../../../src/domain/tool/tool.js';

const SESSION = [
  'read',
  'write',
  'edit',
  'apply_patch',
  'grep',
  'bash',
  'jobs',
  'find_tools',
  'call_tool',
  'mcp__db__query',
  'mcp__db__drop',
  'mcp__my_mail__send',
  'ext__acme_words__count',
];
const named = (names: readonly string[]): readonly Tool[] =>
  names.map((name) => ({
    spec: { name, description: '', parameters: {} },
    plan: () => Promise.reject(new Error('not planned')),
    execute: () => Promise.reject(new Error('not run')),
  }));
const narrowTools = (names: readonly string[], agent: AgentTools): readonly string[] => toolsOf(agent, named(names)).map(({ spec }) => spec.name);
const left = (agent: Partial<AgentTools>): readonly string[] => narrowTools(SESSION, { allowedTools: ['*'], disallowedTools: [], ...agent });

const agentOf = (name: string, allowedTools: readonly string[]): AgentFile => ({
  ...{ name, description: '', allowedTools, disallowedTools: [], skills: [], hooks: [], userInvocable: true, fields: [] },
  origin: { layer: 'user', file: `/${name}.md`, display: `${name}.md` },
});

describe('the tools of an agent', () => {
  it.each<[string, Partial<AgentTools>, readonly string[]]>([
    ['all', {}, SESSION],
    ['none', { allowedTools: [] }, []],
    ['some', { allowedTools: ['grep', 'read', 'todo'] }, ['read', 'grep']],
    ['all but some', { disallowedTools: ['bash', 'jobs', 'mcp__*', 'ext__acme_words__*'] }, ['read', 'write', 'edit', 'apply_patch', 'grep']],
    ['those of a server', { allowedTools: ['mcp__db__*'] }, ['find_tools', 'call_tool', 'mcp__db__query', 'mcp__db__drop']],
    ['those of a server but one', { allowedTools: ['mcp__db__*'], disallowedTools: ['mcp__db__drop'] }, ['find_tools', 'call_tool', 'mcp__db__query']],
    ['one of a server', { allowedTools: ['read', 'mcp__db__query'] }, ['read', 'find_tools', 'call_tool', 'mcp__db__query']],
    ['those of named servers', { allowedTools: ['read', 'mcp__*'], mcpServers: ['my_mail'] }, ['read', 'find_tools', 'call_tool', 'mcp__my_mail__send']],
    ['no servers', { allowedTools: ['read', 'mcp__*'], mcpServers: [] }, ['read']],
    ['everything taken away', { disallowedTools: ['*'] }, []],
    ['given and taken away', { allowedTools: ['read', 'bash'], disallowedTools: ['bash'] }, ['read']],
  ])('S-23: %s', (_what, agent, names) => {
    expect(left(agent)).toEqual(names);
  });

  it('S-23: a tool that was not offered cannot be called either, and never one that the session does not have', () => {
    const agent: AgentTools = { allowedTools: ['read', 'mcp__db__query'], disallowedTools: [] };
    expect(['read', 'bash', 'Read', 'mcp__db__drop', 'mcp__db__query', '*', ''].map((name) => hasTool(name, agent))).toEqual([
      true,
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(narrowTools(['read'], { allowedTools: ['*', 'bash'], disallowedTools: [] })).toEqual(['read']);
  });

  it('cmd-44: within several others are those that each of them has, whichever was there first', () => {
    const limits = [agentOf('a', ['read', 'grep', 'write']), agentOf('b', ['read', 'write', 'bash']), agentOf('c', ['read', 'grep', 'bash'])] as const;
    const [a, b, c] = limits;
    const whole = agentOf('d', ['*']);
    for (const agent of [agentWithin(agentWithin(agentWithin(whole, a), b), c), agentWithin(agentWithin(whole, a), agentWithin(b, c))])
      expect(narrowTools(SESSION, agent)).toEqual(['read']);
  });

  it('S-24: a server that agents define is theirs alone, also where an agent limits no servers', () => {
    const server = (agents?: readonly string[]) =>
      ({ source: { scope: 'workspace', format: 'claude', file: '/ws/a.md', ...(agents === undefined ? {} : { agents }) } }) as const;
    expect(
      [undefined, { name: 'writer' }, { name: 'reviewer' }].map((agent) => [hasServer(server(), agent), hasServer(server(['reviewer', 'tester']), agent)]),
    ).toEqual([
      [true, false],
      [true, false],
      [true, true],
    ]);
  });

  it('S-23: a server whose name begins like that of another one is not meant', () => {
    expect(hasTool('mcp__database__query', { allowedTools: ['*'], disallowedTools: [], mcpServers: ['data'] })).toBe(false);
    expect(hasTool('mcp__db2__query', { allowedTools: ['mcp__db__*'], disallowedTools: [] })).toBe(false);
  });
});
