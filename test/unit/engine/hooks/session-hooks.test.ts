import { describe, expect, it, test, vi } from 'vitest';
import type { HookContext, HookEvent } from '../../../../src/domain/hook/event.js';
import type { HookScope } from '../../../../src/domain/hook/hooks.js';
import { text } from '../../../../src/domain/model/content.js';
import type { Message } from '../../../../src/domain/model/message.js';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import { type RanCommand, ranCommandIn, ranCommandText } from '../../../../src/domain/session/ran-command.js';
import { skillFolderIn, skillText } from '../../../../src/domain/session/skills.js';
import type { HookRecord } from '../../../../src/domain/session/session-store.js';
import { hookRecords } from '../../../../src/engine/hooks/hook-records.js';
import { UsedOwners } from '../../../../src/engine/hooks/session-hooks.js';
import { MAX_STOP_BLOCKS } from '../../../../src/engine/hooks/session-life.js';
import { hookRunViews, viewOfPast } from '../../../../src/chat/projection/call-view.js';
import { eventually } from '../../../support/eventually.js';
import { answers, calls, Latch, stops } from '../../../support/scripted-provider/index.js';
import { decides, definitionOf, exits, hooksOf } from '../../../support/hook-rig.js';
import { asked, ok, outline, rig, statesOf, testTool } from '../rig.js';

const go = [{ type: 'text' as const, text: 'go' }];
const callBash = [...calls(0, 'a', { name: 'bash', args: { command: 'ls', on: 'x' } }), ...stops('tool_use')];
const bash = (log: unknown[] = []) => testTool('bash', { kind: 'execute', execute: (args) => (log.push(args), ok('ran')) });

function events(told: readonly { readonly input: HookContext & HookEvent }[]): readonly string[] {
  return told.map(({ input }) => input.hook_event_name);
}

