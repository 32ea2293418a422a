import { describe, expect, it } from 'vitest';
import type { AgentFile } from '../../../src/domain/config/agent.js';
import type { Message } from '../../../src/domain/model/message.js';
import { skillText } from '../../../src/domain/session/skills.js';
import type { PermissionMode } from '../../../src/domain/tool/permission.js';
import type { Plan, Tool } from '../../../src/domain/tool/tool.js';
import { answers, calls, stops } from '../../support/scripted-provider/index.js';
import { type TestHook, decides, definitionOf, hooksOf } from '../../support/hook-rig.js';
import { gateOn, planOf, runs } from '../permission/rig.js';
import { type Rig, ok, rig, testTool } from './rig.js';

const COMMAND = 'npm test';
const SERVER_TOOL = 'mcp__db__drop';
const AGENT: AgentFile = {
  name: 'reader',
  description: '',
  allowedTools: ['read'],
  disallowedTools: [],
  skills: [],
  hooks: [],
  userInvocable: true,
  fields: [],
  origin: { layer: 'user', file: '/a.md', display: 'a.md' },
};
const SKILL = { name: 'notes', folder: '/ws/.claude/skills/notes', body: 'Write notes.', files: [], hasMore: false };

/** How a tool call can come about today. `tool` is what rules and hooks call it, `rule` what a rule says to mean it. */
const PATHS = {
  'a call of the model': { tool: 'bash', rule: 'Bash(npm test)', hook: 'Bash', start: (chat: Rig['session']) => chat.send([{ type: 'text', text: 'go' }]) },
  'a call of a tool of an MCP server': {
    tool: SERVER_TOOL,
    rule: SERVER_TOOL,
    hook: SERVER_TOOL,
    start: (chat: Rig['session']) => chat.send([{ type: 'text', text: 'go' }]),
  },
  'a tool of a server that is called through another': {
    tool: 'call_tool',
    rule: SERVER_TOOL,
    hook: SERVER_TOOL,
    start: (chat: Rig['session']) => chat.send([{ type: 'text', text: 'go' }]),
  },
  'a command in a message of the user': {
    tool: '',
    rule: 'Bash(npm test)',
    hook: 'Bash',
    start: (chat: Rig['session']) =>
      chat.send([], {
        script: [
          { type: 'text', text: 'State: ' },
          { type: 'command', command: COMMAND },
        ],
      }),
  },
} as const;

/** What decides about a call, in the order in which it does, and whether the call runs. `ask`: what the user answers; without it, nobody must be asked. */
const LAYERS: Readonly<
  Record<
    string,
    {
      readonly rules?: (rule: string) => readonly string[];
      readonly hook?: 'deny' | 'allow';
      readonly skillHook?: 'deny';
      readonly mode?: PermissionMode;
      readonly trusted?: boolean;
      readonly agent?: AgentFile;
      readonly asks?: 'allow' | 'deny';
      readonly runs: boolean;
    }
  >
> = {
  'an agent that has other tools': { agent: AGENT, rules: (rule) => [`allow ${rule}`], runs: false },
  'a hook that denies': { hook: 'deny', rules: (rule) => [`allow ${rule}`], mode: 'bypassPermissions', runs: false },
  'a hook of a skill that the chat uses, which denies': {
    skillHook: 'deny',
    hook: 'allow',
    rules: (rule) => [`allow ${rule}`],
    mode: 'bypassPermissions',
    runs: false,
  },
  'a workspace that is not trusted': { trusted: false, hook: 'allow', rules: (rule) => [`allow ${rule}`], runs: false },
  'a deny rule, whatever else allows it': { rules: (rule) => [`allow ${rule}`, `deny ${rule}`], hook: 'allow', mode: 'bypassPermissions', runs: false },
  'an ask rule, whatever else allows it': {
    rules: (rule) => [`allow ${rule}`, `ask ${rule}`],
    hook: 'allow',
    mode: 'bypassPermissions',
    asks: 'deny',
    runs: false,
  },
  'the mode that plans': { mode: 'plan', hook: 'allow', rules: (rule) => [`allow ${rule}`], runs: false },
  'the mode that always asks': { mode: 'ask', hook: 'allow', rules: (rule) => [`allow ${rule}`], asks: 'deny', runs: false },
  'an allow rule': { rules: (rule) => [`allow ${rule}`], runs: true },
  'a hook that allows': { hook: 'allow', runs: true },
  'the user, who denies': { asks: 'deny', runs: false },
  'the user, who allows': { asks: 'allow', runs: true },
};

function serverPlan(): Plan {
  return { ...planOf(SERVER_TOOL, []), args: { on: 'all' }, foreign: { kind: 'server', by: 'db', saysItReads: false } };
}

/** Tools that only count that they ran. */
function tools(ran: string[]): readonly Tool[] {
  const counted = (name: string, plan: () => Plan): Tool => ({
    ...testTool(name),
    plan: () => Promise.resolve(Object.freeze(plan())),
    execute: () => (ran.push(name), Promise.resolve(ok('ran'))),
  });
  return [counted('bash', () => ({ ...runs(COMMAND), args: { command: COMMAND } })), counted(SERVER_TOOL, serverPlan), counted('call_tool', serverPlan)];
}

describe('across 8.1: every way to a tool call passes every layer', () => {
  const cases = Object.keys(PATHS).flatMap((path) => Object.keys(LAYERS).map((layer) => [path, layer] as const));

  it.each(cases)('%s: %s', async (path, layer) => {
    const { tool, rule, hook, start } = PATHS[path as keyof typeof PATHS];
    const { rules = () => [], hook: opinion, skillHook, mode = 'default', trusted = true, agent, asks, runs: mayRun } = LAYERS[layer] ?? { runs: false };
    const ran: string[] = [];
    const hookThat = (name: string, decision: 'deny' | 'allow' | undefined): readonly TestHook[] =>
      decision === undefined
        ? []
        : [{ event: 'PreToolUse', name, answer: () => decides(decision, { permissionDecisionReason: 'it says so' }), more: { matcher: hook } }];
    const [usual, ofSkill] = [hookThat('guard', opinion), hookThat('guard of a skill', skillHook)];
    const { options } = hooksOf([...usual, ...ofSkill], {
      definitionsFor: (event, { skills }) =>
        Promise.resolve([...usual, ...(skills.includes(SKILL.folder) ? ofSkill : [])].map(definitionOf).filter((each) => each.event === event)),
    });
    const messages: readonly Message[] =
      skillHook === undefined
        ? []
        : [
            {
              role: 'user',
              content: [
                { type: 'text', text: skillText(SKILL) },
                { type: 'text', text: '/notes' },
              ],
              timestamp: '2026-01-01T00:00:00Z',
            },
          ];
    const first = tool === '' ? [] : [[...calls(0, 'c1', { name: tool, args: { command: COMMAND, name: SERVER_TOOL } }), ...stops('tool_use')]];
    const all = rig({
      tools: tools(ran),
      scripts: [...first, answers('Done.')],
      mode,
      realGate: gateOn({ rules: rules(rule), trusted }),
      hooks: options,
      messages,
    });
    all.session.setAgent(agent);
    const asked: string[] = [];
    all.session.onEvent((event) => {
      if (event.type !== 'tool_call' || event.state.status !== 'awaiting_approval') return;
      asked.push(event.callId);
      queueMicrotask(() => all.session.answer(event.callId, { type: asks ?? 'deny' }));
    });
    await start(all.session).turn;
    expect([ran.length, asked.length]).toEqual([mayRun ? 1 : 0, asks === undefined ? 0 : 1]);
  });
});
