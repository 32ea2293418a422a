import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type PermissionMode, parsePermissionMode } from '../../../src/domain/tool/permission.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { createGate } from '../../../src/permission/gate.js';
import { createWorkspace } from '../../../src/node/files/workspace.js';
import { edits, gateOn, judge, planOf, reads, reasonsOf, ruleBook, runs, short } from './rig.js';
import { stubAnalyzer } from './stub-analyzer.js';
import { HELD } from '../../support/sandboxes.js';
import { says } from '../../support/wording.js';

const links = { '/ws/out': '/etc', '/ws/alias': '/ws/src', '/ws/notes.md': '/home/user/.ssh/authorized_keys' };

/** What the modes say, in the order of {@link MODES}: `a`llow, `d`eny, `?` ask, `+` ask and propose rules. */
const MODES = ['default', 'acceptEdits', 'plan', 'ask', 'bypassPermissions'] as const;
const SIGNS: Readonly<Record<string, string>> = { a: 'allow', d: 'deny', '?': 'ask', '+': 'ask+' };
const TABLE: readonly (readonly [string, Plan, string])[] = [
  ['read inside', reads('/ws/a.ts'), 'aaa?a'],
  ['read a protected file inside', reads('/ws/.vscode/settings.json'), 'aaa?a'],
  ['read .env inside', reads('/ws/.env'), '+++?+'],
  ['read .env.example inside', reads('/ws/.env.example'), 'aaa?a'],
  ['read a key inside', reads('/ws/certs/server.pem'), '+++?+'],
  ['read through a link inside', reads('/ws/alias/a.ts'), 'aaa?a'],
  ['path-01 read outside', reads('/etc/passwd'), '+++?+'],
  ['path-02 read beside', reads('/ws-evil/x'), '+++?+'],
  ['path-04 read through a link out', reads('/ws/notes.md'), '?????'],
  ['one of two reads outside', reads('/ws/a.ts', '/etc/passwd'), '+++?+'],
  ['edit inside', edits('/ws/a.ts'), '+ad?a'],
  ['edit outside', edits('/etc/passwd'), '++d?+'],
  ['edit beside', edits('/ws-evil/x'), '++d?+'],
  ['edit through a link out', edits('/ws/notes.md'), '??d??'],
  ['edit through a link inside', edits('/ws/alias/a.ts'), '??d??'],
  ['edit a protected file', edits('/ws/.vscode/settings.json'), '??d??'],
  ['edit a protected file outside', edits('/home/user/.bashrc'), '??d??'],
  ['edit two files', edits('/ws/a.ts', '/ws/b.ts'), '+ad?a'],
  ['command', runs('npm test'), '++d?a'],
  ['command that reads', runs('ls -la'), 'aaa?a'],
  ['command that reads outside', runs('cat /etc/passwd'), '+++?+'],
  ['path-12 command that reads at home', runs('cat ~/x'), '+++?+'],
  ['path-04 command that reads behind a link out', runs('cat notes.md'), '?????'],
  ['cmd-26 command that writes by redirection', runs('echo x > f'), '++d?a'],
  ['cmd-26 command that writes a protected file', runs('echo x > .git/hooks/post-checkout'), '??d??'],
  ['cmd-45 plan mode: a reading program with a redirection', runs('ls > x'), '++d?a'],
  ['cmd-45 plan mode: git checkout .', runs('git checkout .'), '++d?a'],
  ['path-16 command that changes a protected file', runs('cp x .vscode/settings.json'), '??d??'],
  ['command with a doubt', runs('FOO=1 ls'), '++d?a'],
  ['command that cannot be read', runs('ls "'), '++d?+'],
  ['line without a command', runs(';'), '++d?a'],
  ['command in a folder inside', runs('npm test', '/ws/src'), '++d?a'],
  ['path-19 command in a folder outside', runs('ls', '/'), '?????'],
  ['path-19 command in the folder of keys', runs('ls', '/home/user/.ssh'), '?????'],
  ['path-19 command in a folder behind a link', runs('ls', '/ws/out'), '?????'],
  ['cmd-36 command with a hidden character', runs('ls \u202e'), '?????'],
  ['a search', planOf('web_search', [{ kind: 'network', target: 'https://s.test' }], { kind: 'search', query: 'x', service: 'S' }), '++d?a'],
  ['network', planOf('fetch', [{ kind: 'network', target: 'https://x.test/a' }]), '++d?a'],
  ['a question to the person', planOf('ask', [{ kind: 'interact', target: 'chat' }]), 'aaaaa'],
  ['interaction of an unknown tool', planOf('open', [{ kind: 'interact', target: 'x' }]), 'aadaa'],
  [
    'interaction beside a command that is not shown',
    planOf('jobs', [
      { kind: 'interact', target: 'x' },
      { kind: 'execute', target: 'ls' },
    ]),
    '??d??',
  ],
  ['a command other than the one that is shown', planOf('bash', [{ kind: 'execute', target: 'rm x' }], runs('ls').preview), '??d??'],
  ['a command that is shown and not named', planOf('bash', [{ kind: 'read', target: '/ws' }], runs('ls').preview), '??d??'],
  ['reading by an unknown tool', planOf('peek', [{ kind: 'read', target: '/ws/a' }]), 'aad?a'],
  ['nothing known', planOf('magic', []), '??d?a'],
  ['nothing known of a reading tool', planOf('read', []), '??d?a'],
  ['nothing known of a tool of a server', planOf('mcp__db__query', []), '++d?a'],
  ['a tool of another extension', foreign(planOf('ext__a_b__c', []), false), '++d?a'],
  ['one that says that it only reads', foreign(planOf('ext__a_b__c', []), true), '++??a'],
  ['one that says that it only reads, and writes', foreign(planOf('ext__a_b__c', [{ kind: 'write', target: '/ws/a.ts' }]), true), '++d?a'],
  ['one with hidden characters in its input', foreign(planOf('ext__a_b__c', [], { kind: 'input', input: '"a\u202eb"' }), true), '?????'],
];