describe('hooks of tool calls', () => {
  test('H-02: all events of a session with a call, in their order, each once', async () => {
    const all = (['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'Stop', 'SessionEnd'] as const).map((event) => ({
      event,
      name: event,
      answer: () => '',
    }));
    const { options, told } = hooksOf(all);
    const { session } = rig({ hooks: options, tools: [bash()], scripts: [callBash, answers('Done.')] });
    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'allow' });
    await turn;
    await session.close();
    expect(events(told)).toEqual(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest', 'PostToolUse', 'Stop', 'SessionEnd']);
    expect(told[2]?.input).toEqual({
      session_id: 'session-1',
      transcript_path: '/sessions/session-1.json',
      cwd: '/ws',
      permission_mode: 'default',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls', on: 'x' },
      tool_use_id: 'a',
    });
    expect(told[4]?.input).toMatchObject({ tool_response: 'ran' });
    expect(told[5]?.input).toMatchObject({ stop_hook_active: false, last_assistant_message: 'Done.' });
  });

  test('know that an agent works for another session, as its events and its asks do', async () => {
    const identity = { session: 'session-1', worksFor: { session: 'parent', callId: 'p', agent: 'explore', task: 'Look' }, depth: 2 };
    const { options, told } = hooksOf([{ event: 'PreToolUse', name: 'look', answer: () => '' }]);
    const { session, events: heard } = rig({ hooks: options, identity, tools: [bash()], scripts: [callBash, answers('Done.')] });
    const { turn } = session.send(go);
    await asked(session, 'a');
    expect(session.asks.waiting).toMatchObject([{ callId: 'a', who: identity }]);
    session.answer('a', { type: 'allow' });
    await turn;
    await session.close();
    expect(told).toMatchObject([{ input: { session_id: 'session-1', agent_id: 'session-1', agent_depth: 2 } }]);
    expect(new Set(heard.map(({ who }) => who))).toEqual(new Set([identity]));
  });

  test('S-24: of an agent run beside the others while it works, and are told its name', async () => {
    const ran: unknown[] = [];
    const usual = { event: 'PreToolUse', name: 'usual', answer: () => '' } as const;
    const guard = { event: 'PreToolUse', name: 'guard', answer: () => decides('deny', { permissionDecisionReason: 'not this agent' }) } as const;
    const { options, told } = hooksOf([usual, guard], {
      definitionsFor: (event, { ofAgent }) => Promise.resolve([definitionOf(usual), ...ofAgent].filter((hook) => hook.event === event)),
    });
    const { session } = rig({
      hooks: options,
      tools: [bash(ran)],
      scripts: [callBash, answers('Fine.'), [...calls(0, 'b', { name: 'bash', args: { command: 'ls', on: 'x' } }), ...stops('tool_use')], answers('Fine.')],
    });
    session.setAgent({
      name: 'auditor',
      description: '',
      allowedTools: ['*'],
      disallowedTools: [],
      skills: [],
      hooks: [definitionOf(guard)],
      userInvocable: true,
      fields: [],
      origin: { layer: 'user', file: '/a.md', display: 'a.md' },
    });
    await session.send(go).turn;
    expect(ran).toEqual([]);
    expect(outline(session.messages)[2]).toContain('not this agent');
    expect(told.map(({ input }) => input.agent_type)).toEqual(['auditor', 'auditor']);
    session.setAgent(undefined);
    const turn = session.send(go).turn;
    await asked(session, 'b');
    session.answer('b', { type: 'allow' });
    await turn;
    expect(ran).toHaveLength(1);
    expect(told.at(-1)?.input).not.toHaveProperty('agent_type');
  });

  test('S-34: of a skill that the user activates also run for that message, and from then on; with the first message at the start of the chat', async () => {
    const hooks = (['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'] as const).map((event) => ({ event, name: event, answer: () => '' }));
    const ofSkill = {
      definitionsFor: (event: string, { skills }: HookScope) =>
        Promise.resolve(skills.includes('/ws/notes') ? hooks.map(definitionOf).filter((hook) => hook.event === event) : []),
    };
    const activation = [
      { type: 'text' as const, text: skillText({ name: 'notes', folder: '/ws/notes', body: 'x', files: [], hasMore: false }) },
      { type: 'text' as const, text: '/notes' },
    ];
    const first = hooksOf(hooks, ofSkill);
    const begun = rig({ hooks: first.options, scripts: [answers('Hi.'), answers('Hi.')] }).session;
    await begun.send(activation).turn;
    await begun.send(go).turn;
    await begun.close();
    expect(events(first.told)).toEqual(['SessionStart', 'UserPromptSubmit', 'Stop', 'UserPromptSubmit', 'Stop', 'SessionEnd']);
    // A message that is said to a turn that runs brings its skill as well.
    const later = hooksOf(hooks, ofSkill);
    const { session } = rig({
      hooks: later.options,
      tools: [testTool('read', { execute: () => (session.steer('s', activation), ok('read')) })],
      scripts: [[...calls(0, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')], answers('Done.')],
    });
    await session.send(go).turn;
    expect(events(later.told)).toEqual(['UserPromptSubmit', 'Stop']);
  });

  test('H-32: a matcher for Bash guards the tool bash, and its denial is told to the model with the reason', async () => {
    const ran: unknown[] = [];
    const { options } = hooksOf([
      { event: 'PreToolUse', name: 'guard', answer: () => decides('deny', { permissionDecisionReason: 'no ls here' }), more: { matcher: 'Bash' } },
    ]);
    const { session, events: seen, gate } = rig({ hooks: options, tools: [bash(ran)], scripts: [callBash, answers('Fine.')] });
    const { denials } = await session.send(go).turn;
    expect(ran).toEqual([]);
    expect(gate.judged).toEqual([]);
    expect(outline(session.messages)[2]).toContain('no ls here');
    expect(denials).toMatchObject([{ toolName: 'bash', toolCallId: 'a' }]);
    expect(statesOf(seen, 'a')).toEqual(['pending', 'denied']);
    expect(seen.find((event) => event.type === 'hooks_ran')).toMatchObject({ callId: 'a', outcome: { runs: [{ decision: 'deny' }] } });
  });

  test.each([
    ['exit code 2', exits(2, 'not allowed'), 'not allowed'],
    ['exit code 2 without a word', exits(2), 'It gave no reason.'],
    ['exit code 2 and JSON that allows', exits(2, 'but no', JSON.stringify(decides('allow'))), 'but no'],
    ['a time-out', { type: 'timed_out' as const }, 'took longer'],
    ['a signal', { type: 'killed' as const, signal: 'SIGKILL' }, 'SIGKILL'],
    ['no program', { type: 'not_started' as const, why: 'There is no such program.' }, 'no such program'],
    ['garbage', '{"decision": ', 'begins like JSON'],
    ['exit code 1', exits(1, 'oops'), 'exit code 2'],
  ])('H-12 H-13 conf-17: %s blocks a call', async (_name, answer, reason) => {
    const ran: unknown[] = [];
    const { options } = hooksOf([{ event: 'PreToolUse', name: 'guard', answer: () => answer }]);
    const { session } = rig({ hooks: options, mode: 'bypassPermissions', tools: [bash(ran)], scripts: [callBash, answers('Fine.')] });
    await session.send(go).turn;
    expect(ran).toEqual([]);
    expect(outline(session.messages)[2]).toContain(reason);
  });

  test('H-15: a changed input is planned and judged anew, shown, and told to the model; one that cannot work blocks', async () => {
    const ran: unknown[] = [];
    const { options } = hooksOf([{ event: 'PreToolUse', name: 'rewriter', answer: () => decides('allow', { updatedInput: { command: 'ls -a', on: 'y' } }) }]);
    const { session, gate, events: seen } = rig({ hooks: options, tools: [bash(ran)], scripts: [callBash, answers('Fine.')] });
    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'allow' });
    await turn;
    expect(gate.judged.map(({ plan, hook }) => [plan.args, hook?.type])).toContainEqual([{ command: 'ls -a', on: 'y' }, 'allow']);
    expect(seen.find((event) => event.type === 'tool_call' && event.state.status === 'awaiting_approval')).toMatchObject({
      state: { rewrittenBy: 'PreToolUse (rewriter)', plan: { args: { command: 'ls -a' } } },
    });
    expect(ran).toEqual([{ command: 'ls -a', on: 'y' }]);
    expect(outline(session.messages)[2]).toContain('changed this call before it ran');
  });

  test('the run record is stored with the turn, for each call, and comes back after a reload as it was shown live', async () => {
    const { options } = hooksOf([
      { event: 'PreToolUse', name: 'rewriter', answer: () => decides('allow', { updatedInput: { command: 'ls -a', on: 'y' } }) },
      { event: 'PostToolUse', name: 'after', answer: () => exits(3) },
      { event: 'Stop', name: 'end', answer: () => '' },
    ]);
    const { session, recorder, gate, events: seen } = rig({ hooks: options, tools: [bash()], scripts: [callBash, answers('Fine.')] });
    gate.judgment = () => ({ type: 'allow', reason: 'Test.' });
    await session.send(go).turn;
    const live = seen.flatMap((event) => (event.type === 'hooks_ran' && event.callId !== undefined ? hookRecords(event.outcome, event.callId) : []));
    expect(live).toMatchObject([
      { toolCallId: 'a', event: 'PreToolUse', decision: 'allow', rewrote: true },
      { toolCallId: 'a', event: 'PostToolUse', decision: 'none', failed: true },
    ]);
    await eventually(() => expect(recorder.meta['hookRuns']).toEqual(live));
    const call = { type: 'tool_call', id: 'a', name: 'bash', arguments: '{"command":"ls","on":"x"}' } as const;
    const past = viewOfPast(call, { result: undefined, hooks: recorder.meta['hookRuns'] as readonly HookRecord[], short: (path) => path });
    expect(past.hooks).toEqual(hookRunViews(live, call.arguments));
    expect(past.hooks?.[0]).toMatchObject({ by: 'PreToolUse (rewriter)', rewrote: true, asked: call.arguments });
  });

  test('what a hook says that it does is shown while it runs, once that takes long enough to be noticed', async () => {
    const slow = new Latch();
    const wait = async () => {
      await slow.pass();
      return '';
    };
    const { options } = hooksOf([
      { event: 'PreToolUse', name: 'quick', answer: () => '' },
      { event: 'PostToolUse', name: 'lint', answer: wait, more: { statusMessage: 'Checking the style' } },
      { event: 'PostToolUse', name: 'other', answer: wait },
      { event: 'Stop', name: 'end', answer: wait },
    ]);
    const { session, gate, events: seen } = rig({ hooks: options, tools: [bash()], scripts: [callBash, answers('Fine.')] });
    gate.judgment = () => ({ type: 'allow', reason: 'Test.' });
    const statuses = (): readonly string[] => seen.flatMap((event) => (event.type === 'hooks_running' ? [event.status] : []));
    const { turn } = session.send(go);
    await eventually(() => expect(statuses()).toEqual(['Checking the style']));
    expect(statesOf(seen, 'a').at(-1)).not.toBe('done');
    slow.open();
    await turn;
    expect(statuses()).toEqual(['Checking the style', '']);
  });

  test('a slow hook without a message is named, and the status ends when the turn is stopped', async () => {
    const killed = new Latch();
    const answer = async () => {
      await killed.pass();
      return { type: 'aborted' as const };
    };
    const { options } = hooksOf([{ event: 'UserPromptSubmit', name: 'slow', answer }]);
    const { session, events: seen } = rig({ hooks: options, scripts: [] });
    const { turn } = session.send(go);
    const statuses = (): readonly string[] => seen.flatMap((event) => (event.type === 'hooks_running' ? [event.status] : []));
    await eventually(() => expect(statuses()).toEqual(['Running the hook UserPromptSubmit (slow)…']));
    session.cancel();
    killed.open();
    await turn;
    expect(statuses().at(-1)).toBe('');
  });

  test('H-16: of two that change it otherwise, the first counts, and the user is asked', async () => {
    const quickIsDone = new Latch();
    const slow = async () => {
      await quickIsDone.pass();
      return decides('allow', { updatedInput: { command: 'one', on: 'slow' } });
    };
    const quick = () => {
      quickIsDone.open();
      return decides('allow', { updatedInput: { command: 'two', on: 'quick' } });
    };
    const { options } = hooksOf([
      { event: 'PreToolUse', name: 'slow', answer: slow },
      { event: 'PreToolUse', name: 'quick', answer: quick },
    ]);
    const { session, gate } = rig({ hooks: options, tools: [bash()], scripts: [callBash, answers('Fine.')] });
    const turn = session.send(go).turn;
    await asked(session, 'a');
    session.answer('a', { type: 'allow' });
    await turn;
    expect(gate.judged[0]).toMatchObject({ plan: { args: { command: 'one' } }, hook: { type: 'ask', reason: expect.stringContaining('quick') as string } });
  });

  test('H-10 cmd-40: a hook that allows lifts no denial, no safety check, and no rule that asks', async () => {
    const { options } = hooksOf([{ event: 'PreToolUse', name: 'yes', answer: () => decides('allow') }]);
    const { session, gate } = rig({ hooks: options, mode: 'bypassPermissions', tools: [bash()], scripts: [callBash, answers('Fine.')] });
    gate.judgment = () => ({ type: 'deny', denial: { kind: 'rule', rule: 'Bash(ls)', scope: 'user', what: 'ls' } });
    await session.send(go).turn;
    expect(outline(session.messages)[2]).toContain('deny rule');
  });

  test('H-19: continue: false ends the turn, with a result for every call', async () => {
    const { options } = hooksOf([{ event: 'PreToolUse', name: 'stopper', answer: () => ({ continue: false, stopReason: 'enough' }) }]);
    const two = [...calls(0, 'a', { name: 'bash', args: { on: '1' } }), ...calls(1, 'b', { name: 'bash', args: { on: '2' } }), ...stops('tool_use')];
    const { session } = rig({ hooks: options, tools: [bash()], scripts: [two] });
    const turn = await session.send(go).turn;
    expect(turn).toMatchObject({ end: 'hook', error: { message: expect.stringContaining('enough') as string } });
    expect(outline(session.messages).slice(2)).toEqual([expect.stringContaining('result#a!'), expect.stringContaining('result#b!')]);
  });

  test.each([
    ['default', false],
    ['ask', true],
  ] as const)('a PermissionRequest hook can answer in place of the user, but not in the mode that always asks (%s)', async (mode, waits) => {
    const { options } = hooksOf([
      {
        event: 'PermissionRequest',
        name: 'yes',
        answer: () => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }),
      },
    ]);
    const { session, events: seen } = rig({ hooks: options, mode, tools: [bash()], scripts: [callBash, answers('Fine.')] });
    const turn = session.send(go).turn;
    if (waits) {
      await asked(session, 'a');
      session.answer('a', { type: 'allow' });
    }
    await turn;
    expect(statesOf(seen, 'a').includes('awaiting_approval')).toBe(waits);
    expect(outline(session.messages)[2]).toContain('ran');
  });

  test('H-17: what a hook says after a call is told to the model as its output', async () => {
    const { options } = hooksOf([
      {
        event: 'PostToolUse',
        name: 'linter',
        answer: () => ({
          decision: 'block',
          reason: 'line 3 is too long',
          hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'x'.repeat(50_000) },
        }),
      },
    ]);
    const { session } = rig({
      hooks: options,
      mode: 'default',
      tools: [testTool('read')],
      scripts: [[...calls(0, 'a', { name: 'read', args: { on: 'x' } }), ...stops('tool_use')], answers('Fine.')],
    });
    await session.send(go).turn;
    const told = outline(session.messages)[2] ?? '';
    expect(told).toContain('[Output of the hook PostToolUse (linter)]\nline 3 is too long');
    expect(told).toContain('40000 more characters');
    expect(told.length).toBeLessThan(11_000);
  });
});

