import { describe, expect, test } from 'vitest';
import type { Gate, RuleBook } from '../../../src/domain/tool/permission.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { createGate } from '../../../src/permission/gate.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';
import { edits, gateOn, judge, planOf, reads, reasonsOf, ruleBook, runs, short } from './rig.js';
import { otherShell, stubAnalyzer } from './stub-analyzer.js';
import { HELD } from '../../support/sandboxes.js';
import { says } from '../../support/wording.js';

const links = { '/ws/out': '/etc', '/ws/link': '/ws/.env' };
const fetches = (url: string): Plan => planOf('fetch', [{ kind: 'network', target: url }], { kind: 'url', url });
const searches = (query: string): Plan =>
  planOf('web_search', [{ kind: 'network', target: 'https://search.test' }], { kind: 'search', query, service: 'Some Search' });
const greps = (...paths: readonly string[]): Plan =>
  planOf(
    'grep',
    paths.map((target) => ({ kind: 'read', target })),
  );
const calls = (tool: string): Plan => planOf(tool, []);

type Row = readonly [id: string, rules: readonly string[], plan: Plan, said: string];

/** What the gate says in the mode `default`. */
const DEFAULT: readonly Row[] = [
  ['cmd-01', ['allow Bash(ls:*)'], runs('ls; touch PWN'), 'ask+'],
  ['cmd-02', ['allow Bash(npm test:*)'], runs('npm test && touch PWN'), 'ask+'],
  ['cmd-46', ['allow Bash(npm test:*)', 'allow Bash(git add:*)'], runs('npm test -- x; git add --all | head'), 'allow'],
  ['cmd-04', ['allow Bash(npm test:*)'], runs('npm test\ntouch PWN'), 'ask+'],
  ['cmd-06', ['allow Bash'], runs('$X PWN'), 'allow'],
  ['cmd-06', ['allow Bash', 'deny Bash(curl:*)'], runs('$X PWN'), 'ask'],
  ['cmd-12', ['allow Bash(find:*)'], runs('find . -exec touch PWN'), 'ask+'],
  ['cmd-20', ['allow Bash(npm test:*)'], runs('FOO=1 npm test'), 'ask+'],
  ['cmd-20', ['allow Bash(FOO=1 npm test)'], runs('FOO=1 npm test'), 'allow'],
  ['cmd-20', ['allow Bash(FOO=1 npm test)'], runs('FOO=1 npm test; ls'), 'ask+'],
  ['cmd-24', ['deny Bash(curl:*)', 'allow Bash'], runs('curl x'), 'deny'],
  ['cmd-24', ['deny Bash(curl:*)', 'allow Bash'], runs('ls | /usr/bin/curl x'), 'deny'],
  ['cmd-24', ['deny Bash(curl:*)', 'allow Bash(ls | curl x)'], runs('ls | curl x'), 'deny'],
  ['cmd-24', ['deny Bash(curl x)'], runs('curl x'), 'deny'],
  ['cmd-24', ['deny Bash(curl x)'], runs('curl xy'), 'ask+'],
  ['cmd-24', ['deny Bash'], runs('ls'), 'deny'],
  ['cmd-26', ['allow Bash(echo:*)'], runs('echo x > f'), 'ask+'],
  ['cmd-26', ['allow Bash(echo:*)', 'allow Edit(/f)'], runs('echo x > f'), 'allow'],
  ['cmd-26', ['allow Bash(echo x > f)'], runs('echo x > f'), 'allow'],
  ['cmd-26', ['allow Bash(echo x > f)'], runs('echo x > f; ls'), 'ask+'],
  ['cmd-26', ['allow Bash(echo x > .envrc)'], runs('echo x > .envrc'), 'ask'],
  ['cmd-26', ['allow Bash(echo:*)', 'allow Edit'], runs('echo x > .git/hooks/x'), 'ask'],
  ['cmd-26', ['allow Bash(echo:*)', 'allow Edit'], runs('echo x > ~/.bashrc'), 'ask'],
  ['cmd-26', ['allow Bash(touch:*)'], runs('touch a'), 'allow'],
  ['cmd-26', ['allow Bash(touch:*)'], runs('touch a 2>/dev/null >&2'), 'allow'],
  ['cmd-26', ['allow Bash(touch:*)'], runs('touch a > a'), 'ask+'],
  ['path-16', ['allow Bash(cp:*)'], runs('cp x .vscode/settings.json'), 'ask'],
  ['cmd-27', ['allow Read(//tmp/**)'], runs('cat /tmp/x'), 'allow'],
  ['cmd-27', ['allow Read(//tmp/**)', 'allow Read(//tmp)'], runs('cd /tmp && ls'), 'ask'],
  ['cmd-32', ['allow Bash', 'allow Read'], runs('ls "'), 'ask+'],
  ['cmd-32', ['allow Bash(ls ")'], runs('ls "'), 'allow'],
  ['cmd-32', ['allow Bash(ls ")', 'deny Bash(curl:*)'], runs('ls "'), 'ask'],
  ['cmd-32', ['deny Bash(curl:*)'], runs('curl "'), 'deny'],
  ['an ask rule outweighs an allow rule', ['ask Bash(git push:*)', 'allow Bash(git:*)'], runs('git push'), 'ask'],
  ['an ask rule is about its own commands', ['ask Bash(git push:*)', 'allow Bash(git:*)'], runs('git pull'), 'allow'],
  ['a deny rule outweighs all', ['allow Bash(git push)', 'ask Bash(git push:*)', 'workspace deny Bash(git push:*)'], runs('git push'), 'deny'],
  ['options do not hide a command', ['deny Bash(git push:*)', 'allow Bash(git:*)'], runs('git -C x push'), 'ask'],
  ['path-15', ['deny Read(.env)'], reads('/ws/.env'), 'deny'],
  ['path-15', ['deny Read(.env)', 'allow Read(.env)'], reads('/ws/a/.env'), 'deny'],
  ['path-15', ['deny Read(.env)'], runs('cat .env'), 'deny'],
  ['path-15', ['deny Read(.env)'], runs('cat $PWD/.env'), 'deny'],
  ['path-15', ['deny Read(.env)'], reads('/ws/link'), 'deny'],
  ['path-15', ['deny Read(.env)'], runs('cat link'), 'deny'],
  ['path-15', ['deny Read(.env)'], greps('/ws/.env'), 'deny'],
  ['path-15 (the guard filters)', ['deny Read(.env)'], greps('/ws'), 'allow'],
  ['path-15', ['deny Read(.env)'], runs('grep x src'), 'ask'],
  ['path-15', ['deny Read(.env)'], runs('ls src; cat src/a.ts'), 'ask'],
  ['path-15', ['deny Read(.env)'], runs('ls src | head -5'), 'allow'],
  ['path-15', ['deny Read(.env)'], runs('cat src/a.ts'), 'allow'],
  ['path-15', ['deny Read(secrets/**)'], runs('grep x src'), 'allow'],
  ['path-15', ['deny Read(.env)'], planOf('edit', [{ kind: 'write', target: '/ws/.env' }]), 'deny'],
  ['path-15', ['deny Read(.env)'], planOf('apply_patch', [{ kind: 'write', target: '/ws/.env' }]), 'deny'],
  ['path-15', ['deny Edit(.env)'], planOf('apply_patch', [{ kind: 'write', target: '/ws/.env' }]), 'deny'],
  ['path-15', ['deny Read(.env)'], planOf('diagnostics', [{ kind: 'read', target: '/ws/.env' }]), 'deny'],
  ['path-09', ['deny Read(.env)'], reads('/ws/.ENV'), 'deny'],
  ['path-11', ['deny Read(.env)'], reads('/ws/\uff0eenv'), 'deny'],
  ['reading is denied as a whole', ['deny Read'], greps('/ws'), 'deny'],
  ['one tool is denied', ['deny Grep'], greps('/ws'), 'deny'],
  ['one tool is denied', ['deny Grep'], reads('/ws/a'), 'allow'],
  ['secrets', ['allow Read'], reads('/ws/.env'), 'ask+'],
  ['secrets', ['allow Read(**)'], reads('/ws/.env'), 'ask+'],
  ['secrets', ['allow Read(.env)'], reads('/ws/.env'), 'allow'],
  ['secrets', ['allow Read(.env*)'], runs('cat .env'), 'allow'],
  ['secrets', ['allow Bash(cat:*)'], runs('cat .env'), 'ask+'],
  ['secrets', ['allow Read(~/**)'], reads('/home/user/.ssh/config'), 'ask+'],
  ['secrets', ['allow Read(~/.ssh/config)'], reads('/home/user/.ssh/config'), 'allow'],
  ['outside', ['allow Read'], reads('/etc/passwd'), 'ask+'],
  ['outside', ['allow Read(passwd)'], reads('/etc/passwd'), 'ask+'],
  ['outside', ['allow Read(//etc/**)'], reads('/etc/passwd'), 'allow'],
  ['outside', ['allow Read(~/notes/**)'], reads('/home/user/notes/a'), 'allow'],
  ['path-04', ['allow Read(//etc/**)', 'allow Read(/out/**)'], reads('/ws/out/passwd'), 'ask'],
  ['outside', ['allow Edit(//srv/**)'], edits('/srv/a'), 'allow'],
  ['outside', ['allow Edit'], edits('/srv/a'), 'ask+'],
  ['outside', ['allow Edit(~/**)'], edits('/home/user/.bashrc'), 'ask'],
  ['conf-06', ['allow Edit', 'allow Edit(.vscode/**)'], edits('/ws/.vscode/tasks.json'), 'ask'],
  ['edits', ['allow Edit(src/**)'], edits('/ws/src/a.ts'), 'allow'],
  ['edits', ['allow Edit(src/**)'], edits('/ws/src/a.ts', '/ws/b.ts'), 'ask+'],
  ['edits', ['deny Edit(src/**)', 'allow Edit'], edits('/ws/src/a.ts'), 'deny'],
  ['edits', ['deny Edit(*.lock)'], runs('touch a.lock'), 'deny'],
  ['edits', ['ask Edit(src/**)', 'allow Edit'], edits('/ws/src/a.ts'), 'ask'],
  ['tool-18', ['allow WebFetch(domain:ok.com)'], fetches('https://ok.com/x'), 'allow'],
  ['tool-18', ['allow WebFetch(domain:ok.com)'], fetches('https://ok.com./x'), 'allow'],
  ['tool-18', ['allow WebFetch(domain:ok.com)'], fetches('https://ok.com.evil/x'), 'ask+'],
  ['tool-18', ['allow WebFetch(domain:ok.com)'], fetches('https://ok@evil/x'), 'ask+'],
  ['tool-18', ['allow WebFetch(domain:ok.com)'], fetches('https://a.ok.com/x'), 'ask+'],
  ['tool-18', ['allow WebFetch(domain:*.ok.com)'], fetches('https://a.b.ok.com/x'), 'allow'],
  ['tool-18', ['allow WebFetch(domain:*.ok.com)'], fetches('https://evilok.com/x'), 'ask+'],
  ['tool-18', ['deny WebFetch(domain:*.evil.com)', 'allow WebFetch'], fetches('https://A.EVIL.com/x'), 'deny'],
  ['tool-18', ['deny WebFetch(domain:evil.com)', 'allow WebFetch'], fetches('not an address'), 'ask'],
  ['tool-22', [], searches('x'), 'ask+'],
  ['tool-22', ['allow WebFetch', 'allow WebFetch(domain:search.test)', 'allow Bash', 'allow Read', 'allow Edit'], searches('x'), 'ask+'],
  ['tool-22', ['allow WebSearch'], searches('x'), 'allow'],
  ['tool-22', ['allow WebSearch'], searches('x\u202Ey'), 'ask'],
  ['tool-22', ['allow WebSearch'], fetches('https://search.test/'), 'ask+'],
  ['tool-22', ['ask WebSearch', 'allow WebSearch'], searches('x'), 'ask'],
  ['tool-22', ['deny WebSearch', 'allow WebSearch'], searches('x'), 'deny'],
  ['tool-22', ['deny WebFetch', 'allow WebSearch'], searches('x'), 'deny'],
  ['tool-22', ['deny WebFetch(domain:search.test)', 'allow WebSearch'], searches('x'), 'deny'],
  ['a tool of a server', ['allow mcp__db__query'], calls('mcp__db__query'), 'allow'],
  ['a tool of a server', ['allow mcp__db'], calls('mcp__db__query'), 'allow'],
  ['a tool of a server', ['allow mcp__db'], calls('mcp__db2__query'), 'ask+'],
  ['a tool of a server', ['deny mcp__db', 'allow mcp__db__query'], calls('mcp__db__query'), 'deny'],
  ['talking', ['deny todo'], planOf('todo', [{ kind: 'interact', target: 'chat' }]), 'deny'],
  ['talking', ['ask jobs'], planOf('jobs', [{ kind: 'interact', target: 'job-1' }]), 'ask'],
];

