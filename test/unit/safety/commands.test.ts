import { describe, expect, test } from 'vitest';
import type { Gate, Judgment, PermissionMode, PermissionRule } from '../../../src/domain/tool/permission.js';
import { createGate } from '../../../src/permission/gate.js';
import { loadAnalyzer } from '../permission/shell/rig.js';
import { createMemoryWorkspace } from '../../support/memory-workspace/index.js';
import { type Outcome, COMMAND_ROWS } from './command-rows.js';
import { HELD } from '../../support/sandboxes.js';

const ALLOWED = ['ls', 'cat', 'echo', 'find', 'sort', 'uniq', 'sed', 'rg', 'grep', 'test', 'awk', 'git status', 'git diff', 'git log', 'git show', 'npm test'];
const RULES: readonly PermissionRule[] = [
  ...ALLOWED.map((head) => ({ effect: 'allow' as const, text: `Bash(${head}:*)`, scope: 'user' as const })),
  ...['Bash(curl:*)', 'Bash(rm:*)', 'Read(.secret)'].map((text) => ({ effect: 'deny' as const, text, scope: 'user' as const })),
];

function gate(rules: readonly PermissionRule[] = RULES): Gate {
  const { workspace } = createMemoryWorkspace({});
  return createGate({
    sandbox: HELD,
    workspace,
    caseInsensitive: false,
    home: '/home/user',
    rules: { rules: () => rules, add: () => Promise.resolve(), update: () => Promise.resolve() },
    analyzer: loadAnalyzer,
    trusted: () => true,
  });
}

function judge(command: string, mode: PermissionMode = 'default', on = gate()): Promise<Judgment> {
  const plan = {
    tool: 'bash',
    subject: command.slice(0, 80),
    args: { command },
    accesses: [{ kind: 'execute' as const, target: command }],
    preview: { kind: 'command' as const, command, cwd: '/ws', timeoutMs: 1_000 },
    changes: [],
  };
  return on.judge({ sessionId: 's', callId: 'c', mode, plan }, new AbortController().signal);
}

const SHORT: Readonly<Record<Judgment['type'], Outcome>> = { allow: 'OK', ask: 'ASK', deny: 'DENY' };

describe('commands of the safety table, with the rules of its conventions', () => {
  for (const [row, outcome, commands] of COMMAND_ROWS) {
    test.each(commands.map((command) => [command.length > 80 ? `${command.slice(0, 80)}…` : command, command]))(
      `${row} ${outcome}: %j`,
      async (_shown, command) => {
        const got = SHORT[(await judge(command)).type];
        expect(outcome === 'ASK or DENY' ? ['ASK', 'DENY'] : [outcome]).toContain(got);
      },
    );
  }
});

test('cmd-35 a tail behind thousands of blanks is a part of its own', async () => {
  for (const blanks of [`${' '.repeat(5_000)};`, `${'\t'.repeat(5_000)};`, '\n'.repeat(5_000)]) {
    expect(await judge(`ls${blanks} touch PWN`)).toMatchObject({ type: 'ask', parts: ['ls', 'touch PWN'] });
  }
  // No line of bash: it asks, and is shown as it is.
  expect(await judge(`ls${'\n'.repeat(5_000)}; touch PWN`)).toMatchObject({ type: 'ask' });
});

describe('cmd-39 what the model says about its call', () => {
  test('changes nothing', async () => {
    const plan = {
      tool: 'bash',
      subject: 'touch PWN',
      args: { command: 'touch PWN', requires_approval: false, safe: true, description: 'read only' },
      accesses: [{ kind: 'execute' as const, target: 'touch PWN' }],
      preview: { kind: 'command' as const, command: 'touch PWN', cwd: '/ws', timeoutMs: 1_000 },
      changes: [],
    };
    const judgment = await gate().judge({ sessionId: 's', callId: 'c', mode: 'default', plan }, new AbortController().signal);
    expect(judgment.type).toBe('ask');
  });
});

describe('cmd-45 plan mode, whatever the rules allow', () => {
  const rules = [...RULES, ...['Edit', 'Edit(**)', 'Bash', 'Bash(git checkout:*)'].map((text) => ({ effect: 'allow' as const, text, scope: 'user' as const }))];
  test.each(['ls > x', 'git checkout .', 'npm test', 'touch x', 'sed -i s/a/b/ f'])('denies %j', async (command) => {
    expect((await judge(command, 'plan', gate(rules))).type).toBe('deny');
  });
  test.each(['ls', 'git status | head', 'cat f'])('lets %j read', async (command) => {
    expect((await judge(command, 'plan', gate(rules))).type).toBe('allow');
  });
});

describe('bypassPermissions', () => {
  test.each(['touch x', 'npm ci', 'FOO=1 make', 'node x.js > out.txt'])('runs %j', async (command) => {
    expect((await judge(command, 'bypassPermissions')).type).toBe('allow');
  });
  test.each(['curl x', 'env curl x', 'ls; rm x', 'cat .secret'])('still denies %j', async (command) => {
    expect((await judge(command, 'bypassPermissions')).type).toBe('deny');
  });
  test.each(['echo x > .git/hooks/pre-commit', 'echo x > ~/.bashrc', 'ls \u202e', 'mv x .vscode/settings.json'])('still asks about %j', async (command) => {
    expect((await judge(command, 'bypassPermissions')).type).toBe('ask');
  });
});
