import { describe, expect, it } from 'vitest';
import type { HookDefinition } from '../../../src/domain/hook/definition.js';
import type { HookEventName } from '../../../src/domain/hook/event.js';
import type { HookAnswer, HookRunner } from '../../../src/domain/hook/runner.js';
import { createHooks } from '../../../src/hook/run-hooks.js';
import { exited, hookOf, said } from './rig.js';

/** The files that a script can be named by, each with the form of its program. */
const FILES: readonly Partial<HookDefinition>[] = [
  { dialect: 'claude' },
  { dialect: 'cursor', foreignEvent: 'beforeShellExecution' },
  { dialect: 'cursor', foreignEvent: 'preToolUse' },
  { dialect: 'copilot', foreignEvent: 'preToolUse' },
  { dialect: 'copilot' },
];

/** An object with a value at a place. */
function at(path: string, value: unknown): Record<string, unknown> {
  const [name = '', ...rest] = path.split('.');
  return { [name]: rest.length === 0 ? value : at(rest.join('.'), value) };
}

type Came = 'denied' | 'unanswered' | 'ask' | 'allow' | 'passed';

async function cameOf(answer: HookAnswer, over: Partial<HookDefinition>, event: HookEventName = 'PreToolUse'): Promise<Came> {
  const { block, run } = await said(hookOf(event, over), answer);
  return block?.kind ?? (run.decision === 'ask' || run.decision === 'allow' ? run.decision : 'passed');
}

const print = (value: unknown): HookAnswer => exited(0, JSON.stringify(value));

/** Places and words of programs’ documentation; see src/hook/decision-words.ts for the pages. */
const DOCUMENTED: readonly (readonly [path: string, word: unknown, came: Came])[] = [
  ['decision', 'block', 'denied'],
  ['decision', 'approve', 'allow'],
  ['decision', 'deny', 'denied'],
  ['decision', 'allow', 'allow'],
  ['decision', 'ask', 'ask'],
  ['hookSpecificOutput.permissionDecision', 'deny', 'denied'],
  ['hookSpecificOutput.permissionDecision', 'ask', 'ask'],
  ['hookSpecificOutput.permissionDecision', 'defer', 'ask'],
  ['hookSpecificOutput.permissionDecision', 'allow', 'allow'],
  ['hookSpecificOutput.decision.behavior', 'deny', 'denied'],
  ['hookSpecificOutput.decision.behavior', 'allow', 'allow'],
  ['permissionDecision', 'deny', 'denied'],
  ['permissionDecision', 'ask', 'ask'],
  ['permissionDecision', 'allow', 'allow'],
  ['permission', 'deny', 'denied'],
  ['permission', 'ask', 'ask'],
  ['permission', 'allow', 'allow'],
  ['behavior', 'deny', 'denied'],
  ['behavior', 'allow', 'allow'],
  ['ok', false, 'denied'],
  ['ok', true, 'passed'],
  ['cancel', true, 'denied'],
  ['cancel', false, 'passed'],
];