describe('rules at the gate', () => {
  test.each(DEFAULT)('%s: %j', async (_id, rules, plan, said) => {
    expect(short(await judge(gateOn({ rules, links, files: { '/ws/src/a.ts': '' } }), 'default', plan))).toBe(said);
  });

  test.each<readonly [string, readonly string[], Plan, string]>([
    ['deny rules hold', ['deny Bash(curl:*)'], runs('curl x'), 'deny'],
    ['ask rules hold', ['ask Bash(git push:*)'], runs('git push'), 'ask'],
    ['what may be denied asks', ['deny Bash(curl:*)'], runs('$X x'), 'ask'],
    ['what no rule may be about runs', [], runs('$X x'), 'allow'],
    ['lines that cannot be read ask', [], runs('x "'), 'ask+'],
    ['lines that cannot be read run by an exact rule', ['allow Bash(x ")'], runs('x "'), 'allow'],
    ['safety checks hold', [], runs('touch .git/config'), 'ask'],
    ['safety checks hold', [], edits('/ws/AGENTS.md'), 'ask'],
    ['all else runs', [], runs('npm install x > log'), 'allow'],
    ['all else runs', [], edits('/ws/a.ts'), 'allow'],
  ])('bypassPermissions: %s', async (_what, rules, plan, said) => {
    expect(short(await judge(gateOn({ rules }), 'bypassPermissions', plan))).toBe(said);
  });

  test('S-02: where settings disable bypassPermissions, it judges as acceptEdits does, from the next call on', async () => {
    let disabled = false;
    const gate = gateOn({ bypassDisabled: () => disabled });
    const said = async (): Promise<readonly string[]> =>
      Promise.all([runs('npm test'), edits('/ws/a.ts'), runs('rm -rf x')].map(async (plan) => short(await judge(gate, 'bypassPermissions', plan))));
    expect(await said()).toEqual(['allow', 'allow', 'allow']);
    disabled = true;
    expect(await said()).toEqual(['ask+', 'allow', 'ask+']);
    for (const mode of ['default', 'acceptEdits', 'plan', 'ask'] as const)
      expect(short(await judge(gate, mode, runs('npm test')))).toBe(short(await judge(gateOn({}), mode, runs('npm test'))));
  });

  test.each<readonly [string, readonly string[], Plan, string]>([
    ['cmd-45', ['allow Edit'], edits('/ws/a.ts'), 'deny'],
    ['cmd-45', ['allow Bash(ls > x)', 'allow Edit'], runs('ls > x'), 'deny'],
    ['cmd-45', ['allow Bash'], runs('git checkout .'), 'deny'],
    ['plan', [], runs('ls | head -5'), 'allow'],
    ['plan', ['deny Bash(ls:*)'], runs('ls'), 'deny'],
    ['plan', [], runs('ls && FOO=1 ls'), 'deny'],
  ])('plan, %s: %j', async (_id, rules, plan, said) => {
    expect(short(await judge(gateOn({ rules }), 'plan', plan))).toBe(said);
  });

  test('cmd-26: acceptEdits takes no redirection for an edit', async () => {
    expect(short(await judge(gateOn(), 'acceptEdits', runs('echo x > f')))).toBe('ask+');
    expect(short(await judge(gateOn({ rules: ['allow Edit(/f)'] }), 'acceptEdits', runs('echo x > f')))).toBe('allow');
  });

  test.each<readonly [readonly string[], Plan, string, string]>([
    [[], runs('Get-ChildItem'), 'default', 'ask+'],
    [['allow Bash(Get-ChildItem:*)'], runs('Get-ChildItem'), 'default', 'ask+'],
    [['allow Bash'], runs('Get-ChildItem'), 'default', 'ask+'],
    [['allow Bash(Get-ChildItem)'], runs('Get-ChildItem'), 'default', 'allow'],
    [['allow Bash(Get-ChildItem)'], runs('Get-ChildItem; iex $x'), 'default', 'ask+'],
    [[], runs('Get-ChildItem'), 'plan', 'deny'],
    [[], runs('ls; iex $x'), 'bypassPermissions', 'allow'],
    [['deny Bash(curl:*)'], runs('ls; iex $x'), 'bypassPermissions', 'ask'],
    [['ask Bash(curl:*)'], runs('ls; iex $x'), 'bypassPermissions', 'ask'],
    [['deny Bash(curl:*)'], runs('curl x'), 'bypassPermissions', 'deny'],
  ])('cmd-34 a shell that cannot be read, %j: %j in %s', async (rules, plan, mode, said) => {
    expect(short(await judge(gateOn({ rules, analyzer: otherShell }), mode as 'default', plan))).toBe(said);
  });

  test('an analyzer that cannot be loaded allows nothing', async () => {
    const { workspace } = createMemoryWorkspace();
    const analyzer = () => Promise.reject(new Error('no such file'));
    const gate = createGate({
      sandbox: HELD,
      workspace,
      caseInsensitive: false,
      home: '/home/user',
      rules: ruleBook(['allow Bash']),
      analyzer,
      trusted: () => true,
    });
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const) {
      const judgment = await judge(gate, mode, runs('ls'));
      expect(judgment.type).toBe('ask');
      expect(reasonsOf(judgment)).toContain('no such file');
    }
    expect((await judge(gate, 'plan', runs('ls'))).type).toBe('deny');
  });

  test('a line that names very many files asks', async () => {
    const many = `cat ${Array.from({ length: 300 }, (_, index) => `f${index}`).join(' ')}`;
    expect(short(await judge(gateOn(), 'default', runs(many)))).toBe('ask+');
    expect((await judge(gateOn(), 'bypassPermissions', runs(many))).type).toBe('ask');
    expect((await judge(gateOn({ rules: ['deny Bash(curl:*)'] }), 'default', runs(`${many}; curl x`))).type).toBe('deny');
  });

  test('cmd-24: on a file system without case, another case is the same program', async () => {
    const rules = ['deny Bash(curl:*)', 'allow Bash'];
    expect((await judge(gateOn({ rules, caseInsensitive: true }), 'default', runs('CURL x'))).type).toBe('deny');
    expect((await judge(gateOn({ rules }), 'default', runs('CURL x'))).type).toBe('allow');
  });

  test('where case does not tell files apart, an allow rule covers another spelling', async () => {
    const rules = ['allow Edit(src/**)'];
    expect((await judge(gateOn({ rules, caseInsensitive: true }), 'default', edits('/ws/SRC/a.ts'))).type).toBe('allow');
    expect((await judge(gateOn({ rules }), 'default', edits('/ws/SRC/a.ts'))).type).toBe('ask');
  });
});

