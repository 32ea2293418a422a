import { expect, it } from 'vitest';
import type { Tool } from '../../../../src/domain/tool/tool.js';
import { type AgentTools, hasTool } from '../../../../src/engine/agents/narrow.js';
import { createToolset, type Toolset } from '../../../../src/mcp/tools/toolset.js';
import { contextOf, info, run, serverOf, textOf } from './rig.js';

const SERVERS = ['github', 'mail', 'azure-devops-production-server'] as const;
const TOOLS = ['create_issue', 'list_issues', 'delete_issue'];
const NAMES = ['mcp__github__', 'mcp__mail__', 'mcp__azure-devops-pr-3c4ad04b__'].flatMap((prefix) => TOOLS.map((tool) => prefix + tool));

const limits = (over: Partial<AgentTools>): AgentTools => ({ allowedTools: ['*'], disallowedTools: [], ...over });

/** Limits that agents have, alone and within those of another. */
const AGENTS: readonly AgentTools[] = [
  limits({}),
  limits({ allowedTools: [] }),
  limits({ allowedTools: ['read'] }),
  limits({ allowedTools: ['mcp__github__*'] }),
  limits({ allowedTools: ['mcp__mail__list_issues'] }),
  limits({ allowedTools: ['mcp__azure-devops-production-server__*'] }),
  limits({ disallowedTools: ['mcp__github__*'] }),
  limits({ disallowedTools: ['mcp__github__delete_issue', 'mcp__mail__delete_issue'] }),
  limits({ disallowedTools: ['mcp__*'] }),
  limits({ mcpServers: ['mail'] }),
  limits({ mcpServers: ['azure-devops-production-server'] }),
  limits({ mcpServers: [] }),
  limits({ mcpServers: ['github', 'mail'], disallowedTools: ['mcp__github__create_issue'] }),
  limits({ mcpServers: ['github'], within: limits({ disallowedTools: ['mcp__github__delete_issue'] }) }),
];

function toolsetFor(agent: AgentTools): Toolset {
  const servers = SERVERS.map((id) => ({
    ...serverOf(
      TOOLS.map((name) => info(name)),
      { id },
    ),
    loading: 'defer' as const,
    instructions: `Words of ${id}.`,
  }));
  return createToolset(servers, new Set(), (name) => hasTool(name, agent));
}

function named({ tools }: Toolset, name: string): Tool | undefined {
  return tools.find(({ spec }) => spec.name === name);
}

it('what an agent may not use is neither offered, told, found, suggested, nor called', async () => {
  for (const agent of AGENTS) {
    const set = toolsetFor(agent);
    const [may, mayNot] = [NAMES.filter((name) => hasTool(name, agent)), NAMES.filter((name) => !hasTool(name, agent))];
    expect(set.tools.map(({ spec }) => spec.name)).toEqual([...(may.length === 0 ? [] : ['find_tools', 'call_tool']), ...may.toSorted()]);
    const [find, call] = [named(set, 'find_tools'), named(set, 'call_tool')];
    if (find === undefined || call === undefined) continue;
    for (const id of SERVERS) {
      const has = may.some((name) => hasTool(name, limits({ mcpServers: [id] })));
      expect([agent, id, find.spec.description.includes(id), find.spec.description.includes(`Words of ${id}.`)]).toEqual([agent, id, has, has]);
    }
    for (const query of ['issue', 'create issue', 'delete_issue github mail azure', ...NAMES]) {
      const found = textOf(await run(find, { query }));
      expect([agent, query, mayNot.filter((name) => found.includes(name))]).toEqual([agent, query, []]);
    }
    for (const name of mayNot) {
      const message = await call.plan({ name, arguments: {} }, contextOf()).then(
        () => 'planned',
        (error: unknown) => String(error),
      );
      expect([name, message.includes('There is no tool named'), mayNot.filter((other) => other !== name && message.includes(other))]).toEqual([name, true, []]);
    }
    for (const name of may) expect((await call.plan({ name, arguments: {} }, contextOf())).tool).toBe(name);
  }
});

it('a tool has the same name, whoever works', () => {
  const all = toolsetFor(limits({}));
  const two = [info('a.b'), info('a_b')];
  const server = { ...serverOf(two, { id: 'db' }), loading: 'always' as const };
  expect(createToolset([server], new Set(), () => false).servers[0]?.refused).toEqual(createToolset([server]).servers[0]?.refused);
  for (const agent of AGENTS)
    expect(
      toolsetFor(agent)
        .servers.flatMap(({ tools }) => tools.map(({ tool }) => tool.spec.name))
        .every((name) => named(all, name) !== undefined),
    ).toBe(true);
});
