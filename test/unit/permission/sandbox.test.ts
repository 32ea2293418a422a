import { describe, expect, test } from 'vitest';
import type { Judgment } from '../../../src/domain/tool/permission.js';
import type { Plan } from '../../../src/domain/tool/tool.js';
import { heldAs, HELD, NOT_HELD, USUAL } from '../../support/sandboxes.js';
import { gateOn, judge, reasonsOf, runs, short } from './rig.js';
import { loadAnalyzer } from './shell/rig.js';
import { says } from '../../support/wording.js';

const analyzer = await loadAnalyzer();

/** What a gate says to a command line, on a machine that can or cannot hold it. */
function said(
  command: string,
  {
    sandbox = HELD,
    rules = [],
    mode = 'default',
    plan = {},
  }: { sandbox?: typeof HELD; rules?: readonly string[]; mode?: 'default' | 'plan' | 'acceptEdits' | 'bypassPermissions'; plan?: Partial<Plan> } = {},
): Promise<Judgment> {
  const files = { '/ws/a.ts': 'a', '/ws/.env': 'A=1', '/home/user/notes/b.txt': 'b' };
  return judge(gateOn({ analyzer, sandbox, rules, files }), mode, { ...runs(command), ...plan });
}

describe('what runs without a question', () => {
  test.each(['default', 'plan', 'acceptEdits'] as const)('runs in the sandbox: mode %s', async (mode) => {
    for (const command of ['cat a.ts', 'git status', 'ls | wc -l', 'echo done']) {
      expect(await said(command, { mode })).toMatchObject({ type: 'allow', readsOnly: true, confined: { readable: expect.any(Array) as unknown } });
    }
  });

  test('reads there what a rule for files allows, and that alone', async () => {
    const rules = ['allow Read(~/notes/**)', 'allow Read(.env)'];
    expect(await said('cat ~/notes/b.txt', { rules })).toMatchObject({ type: 'allow', confined: { readable: ['/home/user/notes/b.txt'] } });
    expect(await said('cat .env', { rules })).toMatchObject({ type: 'allow', confined: { readable: ['/ws/.env'] } });
    expect(short(await said('cat ~/other.txt', { rules }))).toMatch(/ask/);
  });

  test('what was asked about, or allowed by a rule for commands or a mode, runs outside of it', async () => {
    expect(await said('npm test', { rules: ['allow Bash(npm test)'] })).toEqual({ type: 'allow', reason: expect.any(String) as unknown });
    expect(await said('cat a.ts', { mode: 'bypassPermissions' })).not.toHaveProperty('confined');
    expect(short(await said('npm test'))).toBe('ask+');
  });
});

describe('on a machine without a sandbox', () => {
  test.each(['cat a.ts', 'git status', 'ls', 'rg x', 'xxd -p a.ts', 'find .', 'nl a.ts', 'echo $(cat a.ts)', 'sort a.ts', 'od a.ts'])(
    '%s asks, and says why',
    async (command) => {
      for (const mode of ['default', 'plan', 'acceptEdits'] as const) {
        const judgment = await said(command, { sandbox: NOT_HELD, mode });
        expect(short(judgment)).toMatch(/ask/);
        expect(reasonsOf(judgment)).toContain(says('noSandbox', 'bubblewrap is not installed.'));
      }
    },
  );

  test.each(['echo done', 'pwd', 'printf "%s\\n" a', 'true && echo yes', 'cd . && pwd', 'test -f a.ts && echo there', 'uname -a', 'basename a.ts .ts'])(
    '%s runs',
    async (command) => {
      expect(await said(command, { sandbox: NOT_HELD })).toMatchObject({ type: 'allow', readsOnly: true, reason: says('onlyHarmlessCommands') });
    },
  );

  test('a rule lets a command run, “Always allow” offers one, and plan mode stays a mode that only reads', async () => {
    expect(await said('git status', { sandbox: NOT_HELD, rules: ['allow Bash(git status)'] })).not.toHaveProperty('confined');
    expect((await said('git status', { sandbox: NOT_HELD, rules: ['allow Bash(git status)'] })).type).toBe('allow');
    expect(await said('cat a.ts', { sandbox: NOT_HELD })).toMatchObject({ proposal: ['Bash(cat:*)'] });
    expect((await said('npm test', { sandbox: NOT_HELD, mode: 'plan', rules: ['allow Bash'] })).type).toBe('deny');
    expect((await said('cat .env', { sandbox: NOT_HELD, rules: ['allow Read(.env)'] })).type).toBe('ask');
  });
});

