import { describe, expect, test } from 'vitest';
import type { HookDefinition } from '../../../src/domain/hook/definition.js';
import { type HookApproval, parseApprovals, standingOf, withApproval, withoutApproval } from '../../../src/hook/approval.js';
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
const approved = withApproval([], HOOK, TEXT, 1);

describe('H-41 conf-03: the approval of a hook', () => {
  test('is for exactly what was seen, wherever in the file it moves to', () => {
    expect(standingOf(HOOK, TEXT, [])).toEqual({ state: 'new' });
    expect(standingOf(HOOK, TEXT, approved)).toEqual({ state: 'approved' });
    const moved = { ...HOOK, origin: { ...HOOK.origin, line: 50 } };
    expect(standingOf(moved, hookText(moved, [SCRIPT]), approved)).toEqual({ state: 'approved' });
  });

  test.each([
    ['another script', HOOK, [{ ...SCRIPT, sha256: 'b'.repeat(64) }]],
    ['a script that cannot be read', HOOK, [{ path: 'check.sh' }]],
    ['another matcher', { ...HOOK, matcher: 'Edit' }, [SCRIPT]],
    ['a condition', { ...HOOK, condition: 'Bash(ls)' }, [SCRIPT]],
    ['another command', { ...HOOK, handler: { type: 'command' as const, command: './check.sh; rm -rf .' } }, [SCRIPT]],
    ['other variables', { ...HOOK, handler: { type: 'command' as const, command: './check.sh', env: { PATH: '/tmp' } } }, [SCRIPT]],
    ['a failure that is not to block', { ...HOOK, onFailure: 'continue' as const }, [SCRIPT]],
    ['an address in place of a program', { ...HOOK, handler: { type: 'http' as const, url: 'https://example.com', headers: {}, allowedEnvVars: [] } }, [SCRIPT]],
  ])('is not for %s: both sides are known', (_name, hook, files) => {
    expect(standingOf(hook, hookText(hook, files), approved)).toEqual({ state: 'changed', before: TEXT });
  });

  test('is not for the same hook of another file, or another event', () => {
    const elsewhere = { ...HOOK, origin: { ...HOOK.origin, file: '/other/.claude/settings.json' } };
    expect(standingOf(elsewhere, hookText(elsewhere, [SCRIPT]), approved)).toEqual({ state: 'new' });
    const other = { ...HOOK, event: 'PostToolUse' as const };
    expect(standingOf(other, hookText(other, [SCRIPT]), approved)).toEqual({ state: 'new' });
  });

  test('can be taken back, replaces an earlier one, and does not pile up', () => {
    expect(withoutApproval(approved, HOOK, TEXT)).toEqual([]);
    expect(withApproval(approved, HOOK, 'changed', 2)).toHaveLength(1);
    let many: readonly HookApproval[] = [];
    for (let count = 0; count < 600; count += 1) many = withApproval(many, { ...HOOK, handler: { type: 'command', command: `./${count}.sh` } }, `${count}`, count);
    expect(many).toHaveLength(500);
    expect(many[0]?.text).toBe('599');
  });

  test('survives being kept; what does not look like one is asked for again', () => {
    expect(parseApprovals(JSON.parse(JSON.stringify(approved)))).toEqual(approved);
    expect(parseApprovals([null, 'x', { text: TEXT }, { ...approved[0], at: 'now' }])).toEqual([]);
    expect(parseApprovals({})).toEqual([]);
  });
});