describe('words that decide', () => {
  it('count in the form of every program that documents them, whichever file names the script', async () => {
    for (const over of FILES) {
      for (const [path, word, came] of DOCUMENTED) expect([path, word, over, await cameOf(print(at(path, word)), over)]).toEqual([path, word, over, came]);
    }
  });

  it('have the reason beside them as theirs', async () => {
    const outputs = [
      { permissionDecision: 'deny', permissionDecisionReason: 'no' },
      { permission: 'deny', agent_message: 'no' },
      { permission: 'deny', user_message: 'no' },
      { decision: 'block', reason: 'no' },
      { ok: false, reason: 'no' },
      { cancel: true, errorMessage: 'no' },
      { hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } },
      { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'no' } },
    ];
    for (const over of FILES)
      for (const output of outputs) expect([output, over, (await said(hookOf('PreToolUse', over), print(output))).block?.reason]).toEqual([output, over, 'no']);
  });

  it('of which several are there decide as the strictest', async () => {
    const both = (a: (typeof DOCUMENTED)[number], b: (typeof DOCUMENTED)[number]): unknown => ({ ...at(a[0], a[1]), ...at(b[0], b[1]) });
    const order: readonly Came[] = ['denied', 'ask', 'allow', 'passed'];
    for (const a of DOCUMENTED) {
      for (const b of DOCUMENTED) {
        if (a[0].split('.')[0] === b[0].split('.')[0]) continue;
        const strictest = order.find((came) => came === a[2] || came === b[2]);
        expect([a, b, await cameOf(print(both(a, b)), {})]).toEqual([a, b, strictest]);
      }
    }
  });

  it('in any other form block as what did not answer: words, places, values, and programs', async () => {
    const words = [
      'deny',
      'Deny',
      'DENY',
      'denied',
      'block',
      'Block',
      'blocked',
      'reject',
      'forbidden',
      'allow',
      'Allow',
      'approved',
      'ask',
      true,
      false,
      0,
      1,
      ['deny'],
      { behavior: 'deny' },
    ];
    const places = [
      'Decision',
      'permission_decision',
      'PermissionDecision',
      'permissions',
      'hookSpecificOutput.permission',
      'hookSpecificOutput.Decision',
      'hookSpecificOutput.hookSpecificOutput.permissionDecision',
      'hookSpecificOutput.output.permissionDecision',
      'output.decision',
      'result.hookSpecificOutput.permissionDecision',
      'PreToolUse.decision',
      'hook_specific_output.permission_decision',
      'block',
      'blocked',
      'allow',
      'deny',
      'approve',
      'approved',
      'verdict',
      'judgment',
      'data.verdict',
      'response.allow',
      'x.y.z.deny',
      'hookSpecificOutput.continue',
      'response.continue',
      'OK',
      'Cancel',
      'abort',
      'halt',
    ];
    for (const over of FILES) {
      for (const place of places)
        for (const word of words) expect([place, word, over, await cameOf(print(at(place, word)), over)]).toEqual([place, word, over, 'unanswered']);
    }
    // At the places that are known, any other value.
    for (const [place] of DOCUMENTED) {
      for (const word of ['Deny', 'maybe', 'DENY', ' deny', '', 7, ['deny'], { behavior: 'deny' }, 'true', 'false'])
        expect([place, word, await cameOf(print(at(place, word)), {})]).toEqual([place, word, 'unanswered']);
    }
    for (const value of ['false', 0, 'no', []]) expect(await cameOf(print({ continue: value }), {})).toBe('unanswered');
    // Words at fields of any name.
    for (const name of ['status', 'action', 'answer', 'what', 'hookSpecificOutput.state', 'list']) {
      for (const word of ['deny', 'Blocked', 'REJECT', 'allow', ['x', 'deny']])
        expect([name, word, await cameOf(print(at(name, word)), {})]).toEqual([name, word, 'unanswered']);
    }
  });

  it('are no words where people and models are told something, or where they are not the hook’s own', async () => {
    const texts = { systemMessage: 'deny', reason: 'block', stopReason: 'allow', hookSpecificOutput: { additionalContext: 'deny' } };
    const echo = {
      session_id: 's',
      permission_mode: 'default',
      tool_name: 'Bash',
      tool_input: { command: 'allow', permission: 'deny', block: true },
      tool_use_id: '1',
      cwd: '/ws',
    };
    for (const output of [
      texts,
      echo,
      { hookSpecificOutput: { updatedInput: { decision: 'deny', allow: true } } },
      { suppressOutput: true },
      { continue: true },
      { decision: null, permission: null },
    ])
      expect([output, await cameOf(print(output), {})]).toEqual([output, 'passed']);
  });

  it('beside text are not passed over', async () => {
    for (const output of [
      'Checking…\n{"decision":"block"}',
      '[{"permissionDecision":"deny"}]',
      'a {"x":1}\n{"permission":"deny"}\ndone',
      'ok: {"hookSpecificOutput":{"permissionDecision":"deny"}}',
    ])
      expect([output, await cameOf(exited(0, output), {})]).toEqual([output, 'unanswered']);
    for (const output of ['Checked.', '{}'.padStart(4, 'x'), 'done { and }', '["a"]', 'saw {"tool_input":{"allow":1}}'])
      expect([output, await cameOf(exited(0, output), {})]).toEqual([output, 'passed']);
  });

  it('do not allow where the hook failed, or says both under one name', async () => {
    for (const [path, word, came] of DOCUMENTED) {
      for (const code of [1, 3, 125, 255])
        expect([path, word, code, await cameOf(exited(code, JSON.stringify(at(path, word))), {})]).toEqual([
          path,
          word,
          code,
          came === 'denied' || came === 'ask' ? came : 'unanswered',
        ]);
      expect([path, word, await cameOf(exited(2, JSON.stringify(at(path, word))), {})]).toEqual([path, word, 'denied']);
    }
    const twice = [
      '{"decision":"block","decision":"approve"}',
      '{"decision":"approve","decision":"block"}',
      '{"hookSpecificOutput":{"permissionDecision":"deny","permissionDecision":"allow"}}',
      '{"hookSpecificOutput":{"permissionDecision":"deny"},"hookSpecificOutput":{}}',
      '{"permission":"allow","permission":"allow"}',
      '{"a":[{"b":1,"b":2}]}',
      '{"\\u0064ecision":"block","decision":"approve"}',
    ];
    for (const over of FILES) for (const output of twice) expect([output, await cameOf(exited(0, output), over)]).toEqual([output, 'unanswered']);
  });

  it('guard prompts as well: nobody can be asked there', async () => {
    for (const output of [{ decision: 'block' }, { decision: 'deny' }, { ok: false }, { cancel: true }])
      expect([output, await cameOf(print(output), {}, 'UserPromptSubmit')]).toEqual([output, 'denied']);
    for (const output of [{ decision: 'ask' }, { permission: 'deny' }, { hookSpecificOutput: { permissionDecision: 'deny' } }, { block: true }])
      expect([output, await cameOf(print(output), {}, 'UserPromptSubmit')]).toEqual([output, 'unanswered']);
    for (const output of [{ decision: 'approve' }, { ok: true }, {}])
      expect([output, await cameOf(print(output), {}, 'UserPromptSubmit')]).toEqual([output, 'passed']);
    // After the fact, what a program prints is no matter of a guard.
    expect((await said(hookOf('PostToolUse'), print({ allowed: 3 }))).run.end).toBe('answered');
  });
});

