import { describe, expect, it } from 'vitest';
import type { AgentFile } from '../../../../src/domain/config/agent.js';
import { type Script, answers, calls, stops } from '../../../support/scripted-provider/index.js';
import { asked, outline, rig, testTool } from '../rig.js';

const GO = [{ type: 'text' as const, text: 'go' }];
const AGENT: AgentFile = {
  name: 'reviewer',
  description: 'Reviews.',
  systemPrompt: 'Only review.',
  allowedTools: ['*'],
  disallowedTools: [],
  skills: [],
  hooks: [],
  userInvocable: true,
  fields: [],
  origin: { layer: 'project', file: '/ws/.claude/agents/reviewer.md', display: '.claude/agents/reviewer.md', folder: '/ws' },
};
const agent = (over: Partial<AgentFile>): AgentFile => ({ ...AGENT, ...over });
const TOOLS = [testTool('read'), testTool('write', { kind: 'write' })];

function callOf(name: string, on = 'a'): Script {
  return [...calls(0, 'c1', { name, args: { on } }), ...stops('tool_use')];
}

describe('a session with an agent', () => {
  it('S-25: sends its prompt behind the usual one, and its tools alone, from the next message on', async () => {
    const { session, provider } = rig({ tools: TOOLS, scripts: [answers('One.'), answers('Two.'), answers('Three.')] });
    await session.send(GO).turn;
    session.setAgent(agent({ allowedTools: ['read'] }));
    await session.send(GO).turn;
    session.setAgent(undefined);
    await session.send(GO).turn;
    expect(provider.requests.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['read', 'write'], ['read'], ['read', 'write']]);
    const [before, during, after] = provider.requests.map(({ systemPrompt }) => systemPrompt);
    expect(during?.startsWith(before ?? '?')).toBe(true);
    expect(during).toContain('“reviewer”');
    expect(during).toContain('Only review.');
    expect(after).toBe(before);
  });

  it('S-23: a forged call of a tool that it does not have is an error, and nothing runs', async () => {
    let ran = 0;
    const write = testTool('write', { kind: 'write', execute: () => ((ran += 1), { content: [], isError: false }) });
    const { session, gate } = rig({ tools: [testTool('read'), write], mode: 'bypassPermissions', scripts: [callOf('write'), answers('Done.')] });
    session.setAgent(agent({ allowedTools: ['read'] }));
    await session.send(GO).turn;
    expect(outline(session.messages)[2]).toBe('result#c1!: The agent “reviewer” does not have this tool. The tools are: read.');
    expect([ran, gate.judged.length]).toEqual([0, 0]);
  });

  it('S-23: a tool that is called through another one is denied, too', async () => {
    const inner = {
      ...testTool('call_tool'),
      plan: async (args: unknown, context: Parameters<ReturnType<typeof testTool>['plan']>[1]) => ({
        ...(await testTool('mcp__db__drop', { kind: 'write' }).plan(args, context)),
      }),
    };
    const { session, gate, events } = rig({ tools: [inner], scripts: [callOf('call_tool'), answers('Done.')] });
    session.setAgent(agent({ allowedTools: ['mcp__db__query'] }));
    await session.send(GO).turn;
    expect(outline(session.messages)[2]).toContain('The agent “reviewer” does not have this tool.');
    expect(gate.judged).toEqual([]);
    expect(events.some((event) => event.type === 'tool_call' && event.state.status === 'awaiting_approval')).toBe(false);
  });

  it('S-24: calls are judged in the stricter mode, and the mode of the chat is what is stored', async () => {
    const { session, gate, recorder } = rig({ tools: TOOLS, mode: 'acceptEdits', scripts: [callOf('read'), answers('Done.')] });
    session.setAgent(agent({ permissionMode: 'plan' }));
    await session.send(GO).turn;
    expect(gate.judged.map(({ mode }) => mode)).toEqual(['plan']);
    expect([session.mode, recorder.meta['mode'], recorder.meta['agent']]).toEqual(['acceptEdits', 'acceptEdits', 'reviewer']);
  });

  it('S-24: never gets a mode that allows more than that of the chat', async () => {
    const { session, gate } = rig({ tools: TOOLS, mode: 'default', scripts: [callOf('read'), answers('Done.')] });
    session.setAgent(agent({ permissionMode: 'bypassPermissions' }));
    await session.send(GO).turn;
    expect(gate.judged.map(({ mode }) => mode)).toEqual(['default']);
  });

  it('what would be asked about is denied where it lets nothing be asked, and the model is told', async () => {
    const { session, events } = rig({ tools: TOOLS, scripts: [callOf('write'), answers('Done.')] });
    session.setAgent(agent({ deniesPrompts: true }));
    await session.send(GO).turn;
    expect(outline(session.messages)[2]).toContain('The agent “reviewer” may not have the user asked, and no rule allows this.');
    expect(events.some((event) => event.type === 'tool_call' && event.state.status === 'awaiting_approval')).toBe(false);
  });

  it('asks as usual otherwise', async () => {
    const { session } = rig({ tools: TOOLS, scripts: [callOf('write'), answers('Done.')] });
    session.setAgent(AGENT);
    const waits = asked(session, 'c1');
    const { turn } = session.send(GO);
    await waits;
    session.answer('c1', { type: 'allow' });
    await turn;
    expect(outline(session.messages)[2]).toBe('result#c1: write a');
  });

  it('ends a turn after as many requests as it says, and no later than the setting does', async () => {
    const { session } = rig({ tools: TOOLS, maxRounds: 5, scripts: [callOf('read'), callOf('read', 'b'), callOf('read', 'c')] });
    session.setAgent(agent({ maxTurns: 2 }));
    const turn = await session.send(GO).turn;
    expect([turn.end, turn.rounds]).toEqual(['round_limit', 2]);
  });

  it('S-25: tells that it works, and is continued with when the session is opened again', () => {
    const { session, events } = rig({ tools: TOOLS });
    session.setAgent(AGENT);
    expect(events.at(-1)).toMatchObject({ type: 'settings_changed', agent: 'reviewer' });
    session.setAgent(undefined);
    expect(events.at(-1)).not.toHaveProperty('agent');
    expect(session.agent).toBeUndefined();
  });
});