describe('trust', () => {
  test.each<readonly [Plan, string]>([
    [reads('/ws/a.ts'), 'allow'],
    [greps('/ws'), 'allow'],
    [reads('/etc/passwd'), 'ask+'],
    [planOf('ask', [{ kind: 'interact', target: 'chat' }]), 'allow'],
    [edits('/ws/a.ts'), 'deny'],
    [runs('ls'), 'deny'],
    [fetches('https://x.test'), 'deny'],
    [calls('mcp__db__query'), 'deny'],
  ])('conf-01: without it, %j', async (plan, said) => {
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const) {
      const gate = gateOn({ trusted: false, rules: ['allow Bash', 'allow Edit', 'allow WebFetch', 'allow mcp__db'] });
      expect(short(await judge(gate, mode, plan))).toBe(said);
    }
  });
});

describe('conf-23 rules that cannot be read', () => {
  test.each(['deny Bassh(rm:*)', 'workspace deny Bash(rm', 'ask Bash(/x/)'])('%s: nothing runs without asking, and the prompt names the rule', async (rule) => {
    const gate = gateOn({ rules: [rule, 'allow Bash'] });
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions', 'plan'] as const) {
      for (const plan of [reads('/ws/a'), runs('ls'), planOf('ask', [{ kind: 'interact', target: 'chat' }])]) {
        const judgment = await judge(gate, mode, plan);
        expect(short(judgment)).toBe('ask');
        expect(reasonsOf(judgment)).toContain(rule.slice(rule.indexOf('Bas')));
      }
    }
    expect((await judge(gate, 'plan', edits('/ws/a'))).type).toBe('deny');
    expect((await judge(gateOn({ rules: [rule, 'deny Bash(ls:*)'] }), 'default', runs('ls'))).type).toBe('deny');
  });

  test('an allow rule that cannot be read allows nothing and disturbs nothing', async () => {
    const gate = gateOn({ rules: ['allow *', 'allow Bash(/npm/)'] });
    expect(short(await judge(gate, 'default', runs('npm test')))).toBe('ask+');
    expect(short(await judge(gate, 'default', reads('/ws/a')))).toBe('allow');
  });
});

