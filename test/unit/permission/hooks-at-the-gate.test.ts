import { describe, expect, test } from 'vitest';
import type { HookOpinion, PermissionMode } from '../../../src/domain/tool/permission.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { edits, gateOn, reasonsOf, runs, short } from './rig.js';

const ALLOWS: HookOpinion = { type: 'allow', by: 'PreToolUse (a.json:1)', reason: 'fine' };
const ASKS: HookOpinion = { type: 'ask', by: 'PreToolUse (a.json:1)', reason: 'look at this' };

/** What modes say with no hook, one that allows, and one that asks. */
const TABLE: readonly (readonly [string, readonly string[], Plan, PermissionMode, readonly [string, string, string]])[] = [
  ['nothing said', [], runs('npm test'), 'default', ['ask+', 'allow', 'ask']],
  ['a deny rule', ['deny Bash(npm:*)'], runs('npm test'), 'default', ['deny', 'deny', 'deny']],
  ['a deny rule where permissions are bypassed', ['deny Bash(npm:*)'], runs('npm test'), 'bypassPermissions', ['deny', 'deny', 'deny']],
  ['an ask rule', ['ask Bash(npm:*)'], runs('npm test'), 'default', ['ask', 'ask', 'ask']],
  ['an ask rule where permissions are bypassed', ['ask Bash(npm:*)'], runs('npm test'), 'bypassPermissions', ['ask', 'ask', 'ask']],
  ['an allow rule', ['allow Bash(npm:*)'], runs('npm test'), 'default', ['allow', 'allow', 'ask']],
  ['a rule that cannot be read', ['deny Bash('], runs('npm test'), 'default', ['ask', 'ask', 'ask']],
  ['a protected file', [], edits('/ws/.vscode/settings.json'), 'bypassPermissions', ['ask', 'ask', 'ask']],
  ['plan mode', [], runs('npm test'), 'plan', ['deny', 'deny', 'deny']],
  ['the mode that asks', [], runs('ls'), 'ask', ['ask', 'ask', 'ask']],
  ['bypassed', [], runs('npm test'), 'bypassPermissions', ['allow', 'allow', 'ask']],
  ['accepted edits', [], edits('/ws/a.ts'), 'acceptEdits', ['allow', 'allow', 'ask']],
  ['a line that cannot be read', [], runs('ls "'), 'default', ['ask+', 'ask+', 'ask']],
];

describe('H-10 cmd-40: hooks at the gate', () => {
  test.each(TABLE)('%s', async (_name, rules, plan, mode, wanted) => {
    const gate = gateOn({ rules });
    const judgments = await Promise.all(
      [undefined, ALLOWS, ASKS].map((hook) =>
        gate.judge({ sessionId: 's', callId: 'c', mode, plan, ...(hook === undefined ? {} : { hook }) }, new AbortController().signal),
      ),
    );
    expect(judgments.map((judgment) => short(judgment))).toEqual(wanted);
  });

  test('in a workspace that is not trusted a hook allows nothing', async () => {
    const gate = gateOn({ trusted: false });
    const judgment = await gate.judge({ sessionId: 's', callId: 'c', mode: 'default', plan: runs('npm test'), hook: ALLOWS }, new AbortController().signal);
    expect(judgment.type).toBe('deny');
  });

  test('reasons name the hook', async () => {
    const gate = gateOn();
    const judgment = await gate.judge({ sessionId: 's', callId: 'c', mode: 'default', plan: runs('ls'), hook: ASKS }, new AbortController().signal);
    expect(reasonsOf(judgment)).toContain('PreToolUse (a.json:1)');
    expect(reasonsOf(judgment)).toContain('look at this');
  });
});
