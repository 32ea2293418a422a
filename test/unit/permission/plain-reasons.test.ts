import { expect, test } from 'vitest';
import { edits, gateOn, type GateRigOptions, judge, reads, runs } from './rig.js';
import { loadAnalyzer } from './shell/rig.js';
import type { Plan } from '../../../src/domain/tool/tool.js';

const analyzer = await loadAnalyzer();
const asks = async (plan: Plan, options: GateRigOptions = {}, mode: 'default' | 'ask' = 'default'): Promise<boolean | undefined> => {
  const judgment = await judge(gateOn({ analyzer, ...options }), mode, plan);
  return judgment.type === 'ask' ? judgment.plain === true : undefined;
};

test('reasons say nothing where the call shows all: no rule allows it, or the mode asks', async () => {
  expect(await asks(edits('/ws/a.ts'))).toBe(true);
  expect(await asks(runs('npm test'))).toBe(true);
  expect(await asks(runs('npm test && npm run lint'))).toBe(true);
  expect(await asks(reads('/ws/a.ts'), {}, 'ask')).toBe(true);
});

test('they say which part of a line no rule covers', async () => {
  expect(await asks(runs('npm test && npm run lint'), { rules: ['allow Bash(npm test:*)'] })).toBe(false);
});

test.each([
  ['a file outside of the workspace', edits('/etc/hosts')],
  ['a file with passwords', reads('/ws/.env')],
  ['a command with doubts', runs('eval "$(cat x)"')],
  ['nothing that is named', { ...edits(), accesses: [] }],
])('they say that there is %s', async (_what, plan) => {
  expect(await asks(plan)).toBe(false);
});

test('a rule that asks is named', async () => {
  expect(await asks(runs('npm test'), { rules: ['ask Bash(npm test)'] })).toBe(false);
});
