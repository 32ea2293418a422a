import { describe, expect, it } from 'vitest';
import { HOOK_EVENTS, type HookEventName } from '../../../src/domain/hook/event.js';
import type { HookAnswer } from '../../../src/domain/hook/runner.js';
import { exited, hookOf, said } from './rig.js';

/** Events at which no answer forbids. */
const GUARDS: readonly HookEventName[] = ['PreToolUse', 'PreSkillShellCommand', 'UserPromptSubmit'];
const ALLOW = '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}';
const DENY = '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecisionReason":"not here"}}';

describe('exit code 2', () => {
  it.each([
    [ALLOW, 'no', 'no'],
    ['', '', 'It gave no reason.'],
    ['{"a":', 'no', 'no'],
    [DENY, 'no', 'not here'],
    ['{"decision":"block","reason":"old style"}', 'no', 'old style'],
  ])('H-12: blocks whatever was printed: %j %j', async (stdout, stderr, reason) => {
    const { run, block } = await said(hookOf('PreToolUse'), exited(2, stdout, stderr));
    expect(run).toMatchObject({ end: 'answered', decision: 'deny', exitCode: 2, reason });
    expect(block).toEqual({ kind: 'denied', by: 'PreToolUse (~/.claude/settings.json:3)', reason });
  });

  it.each([
    "python3: can't open file '/x/guard.py': [Errno 2] No such file or directory",
    "/usr/bin/python3.12: can't open file '/x/guard.py': [Errno 2] No such file or directory",
    'Can\'t open perl script "x.pl": No such file or directory',
    'sh: 0: cannot open x.sh: No such file',
  ])('H-12 H-13: of an interpreter without its script is no answer: %s', async (stderr) => {
    expect(await said(hookOf('PreToolUse'), exited(2, '', stderr))).toMatchObject({ run: { end: 'not_started' }, block: { kind: 'unanswered' } });
    expect((await said(hookOf('PreToolUse', { onFailure: 'continue' }), exited(2, '', stderr))).block).toBeUndefined();
  });

  it('H-12: of a script that did run is a denial, also when it speaks of files', async () => {
    const { block } = await said(hookOf('PreToolUse', { onFailure: 'continue' }), exited(2, '', "Blocked.\npython3: can't open file 'x'"));
    expect(block).toMatchObject({ kind: 'denied' });
  });

  it.each<[HookEventName, object]>([
    ['UserPromptSubmit', { block: { kind: 'denied', reason: 'no' }, run: { decision: 'block' } }],
    ['Stop', { block: { kind: 'denied' } }],
    ['SubagentStop', { block: { kind: 'denied' } }],
    ['PreCompact', { block: { kind: 'denied' } }],
    ['PermissionRequest', { block: { kind: 'denied' }, run: { decision: 'deny' } }],
    ['PostToolUse', { context: ['no'], run: { decision: 'block' } }],
    ['PostToolUseFailure', { context: ['no'] }],
    ['Notification', { messages: ['no'] }],
    ['SessionStart', { messages: ['no'] }],
    ['SessionEnd', { messages: ['no'] }],
  ])('H-12: means what it can mean for %s', async (event, expected) => {
    expect(await said(hookOf(event), exited(2, '', 'no'))).toMatchObject(expected);
  });
});