describe('why', () => {
  const said = async (rules: readonly string[], plan: Plan, mode = 'default'): Promise<string> =>
    reasonsOf(await judge(gateOn({ rules, links }), mode as 'default', plan));

  test('every judgment names the rule and where it is kept', async () => {
    expect(await said(['deny Bash(curl:*)'], runs('ls; curl x'))).toBe('The deny rule Bash(curl:*) in the user settings forbids `curl x`.');
    expect(await said(['workspace deny Read(.env)'], reads('/ws/.env'))).toBe('The deny rule Read(.env) in the workspace settings forbids `.env`.');
    expect(await said(['deny Read(.env) @.claude/settings.json'], reads('/ws/.env'))).toBe(
      'The deny rule Read(.env) in the file .claude/settings.json forbids `.env`.',
    );
    expect(await said(['workspace allow Bash(npm test:*) @.gnomon/settings.local.json'], runs('npm test'))).toBe(
      'The allow rule Bash(npm test:*) in .gnomon/settings.local.json allows it.',
    );
    expect(await said(['ask Bash(git push:*)'], runs('git push'))).toBe('The ask rule Bash(git push:*) in your user settings applies to git push.');
    expect(await said(['deny Bash(curl:*)'], runs('$X x'))).toBe(says('mightDeny', 'The deny rule Bash(curl:*) in your user settings', '$X x'));
    expect(await said(['session allow Bash(npm test:*)'], runs('npm test'))).toBe('The allow rule Bash(npm test:*) for this chat allows it.');
    expect(await said(['allow Bash(git add:*)', 'allow Bash(npm test:*)'], runs('git add a; npm test; ls'))).toBe(
      says('allowedByRules', 'The allow rule Bash(git add:*) in your user settings; The allow rule Bash(npm test:*) in your user settings'),
    );
    expect(await said([], runs('ls'))).toBe(says('onlyReadOnlyCommands'));
    expect(await said([], runs('x'), 'bypassPermissions')).toBe(says('permissionsBypassed'));
    expect(await said([], edits('/ws/a'), 'acceptEdits')).toBe(says('editsAccepted'));
  });

  test('cmd-37: nothing hidden and nothing endless gets into a sentence', async () => {
    const reason = await said(['deny Bash(curl:*)'], runs(`curl \u001b[2K${'x'.repeat(5_000)}`));
    expect(reason).not.toContain('\u001b');
    expect(reason.length).toBeLessThan(500);
  });

  test('cmd-35: a tail behind thousands of blanks is a part of its own', async () => {
    expect(await judge(gateOn(), 'default', runs(`ls${' '.repeat(5_000)}; touch PWN`))).toMatchObject({ type: 'ask', parts: ['ls', 'touch PWN'] });
    expect(await judge(gateOn(), 'default', runs('touch PWN'))).not.toHaveProperty('parts');
  });
});

