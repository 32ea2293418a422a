import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PermissionMode } from '../../../src/domain/permission.js';
import type { Plan } from '../../../src/domain/tool.js';
import { createGate } from '../../../src/permission/gate.js';
import { parsePermissionMode } from '../../../src/permission/modes.js';
import { createWorkspace } from '../../../src/node/workspace.js';
import { edits, gateOn, judge, planOf, reads, reasonsOf, runs, short } from './rig.js';

const links = { '/ws/out': '/etc', '/ws/alias': '/ws/src', '/ws/notes.md': '/home/user/.ssh/authorized_keys' };

/** The order of evaluation: what is asked of each mode. `ask+` offers "Always allow". */
const TABLE: readonly (readonly [string, Plan, Readonly<Record<'default' | 'acceptEdits' | 'plan' | 'ask', string>>])[] = [
  ['read inside', reads('/ws/a.ts'), { default: 'allow', acceptEdits: 'allow', plan: 'allow', ask: 'ask' }],
  ['read a protected file inside', reads('/ws/.vscode/settings.json'), { default: 'allow', acceptEdits: 'allow', plan: 'allow', ask: 'ask' }],
  ['read .env inside', reads('/ws/.env'), { default: 'allow', acceptEdits: 'allow', plan: 'allow', ask: 'ask' }],
  ['read through a link inside', reads('/ws/alias/a.ts'), { default: 'allow', acceptEdits: 'allow', plan: 'allow', ask: 'ask' }],
  ['path-01 read outside', reads('/etc/passwd'), { default: 'ask', acceptEdits: 'ask', plan: 'ask', ask: 'ask' }],
  ['path-02 read beside', reads('/ws-evil/x'), { default: 'ask', acceptEdits: 'ask', plan: 'ask', ask: 'ask' }],
  ['path-04 read through a link out', reads('/ws/notes.md'), { default: 'ask', acceptEdits: 'ask', plan: 'ask', ask: 'ask' }],
  ['one of two reads outside', reads('/ws/a.ts', '/etc/passwd'), { default: 'ask', acceptEdits: 'ask', plan: 'ask', ask: 'ask' }],
  ['edit inside', edits('/ws/a.ts'), { default: 'ask+', acceptEdits: 'allow', plan: 'deny', ask: 'ask' }],
  ['edit outside', edits('/etc/passwd'), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['edit beside', edits('/ws-evil/x'), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['edit through a link out', edits('/ws/notes.md'), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['edit through a link inside', edits('/ws/alias/a.ts'), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['edit a protected file', edits('/ws/.vscode/settings.json'), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['edit two files', edits('/ws/a.ts', '/ws/b.ts'), { default: 'ask', acceptEdits: 'allow', plan: 'deny', ask: 'ask' }],
  ['command', runs('npm test'), { default: 'ask+', acceptEdits: 'ask+', plan: 'deny', ask: 'ask' }],
  ['command in a folder inside', runs('npm test', '/ws/src'), { default: 'ask+', acceptEdits: 'ask+', plan: 'deny', ask: 'ask' }],
  ['path-19 command in a folder outside', runs('ls', '/'), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['path-19 command in a folder behind a link', runs('ls', '/ws/out'), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['cmd-36 command with a hidden character', runs('ls \u202e'), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['network', planOf('fetch', [{ kind: 'network', target: 'https://x.test' }]), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['a question to the person', planOf('ask', [{ kind: 'interact', target: 'chat' }]), { default: 'allow', acceptEdits: 'allow', plan: 'allow', ask: 'allow' }],
  ['interaction of an unknown tool', planOf('open', [{ kind: 'interact', target: 'x' }]), { default: 'allow', acceptEdits: 'allow', plan: 'deny', ask: 'allow' }],
  ['interaction beside a command', planOf('jobs', [{ kind: 'interact', target: 'x' }, { kind: 'execute', target: 'ls' }]), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['reading by an unknown tool', planOf('peek', [{ kind: 'read', target: '/ws/a' }]), { default: 'allow', acceptEdits: 'allow', plan: 'deny', ask: 'ask' }],
  ['nothing known', planOf('magic', []), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
  ['nothing known of a reading tool', planOf('read', []), { default: 'ask', acceptEdits: 'ask', plan: 'deny', ask: 'ask' }],
];

describe('the order of evaluation', () => {
  test.each(TABLE)('%s', async (_name, plan, expected) => {
    const gate = gateOn({ links });
    for (const mode of ['default', 'acceptEdits', 'plan', 'ask'] as const) {
      expect(`${mode}: ${short(await judge(gate, mode, plan))}`).toBe(`${mode}: ${expected[mode]}`);
    }
  });

  test('what commands put out can be paged through without asking, and only read', async () => {
    const gate = gateOn({ links: { ...links, '/storage/output/link': '/etc/passwd' }, outputFolder: '/storage/output' });
    expect(short(await judge(gate, 'default', reads('/storage/output/1.log')))).toBe('allow');
    expect(short(await judge(gate, 'default', reads('/storage/output-evil/1.log')))).toBe('ask');
    expect(short(await judge(gate, 'default', reads('/storage/output/link')))).toBe('ask');
    expect(short(await judge(gate, 'acceptEdits', edits('/storage/output/1.log')))).toBe('ask');
    expect(short(await judge(gate, 'ask', reads('/storage/output/1.log')))).toBe('ask');
  });

  test.each(['bypassPermissions', 'auto', '', 'Default', '__proto__'])('decision 15: the mode %j is refused when set and denies all when met', async (mode) => {
    expect(parsePermissionMode(mode)).toBeUndefined();
    const judgement = await judge(gateOn(), mode as PermissionMode, reads('/ws/a.ts'));
    expect(judgement).toEqual({ type: 'deny', reason: `The permission mode “${mode}” is not known.` });
  });

  test.each([undefined, null, 1, ['plan']])('%j is no mode', (value) => {
    expect(parsePermissionMode(value)).toBeUndefined();
  });

  test('the reasons say what matters, for a person', async () => {
    const gate = gateOn({ links });
    const reasons = async (plan: Plan): Promise<string> => reasonsOf(await judge(gate, 'default', plan));
    expect(await reasons(reads('/etc/passwd'))).toBe('/etc/passwd is outside the workspace.');
    expect(await reasons(edits('/ws/notes.md'))).toContain('notes.md leads outside the workspace, to /home/user/.ssh/authorized_keys.');
    expect(await reasons(edits('/ws/alias/a.ts'))).toBe('alias/a.ts is, or lies behind, a link that leads to /ws/src/a.ts.');
    expect(await reasons(edits('/ws/.git/config'))).toBe('.git/config is protected: it is part of Git, whose settings and hooks can run code.');
    expect(await reasons(runs('x'))).toBe('It runs a command.');
    expect(await reasons(runs('ls \u202e\u200b'))).toBe(
      'It holds characters that cannot be seen or mislead: U+202E (right-to-left override), U+200B (zero-width space).',
    );
    expect(await reasons(edits('/ws/a\u202eb'))).not.toContain('\u202e');
  });

  test('what cannot be found out is asked, with the reason and without a grant', async () => {
    const judgement = await judge(gateOn(), 'acceptEdits', edits('/ws/a\0b'));
    expect(judgement).toMatchObject({ type: 'ask' });
    expect(judgement).not.toHaveProperty('grant');
    expect(reasonsOf(judgement)).toContain('could not be found out');
  });

  test('a stop ends the judgement', async () => {
    const request = { sessionId: 's', callId: 'c', mode: 'default' as const, plan: reads('/ws/a') };
    await expect(gateOn().judge(request, AbortSignal.abort())).rejects.toThrow();
  });
});

describe('Always allow', () => {
  const grant = (gate: ReturnType<typeof gateOn>, plan: Plan): void => gate.grant({ sessionId: 'session', callId: 'c', mode: 'default', plan });

  test('cmd-31: allows exactly this command in exactly this folder, in this session', async () => {
    const gate = gateOn();
    grant(gate, runs('git show HEAD'));

    expect(short(await judge(gate, 'default', runs('git show HEAD')))).toBe('allow');
    for (const other of ['git showx', 'git push', 'git show HEAD ', 'git show HEAD\nrm x', 'git show HEAD; rm x', 'GIT show HEAD']) {
      expect(short(await judge(gate, 'default', runs(other)))).toBe('ask+');
    }
    expect(short(await judge(gate, 'default', runs('git show HEAD', '/ws/src')))).toBe('ask+');
    expect(short(await judge(gate, 'default', runs('git show HEAD'), 'another session'))).toBe('ask+');
    expect(short(await judge(gate, 'ask', runs('git show HEAD')))).toBe('ask');
    expect(short(await judge(gate, 'plan', runs('git show HEAD')))).toBe('deny');
  });

  test('allows this tool on this one file', async () => {
    const gate = gateOn();
    grant(gate, edits('/ws/a.ts'));

    expect(short(await judge(gate, 'default', edits('/ws/a.ts')))).toBe('allow');
    expect(short(await judge(gate, 'default', edits('/ws/A.ts')))).toBe('ask+');
    expect(short(await judge(gate, 'default', edits('/ws/b.ts')))).toBe('ask+');
    expect(short(await judge(gate, 'default', planOf('write', [{ kind: 'write', target: '/ws/a.ts' }])))).toBe('ask+');
    expect(short(await judge(gate, 'plan', edits('/ws/a.ts')))).toBe('deny');
  });

  test('where case does not tell files apart, another spelling is the same file', async () => {
    const gate = gateOn({ caseInsensitive: true });
    grant(gate, edits('/ws/a.ts'));
    expect(short(await judge(gate, 'default', edits('/ws/A.TS')))).toBe('allow');
  });

  test('never outweighs a caution, also when it was given all the same', async () => {
    const gate = gateOn({ links });
    for (const plan of [edits('/ws/.vscode/settings.json'), edits('/etc/passwd'), edits('/ws/notes.md'), runs('ls \u200b'), runs('ls', '/')]) {
      grant(gate, plan);
      expect(short(await judge(gate, 'default', plan))).toBe('ask');
    }
  });

  test('is said in words', async () => {
    expect(await judge(gateOn(), 'default', runs('npm test'))).toMatchObject({ grant: 'exactly this command in /ws, for the rest of this session' });
    expect(await judge(gateOn(), 'default', edits('/ws/a.ts'))).toMatchObject({ grant: 'edit on /ws/a.ts, for the rest of this session' });
  });
});

describe('workspaces', () => {
  test('path-17: the home directory as workspace: hidden files ask, others do not', async () => {
    const gate = gateOn({ folders: ['/home/user'], home: '/home/user' });
    expect(short(await judge(gate, 'acceptEdits', edits('/home/user/.config/app/x.json')))).toBe('ask');
    expect(short(await judge(gate, 'acceptEdits', edits('/home/user/.anything')))).toBe('ask');
    expect(short(await judge(gate, 'acceptEdits', edits('/home/user/src/a.ts')))).toBe('allow');
    expect(short(await judge(gate, 'acceptEdits', edits('/home/user/src/.hidden')))).toBe('allow');
  });

  test('a workspace below a hidden or protected folder is an ordinary one', async () => {
    const gate = gateOn({ folders: ['/home/user/.claude/worktrees/x'], home: '/home/user' });
    expect(short(await judge(gate, 'acceptEdits', edits('/home/user/.claude/worktrees/x/src/a.ts')))).toBe('allow');
    expect(short(await judge(gate, 'acceptEdits', edits('/home/user/.claude/worktrees/x/.claude/a')))).toBe('ask');
  });

  test('path-17: several folders, one in another, and none', async () => {
    const nested = gateOn({ folders: ['/ws', '/ws/.vscode', '/other'] });
    expect(short(await judge(nested, 'acceptEdits', edits('/ws/.vscode/tasks.json')))).toBe('ask');
    expect(short(await judge(nested, 'acceptEdits', edits('/other/a.ts')))).toBe('allow');
    const none = gateOn({ folders: [] });
    expect(short(await judge(none, 'default', reads('/home/user/a')))).toBe('ask');
    expect(short(await judge(none, 'acceptEdits', edits('/home/user/a')))).toBe('ask');
  });

  test('path-04 path-17: real links on a real disk, the workspace itself behind one', async () => {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'gate-')));
    try {
      await mkdir(join(base, 'real', '.vscode'), { recursive: true });
      await mkdir(join(base, 'elsewhere'));
      await writeFile(join(base, 'elsewhere', 'secret'), 'x');
      await symlink(join(base, 'real'), join(base, 'ws'));
      await symlink(join(base, 'elsewhere'), join(base, 'real', 'out'));
      await symlink(join(base, 'real', '.vscode'), join(base, 'real', 'innocent'));
      const workspace = createWorkspace(() => [{ name: 'ws', path: join(base, 'ws') }], '/home/user');
      const gate = createGate({ workspace, caseInsensitive: false, home: '/home/user' });
      const said = async (plan: Plan): Promise<string> => short(await judge(gate, 'acceptEdits', plan));

      expect(await said(edits(join(base, 'ws', 'a.ts')))).toBe('allow');
      expect(await said(edits(join(base, 'real', 'a.ts')))).toBe('allow');
      expect(await said(reads(join(base, 'ws', 'out', 'secret')))).toBe('ask');
      expect(await said(edits(join(base, 'ws', 'out', 'new')))).toBe('ask');
      expect(await said(edits(join(base, 'ws', 'innocent', 'settings.json')))).toBe('ask');
      expect(await said(edits(join(base, 'ws', '.vscode', 'settings.json')))).toBe('ask');
      expect(await said(edits(join(base, 'real', '.vscode', 'settings.json')))).toBe('ask');
    } finally {
      await rm(base, { recursive: true });
    }
  });
});