describe('hooks that do not answer', () => {
  const ENDS: readonly (readonly [string, HookAnswer])[] = [
    ['exit code 1', exited(1, '', 'oops\nmore')],
    ['exit code 3', exited(3)],
    ['exit code 126', exited(126)],
    ['exit code 127', exited(127, '', 'sh: 1: nope: not found')],
    ['a signal', { type: 'killed', signal: 'SIGKILL', stderr: '', durationMs: 1 }],
    ['a time-out', { type: 'timed_out', stderr: '', durationMs: 1 }],
    ['no start', { type: 'not_started', why: 'There is no such program.', durationMs: 0 }],
    ['garbage', exited(0, '{"a"')],
    ['a status of 500', { type: 'responded', status: 500, body: new Uint8Array(), durationMs: 1 }],
  ];

  it.each(ENDS)('H-13 H-13b: %s blocks a call and a prompt by default, and is never silent', async (_name, answer) => {
    for (const event of GUARDS) {
      expect((await said(hookOf(event), answer)).block).toMatchObject({ kind: 'unanswered', reason: expect.stringMatching(/\w/) as string });
      const open = await said(hookOf(event, { onFailure: 'continue' }), answer);
      expect(open.block).toBeUndefined();
      expect(open.messages).toHaveLength(1);
    }
    for (const event of HOOK_EVENTS.filter((each) => !GUARDS.includes(each))) {
      const { block, messages } = await said(hookOf(event), answer);
      expect([event, block, messages.length]).toEqual([event, undefined, 1]);
    }
    expect((await said(hookOf('PreCompact', { onFailure: 'block' }), answer)).block).toMatchObject({ kind: 'unanswered' });
  });

  it('H-13: exit code 1 says that 2 blocks, with the first line of what was printed', async () => {
    const { messages } = await said(hookOf('PreToolUse', { onFailure: 'continue' }), exited(1, '', 'oops\nmore'));
    expect(messages).toEqual(['It ended with exit code 1: oops To block, a hook ends with exit code 2.']);
  });

  it('H-13: of another exit code, JSON forbids and asks, but never allows', async () => {
    expect((await said(hookOf('PreToolUse'), exited(1, DENY))).block).toMatchObject({ kind: 'denied', reason: 'not here' });
    expect(await said(hookOf('PreToolUse'), exited(3, ALLOW.replace('allow', 'ask')))).toMatchObject({ run: { end: 'failed', decision: 'ask' } });
    for (const json of [ALLOW, '{}', '{"systemMessage":"hm"}'])
      expect((await said(hookOf('PreToolUse'), exited(1, json))).block).toMatchObject({ kind: 'unanswered' });
    const open = await said(
      hookOf('PreToolUse', { onFailure: 'continue' }),
      exited(1, ALLOW.replace('"permissionDecision"', '"updatedInput":{"command":"x"},"permissionDecision"')),
    );
    expect([open.run.decision, open.input, open.block]).toEqual(['none', undefined, undefined]);
    expect((await said(hookOf('PreToolUse'), exited(1, '{"continue":false,"stopReason":"enough"}'))).stop).toBe('enough');
    expect((await said(hookOf('PreToolUse', { onFailure: 'block' }), exited(3, ALLOW))).block).toMatchObject({ kind: 'unanswered' });
  });

  it('H-14: a turn that was stopped never permits', async () => {
    const aborted: HookAnswer = { type: 'aborted', durationMs: 1 };
    expect((await said(hookOf('PreToolUse', { onFailure: 'continue' }), aborted)).block).toMatchObject({ kind: 'unanswered' });
    expect((await said(hookOf('Notification'), aborted)).block).toBeUndefined();
  });
});

