import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FindingsRig } from './findings-rig.js';

const SLOW = { timeout: 60_000 };
const LINES = Array.from({ length: 12 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('E-6 a review of changes', () => {
  let rig: FindingsRig;

  beforeAll(async () => {
    rig = await FindingsRig.start();
  });
  afterAll(() => rig.all.stop());
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await rig.all.app.workbench.screenshot(`failed-${task.name.slice(0, 20).replaceAll(/\W/g, '-')}`);
  });

  it('shows findings in the Problems view and as comments, each with its severity', async () => {
    await rig.write('src/lines.js', textOf(LINES));
    rig.git('add', 'src/lines.js');
    await rig.write('other.md', 'something else\n');
    rig.reports(
      { path: 'src/lines.js', line: 3, severity: 'error', title: 'Wrong value', explanation: 'The value of `line3` is wrong.', suggestion: 'Use other.' },
      { path: 'src/lines.js', line: 6, end_line: 8, title: 'Three lines at once' },
    );
    await rig.press('Review Changes');
    await rig.all.app.workbench.notification('2 findings: 1 error, 1 warning');
    expect(rig.asked()).not.toContain('something else');
    await rig.untilProblems(2);
    await rig.all.app.workbench.screenshot('findings-problems');
    await rig.all.app.workbench.openFile('src/lines.js');
    await rig.page.locator('.squiggly-error').first().waitFor(SLOW);
    await rig.all.app.workbench.screenshot('findings-editor');
    await rig.page.locator('.comment-range-glyph, .comment-thread').first().click();
    await rig.thread('Wrong value').waitFor(SLOW);
    await rig.all.app.workbench.screenshot('findings-thread');
  });
});