describe('a command that is to run outside of the sandbox', () => {
  const plan = { unconfined: true } as const;

  test('asks, though it only reads, unless a rule for commands allows it', async () => {
    const judgment = await said('git status', { plan });
    expect(short(judgment)).toBe('ask+');
    expect(reasonsOf(judgment)).toContain(says('runsOutsideSandbox'));
    expect(await said('git status', { plan, rules: ['allow Bash(git status)'] })).not.toHaveProperty('confined');
  });
});

describe('where allowed commands run in the sandbox too', () => {
  const sandbox = heldAs({ ...USUAL, allowed: true, hosts: ['registry.example'] });
  const work = { hosts: ['registry.example'] };

  test('what is asked about, and what a rule or a mode allows, works there', async () => {
    expect(await said('npm test', { sandbox })).toMatchObject({ type: 'ask', confined: { work } });
    expect(await said('npm test', { sandbox, rules: ['allow Bash(npm test)'] })).toMatchObject({ type: 'allow', confined: { work } });
    expect(await said('npm test', { sandbox, mode: 'bypassPermissions' })).toMatchObject({ type: 'allow', confined: { work } });
  });

  test('what runs unasked still only reads there, and nothing is held that is to run outside', async () => {
    expect(await said('cat a.ts', { sandbox })).toMatchObject({ type: 'allow', confined: { readable: ['/ws/a.ts'] } });
    expect(await said('cat a.ts', { sandbox })).not.toHaveProperty('confined.work');
    expect(await said('npm test', { sandbox, plan: { unconfined: true }, rules: ['allow Bash'] })).not.toHaveProperty('confined');
    expect(await said('npm test', { sandbox: { ...NOT_HELD, choices: () => sandbox.choices() }, rules: ['allow Bash'] })).not.toHaveProperty('confined');
  });
});

describe('where commands run unasked that the sandbox holds', () => {
  const sandbox = heldAs({ allowed: true, unasked: true, hosts: ['*'] });

  test('they change nothing there and have no network, whatever allowed ones have', async () => {
    for (const command of ['npm test', 'node x.js', 'curl https://x.test', 'python3 -c "print(1)"', 'make > out.txt']) {
      expect([command, await said(command, { sandbox })]).toMatchObject([
        command,
        { type: 'allow', reason: says('heldBySandbox'), confined: { readable: [] } },
      ]);
      expect(await said(command, { sandbox })).not.toHaveProperty('confined.work');
      expect(await said(command, { sandbox })).not.toHaveProperty('readsOnly');
    }
  });

  test('a rule that covers one lets it work, and rules and checks that ask or deny come first', async () => {
    expect(await said('npm test', { sandbox, rules: ['allow Bash(npm test)'] })).toMatchObject({ confined: { work: { hosts: ['*'] } } });
    expect((await said('npm test', { sandbox, rules: ['deny Bash(npm:*)'] })).type).toBe('deny');
    expect((await said('npm test', { sandbox, rules: ['ask Bash(npm:*)'] })).type).toBe('ask');
    expect((await said('npm test', { sandbox, mode: 'plan' })).type).toBe('deny');
    for (const command of ['node .env', 'touch .git/hooks/x', 'cat ../x', 'eval "$('])
      expect([command, (await said(command, { sandbox })).type]).toEqual([command, 'ask']);
    expect((await said('npm test', { sandbox, plan: { unconfined: true } })).type).toBe('ask');
  });
});