describe('what hooks print', () => {
  const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
  it.each<[string, string | Uint8Array, string]>([
    ['nothing', '', 'answered'],
    ['null', 'null', 'answered'],
    ['a list', '[]', 'answered'],
    ['a text', '"x"', 'answered'],
    ['NaN', 'NaN', 'answered'],
    ['an empty object', '{}', 'answered'],
    ['a byte order mark', '\uFEFF{}', 'answered'],
    ['colors', '\u001B[31m{}\u001B[0m', 'answered'],
    ['null for fields', '{"decision":null,"reason":null,"hookSpecificOutput":null}', 'answered'],
    ['unknown fields', '{"terminalSequence":7,"hookSpecificOutput":{"x":1}}', 'answered'],
    ['invalid UTF-8', bytes(0xff, 0xfe, 0x20), 'answered'],
    ['JSON with invalid UTF-8', bytes(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), 'garbage'],
    ['two objects', '{}\n{}', 'garbage'],
    ['JSON and text', '{} done', 'garbage'],
    ['JSON that is no JSON', '{decision: block}', 'garbage'],
    ['NaN in JSON', '{"continue":NaN}', 'garbage'],
    ['20 MB', `{"reason":"${'x'.repeat(20_000_000)}"}`, 'answered'],
    ['20 MB without an end', '{'.repeat(20_000_000), 'garbage'],
    ['what is nested too deep', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, 'garbage'],
    ['a wrong decision', '{"decision":"maybe"}', 'garbage'],
    ['a wrong permission', '{"hookSpecificOutput":{"permissionDecision":"maybe"}}', 'garbage'],
    ['a wrong switch', '{"continue":"false"}', 'garbage'],
    ['a wrong reason', '{"reason":7}', 'garbage'],
    ['another event', '{"hookSpecificOutput":{"hookEventName":"Stop"}}', 'garbage'],
    ['arguments that are none', '{"hookSpecificOutput":{"updatedInput":"ls"}}', 'garbage'],
  ])('H-50: %s', async (_name, stdout, end) => {
    const { run, block } = await said(hookOf('PreToolUse'), exited(0, stdout));
    expect(run.end).toBe(end);
    expect(block !== undefined).toBe(end === 'garbage');
    expect(run.stdout.length).toBeLessThanOrEqual(10_000);
  });

  it('H-50: more than is read is garbage where it begins like JSON', async () => {
    expect((await said(hookOf('PreToolUse'), { ...exited(0, '{"a":1}'), cut: true } as HookAnswer)).run.end).toBe('garbage');
    expect((await said(hookOf('SessionStart'), { ...exited(0, 'text'), cut: true } as HookAnswer)).context).toEqual(['text']);
  });

  it('a plain text is for the model at two events', async () => {
    const contexts = await Promise.all(
      HOOK_EVENTS.map(async (event) => [event, (await said(hookOf(event), exited(0, 'Use tabs.\nAlways.'))).context] as const),
    );
    expect(contexts.filter(([, context]) => context.length > 0)).toEqual([
      ['UserPromptSubmit', ['Use tabs.\nAlways.']],
      ['SessionStart', ['Use tabs.\nAlways.']],
    ]);
  });

  it('all fields are read', async () => {
    const json = {
      continue: false,
      stopReason: 'enough',
      systemMessage: 'Look',
      hookSpecificOutput: { permissionDecision: 'ask', permissionDecisionReason: 'sure?', updatedInput: { command: 'ls' }, additionalContext: 'ctx' },
    };
    expect(await said(hookOf('PreToolUse'), exited(0, JSON.stringify(json)))).toMatchObject({
      run: { decision: 'ask', reason: 'sure?', rewrote: true },
      stop: 'enough',
      messages: ['Look'],
      context: ['ctx'],
      input: { command: 'ls' },
    });
    expect((await said(hookOf('PreToolUse'), exited(0, '{"decision":"approve"}'))).run.decision).toBe('allow');
    expect((await said(hookOf('PreToolUse'), exited(0, '{"hookSpecificOutput":{"permissionDecision":"defer"}}'))).run.decision).toBe('ask');
    expect((await said(hookOf('Stop'), exited(0, '{"decision":"block","reason":"test it"}'))).block).toMatchObject({ reason: 'test it' });
    const request = '{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"no"}}}';
    expect((await said(hookOf('PermissionRequest'), exited(0, request))).block).toMatchObject({ reason: 'no' });
    expect((await said(hookOf('PreToolUse'), { type: 'responded', status: 204, body: new Uint8Array(), durationMs: 1 })).run).toMatchObject({
      end: 'answered',
      decision: 'none',
    });
  });

  it('H-17: 50 kB for the model are cut at 10,000 characters, with the file that has all', async () => {
    const { context } = await said(hookOf('PostToolUse'), exited(0, JSON.stringify({ hookSpecificOutput: { additionalContext: 'x'.repeat(50_000) } })));
    expect(context).toEqual([`${'x'.repeat(10_000)}\n[40000 more characters of this hook’s output are left out; all of it is in /kept.]`]);
  });

  it('shows what would be hidden, and keeps lines', async () => {
    const { block } = await said(hookOf('PreToolUse'), exited(2, '', 'a\nb\u202Ec'));
    expect(block?.reason).toBe('a\nb\\u{202e}c');
  });

  it.each([
    ['PreToolUse', 'beforeShellExecution'],
    ['PreToolUse', 'beforeReadFile'],
    ['UserPromptSubmit', 'beforeSubmitPrompt'],
  ] as const)('a `continue` that is no switch blocks a %s for Cursor (%s)', async (event, foreignEvent) => {
    for (const value of ['"false"', '0', '[]', '"no"', '{}']) {
      const { block } = await said(hookOf(event, { dialect: 'cursor', foreignEvent }), exited(0, `{"continue":${value}}`));
      expect([value, block]).toMatchObject([value, { kind: 'unanswered', reason: expect.stringContaining('continue') as string }]);
    }
  });

  it('those for Cursor and Copilot CLI answer in their own words', async () => {
    const cursor = hookOf('PreToolUse', { dialect: 'cursor', foreignEvent: 'beforeShellExecution' });
    expect((await said(cursor, exited(0, '{"permission":"deny","user_message":"u","agent_message":"a"}'))).block).toMatchObject({
      kind: 'denied',
      reason: 'a',
    });
    expect((await said(cursor, exited(0, '{"permission":"perhaps"}'))).block).toMatchObject({ kind: 'unanswered' });
    expect((await said(cursor, exited(0, '{"continue":false,"stopReason":"enough"}'))).stop).toBe('enough');
    const prompt = hookOf('UserPromptSubmit', { dialect: 'cursor', foreignEvent: 'beforeSubmitPrompt' });
    expect(await said(prompt, exited(0, '{"continue":false,"user_message":"no keys"}'))).toMatchObject({ block: { reason: 'no keys' } });
    expect(await said(hookOf('Stop', { dialect: 'cursor', foreignEvent: 'stop' }), exited(0, '{"followup_message":"Run the tests."}'))).toMatchObject({
      block: { reason: 'Run the tests.' },
    });
    const copilot = hookOf('PreToolUse', { dialect: 'copilot', foreignEvent: 'preToolUse' });
    expect((await said(copilot, exited(0, '{"permissionDecision":"deny","permissionDecisionReason":"r"}'))).block).toMatchObject({ reason: 'r' });
  });
});
