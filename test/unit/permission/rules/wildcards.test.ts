import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRule, parseRule } from '../../../../src/permission/rules/rule.js';
import { gateOn, judge, planOf, reasonsOf, runs, short } from '../rig.js';
import { loadAnalyzer } from '../shell/rig.js';
import { runs as share } from '../../../support/runs.js';

const analyzer = await loadAnalyzer();
const decided = async (line: string, ...rules: readonly string[]): Promise<string> => short(await judge(gateOn({ analyzer, rules }), 'default', runs(line)));

/** Examples of code.claude.com/docs/en/permissions, “Wildcard patterns” and “Bash”, as deny rules. */
const DOCUMENTED: readonly (readonly [rule: string, denied: readonly string[], others: readonly string[]])[] = [
  ['Bash(npm run test *)', ['npm run test x', 'npm run test'], ['npm run tests', 'npm run build']],
  ['Bash(npm *)', ['npm test', 'npm install x'], ['npmx', 'pnpm test']],
  ['Bash(* install)', ['npm install', 'pnpm install', 'yarn --x install'], ['npm uninstall', 'npm run build']],
  ['Bash(git * main)', ['git merge main', 'git push origin main', 'git checkout main'], ['git merge next', 'git commit -m x']],
  ['Bash(ls*)', ['ls -la', 'lsof -i', 'ls'], ['als']],
  ['Bash(ls *)', ['ls -la', 'ls'], ['lsof -i']],
  ['Bash(ls:*)', ['ls -la', 'ls'], ['lsof -i']],
  ['Bash(git push * --force)', ['git push origin main --force', '/usr/bin/git push a --force'], ['git push origin main', 'git commit --force']],
  ['Bash(git push *--force*)', ['git push --force', 'git push origin --force-with-lease', 'git push --force origin'], ['git push origin']],
  ['Bash(* --version)', ['x --version'], ['x --versions']],
  ['Bash(rm \\*)', ["rm '*'"], ['rm x']],
  ['Bash(curl * | sh)', ['curl x | sh'], ['curl x']],
  ['Bash(git:* push)', ['git:x push'], ['git push']],
];

describe('rules with a * at any place', () => {
  test.each(DOCUMENTED)('deny %s is about what its documentation says', async (rule, denied, others) => {
    for (const line of denied)
      expect([line, await decided(line, `deny ${rule}`)]).toEqual([
        line,
        line.includes('|') || rule.includes('\\') ? expect.stringMatching(/deny|ask/) : 'deny',
      ]);
    for (const line of others) expect([line, await decided(line, `deny ${rule}`)]).not.toEqual([line, 'deny']);
  });

  test.each([
    'env git push x --force',
    'timeout 5 git push x --force',
    'xargs git push x --force',
    "bash -c 'git push x --force'",
    'sudo git push x --force',
    'git -C y push x --force',
    'git -c a=b push x --force',
    'git push --force',
    '$G push x --force',
    'git push x $FLAG',
    "eval 'git push x --force'",
    'ls && git push x --force',
    'ssh host git push x --force',
  ])('deny Bash(git push * --force) never lets %j pass', async (line) => {
    expect(await decided(line, 'deny Bash(git push * --force)', 'allow Bash')).toMatch(/^(?:deny|ask)/);
  });

  test('a * at a generated place: the text that it stands for does not matter', async () => {
    const words = fc.array(fc.constantFrom('git', 'push', 'origin', 'main', '--force', 'x', 'a.b'), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(words, fc.nat(), fc.nat(), async (line, from, length) => {
        const text = line.join(' ');
        const start = from % text.length;
        const end = Math.min(text.length, start + (length % 8));
        const rule = `${text.slice(0, start)}*${text.slice(end)}`;
        if (!/[^*\s]/.test(rule)) return;
        expect([rule, await decided(text, `deny Bash(${rule})`)]).toEqual([rule, 'deny']);
        expect([rule, await decided(`zzz ${text} zzz`, `deny Bash(${rule})`)]).not.toEqual([rule, 'allow']);
      }),
      { numRuns: share(150) },
    );
  });

  test('an allow rule with a * covers only what is known to run no other code', async () => {
    for (const [rule, line] of [
      ['git * main', 'git push origin main'],
      ['* test', 'npm test'],
      ['npm run*', 'npm run build'],
      ['* --all', 'git add --all'],
      ['git *', 'git fetch origin'],
    ] as const) {
      expect([line, await decided(line, `allow Bash(${rule})`)]).toEqual([line, 'allow']);
    }
    const hostile = [
      'git -c core.sshCommand=x push origin main',
      'git push ./evil main',
      'git push --exec=x main',
      'git rebase -x y main',
      'sh -c x main',
      'git push ext::sh main',
      'git push origin main > ~/.bashrc',
      'git push $X main',
      'git submodule foreach main',
    ];
    for (const line of hostile)
      expect([line, await decided(line, 'allow Bash(git * main)', 'allow Bash(* main)', 'allow Bash(*main*)')]).toEqual([line, expect.stringMatching(/^ask/)]);
    for (const line of ['npm install', 'evil install', 'curl install'])
      expect([line, await decided(line, 'allow Bash(e* install)', 'allow Bash(c* install)')]).toEqual([line, 'ask+']);
  });

  test('a saved rule for a script covers the script, and no arguments', async () => {
    for (const script of ['node scripts/x.mjs', './scripts/x.sh', 'python3 tools/a.py', 'scripts/x']) {
      expect([await decided(script, `allow Bash(${script}:*)`), await decided(`${script} --x`, `allow Bash(${script}:*)`)]).toEqual(['allow', 'ask+']);
    }
    for (const [rule, line] of [
      ['node:*', 'node scripts/x.mjs'],
      ['/usr/bin/python3:*', '/usr/bin/python3'],
      ['bash:*', 'bash'],
      ['python3 -:*', 'python3 -'],
    ] as const)
      expect([line, await decided(line, `allow Bash(${rule})`)]).toEqual([line, 'ask+']);
  });

  test('patterns of any kind are decided at once', () => {
    const long = `Bash(${'*a'.repeat(900)}b)`;
    expect(isRule(parseRule(long))).toBe(true);
  });
});

