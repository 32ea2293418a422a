import { describe, expect, it } from 'vitest';
import { ProblemWarnings } from '../../../../src/consent/rules/problem-warnings.js';
import { ScriptedDialogs } from '../rig.js';

describe('warnings about rules that cannot be read (conf-23)', () => {
  it('are shown again whenever the problems have changed, and not while they stay', async () => {
    const dialogs = new ScriptedDialogs();
    const warnings = new ProblemWarnings(dialogs, () => Promise.resolve());
    for (const problems of [['A.'], ['A.'], ['A.', 'B.'], ['B.'], [], ['B.']]) await warnings.show(problems);
    expect(dialogs.shown.map(({ kind }) => kind)).toEqual(['warning', 'warning', 'warning', 'warning']);
    expect(dialogs.shown[1]?.text).toMatch(/A\. B\. Until they are fixed/);
  });

  it('lead to the settings', async () => {
    let opened = 0;
    const warnings = new ProblemWarnings(new ScriptedDialogs('Open Settings', undefined), () => Promise.resolve(void (opened += 1)));
    await warnings.show(['A.']);
    await warnings.show(['B.']);
    expect(opened).toBe(1);
  });

  it('name three, count the rest, and show no hidden characters', async () => {
    const dialogs = new ScriptedDialogs();
    await new ProblemWarnings(dialogs, () => Promise.resolve()).show(['A\u202E.', 'B.', 'C.', 'D.', 'x'.repeat(5_000)]);
    expect(dialogs.shown[0]?.text).toContain(String.raw`A\u{202e}. B. C. And 2 more problems.`);
  });
});
