import { describe, expect, it } from 'vitest';
import type { HookAnswer } from '../../../../src/domain/hook/runner.js';
import { attachedBlock } from '../../../../src/domain/session/attached.js';
import { ranCommandText } from '../../../../src/domain/session/ran-command.js';
import { createHooks } from '../../../../src/hook/run-hooks.js';
import { exited, hookOf } from '../../hook/rig.js';
import { answers } from '../../../support/scripted-provider/index.js';
import type { ScriptedText } from '../../../../src/domain/session/scripted-text.js';
import type { Tool, ToolResult } from '../../../../src/domain/tool/tool.js';
import { outline, rig, type RigOptions, statesOf, testTool } from '../rig.js';

const SCRIPT: ScriptedText = [
  { type: 'text', text: 'State: ' },
  { type: 'command', command: 'one' },
  { type: 'text', text: ', then ' },
  { type: 'command', command: 'two', cwd: '/ws/b' },
  { type: 'text', text: '.' },
];

function printing(output: string, exitCode = 0): ToolResult {
  return { content: [{ type: 'text', text: `${output}\n[exit code ${exitCode} after 0.1 s]` }], isError: exitCode !== 0, printed: { text: output, exitCode } };
}

/** A session with a tool of the name of the one that runs commands; what it is called with. */
function session(results: Readonly<Record<string, ToolResult>>, options: RigOptions = {}) {
  const calls: unknown[] = [];
  const bash: Tool = testTool('bash', {
    execute: (args) => {
      calls.push(args);
      return results[(args as { command: string }).command] ?? printing('');
    },
  });
  const all = rig({ scripts: [answers('Done.')], tools: [bash], ...options });
  return { ...all, calls };
}

const states = (events: ReturnType<typeof session>['events']) =>
  [...new Set(events.flatMap((event) => (event.type === 'tool_call' ? [event.callId] : [])))].map((id) => statesOf(events, id));

describe('commands in a message', () => {
  it('S-41: what they print takes their place; nothing in it is run or expanded', async () => {
    const { session: chat, calls, events } = session({ one: printing('$1 !`rm x` @a.ts'), two: printing('b\n') });
    const { recorded, turn } = chat.send([], { script: SCRIPT });
    expect(await recorded).toBeUndefined();
    await turn;
    expect(outline(chat.messages)[0]).toBe('user: State: $1 !`rm x` @a.ts, then b.');
    expect(calls).toEqual([{ command: 'one' }, { command: 'two', cwd: '/ws/b' }]);
    expect(states(events)).toEqual([
      ['pending', 'running', 'done'],
      ['pending', 'running', 'done'],
    ]);
    expect(events.map(({ type }) => type).filter((type) => type.startsWith('commands') || type === 'turn_started')).toEqual([
      'commands_started',
      'commands_ended',
      'turn_started',
    ]);
  });

  it('S-41: they go through the gate in order; what is denied ends it, and nothing is recorded or sent', async () => {
    const all = session({});
    all.gate.judgment = ({ plan }) =>
      (plan.args as { command: string }).command === 'one'
        ? { type: 'deny', denial: { kind: 'rule', rule: 'Bash(one)', scope: 'user', what: 'one' } }
        : { type: 'allow', reason: 'x' };
    const { recorded, turn } = all.session.send([], { script: SCRIPT });
    expect(await recorded).toEqual({ kind: 'command', reason: '“one” is not allowed, so the message was not sent.' });
    expect((await turn).end).toBe('blocked');
    expect([all.calls, all.session.messages, all.provider.requests.length]).toEqual([[], [], 0]);
    expect(states(all.events)).toEqual([['pending', 'denied'], ['cancelled']]);
    expect(all.session.state).toBe('idle');
  });

  it('S-41: what is not allowed asks the user, who can deny it', async () => {
    const all = session({});
    all.gate.judgment = () => ({ type: 'ask', reasons: [] });
    const started = all.session.send([], { script: SCRIPT });
    const call = await new Promise<string>((resolve) =>
      all.session.onEvent((event) => event.type === 'tool_call' && event.state.status === 'awaiting_approval' && resolve(event.callId)),
    );
    expect(all.session.state).toBe('waiting');
    all.session.answer(call, { type: 'deny' });
    expect(await started.recorded).toEqual({ kind: 'command', reason: 'You did not allow “one”, so the message was not sent.' });
  });

  it('S-41: another exit code than 0 ends it, and what was printed is shown', async () => {
    const all = session({ one: printing('fatal: no repository', 128) });
    expect(await all.session.send([], { script: SCRIPT }).recorded).toEqual({
      kind: 'command',
      reason: '“one” ended with exit code 128, so the message was not sent.\nfatal: no repository',
    });
    expect(all.calls).toEqual([{ command: 'one' }]);
  });

  it('S-41: an exit code that is an answer to the model is a failure here', async () => {
    const all = session({ one: { ...printing('', 1), isError: false } });
    expect(await all.session.send([], { script: SCRIPT }).recorded).toMatchObject({
      kind: 'command',
      reason: expect.stringContaining('exit code 1') as string,
    });
  });

  it('S-41: long output is cut, and says so', async () => {
    const all = session({ one: printing('x'.repeat(40_000)) });
    await all.session.send([], { script: SCRIPT }).turn;
    expect(outline(all.session.messages)[0]).toMatch(/x{30000}\n\[10000 more characters are left out\], then/);
  });

  it('S-41: a stop ends them', async () => {
    const all = session({});
    all.gate.judgment = () => ({ type: 'ask', reasons: [] });
    const started = all.session.send([], { script: SCRIPT });
    await new Promise<void>((resolve) => all.session.onEvent((event) => event.type === 'tool_call' && event.state.status === 'awaiting_approval' && resolve()));
    all.session.cancel();
    expect(await started.recorded).toMatchObject({ kind: 'command', reason: expect.stringMatching(/^You stopped “one”/) as string });
    expect(all.session.messages).toEqual([]);
  });

  it('S-23: they do not run with an agent that may not run commands', async () => {
    const all = session({});
    all.session.setAgent({
      name: 'reader',
      description: '',
      allowedTools: ['read'],
      disallowedTools: [],
      skills: [],
      hooks: [],
      userInvocable: true,
      fields: [],
      origin: { layer: 'user', file: '/a.md', display: 'a.md' },
    });
    expect(await all.session.send([], { script: SCRIPT }).recorded).toEqual({ kind: 'command', reason: '“one” is not allowed, so the message was not sent.' });
    expect([all.calls, all.gate.judged, all.provider.requests.length]).toEqual([[], [], 0]);
  });

  it('without the tool that runs commands, nothing is sent', async () => {
    const all = session({}, { tools: [] });
    expect(await all.session.send([], { script: SCRIPT }).recorded).toMatchObject({ kind: 'command' });
  });

  it('a text without commands is an ordinary message', async () => {
    const all = session({});
    await all.session.send([], { script: [{ type: 'text', text: 'Hello !`id`' }] }).turn;
    expect(outline(all.session.messages)[0]).toBe('user: Hello !`id`');
    expect(all.calls).toEqual([]);
  });
});

