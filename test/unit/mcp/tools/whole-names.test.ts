import { ownSession } from '../../../../src/domain/session/identity.js';
import { describe, expect, it } from 'vitest';
import { toolMeaning } from '../../../../src/config/tool-names.js';
import type { HookDefinition } from '../../../../src/domain/hook/definition.js';
import { serverId, serverToolName } from '../../../../src/domain/mcp/tool-name.js';
import { hasTool } from '../../../../src/engine/agents/narrow.js';
import { CallHooks } from '../../../../src/engine/hooks/call-hooks.js';
import { SessionHooks } from '../../../../src/engine/hooks/session-hooks.js';
import { createHooks } from '../../../../src/hook/run-hooks.js';
import { createServerTools } from '../../../../src/mcp/tools/server-tools.js';
import { isRule, mayBeAbout, parseRule } from '../../../../src/permission/rules/rule.js';
import { exited, hookOf } from '../../hook/rig.js';
import { contextOf, info, serverOf } from './rig.js';

/** A tool of a server, and another one that no name of it may mean. */
interface Sample {
  readonly server: string;
  readonly tool: string;
}

/** Names of servers in public files, and forms of names that nobody had thought of, in many lengths. */
function samples(): readonly Sample[] {
  let state = 7;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const pieces = ['a', 'playwright', 'Server', '-', '_', '__', '.', '@', '/', ' ', 'ü', '工具', '7', 'get', 'x9'];
  const made = (length: number): string => {
    let name = 'n';
    while (name.length < length) name += pieces[random(pieces.length)] ?? '';
    return name.slice(0, length);
  };
  const servers = [
    'executeautomation-playwright-server',
    '@microsoft/clarity-mcp-server',
    'azure-devops-production-server',
    'io.github.acme/docs',
    'my__server',
    '_x_',
    'My Server (beta)',
    ...[1, 2, 23, 24, 25, 26, 63, 64].map(made),
  ];
  const tools = ['t', 'playwright_navigate', 'get__all', 'a.b', 'ns/tool', ...[10, 36, 37, 38, 64, 65, 120, 200].map(made)];
  return servers.flatMap((server) => tools.map((tool) => ({ server, tool })));
}

const ALL = samples();
const plain = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_');
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The call of a tool that the user has, as it comes to hooks, with what the one hook that there is was told. */
async function guarded(
  { server, tool }: Sample,
  hooks: readonly HookDefinition[],
): Promise<{ readonly runs: readonly boolean[]; readonly told: readonly unknown[] }> {
  const [made] = createServerTools(serverOf([info(tool)], { id: serverId(server), name: server })).tools;
  if (made === undefined) throw new Error('The tool was refused.');
  const told: unknown[] = [];
  const ran = new Set<HookDefinition>();
  const running = createHooks({
    definitionsFor: () => Promise.resolve(hooks),
    runner: { run: ({ input }) => (told.push(JSON.parse(input)), Promise.resolve(exited(0))), dispose: () => undefined },
    matchesRule: () => true,
  });
  const session = new SessionHooks({
    options: { hooks: running, transcriptPath: '/s/1.json', cwd: () => '/ws' },
    who: ownSession('s'),
    messages: [],
    mode: () => 'default',
    agent: () => undefined,
    emit: (event) => event.type === 'hooks_ran' && event.outcome.runs.forEach(({ hook }) => ran.add(hook)),
  });
  const { signal } = new AbortController();
  const plan = await made.tool.plan({ text: 'x' }, contextOf());
  await new CallHooks({ hooks: session, callId: 'c', signal, stopTurn: () => undefined }).before(plan, () => Promise.resolve(plan));
  return { runs: hooks.map((hook) => ran.has(hook)), told };
}

const hookFor = (matcher: string, index: number): HookDefinition =>
  hookOf('PreToolUse', { matcher, handler: { type: 'command', command: `./check-${index}.sh` } });