describe('JSON that decides nothing', () => {
  it('passes, and the user is told once in a chat', async () => {
    const outputs = ['{}', '{"version":1}', '{"hookSpecificOutput":{"hookEventName":"PreToolUse"}}', '{"log":["a"]}'];
    const runner: HookRunner = {
      run: ({ handler }) => Promise.resolve(exited(0, handler.type === 'command' ? handler.command : '')),
      dispose: () => undefined,
    };
    const registered = outputs.map((command, line) =>
      hookOf('PreToolUse', { handler: { type: 'command', command }, origin: { layer: 'user', file: '/f', display: 'f', line } }),
    );
    const hooks = createHooks({ definitionsFor: () => Promise.resolve(registered), runner, matchesRule: () => undefined });
    const event = { hook_event_name: 'PreToolUse' as const, tool_name: 'bash', tool_input: { command: 'ls' }, tool_use_id: 'c' };
    const run = (session_id: string): ReturnType<typeof hooks.run> =>
      hooks.run(event, { session_id, transcript_path: '/s', cwd: '/ws', permission_mode: 'default' }, new AbortController().signal);
    const first = await run('s1');
    expect([first.block, first.messages.map(({ text }) => text)]).toEqual([
      undefined,
      outputs.map(() => 'It printed JSON that decides nothing. To forbid something, a hook ends with exit code 2.'),
    ]);
    expect((await run('s1')).messages).toEqual([]);
    expect((await run('s2')).messages).toHaveLength(outputs.length);
  });

  it('is nothing to be told of where something is said, or nothing was to be decided', async () => {
    for (const output of [
      '{"systemMessage":"x"}',
      '{"hookSpecificOutput":{"additionalContext":"x"}}',
      '{"hookSpecificOutput":{"updatedInput":{}}}',
      '{"continue":true}',
      '{"suppressOutput":true}',
      '{"decision":"approve"}',
      '{"ok":true}',
      '',
    ])
      expect([output, (await said(hookOf('PreToolUse'), exited(0, output))).notice]).toEqual([output, undefined]);
    expect((await said(hookOf('PostToolUse'), exited(0, '{}'))).notice).toBeUndefined();
  });
});
