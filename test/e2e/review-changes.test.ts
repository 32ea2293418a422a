import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gate, lastToolResults, reply } from '../support/model-server/index.js';
import type { Reported } from './findings-rig.js';
import { FindingsRig } from './findings-rig.js';

const SLOW = { timeout: 60_000 };
const LINES = Array.from({ length: 12 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const SECRET = 'CANARY_SECRET_7d21';

describe('E-6 a review of changes', () => {
  let rig: FindingsRig;

  beforeAll(async () => {
    rig = await FindingsRig.start();
  });
  afterAll(() => rig.all.stop());
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await rig.all.app.workbench.screenshot(`failed-${task.name.slice(0, 20).replaceAll(/\W/g, '-')}`);
    await rig.all.app.workbench.runCommand('Gnomon: Stop the Review').catch(() => undefined);
  });
  beforeEach(async () => {
    const { workbench } = rig.all.app;
    await workbench.runCommand('Notifications: Clear All Notifications');
    // After a test that failed VS Code would ask what is to become of unsaved text.
    await workbench.runCommand('File: Save All Files');
    await workbench.runCommand('View: Close All Editors');
    rig.commit();
  });

  const notification = (words: string | RegExp): ReturnType<typeof rig.all.app.workbench.notification> => rig.all.app.workbench.notification(words);
  const quickFix = (words: string): ReturnType<typeof rig.page.locator> => rig.page.locator('.action-widget').getByText(words);

  /** Reviews a file with the twelve lines, and opens it. */
  async function reviewed(name: string, ...findings: readonly Reported[]): Promise<void> {
    await rig.write(name, textOf(LINES));
    rig.reports(...findings);
    // An earlier review may have found something of the same title.
    const before = rig.all.server.requests.length;
    await rig.press('Review Changes');
    await rig.untilAsked(before + 1);
    for (const { title } of findings) await rig.untilProblem(new RegExp(title));
    await rig.untilReviewed();
    await rig.all.app.workbench.openFile(name);
  }

  it('shows findings in the Problems view and as comments, each with its severity', async () => {
    await rig.write('src/lines.js', textOf(LINES));
    rig.git('add', 'src/lines.js');
    await rig.write('other.md', 'something else\n');
    rig.reports(
      { path: 'src/lines.js', line: 3, severity: 'error', title: 'Wrong value', explanation: 'The value of `line3` is wrong.', suggestion: 'Use other.' },
      { path: 'src/lines.js', line: 6, end_line: 8, title: 'Three lines at once' },
    );
    await rig.press('Review Changes');
    const found = await notification('2 findings: 1 error, 1 warning');
    await found.getByRole('button', { name: 'Show Problems' }).click(SLOW);
    await rig.problems.nth(1).waitFor(SLOW);
    expect(rig.asked()).toContain('    3 +const line3 = value(3);');
    expect(rig.asked()).toContain('Review the staged changes.');
    expect(rig.asked()).not.toContain('something else');
    await rig.untilProblems(2);
    expect(await rig.problems.first().getAttribute('aria-label')).toMatch(/^Error: Wrong value/);
    expect(await rig.problems.nth(1).getAttribute('aria-label')).toMatch(/^Warning: Three lines at once/);
    await rig.all.app.workbench.screenshot('findings-problems');
    await rig.all.app.workbench.openFile('src/lines.js');
    await rig.page.locator('.squiggly-error').first().waitFor(SLOW);
    await rig.openThread(3);
    await rig.thread('Wrong value').getByText('The value of line3 is wrong.').waitFor(SLOW);
    await rig.thread('Wrong value').getByText('Use other.').waitFor(SLOW);
    await rig.all.app.workbench.screenshot('findings-thread');
  });

  it('fixes a finding from its comment: it goes when the fix is kept, and stays when it is undone', async () => {
    await reviewed('fixed.js', { path: 'fixed.js', line: 3, title: 'Wrong value', explanation: 'It is not that one.' });
    const edit = rig.page.locator('.review-widget').filter({ has: rig.page.getByRole('button', { name: 'Keep the Edit' }) });
    const fix = async (): Promise<void> => {
      rig.script(reply().toolCall('edit_selection', { new_text: 'const line3 = other(3);\n' }));
      await rig.openThread(3);
      await rig.thread('Wrong value').getByRole('button', { name: 'Fix This' }).click(SLOW);
      await edit.getByText('1 change.').waitFor(SLOW);
      await rig.shows('const line3 = other(3);');
      await expect.poll(() => rig.page.locator('.review-widget:visible').count(), SLOW).toBe(1);
      expect(rig.asked()).toContain('It is not that one.');
      expect(rig.asked()).toContain('Fix the attached problem.');
    };
    await fix();
    await rig.all.app.workbench.screenshot('findings-fix');
    // By key: the thread of the finding has just gone, and what is below it may still move away from the pointer.
    await edit.getByRole('button', { name: 'Undo the Edit' }).press('Enter');
    await rig.shows('const line3 = value(3);');
    await edit.waitFor({ state: 'detached', ...SLOW });
    await rig.untilProblems(1);
    await rig.focusEditor();
    await fix();
    await edit.getByRole('button', { name: 'Keep the Edit' }).press('Enter');
    await rig.untilProblems(0);
    await rig.save('fixed.js');
    await rig.all.app.waitForFile('fixed.js', textOf(LINES).replace('value(3)', 'other(3)'));
  });

  it('fixes and dismisses findings at the light bulb', async () => {
    await reviewed('bulb.js', { path: 'bulb.js', line: 2, title: 'First of two' }, { path: 'bulb.js', line: 9, severity: 'info', title: 'Second of two' });
    await rig.lightBulb('First of two');
    await quickFix('Dismiss: First of two').waitFor(SLOW);
    expect(await quickFix('Fix with Gnomon').count()).toBe(0);
    rig.script(reply().toolCall('edit_selection', { new_text: 'const line2 = other(2);\n' }));
    await quickFix('Fix this with Gnomon: First of two').click();
    await rig.shows('const line2 = other(2);');
    await rig.page.getByRole('button', { name: 'Keep the Edit' }).click(SLOW);
    await rig.untilProblems(1);
    await rig.focusEditor();
    await rig.lightBulb('Second of two');
    await quickFix('Dismiss: Second of two').click(SLOW);
    await rig.untilProblems(0);
    await rig.save('bulb.js');
  });

  it('fixes in the chat what cannot be edited in place', async () => {
    await reviewed('locked.js', { path: 'locked.js', line: 4, title: 'Wrong value', explanation: 'It is not that one.' });
    await rig.chmod('locked.js', 0o444);
    rig.all.server.setScript(() => reply().text('I would write to it.'));
    await rig.openThread(4);
    await rig.thread('Wrong value').getByRole('button', { name: 'Fix This' }).click(SLOW);
    await rig.all.chat.waitForText('I would write to it.');
    expect(rig.asked()).toContain('Fix the attached problem in @locked.js:4.');
    expect(rig.asked()).toContain('It is not that one.');
    await rig.chmod('locked.js', 0o644);
    await rig.all.app.workbench.runCommand('Gnomon: Dismiss All Findings');
    await rig.untilProblems(0);
  });

  it('keeps findings at their lines while one types, and drops those whose lines are deleted', async () => {
    await reviewed('moved.js', { path: 'moved.js', line: 1, title: 'At the top' }, { path: 'moved.js', line: 5, end_line: 6, title: 'Further down' });
    await rig.focusEditor();
    await rig.page.keyboard.press('Control+Home');
    await rig.page.keyboard.type('added();\nadded();\n');
    await rig.untilProblem(/Further down.*at line 7 /s);
    await rig.focusEditor();
    await rig.page.keyboard.press('Control+Home');
    for (let line = 1; line <= 3; line += 1) await rig.page.keyboard.press('Control+Shift+k');
    await rig.untilProblem(/Further down.*at line 4 /s);
    await rig.untilProblems(1);
    await rig.save('moved.js');
  });

  it('stops in the middle; what was found stays, and the next review replaces it', async () => {
    await rig.write('stopped.js', textOf(LINES));
    const hold = gate();
    const first = reply().toolCall('report_finding', { path: 'stopped.js', line: 3, severity: 'hint', title: 'Found early', explanation: 'Why.' });
    rig.all.server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('I go on ', hold, 'and on') : first));
    await rig.press('Review Changes');
    await rig.untilProblems(1);
    await hold.reached;
    await rig.press('Stop the Review');
    await notification('The review was stopped. So far: 1 finding: 1 hint');
    expect(await rig.all.server.requests.at(-1)?.closedByClient).toBe(true);
    hold.open();
    await rig.untilProblems(1);
    rig.all.server.setScript(() => reply().text('All is well.'));
    await rig.press('Review Changes');
    await rig.untilProblems(0);
    await notification('The review has found nothing.');
    await rig.untilReviewed();
  });

  it('is one at a time; pressing again leads to the one that runs', async () => {
    await rig.write('once.js', textOf(LINES));
    const hold = gate();
    rig.all.server.setScript(() => reply().text('I look ', hold, 'at it.'));
    await rig.press('Review Changes');
    await hold.reached;
    const asked = rig.all.server.requests.length;
    await rig.all.app.workbench.runCommand('Gnomon: Review Changes');
    const told = await notification('These changes are being reviewed already.');
    await told.getByRole('button', { name: 'Open in Chat' }).click();
    await rig.all.chat.waitForText('I look');
    hold.open();
    await rig.all.chat.waitForText('I look at it.');
    expect(rig.all.server.requests).toHaveLength(asked);
    await notification('The review has found nothing.');
  });

  it('says that there is nothing to review', async () => {
    const asked = rig.all.server.requests.length;
    await rig.press('Review Changes');
    await notification('There are no changes to review.');
    expect(rig.all.server.requests).toHaveLength(asked);
  });

  it('refuses hostile findings, and what hostile words would do is not done', async () => {
    await rig.write('hostile.js', textOf(LINES));
    await rig.write('.env', `KEY=${SECRET}\n`);
    rig.reports(
      { path: '../../../etc/passwd', line: 1, title: 'Outside' },
      { path: '/etc/hosts', line: 1, title: 'Outside as well' },
      { path: '.env', line: 1, title: 'A secret' },
      { path: 'hostile.js', line: 999, title: 'Not there' },
      { path: 'hostile.js', line: 2, severity: 'info', title: 'Click [here](command:workbench.action.closeWindow)', explanation: '![pixel](https://evil.test/?q=1) <img src="https://evil.test/2"> [run](command:gnomon.newSession) <https://evil.test/3> https://evil.test/4\u202E' },
      { path: 'hostile.js', line: 2, title: 'Click [here](command:workbench.action.closeWindow)' },
    );
    await rig.press('Review Changes');
    await notification('1 finding: 1 info');
    const sent = JSON.stringify(rig.all.server.requests.at(-1)?.body);
    expect(sent).toContain('+const line1 = value(1);');
    expect(sent).toContain('1 changed file not shown');
    expect(sent).not.toContain(SECRET);
    const told = rig.told();
    expect(told.match(/outside of the workspace/g)).toHaveLength(2);
    expect(told).toContain('may not be shown');
    expect(told).toContain('there is no line 999');
    expect(told).toContain('was reported already');
    await rig.untilProblems(1);
    await rig.all.app.workbench.openFile('hostile.js');
    await rig.openThread(2);
    const thread = rig.thread('Click [here]');
    await thread.getByText('![pixel](https://evil.test/?q=1) <img src="https://evil.test/2">').waitFor(SLOW);
    expect(await thread.locator('.comment-body a, .comment-body img').count()).toBe(0);
    await rig.all.app.workbench.screenshot('findings-hostile');
  });

  it('says what went wrong and what to do next; the conversation opens in the chat', async () => {
    await rig.write('long.js', textOf(LINES));
    rig.all.server.setScript(() => reply().text('And then').stop('max_tokens'));
    await rig.press('Review Changes');
    const told = await notification(/did not come to its end\. .*length limit/);
    rig.reports({ path: 'long.js', line: 12, severity: 'error', title: 'The last line' });
    await told.getByRole('button', { name: 'Review Again' }).click();
    await rig.untilProblem(/The last line/);
    await rig.untilReviewed();
    await rig.all.app.workbench.runCommand('Gnomon: Open the Review in the Chat');
    await rig.all.chat.waitForText('That is all I found.');
    await rig.all.chat.waitForText('Review the changes.');
  });
});