describe('a guard of commands in skills and commands', () => {
  const FROM = attachedBlock({ name: '/release', text: ranCommandText({ name: '/release', file: '.claude/commands/release.md', argument: '' }) });

  /** A chat with one such guard, which answers as given; what it was told. */
  function guarded(answer: HookAnswer, over: Parameters<typeof hookOf>[1] = {}) {
    const told: unknown[] = [];
    const guard = hookOf('PreSkillShellCommand', over);
    const hooks = createHooks({
      definitionsFor: (event) => Promise.resolve(event === 'PreSkillShellCommand' ? [guard] : []),
      runner: { run: ({ input }) => (told.push(JSON.parse(input)), Promise.resolve(answer)), dispose: () => undefined },
      matchesRule: () => undefined,
    });
    return { ...session({ one: printing('a'), two: printing('b') }, { hooks: { hooks, transcriptPath: '/s/1.json', cwd: () => '/ws' } }), told };
  }

  it('H-32: runs before each, and is told the command line and where it is from', async () => {
    const all = guarded(exited(0), { matcher: 'Bash' });
    await all.session.send([FROM], { script: SCRIPT }).turn;
    expect(outline(all.session.messages)[0]).toContain('State: a, then b.');
    const same = { hook_event_name: 'PreSkillShellCommand', tool_name: 'Bash', command_name: 'release', invoked_by: 'user' };
    expect(all.told).toMatchObject([
      { ...same, tool_input: { command: 'one' } },
      { ...same, tool_input: { command: 'two' } },
    ]);
  });

  const decision = (permissionDecision: string): HookAnswer =>
    exited(0, JSON.stringify({ hookSpecificOutput: { hookEventName: 'PreSkillShellCommand', permissionDecision, permissionDecisionReason: 'no' } }));
  it.each<[string, HookAnswer]>([
    ['denies', decision('deny')],
    ['asks', decision('ask')],
    ['defers', decision('defer')],
    ['blocks by its exit code', exited(2, '', 'no')],
    ['writes another line', exited(0, '{"hookSpecificOutput":{"permissionDecision":"allow","updatedInput":{"command":"ls"}}}')],
    ['fails', exited(1)],
    ['is not there', exited(127)],
    ['prints garbage', exited(0, '{"block":true}')],
    ['takes too long', { type: 'timed_out', stderr: '', durationMs: 1 }],
    ['ends the turn', exited(0, '{"continue":false}')],
  ])('H-13: that %s stops the command, and the message', async (_what, answer) => {
    const all = guarded(answer);
    expect(await all.session.send([FROM], { script: SCRIPT }).recorded).toMatchObject({
      kind: 'command',
      reason: expect.stringContaining('the message was not sent') as string,
    });
    expect([all.calls, all.session.messages, all.provider.requests.length]).toEqual([[], [], 0]);
  });

  it('H-10: that allows adds nothing to what is allowed', async () => {
    const all = guarded(decision('allow'));
    all.gate.judgment = ({ hook }) =>
      hook === undefined ? { type: 'deny', denial: { kind: 'rule', rule: 'Bash(one)', scope: 'user', what: 'one' } } : { type: 'allow', reason: 'x' };
    expect(await all.session.send([FROM], { script: SCRIPT }).recorded).toMatchObject({ reason: '“one” is not allowed, so the message was not sent.' });
  });

  it('is not run for calls of a model', async () => {
    const all = guarded(exited(2));
    await all.session.send([{ type: 'text', text: 'Hello' }]).turn;
    expect(all.told).toEqual([]);
  });
});
