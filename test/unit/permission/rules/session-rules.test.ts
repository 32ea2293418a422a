import { expect, it } from 'vitest';
import { createGate } from '../../../../src/permission/gate.js';
import { SessionRules } from '../../../../src/permission/rules/session-rules.js';
import { createMemoryWorkspace } from '../../../support/memory-workspace/index.js';
import { judge, ruleBook, runs } from '../rig.js';
import { stubAnalyzer } from '../stub-analyzer.js';
import { HELD } from '../../../support/sandboxes.js';

it('C-5: a rule of a session is listed, and asked about again once it was removed', async () => {
  const sessionRules = new SessionRules();
  const { workspace } = createMemoryWorkspace();
  const gate = createGate({
    sandbox: HELD,
    workspace,
    caseInsensitive: false,
    home: '/home/user',
    rules: ruleBook([]),
    sessionRules,
    analyzer: () => Promise.resolve(stubAnalyzer),
    trusted: () => true,
  });
  const plan = runs('npm test');
  const request = { sessionId: 'session', callId: 'c', mode: 'default' as const, plan };
  await gate.remember(request, ['Bash(npm test:*)', ' Bash(make) '], 'session');
  await gate.remember(request, ['Bash(make)'], 'session');
  expect(sessionRules.of('session').map(({ effect, text, scope }) => `${scope} ${effect} ${text}`)).toEqual([
    'session allow Bash(npm test:*)',
    'session allow Bash(make)',
  ]);
  expect((await judge(gate, 'default', plan)).type).toBe('allow');
  sessionRules.remove('another', 'Bash(npm test:*)');
  expect((await judge(gate, 'default', plan)).type).toBe('allow');
  sessionRules.remove('session', 'Bash(npm test:*)');
  expect((await judge(gate, 'default', plan)).type).toBe('ask');
  expect(sessionRules.of('session').map(({ text }) => text)).toEqual(['Bash(make)']);
});
