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

it('C-5: rules of all effects are kept apart, and those that are replaced or removed leave the others alone', () => {
  const sessionRules = new SessionRules();
  const list = (): readonly string[] => sessionRules.of('s').map(({ effect, text }) => `${effect} ${text}`);
  for (const effect of ['allow', 'deny', 'ask'] as const) sessionRules.update('s', { type: 'addRules', effect, rules: ['Bash(a)', 'Bash(b)', 'Bash(a)'] });
  sessionRules.update('s', { type: 'replaceRules', effect: 'deny', rules: ['Bash(b)', 'Bash(c)'] });
  sessionRules.update('s', { type: 'removeRules', effect: 'ask', rules: ['Bash(b)', 'Bash(x)'] });
  expect(list()).toEqual(['allow Bash(a)', 'allow Bash(b)', 'deny Bash(b)', 'ask Bash(a)', 'deny Bash(c)']);
  sessionRules.remove('s', 'Bash(b)');
  expect(list()).toEqual(['allow Bash(a)', 'deny Bash(b)', 'ask Bash(a)', 'deny Bash(c)']);
  sessionRules.remove('s', 'Bash(b)', 'deny');
  expect(list()).toEqual(['allow Bash(a)', 'ask Bash(a)', 'deny Bash(c)']);
});