/** The plan of code that is of another extension. */
function foreign(plan: Plan, saysItReads: boolean): Plan {
  return { ...plan, foreign: { kind: 'extension', by: 'a.b', saysItReads } };
}

describe('the order of evaluation', () => {
  test.each(TABLE)('decision 15: %s', async (_name, plan, expected) => {
    const gate = gateOn({ links });
    for (const [index, mode] of MODES.entries()) {
      expect(`${mode}: ${short(await judge(gate, mode, plan))}`).toBe(`${mode}: ${SIGNS[expected.charAt(index)] ?? ''}`);
    }
  });

  test('what commands put out can be paged through without asking, and only read', async () => {
    const gate = gateOn({ links: { ...links, '/storage/output/link': '/etc/passwd' }, outputFolder: '/storage/output' });
    expect(short(await judge(gate, 'default', reads('/storage/output/1.log')))).toBe('allow');
    expect(short(await judge(gate, 'default', reads('/storage/output-evil/1.log')))).toBe('ask+');
    expect(short(await judge(gate, 'default', reads('/storage/output/link')))).toBe('ask');
    expect(short(await judge(gate, 'acceptEdits', edits('/storage/output/1.log')))).toBe('ask+');
    expect(short(await judge(gate, 'ask', reads('/storage/output/1.log')))).toBe('ask');
  });

  test('files that models get as instructions are changed only after asking, in every mode that asks at all, and read as others', async () => {
    const gate = gateOn({ instructions: ['/ws/docs/style.md'], rules: ['allow Edit(docs/**)'] });
    expect(short(await judge(gate, 'acceptEdits', edits('/ws/docs/style.md')))).toBe('ask');
    expect(reasonsOf(await judge(gate, 'acceptEdits', edits('/ws/docs/style.md')))).toContain(says('protectedInstructions', 'docs/style.md'));
    expect(short(await judge(gate, 'acceptEdits', edits('/ws/docs/other.md')))).toBe('allow');
    expect(short(await judge(gate, 'default', reads('/ws/docs/style.md')))).toBe('allow');
  });

  test.each(['bypass', 'auto', '', 'Default', '__proto__'])('decision 15: the mode %j is refused when set and denies all when met', async (mode) => {
    expect(parsePermissionMode(mode)).toBeUndefined();
    const judgment = await judge(gateOn(), mode as PermissionMode, reads('/ws/a.ts'));
    expect(judgment).toEqual({ type: 'deny', denial: { kind: 'unknown_mode', mode } });
  });

  test.each([undefined, null, 1, ['plan']])('%j is no mode', (value) => {
    expect(parsePermissionMode(value)).toBeUndefined();
  });

  test('the reasons say what matters, for a person', async () => {
    const gate = gateOn({ links });
    const reasons = async (plan: Plan): Promise<string> => reasonsOf(await judge(gate, 'default', plan));
    expect(await reasons(reads('/etc/passwd'))).toBe(says('outsideWorkspace', '/etc/passwd'));
    expect(await reasons(edits('/ws/notes.md'))).toContain(says('resolvesOutside', 'notes.md', '/home/user/.ssh/authorized_keys'));
    expect(await reasons(edits('/ws/alias/a.ts'))).toBe(says('linkResolvesTo', 'alias/a.ts', '/ws/src/a.ts'));
    expect(await reasons(edits('/ws/.git/config'))).toBe(says('protectedVersionControl', '.git/config'));
    expect(await reasons(runs('x y'))).toBe(says('notCovered', 'x y'));
    expect(await reasons(runs('FOO=1 x && ls'))).toBe(`${says('notCovered', 'FOO=1 x')} It sets a variable first.`);
    expect(await reasons(reads('/ws/.env'))).toBe(says('mayContainSecrets', '.env'));
    expect(await reasons(planOf('fetch', [{ kind: 'network', target: 'https://x.test/a' }]))).toBe(says('connectsTo', 'x.test'));
    expect(await reasons(runs('ls \u202e\u200b'))).toBe(says('containsHiddenCharacters', 'U+202E (right-to-left override), U+200B (zero-width space)'));
    expect(await reasons(edits('/ws/a\u202eb'))).not.toContain('\u202e');
  });

  test('what cannot be found out is asked, with the reason and without a proposal', async () => {
    const judgment = await judge(gateOn(), 'acceptEdits', edits('/ws/a\0b'));
    expect(judgment).toMatchObject({ type: 'ask' });
    expect(judgment).not.toHaveProperty('proposal');
    expect(reasonsOf(judgment)).toContain('could not be determined');
  });

  test('a stop ends the judgment', async () => {
    const request = { sessionId: 's', callId: 'c', mode: 'default' as const, plan: reads('/ws/a') };
    await expect(gateOn().judge(request, AbortSignal.abort())).rejects.toThrow();
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
    expect(short(await judge(none, 'default', reads('/home/user/a')))).toBe('ask+');
    expect(short(await judge(none, 'acceptEdits', edits('/home/user/a')))).toBe('ask+');
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
      const gate = createGate({
        sandbox: HELD,
        workspace,
        caseInsensitive: false,
        home: '/home/user',
        rules: ruleBook([]),
        analyzer: () => Promise.resolve(stubAnalyzer),
        trusted: () => true,
      });
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
