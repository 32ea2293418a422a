import { describe, expect, test } from 'vitest';
import type { HookDefinition } from '../../../src/domain/hook/definition.js';
import { MemoryApprovals } from '../../support/memory-approvals.js';
import { type HookApproval, type HookStanding, type HookTexts, HOOK_APPROVALS, standingOf, withApproval, withoutApproval } from '../../../src/hook/approval.js';
import { hookText } from '../../../src/hook/identity.js';

const HOOK: HookDefinition = {
  event: 'PreToolUse',
  matcher: 'Bash',
  handler: { type: 'command', command: './check.sh' },
  timeoutMs: 60_000,
  dialect: 'claude',
  origin: { layer: 'project', file: '/ws/.claude/settings.json', display: '.claude/settings.json', folder: '/ws', line: 5 },
};
const SCRIPT = { path: 'check.sh', sha256: 'a'.repeat(64) };
const TEXT = hookText(HOOK, [SCRIPT]);
const NEW: HookStanding = { state: 'new' };

/** The texts of a hook of which earlier versions looked at everything. */
function textsOf(text: string): HookTexts {
  return { text, earlier: text, adds: false };
}

/** How a hook stands in a workspace that has it and, unless others are given, nothing else. */
function standing(hook: HookDefinition, text: string, approvals: readonly HookApproval[], others: readonly string[] = []): HookStanding {
  return standingOf(hook, textsOf(text), { approvals, present: new Set([text, ...others]) });
}

function approve(approvals: readonly HookApproval[], hook: HookDefinition, text: string, others: readonly string[] = []): readonly HookApproval[] {
  return withApproval(approvals, hook, { texts: textsOf(text), standing: standing(hook, text, approvals, others), at: 1 });
}

const approved = approve([], HOOK, TEXT);

describe('H-41 conf-03: the approval of a hook', () => {
  test('is for exactly what was seen, wherever in the file it moves to', () => {
    expect(standing(HOOK, TEXT, [])).toEqual(NEW);
    expect(standing(HOOK, TEXT, approved)).toEqual({ state: 'approved' });
    const moved = { ...HOOK, origin: { ...HOOK.origin, line: 50 } };
    expect(standing(moved, hookText(moved, [SCRIPT]), approved)).toEqual({ state: 'approved' });
  });

  test.each([
    ['another script', HOOK, [{ ...SCRIPT, sha256: 'b'.repeat(64) }]],
    ['a script that cannot be read', HOOK, [{ path: 'check.sh' }]],
    ['a script that is a link out of the workspace', HOOK, [{ path: 'check.sh', leadsTo: '/tmp/one.sh' }]],
    ['a script that has grown too large', HOOK, [{ path: 'check.sh', tooLarge: 100_000_000 }]],
    ['another matcher', { ...HOOK, matcher: 'Edit' }, [SCRIPT]],
    ['a condition', { ...HOOK, condition: 'Bash(ls)' }, [SCRIPT]],
    ['another command', { ...HOOK, handler: { type: 'command' as const, command: './check.sh; rm -rf .' } }, [SCRIPT]],
    ['other variables', { ...HOOK, handler: { type: 'command' as const, command: './check.sh', env: { PATH: '/tmp' } } }, [SCRIPT]],
    ['a failure that is not to block', { ...HOOK, onFailure: 'continue' as const }, [SCRIPT]],
    [
      'an address in place of a program',
      { ...HOOK, handler: { type: 'http' as const, url: 'https://example.com', headers: {}, allowedEnvVars: [] } },
      [SCRIPT],
    ],
  ])('is not for %s: both sides are known', (_name, hook, files) => {
    expect(standing(hook, hookText(hook, files), approved)).toEqual({ state: 'changed', before: TEXT });
  });

  test('is not for a link that leads elsewhere by now', () => {
    const one = hookText(HOOK, [{ path: 'check.sh', leadsTo: '/tmp/one.sh' }]);
    const two = hookText(HOOK, [{ path: 'check.sh', leadsTo: '/tmp/two.sh' }]);
    expect(standing(HOOK, two, approve([], HOOK, one))).toEqual({ state: 'changed', before: one });
  });

  test('is not for the same hook of another file, or another event', () => {
    const elsewhere = { ...HOOK, origin: { ...HOOK.origin, file: '/other/.claude/settings.json' } };
    expect(standing(elsewhere, hookText(elsewhere, [SCRIPT]), approved)).toEqual(NEW);
    const other = { ...HOOK, event: 'PostToolUse' as const };
    expect(standing(other, hookText(other, [SCRIPT]), approved)).toEqual(NEW);
  });

  test('a hook beside an approved one that is still there is new, and does not stand in its place', () => {
    const second = { ...HOOK, matcher: 'Edit' };
    expect(standing(second, hookText(second, [SCRIPT]), approved, [TEXT])).toEqual(NEW);
  });

  test('of hooks with the same command for different tools, each has its own', () => {
    const second = { ...HOOK, matcher: 'Edit' };
    const secondText = hookText(second, [SCRIPT]);
    const both = approve(approved, second, secondText, [TEXT]);
    expect([standing(HOOK, TEXT, both, [secondText]), standing(second, secondText, both, [TEXT])]).toEqual([{ state: 'approved' }, { state: 'approved' }]);
    expect(withoutApproval(both, textsOf(secondText))).toEqual(approved);
  });

  test('takes the place of that which the hook had before', () => {
    const changed = { ...HOOK, matcher: 'Edit' };
    const after = approve(approved, changed, hookText(changed, [SCRIPT]));
    expect(after).toHaveLength(1);
    expect(standing(HOOK, TEXT, after)).toMatchObject({ state: 'changed' });
  });

  test('can be taken back, and does not pile up', async () => {
    expect(withoutApproval(approved, textsOf(TEXT))).toEqual([]);
    const store = new MemoryApprovals().of(HOOK_APPROVALS);
    for (let count = 0; count < 600; count += 1) await store.change((all) => withApproval(all, HOOK, { texts: textsOf(`${count}`), standing: NEW, at: count }));
    expect(store.list()).toHaveLength(500);
    expect(store.list()[0]?.text).toBe('599');
  });

  test('survives being kept; what does not look like one is asked for again', () => {
    expect(approved.map((each) => HOOK_APPROVALS.read(JSON.parse(JSON.stringify(each))))).toEqual(approved);
    const none = [null, 'x', {}, [], { text: TEXT }, { ...approved[0], at: 'now' }, { ...approved[0], binding: 1 }];
    expect(none.map((each) => HOOK_APPROVALS.read(each))).toEqual(none.map(() => undefined));
  });
});
