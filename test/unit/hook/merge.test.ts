import { describe, expect, it } from 'vitest';
import type { HookDecision } from '../../../src/domain/hook/outcome.js';
import type { HookAnswer } from '../../../src/domain/hook/runner.js';
import { mergeResults } from '../../../src/hook/merge.js';
import { exited, hookOf, said } from './rig.js';

const ANSWERS = {
  allow: exited(0, '{"hookSpecificOutput":{"permissionDecision":"allow"}}'),
  ask: exited(0, '{"hookSpecificOutput":{"permissionDecision":"ask"}}'),
  deny: exited(2, '', 'no'),
  none: exited(0),
  error: exited(1),
  timeout: { type: 'timed_out', stderr: '', durationMs: 1 },
  abort: { type: 'aborted', durationMs: 1 },
} as const satisfies Readonly<Record<string, HookAnswer>>;
type Kind = keyof typeof ANSWERS;
const KINDS = Object.keys(ANSWERS) as Kind[];
const BLOCKS: ReadonlySet<Kind> = new Set(['deny', 'error', 'timeout', 'abort']);
const named = (display: string): ReturnType<typeof hookOf> => hookOf('PreToolUse', { origin: { layer: 'user', file: `/${display}`, display } });
const rewriting = (command: string, permissionDecision?: string): HookAnswer =>
  exited(0, JSON.stringify({ hookSpecificOutput: { updatedInput: { command }, permissionDecision } }));

describe('what hooks say together', () => {
  it.each(KINDS.flatMap((first) => KINDS.map((second) => [first, second] as const)))('H-10: %s and %s', async (first, second) => {
    const results = [await said(named('1'), ANSWERS[first]), await said(named('2'), ANSWERS[second])];
    const outcome = mergeResults('PreToolUse', results);
    const both = [first, second];
    const expected: HookDecision = both.some((each) => BLOCKS.has(each)) ? 'deny' : both.includes('ask') ? 'ask' : both.includes('allow') ? 'allow' : 'none';
    const shown: HookDecision = outcome.block !== undefined ? 'deny' : outcome.ask !== undefined ? 'ask' : outcome.allow !== undefined ? 'allow' : 'none';
    expect(shown).toBe(expected);
    expect(outcome.runs).toHaveLength(2);
    if (expected === 'deny') expect(outcome.block).toMatchObject({ by: `PreToolUse (${BLOCKS.has(first) ? '1' : '2'})` });
  });

  it('H-11: a denial wins even if it comes last, with its reason, and the others are recorded', async () => {
    const outcome = mergeResults('PreToolUse', [
      await said(named('1'), ANSWERS.allow),
      await said(named('2'), ANSWERS.ask),
      await said(named('3'), ANSWERS.deny),
    ]);
    expect(outcome).toMatchObject({
      block: { kind: 'denied', by: 'PreToolUse (3)', reason: 'no' },
      runs: [{ decision: 'allow' }, { decision: 'ask' }, { decision: 'deny' }],
    });
    expect([outcome.ask, outcome.allow, outcome.rewritten]).toEqual([undefined, undefined, undefined]);
  });

  it('H-16: of two changes the first in the order of registration counts, and the other is named', async () => {
    const results = [
      await said(named('1'), ANSWERS.none),
      await said(named('2'), rewriting('a')),
      await said(named('3'), rewriting('b')),
      await said(named('4'), rewriting('a')),
    ];
    expect(mergeResults('PreToolUse', results).rewritten).toEqual({ by: 'PreToolUse (2)', input: { command: 'a' }, conflicts: ['PreToolUse (3)'] });
  });

  it('H-16: an allow for arguments that will not run does not count', async () => {
    const allowed = await said(named('1'), ANSWERS.allow);
    expect(mergeResults('PreToolUse', [allowed, await said(named('2'), rewriting('rm'))]).allow).toBeUndefined();
    expect(mergeResults('PreToolUse', [allowed, await said(named('2'), rewriting('rm', 'allow'))]).allow).toMatchObject({ by: 'PreToolUse (2)' });
  });
});