describe('names of tools', () => {
  test.each([
    'Task',
    'Task(Explore)',
    'Agent(x)',
    'Monitor',
    'Artifact',
    'Workflow',
    'ToolSearch',
    'Cd(/tmp/**)',
    'PowerShell(Remove-Item *)',
    'NotebookEdit(a.ipynb)',
    'TodoWrite',
    'AskUserQuestion',
    'KillShell',
    'mcp__*',
    'mcp__github__get_*',
  ])('a rule that denies %s is read, and nothing else asks because of it', async (rule) => {
    for (const effect of ['deny', 'ask']) expect([effect, await decided('ls', `${effect} ${rule}`)]).toEqual([effect, 'allow']);
  });

  test.each(['Tasks', 'Workflows(x)', 'Bassh(rm:*)', 'Moniter', 'mcp_', 'Rm(x)', '*', 'B*'])(
    'a rule that denies the unknown %s cannot be read, and every call asks',
    async (rule) => {
      const judgment = await judge(gateOn({ analyzer, rules: [`deny ${rule}`] }), 'default', runs('ls'));
      expect(judgment.type).toBe('ask');
      expect(reasonsOf(judgment)).toContain(rule);
    },
  );

  test.each([
    ['Bash:*', 'Write Bash alone for all calls, or put what it is about in parentheses: Bash(npm test:*).'],
    ['Bash:git push', 'Write Bash alone for all calls, or put what it is about in parentheses: Bash(git push:*).'],
    ['Edit:*', 'Write Edit alone for all calls, or put what it is about in parentheses: Edit(src/**).'],
    ['WebFetch:example.com', 'Write WebFetch alone for all calls, or put what it is about in parentheses: WebFetch(domain:example.com).'],
  ])('%s is unreadable, and its message has the right form', (text, problem) => {
    expect(parseRule(text)).toEqual({ problem });
  });

  test('a name that another program has for a tool of Gnomon is about that tool', async () => {
    const asks = planOf('ask', [{ kind: 'interact', target: 'chat' }]);
    expect(short(await judge(gateOn({ rules: ['deny AskUserQuestion'] }), 'default', asks))).toBe('deny');
  });

  test('tools of servers by pattern: denied in all servers, and never allowed in all', async () => {
    const call = (tool: string, rule: string) =>
      judge(gateOn({ rules: [rule] }), 'default', { ...planOf(tool, []), foreign: { kind: 'server', by: 'db', saysItReads: false } }).then(short);
    expect(await call('mcp__db__query', 'deny mcp__*')).toBe('deny');
    expect(await call('ext__a_b__c', 'deny mcp__*')).toBe('ask+');
    expect(await call('mcp__db__query', 'allow mcp__*')).toBe('ask+');
    expect([await call('mcp__db__get_x', 'allow mcp__db__get_*'), await call('mcp__db__set_x', 'allow mcp__db__get_*')]).toEqual(['allow', 'ask+']);
  });

  test('a rule about one skill is about no other', async () => {
    const loads = (name: string) => ({ ...planOf('skill', [{ kind: 'read' as const, target: '/ws/x' }]), subject: name });
    for (const rule of ['deny Skill(deploy)', 'deny Skill(deploy:*)', 'deny Skill(deploy *)']) {
      expect([
        short(await judge(gateOn({ rules: [rule] }), 'default', loads('deploy'))),
        short(await judge(gateOn({ rules: [rule] }), 'default', loads('notes'))),
      ]).toEqual(['deny', 'allow']);
    }
  });

  test('rules for PowerShell are about commands where they run in a shell other than bash, and about no others', async () => {
    const other = { shell: 'other' as const, analyze: () => ({ commands: [], files: [], unreadable: 'This shell cannot be read.' }) };
    expect(short(await judge(gateOn({ analyzer: other, rules: ['deny PowerShell(Remove-Item *)'] }), 'default', runs('Remove-Item x')))).toBe('deny');
    expect(await decided('rm x', 'deny PowerShell(rm *)')).toBe('ask+');
    expect(await decided('make x', 'allow PowerShell(make x)', 'allow PowerShell')).toBe('ask+');
  });
});