describe('Always allow', () => {
  const request = (plan: Plan, sessionId = 'session') => ({ sessionId, callId: 'c', mode: 'default' as const, plan });
  /** What is proposed for a call. */
  const proposed = async (gate: Gate, plan: Plan): Promise<readonly string[]> => {
    const judgment = await judge(gate, 'default', plan);
    return judgment.type === 'ask' ? (judgment.proposal ?? []) : [];
  };
  const always = async (gate: Gate, plan: Plan): Promise<void> => gate.remember(request(plan), await proposed(gate, plan), 'session');

  test.each<readonly [Plan, readonly string[]]>([
    [runs('npm test'), ['Bash(npm test:*)']],
    [runs('git push origin'), ['Bash(git push:*)']],
    [runs('git push && npm test'), ['Bash(git push:*)', 'Bash(npm test:*)']],
    [runs('ls && npm test'), ['Bash(npm test:*)']],
    [runs('rm -rf *'), ['Bash(rm -rf \\*)']],
    [runs('FOO=1 npm test'), ['Bash(FOO=1 npm test)']],
    [runs('FOO=1 npm test && git push'), ['Bash(FOO=1 npm test && git push)']],
    [runs('echo x > out/f'), ['Edit(out/f)']],
    [runs('npm test > log'), ['Edit(/log)', 'Bash(npm test:*)']],
    [runs('cat /etc/hosts'), ['Read(//etc/hosts)']],
    [runs('ls "'), ['Bash(ls ")']],
    [runs('npm test\ngit push'), ['Bash(npm test:*)', 'Bash(git push:*)']],
    [runs('FOO=1 a\nb'), []],
    [runs('FOO=1 npm test > log'), ['Bash(FOO=1 npm test > log)']],
    [edits('/ws/src/a.ts'), ['Edit(src/a.ts)']],
    [reads('/etc/passwd'), ['Read(//etc/passwd)']],
    [reads('/srv'), ['Read(//srv)']],
    [reads('/ws/.env'), ['Read(/.env)']],
    [reads('/home/user/.ssh/config'), ['Read(//home/user/.ssh/config)']],
    [fetches('https://x.test/a'), ['WebFetch(domain:x.test)']],
    [searches('x'), ['WebSearch']],
    [calls('mcp__db__query'), ['mcp__db__query']],
    [edits('/ws/.vscode/x'), []],
    [runs('touch .git/x'), []],
    [runs('ls', '/'), []],
  ])('%j is proposed %j, and that is enough', async (plan, expected) => {
    const gate = gateOn({ files: { '/srv/x': '', '/etc/passwd': '' } });
    expect([...(await proposed(gate, plan))].sort()).toEqual([...expected].sort());
    if (expected.length === 0) return;
    await always(gate, plan);
    expect(short(await judge(gate, 'default', plan))).toBe('allow');
    expect((await judge(gate, 'default', plan, 'another session')).type).toBe('ask');
    expect((await judge(gate, 'ask', plan)).type).toBe('ask');
  });

  test('for a file outside, the file is offered, and its folder beside it', async () => {
    const gate = gateOn({ files: { '/etc/hostname': '', '/etc/.env': '', '/x': '' } });
    const offers = async (plan: Plan) => {
      const judgment = await judge(gate, 'default', plan);
      return judgment.type === 'ask' ? [judgment.proposal, judgment.wider] : [];
    };
    expect(await offers(reads('/etc/hostname'))).toEqual([['Read(//etc/hostname)'], ['Read(//etc/**)']]);
    expect(await offers(runs('cat /etc/hostname'))).toEqual([['Read(//etc/hostname)'], ['Read(//etc/**)']]);
    expect(await offers(reads('/etc/.env'))).toEqual([['Read(//etc/.env)'], undefined]);
    expect(await offers(reads('/x'))).toEqual([['Read(//x)'], undefined]);
    expect(await offers(reads('/ws/.env'))).toEqual([['Read(/.env)'], undefined]);
    expect(await offers(edits('/etc/hostname'))).toEqual([['Edit(//etc/hostname)'], undefined]);
  });

  test('cmd-31: nothing else comes with it', async () => {
    const gate = gateOn();
    await always(gate, runs('git merge main'));
    await gate.remember(request(runs('ls')), ['Bash(ls:*)'], 'session');
    expect(short(await judge(gate, 'default', runs('git merge next')))).toBe('allow');
    for (const other of [
      'git mergex',
      'git push',
      'lsof',
      'git merge main\nrm x',
      'git merge main; rm x',
      'GIT merge main',
      'git  -c a=b merge',
      './git merge',
      'git merge main > f',
    ]) {
      expect([other, short(await judge(gate, 'default', runs(other)))]).toEqual([other, 'ask+']);
    }
    expect(short(await judge(gate, 'plan', runs('git merge main')))).toBe('deny');
  });

  test('a prompt that no rule would have spared proposes none', async () => {
    for (const rules of [['ask Bash(npm:*)'], ['deny Bash(curl:*)', 'deny Bassh']]) {
      expect(await proposed(gateOn({ rules }), runs('npm test'))).toEqual([]);
    }
    expect(await judge(gateOn(), 'ask', runs('npm test'))).not.toHaveProperty('proposal');
  });

  test('never outweighs a safety check or a deny rule', async () => {
    const gate = gateOn({ links, rules: ['deny Bash(curl:*)'] });
    await gate.remember(request(runs('x')), ['Bash', 'Edit', 'Read', 'Edit(.vscode/**)', 'Bash(curl x)', 'Read(//etc/**)', 'Bash(ls \\*)'], 'session');
    for (const plan of [edits('/ws/.vscode/settings.json'), reads('/ws/out/passwd'), runs('ls \u200b'), runs('ls', '/')]) {
      expect(short(await judge(gate, 'default', plan))).toBe('ask');
    }
    expect(short(await judge(gate, 'default', runs('curl x')))).toBe('deny');
  });

  test('of several rules, one that cannot be read keeps all from being added, and says why', async () => {
    const added: unknown[] = [];
    const add: RuleBook['add'] = (rules, scope) => Promise.resolve(void added.push([...rules], scope));
    const gate = gateOn({ add });
    for (const scope of ['session', 'workspace', 'user'] as const) {
      await expect(gate.remember(request(runs('x')), ['Bash(x:*)', 'Bash(x'], scope)).rejects.toThrow(
        /^Bash\(x is not a valid rule\. Bash can only be followed by/,
      );
    }
    expect(added).toEqual([]);
    expect(short(await judge(gate, 'default', runs('x')))).toBe('ask+');
    await gate.remember(request(runs('x')), [' Bash(x:*) '], 'workspace');
    expect(added).toEqual([['Bash(x:*)'], 'workspace']);
  });

  test('rules that cannot be kept are not held for the session either', async () => {
    const gate = gateOn({ add: () => Promise.reject(new Error('The settings cannot be written.')) });
    await expect(gate.remember(request(runs('x')), ['Bash(x:*)'], 'user')).rejects.toThrow('cannot be written');
    expect((await judge(gate, 'default', runs('x'))).type).toBe('ask');
  });

  test('the rules are asked for anew each time', async () => {
    let rules = ['allow Bash(make x:*)'];
    const { workspace } = createMemoryWorkspace();
    const book: RuleBook = { ...ruleBook([]), rules: () => ruleBook(rules).rules() };
    const gate = createGate({
      sandbox: HELD,
      workspace,
      caseInsensitive: false,
      home: '/home/user',
      rules: book,
      analyzer: () => Promise.resolve(stubAnalyzer),
      trusted: () => true,
    });
    expect((await judge(gate, 'default', runs('make x'))).type).toBe('allow');
    rules = ['deny Bash(make x:*)'];
    expect((await judge(gate, 'default', runs('make x'))).type).toBe('deny');
  });
});