describe('all names of a tool of a server', () => {
  it('are what the matchers of hooks know, and the whole one is what hooks are told', async () => {
    for (const sample of ALL) {
      const { server, tool } = sample;
      const names = [
        `mcp__${plain(server)}__${plain(tool)}`,
        `mcp__${server}__${tool}`,
        `mcp__${serverId(server)}__${plain(tool)}`,
        serverToolName(server, tool),
      ];
      const matchers = [
        ...names.filter((name) => /^[\w\- ]*$/.test(name)),
        ...names.map((name) => `^${escaped(name)}$`).filter(({ length }) => length <= 256),
        `mcp__${plain(server)}__.*`,
        `mcp__${escaped(server)}__.*`,
        'mcp__.*',
      ];
      const { runs, told } = await guarded(sample, matchers.map(hookFor));
      expect([server, tool, matchers.filter((_, index) => runs[index] !== true)]).toEqual([server, tool, []]);
      expect(told.every((input) => (input as { tool_name: unknown }).tool_name === names[0])).toBe(true);
      expect(JSON.stringify(told[0])).not.toContain('of_server');
    }
  });

  it('are those of no other tool', async () => {
    const other = { server: 'executeautomation-playwright-other', tool: 'playwright_navigated' };
    const matchers = [
      'mcp__executeautomation-playwright-server__.*',
      'mcp__executeautomation-playwright-server__playwright_navigate',
      '^mcp__executeautomation-playwright-other__playwright_navigate$',
    ];
    expect((await guarded(other, matchers.map(hookFor))).runs).toEqual([false, false, false]);
  });

  it('are what agents have them by', () => {
    for (const { server, tool } of ALL) {
      const name = serverToolName(server, tool);
      const lists = [
        `${server}/*`,
        `mcp__${plain(server)}__${plain(tool)}`,
        `mcp__${plain(server)}__*`,
        `mcp__${serverId(server)}__${plain(tool)}`,
        `mcp__${serverId(server)}`,
        `mcp__${plain(server)}__${plain(tool).slice(0, 40)}*`,
        name,
      ];
      for (const list of [...lists, ...(/^[\w.-]+$/.test(tool) ? [`${server}/${tool}`] : [])]) {
        const meaning = toolMeaning(list, 'vscode');
        const tools = meaning.type === 'tools' ? meaning.tools : [];
        expect([list, tools, hasTool(name, { allowedTools: tools, disallowedTools: [] })]).toEqual([list, tools, true]);
        expect([list, hasTool(name, { allowedTools: ['*'], disallowedTools: tools })]).toEqual([list, false]);
        expect([list, hasTool('mcp__another__thing', { allowedTools: tools, disallowedTools: [] })]).toEqual([list, false]);
      }
      for (const written of [server, serverId(server)])
        expect([written, hasTool(name, { allowedTools: ['*'], disallowedTools: [], mcpServers: [serverId(written)] })]).toEqual([written, true]);
      expect(hasTool(name, { allowedTools: ['*'], disallowedTools: [], mcpServers: ['another', `${serverId(server)}2`] })).toBe(false);
    }
  });

  it('are what rules deny them by', () => {
    for (const { server, tool } of ALL) {
      const name = serverToolName(server, tool);
      const written = [
        `mcp__${plain(server)}__${plain(tool)}`,
        `mcp__${plain(server)}__*`,
        `mcp__${serverId(server)}`,
        `mcp__${serverId(server)}__${plain(tool)}`,
        name,
        ...(/^[\w.@/-]+$/.test(server + tool) ? [`mcp__${server}__${tool}`] : []),
      ];
      const denied = written.filter((text) => {
        const rule = parseRule(text);
        return isRule(rule) && rule.about === 'tool' && mayBeAbout(rule, name) && !mayBeAbout(rule, 'mcp__another__thing');
      });
      expect(denied).toEqual(written);
    }
  });

  it('give no rule that allows more than one meaning', () => {
    // In Claude Code, this is the name of the tool “tool” of “my__server” as well; what is allowed by it is that of “my” alone.
    expect(parseRule('mcp__my__server__tool')).toEqual({ about: 'tool', name: 'mcp__my__server__tool', also: ['mcp__my_server__tool'] });
  });
});
