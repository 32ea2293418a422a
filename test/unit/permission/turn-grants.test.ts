import { describe, expect, it } from 'vitest';
import type { PermissionMode } from '../../../src/domain/tool/permission.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import type { TurnGrant } from '../../../src/domain/tool/turn-grant.js';
import { edits, gateOn, type GateRigOptions, planOf, reads, reasonsOf, runs, short } from './rig.js';

const GRANT: TurnGrant = {
  kind: 'skill',
  name: 'notes',
  origin: { layer: 'project', file: '/ws/.agents/skills/notes/SKILL.md', display: '.agents/skills/notes/SKILL.md' },
  rules: ['Bash(npm test:*)', 'Bash', 'Edit', 'Read(~/private/**)', 'Read(.env)', 'WebFetch(domain:example.com)', 'mcp__db__query'],
  digest: 'a',
};

async function judged(
  plan: Plan,
  {
    mode = 'default',
    grants = [GRANT],
    approved = () => true,
    ...options
  }: GateRigOptions & { readonly mode?: PermissionMode; readonly grants?: readonly TurnGrant[] } = {},
) {
  return gateOn({ ...options, approved }).judge({ sessionId: 'session', callId: 'call', mode, plan, grants }, new AbortController().signal);
}

const fetches = planOf('fetch', [{ kind: 'network', target: 'https://example.com/a' }], { kind: 'url', url: 'https://example.com/a' });
const queries: Plan = { ...planOf('mcp__db__query', []), foreign: { kind: 'server', by: 'db', saysItReads: false } };

describe('what skills and commands name, at the gate', () => {
  it.each<[string, Plan]>([
    ['a command', runs('npm test -- a')],
    ['an edit', edits('/ws/a.ts')],
    ['a page', fetches],
    ['a tool of a server', queries],
  ])('S-34: %s runs without a question in the turn, and asks without the grant', async (_what, plan) => {
    const allowed = await judged(plan);
    expect(short(allowed)).toBe('allow');
    expect(reasonsOf(allowed)).toMatch(/The rule \S.* that the skill “notes” has for this turn allows it\./);
    expect(short(await judged(plan, { grants: [] }))).toBe('ask+');
    expect(short(await judged(plan, { approved: () => false }))).toBe('ask+');
  });

  it.each<[string, Plan, GateRigOptions & { readonly mode?: PermissionMode }, string]>([
    ['what another command does', runs('make'), {}, 'ask+'],
    ['a rule that denies', runs('npm test'), { rules: ['deny Bash(npm:*)'] }, 'deny'],
    ['a rule that asks', runs('npm test'), { rules: ['ask Bash(npm test:*)'] }, 'ask'],
    ['a rule that cannot be read', runs('npm test'), { rules: ['deny Bash(npm'] }, 'ask'],
    ['plan mode', runs('npm test'), { mode: 'plan' }, 'deny'],
    ['the mode that asks', runs('npm test'), { mode: 'ask' }, 'ask'],
    ['a workspace that is not trusted', runs('npm test'), { trusted: false }, 'deny'],
    ['a protected file', edits('/ws/.vscode/settings.json'), {}, 'ask'],
    ['a file outside that the list names', reads('/home/user/private/a.md'), {}, 'ask+'],
    ['a file with passwords that the list names', reads('/ws/.env'), {}, 'ask+'],
  ])('S-34: %s is as without them', async (_what, plan, options, expected) => {
    expect(short(await judged(plan, options))).toBe(expected);
  });

  it('S-34: a lasting rule is said to allow what both allow', async () => {
    expect(reasonsOf(await judged(runs('npm test'), { rules: ['allow Bash(npm test:*)'] }))).toBe(
      'The allow rule Bash(npm test:*) in your user settings allows it.',
    );
  });

  it('S-34: only what is approved counts, of several', async () => {
    const other: TurnGrant = { ...GRANT, kind: 'command', name: 'make', rules: ['Bash(make:*)'], digest: 'b' };
    const options = { grants: [GRANT, other], approved: ({ digest }: TurnGrant) => digest === 'b' };
    expect(short(await judged(runs('npm test'), options))).toBe('ask+');
    expect(reasonsOf(await judged(runs('make all'), options))).toContain('the command “/make”');
  });
});
