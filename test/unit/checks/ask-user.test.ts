import { expect, it } from 'vitest';
import { askUser } from '../../../src/checks/ask-user.js';
import type { CheckQuestion } from '../../../src/checks/project-checks.js';
import { reportOf, summaryOf } from '../../../src/checks/report.js';
import type { CheckOutcome, CheckResult } from '../../../src/domain/check.js';

const check = { id: 'package.json#test', kind: 'tests', folder: '', line: 'npm test', file: 'package.json' } as const;
const sandbox = { available: true, by: 'bubblewrap' } as const;

/** What the user is shown, with the answer that they give. */
async function asked(more: Partial<CheckQuestion>, answer?: string): Promise<{ readonly way: string; readonly text: string; readonly may: boolean }> {
  let shown = { way: '', text: '' };
  const show = (way: string, ...texts: readonly string[]): Promise<string | undefined> => {
    shown = { way, text: texts.join('\n') };
    return Promise.resolve(answer);
  };
  const may = await askUser({
    modal: (title, detail, ...choices) => show('modal', title, detail, ...choices),
    beside: (title, { text }, ...choices) => show('beside', title, text, ...choices),
    notify: (_level, text) => show('notify', text),
  })({ check, folder: '/a', why: 'new', text: 'runs: "npm test"', notBound: ['Not checked: x.'], sandbox, ...more });
  return { ...shown, may };
}

it('asks with all that the answer covers, and what it does not', async () => {
  const first = await asked({}, 'Approve and Run');
  expect(first).toMatchObject({ way: 'modal', may: true });
  for (const part of ['`npm test`', 'package.json', 'sandbox without network', 'runs: "npm test"', 'Not checked: x.']) expect(first.text).toContain(part);
  expect((await asked({})).may).toBe(false);
  expect((await asked({ why: 'every_run' }, 'Approve and Run')).may).toBe(false);
  const bare = await asked({ why: 'every_run', sandbox: { available: false, reason: 'There is none.' } }, 'Run');
  expect(bare).toMatchObject({ may: true, text: expect.stringMatching(/without a sandbox.*all of your rights.*There is none/s) as string });
  expect((await asked({ why: 'changed_by_run' })).text).toContain('Checks changed by this run.');
  const changed = await asked({ why: 'changed', before: 'runs: "a"\nfile: "b"', text: 'runs: "c"\nfile: "b"' });
  expect(changed.text).toContain('−  runs: "a"\n+  runs: "c"\n   file: "b"');
});

it('shows a long text in an editor, has none approved that is too long, and no character hidden', async () => {
  expect((await asked({ text: 'x\n'.repeat(100) }, 'Approve and Run')).way).toBe('beside');
  expect(await asked({ text: 'x'.repeat(200_000) }, 'Approve and Run')).toMatchObject({ way: 'notify', may: false });
  expect((await asked({ check: { ...check, line: 'npm \u202E test' } })).text).not.toContain('\u202E');
});

it('tells what came of checks, with places that can be opened', () => {
  const ran = { exitCode: 0, findings: [], tail: '', durationMs: 1, confined: true };
  const result = (outcome: CheckOutcome): CheckResult => ({ check, outcome, at: 1 });
  const passed = result({ state: 'passed', ...ran, counts: { passed: 12, failed: 0 } });
  const failed = result({ state: 'failed', ...ran, exitCode: 1, findings: [{ file: 'b.ts', line: 3, column: 4, message: 'no' }] });
  const unclear = result({ state: 'not_checkable', why: 'timed_out', detail: 'It was ended.' });
  expect(summaryOf([passed])).toBe('`npm test`: passed, tests: 12.');
  expect(summaryOf([passed, failed, unclear, unclear])).toBe('Checks that passed: 1, failed: 1, not checkable: 2.');
  expect(reportOf([failed, unclear], '/a').split('\n')).toEqual([
    'Tests – npm test: failed with exit code 1',
    '  /a/b.ts:3:4 no',
    'Tests – npm test: not checkable here: it took too long',
    '  It was ended.',
  ]);
});