describe('hooks of messages and turns', () => {
  test('H-18: a message that is blocked is neither recorded nor sent', async () => {
    const { options } = hooksOf([
      {
        event: 'UserPromptSubmit',
        name: 'censor',
        answer: (input) => ('prompt' in input && input.prompt === 'go' ? { decision: 'block', reason: 'not this' } : ''),
      },
    ]);
    const { session, provider, recorder } = rig({ hooks: options, scripts: [answers('Hello.')] });
    const started = session.send(go);
    expect(await started.recorded).toEqual({ kind: 'denied', by: 'UserPromptSubmit (censor)', reason: 'not this' });
    expect(await started.turn).toMatchObject({ end: 'blocked', messages: [], rounds: 0 });
    expect([provider.requests.length, recorder.appended.length, session.state]).toEqual([0, 0, 'idle']);
    await session.send([{ type: 'text', text: 'something else' }]).turn;
    expect(provider.requests.length).toBe(1);
  });

  test('H-03: what hooks say at the start and to a message goes with it, out of sight', async () => {
    const { options, told } = hooksOf([
      { event: 'SessionStart', name: 'start', answer: () => 'The branch is main.' },
      {
        event: 'UserPromptSubmit',
        name: 'submit',
        answer: () => ({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'It is Tuesday.' } }),
      },
    ]);
    const { session, provider } = rig({
      hooks: options,
      messages: [{ role: 'user', content: go, timestamp: '2026-01-01T00:00:00Z' }],
      scripts: [answers('Hello.'), answers('Hello again.')],
    });
    await session.send(go).turn;
    const last = JSON.stringify(provider.requests[0]?.messages.at(-1));
    expect(last).toContain('The branch is main.');
    expect(last).toContain('It is Tuesday.');
    expect(told[0]?.input).toMatchObject({ hook_event_name: 'SessionStart', source: 'resume' });
    await session.send(go).turn;
    expect(events(told).filter((name) => name === 'SessionStart')).toEqual(['SessionStart']);
    expect(JSON.stringify(provider.requests[1]?.messages.at(-1))).not.toContain('The branch is main.');
  });

  test('H-05 tool-21: a Stop hook keeps the turn going with its reason, a limited number of times', async () => {
    const active: boolean[] = [];
    const { options } = hooksOf([
      {
        event: 'Stop',
        name: 'more',
        answer: (input) => ('stop_hook_active' in input && active.push(input.stop_hook_active), { decision: 'block', reason: 'run the tests' }),
      },
    ]);
    const { session } = rig({ hooks: options, maxRounds: 50, scripts: Array.from({ length: MAX_STOP_BLOCKS + 1 }, () => answers('Done.')) });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: MAX_STOP_BLOCKS + 1 });
    expect(active).toEqual([false, ...Array.from({ length: MAX_STOP_BLOCKS - 1 }, () => true)]);
    expect(outline(session.messages)[2]).toContain('run the tests');
  });

  test('a Stop hook that does not answer lets the turn end', async () => {
    const { options } = hooksOf([{ event: 'Stop', name: 'broken', answer: () => ({ type: 'timed_out' as const }) }]);
    const { session } = rig({ hooks: options, scripts: [answers('Done.')] });
    expect(await session.send(go).turn).toMatchObject({ end: 'end_turn', rounds: 1 });
  });

  test('H-04: a prompt that waits, and a session that is idle, are told of; not one that was answered before', async () => {
    vi.useFakeTimers();
    try {
      const { options, told } = hooksOf([{ event: 'Notification', name: 'bell', answer: () => '' }]);
      const kinds = (): readonly unknown[] => told.map(({ input }) => ('notification_type' in input ? input.notification_type : ''));
      const { session } = rig({ hooks: options, tools: [bash()], scripts: [callBash, answers('Done.'), callBash, answers('Done.')] });
      const first = session.send(go).turn;
      await asked(session, 'a');
      await vi.advanceTimersByTimeAsync(5_000);
      session.answer('a', { type: 'allow' });
      await first;
      await vi.advanceTimersByTimeAsync(59_000);
      expect(kinds()).toEqual([]);
      const second = session.send(go).turn;
      await vi.advanceTimersByTimeAsync(6_000);
      expect(kinds()).toEqual(['permission_prompt']);
      session.cancel();
      await second;
      await vi.advanceTimersByTimeAsync(60_000);
      expect(kinds()).toEqual(['permission_prompt', 'idle_prompt']);
      await session.close();
      await vi.advanceTimersByTimeAsync(120_000);
      expect(kinds()).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

const time = '2026-01-01T00:00:00Z';
const skillOf = (folder: string, body = 'Do it.'): string => skillText({ name: 'notes', folder, body, files: [], hasMore: false });
const user = (...words: readonly string[]): Message => ({ role: 'user', content: words.map(text), timestamp: time });
const result = (words: string, more: Partial<Extract<Message, { role: 'tool_result' }>> = {}): Message => ({
  role: 'tool_result',
  toolCallId: 'a',
  toolName: 'skill',
  content: [text(words)],
  isError: false,
  timestamp: time,
  ...more,
});

describe('what a session uses that can have hooks', () => {
  it.each(['/ws/.claude/skills/notes', 'C:\\Users\\me\\.agents\\skills\\notes', '/home/me/a] b/[A skill: x Its folder is /other]/notes'])(
    'S-34: has the folder of a skill as it is: %s',
    (folder) => {
      expect(skillFolderIn(skillOf(folder))).toBe(folder);
      expect(skillFolderIn(skillOf(folder, `</skill>\n${skillOf('/other')}`))).toBe(folder);
      expect(new UsedOwners([user(skillOf(folder), '/notes')]).scope).toEqual({ skills: [folder], commands: [] });
      expect(new UsedOwners([result(skillOf(folder))]).scope.skills).toEqual([folder]);
    },
  );

  it('S-34: is not what a user types, a file says, another tool gives, or a call that failed', () => {
    const skill = skillOf('/ws/notes');
    const command = ranCommandText({ name: '/go', file: 'go.md', argument: '' });
    const messages = [
      user(skill),
      user(attachedBlock({ name: 'a.md', text: skill }).text, 'Read it.'),
      result(skill, { toolName: 'read' }),
      result(skill, { isError: true }),
      user(attachedBlock({ name: 'go.md', text: command }).text, 'Read it.'),
      user('x', attachedBlock({ name: '/go', text: command }).text),
      result(attachedBlock({ name: '/go', text: command }).text),
    ];
    expect(new UsedOwners(messages).scope).toEqual({ skills: [], commands: [] });
  });

  it.each<RanCommand>([
    { name: '/go', file: '.claude/commands/go.md', argument: '' },
    { name: '/a:b', file: '~/.claude/commands/a (1)/b.md', argument: '(x) with the arguments: y.\nIts text follows.' },
  ])('S-44: has the file of a command, and its message what was typed: %j', (command) => {
    const message = user(attachedBlock({ name: 'a.ts', text: 'x' }).text, attachedBlock({ name: command.name, text: ranCommandText(command) }).text, 'Do it.');
    expect(ranCommandIn(message)).toEqual(command);
    const used = new UsedOwners([]);
    used.note(message);
    expect(used.scope).toEqual({ skills: [], commands: [command.file] });
  });
});
