import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { gate, lastToolResults, reply } from '../support/model-server/index.js';
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server/index.js';
import { settingsOfTwoWires } from '../support/two-wires.js';
import { FindingsRig } from './findings-rig.js';
import { InlineRig } from './inline-rig.js';
import { agentsInWorktrees } from './agents-in-worktrees.js';
import { agentsOnTwoWires } from './agents-on-two-wires.js';
import { says } from '../support/wording.js';
import { falseOnTimeout } from '../vscode/editor.mjs';
import { waitFor } from '../vscode/wait.mjs';
import { inSoak } from '../support/in-soak.js';

const SLOW = { timeout: 60_000 };
/** After this the press of a button that has shown no effect is taken for lost. */
const LOST_PRESS_MS = 30_000;
const LINES = Array.from({ length: 12 }, (_, index) => `const line${index + 1} = value(${index + 1});`);
const textOf = (lines: readonly string[]): string => `${lines.join('\n')}\n`;
const SECRET = 'CANARY_SECRET_7d21';

describe('E-6 a review of changes', () => {
  let rig: FindingsRig;
  let otherServer: OpenAiServer;

  beforeAll(async () => {
    otherServer = await startOpenAiServer();
    rig = await FindingsRig.start(settingsOfTwoWires(otherServer, 'gnomon.'));
  });
  afterAll(async () => {
    await rig.all.stop();
    await otherServer.close();
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    await rig.all.app.workbench.runCommand('Gnomon: Stop Review').catch(() => undefined);
  });
  beforeEach(() => rig.commit());

  const notification = (words: string | RegExp): ReturnType<typeof rig.all.app.workbench.notification> => rig.all.app.workbench.notification(words);
  const quickFix = (words: string | RegExp): ReturnType<typeof rig.page.locator> => rig.page.locator('.action-widget').getByText(words);

  it('shows findings in the Problems view and as comments, each with its severity, which follow their lines and go with them', async () => {
    await rig.write('src/lines.txt', textOf(LINES));
    rig.git('add', 'src/lines.txt');
    await rig.write('other.md', 'something else\n');
    rig.reports(
      { path: 'src/lines.txt', line: 3, severity: 'error', title: 'Wrong value', explanation: 'The value of `line3` is wrong.', suggestion: 'Use other.' },
      { path: 'src/lines.txt', line: 6, end_line: 8, title: 'Three lines at once' },
      { path: 'src/lines.txt', line: 11, severity: 'info', title: 'Further down' },
    );
    await rig.press('Review Uncommitted Changes');
    // A toast that moves or goes into the notification center takes no press: it is still there then.
    const areShown = async (): Promise<boolean> => {
      const found = await notification('3 findings (1 error, 1 warning, 1 info)');
      await found.getByRole('button', { name: 'Show Problems' }).click(SLOW);
      return rig.problems
        .nth(2)
        .waitFor({ timeout: LOST_PRESS_MS })
        .then(() => true, falseOnTimeout);
    };
    await waitFor(areShown, { what: 'the findings among the problems', timeoutMs: 90_000 });
    expect(rig.asked()).toContain('    3 +const line3 = value(3);');
    expect(rig.asked()).toContain('Review the staged changes.');
    expect(rig.asked()).not.toContain('something else');
    await rig.untilProblems(3);
    expect(await rig.problems.first().getAttribute('aria-label')).toMatch(/^Error: Wrong value/);
    expect(await rig.problems.nth(1).getAttribute('aria-label')).toMatch(/^Warning: Three lines at once/);
    await rig.all.app.workbench.openFile('src/lines.txt');
    await rig.page.locator('.squiggly-error').first().waitFor(SLOW);
    await rig.openThread(3);
    await rig.thread('Wrong value').getByText('The value of line3 is wrong.').waitFor(SLOW);
    await rig.thread('Wrong value').getByText('Use other.').waitFor(SLOW);
    await rig.editor.goTo(1);
    await rig.page.keyboard.type('added();\nadded();\n');
    await rig.untilProblem(/Three lines at once.*at line 8 /s);
    await rig.editor.goTo(1);
    for (let line = 1; line <= 5; line += 1) await rig.page.keyboard.press('Control+Shift+k');
    await rig.untilProblem(/Three lines at once.*at line 3 /s);
    await rig.untilProblems(2);
    await rig.all.app.workbench.runCommand('Gnomon: Dismiss All Findings');
    await rig.untilProblems(0);
    await rig.save('lines.txt');
  });

  it('fixes a finding in place: it stays when the fix is undone, and goes when it is kept; in the chat where that cannot be done; dismisses another', async () => {
    await rig.write('fixed.txt', textOf(LINES));
    rig.reports(
      { path: 'fixed.txt', line: 3, title: 'Wrong value', explanation: 'It is not that one.' },
      { path: 'fixed.txt', line: 9, severity: 'info', title: 'Another one' },
    );
    await rig.press('Review Uncommitted Changes');
    await rig.untilProblem(/Another one/);
    await rig.untilReviewed();
    await rig.all.app.workbench.openFile('fixed.txt');
    await rig.chmod('fixed.txt', 0o444);
    rig.all.server.setScript(() => reply().text('I would write to it.'));
    await rig.openThread(3);
    await rig.thread('Wrong value').getByRole('button', { name: 'Fix This' }).click(SLOW);
    await rig.all.chat.waitForText('I would write to it.');
    expect(rig.asked()).toContain(says('fixProblemIn', '@fixed.txt:3'));
    expect(rig.asked()).toContain('It is not that one.');
    await rig.all.chat.waitForIdle();
    await rig.chmod('fixed.txt', 0o644);
    rig.script(reply().toolCall('edit_selection', { new_text: 'const line3 = other(3);\n' }));
    await rig.openThread(3);
    await rig.thread('Wrong value').getByRole('button', { name: 'Fix This' }).click(SLOW);
    const edit = InlineRig.of(rig.all);
    await edit.pends(1);
    await rig.shows('const line3 = other(3);');
    await expect.poll(() => rig.page.locator('.review-widget:visible').count(), SLOW).toBe(0);
    expect(rig.asked()).toContain('It is not that one.');
    expect(rig.asked()).toContain('Fix the attached problem.');
    await edit.decide('Undo All');
    await rig.shows('const line3 = value(3);');
    await rig.untilProblems(2);
    await rig.lightBulb(3, 'Wrong value');
    expect(await quickFix(/^Fix with Gnomon$/).count()).toBe(0);
    await quickFix('Fix with Gnomon: Wrong value').click();
    await rig.shows('const line3 = other(3);');
    await edit.decide('Keep All');
    await rig.untilProblems(1);
    await rig.lightBulb(9, 'Another one');
    await quickFix('Dismiss: Another one').click(SLOW);
    await rig.untilProblems(0);
    await rig.save('fixed.txt');
    await rig.all.app.waitForFile('fixed.txt', textOf(LINES).replace('value(3)', 'other(3)'));
  });

  inSoak('unit/vscode/code-review/report-tool.test.ts', 'unit/code-review/finding.test.ts')(
    'is one at a time, stops in the middle and keeps what was found until the next one; says what went wrong and what to do next',
    async () => {
      const none = rig.all.server.requests.length;
      await rig.press('Review Uncommitted Changes');
      await notification(says('nothingToReview'));
      expect(rig.all.server.requests).toHaveLength(none);
      await rig.write('stopped.txt', textOf(LINES));
      const hold = gate();
      const first = reply().toolCall('report_finding', { path: 'stopped.txt', line: 3, severity: 'hint', title: 'Found early', explanation: 'Why.' });
      rig.all.server.setScript(({ body }) => (lastToolResults(body).length > 0 ? reply().text('I go on ', hold, 'and on') : first));
      await rig.press('Review Uncommitted Changes');
      await rig.untilProblem(/Found early/);
      await rig.untilProblems(1);
      await hold.reached;
      const asked = rig.all.server.requests.length;
      await rig.all.app.workbench.runCommand('Gnomon: Review Uncommitted Changes');
      const running = await notification('already being reviewed');
      await running.getByRole('button', { name: 'Open in Chat' }).click();
      await rig.all.chat.waitForText('I go on');
      expect(rig.all.server.requests).toHaveLength(asked);
      await rig.press('Stop Review');
      await notification(says('reviewStoppedWith', '1 finding (1 hint)'));
      expect(await rig.all.server.requests.at(-1)?.closedByClient).toBe(true);
      hold.open();
      await rig.untilProblems(1);
      rig.all.server.setScript(() => reply().text('And then').stop('max_tokens'));
      await rig.press('Review Uncommitted Changes');
      const told = await notification(/did not finish. .*length limit/);
      await rig.untilProblems(0);
      rig.all.server.setScript(() => reply().text('All is well.'));
      await told.getByRole('button', { name: 'Review Again' }).click();
      await notification('No problems found.');
      await rig.all.app.workbench.runCommand('Gnomon: Open Review in Chat');
      await rig.all.chat.waitForText('All is well.');
      await rig.all.chat.waitForText('Review the changes.');
    },
  );

  inSoak('unit/code-review/finding.test.ts', 'unit/vscode/code-review/report-tool.test.ts')(
    'refuses hostile findings, and what hostile words would do is not done',
    async () => {
      await rig.write('hostile.txt', textOf(LINES));
      await rig.write('.env', `KEY=${SECRET}\n`);
      rig.reports(
        { path: '../../../etc/passwd', line: 1, title: 'Outside' },
        { path: '/etc/hosts', line: 1, title: 'Outside as well' },
        { path: '.env', line: 1, title: 'A secret' },
        { path: 'hostile.txt', line: 999, title: 'Not there' },
        {
          path: 'hostile.txt',
          line: 2,
          severity: 'info',
          title: 'Click [here](command:workbench.action.closeWindow)',
          explanation:
            '![pixel](https://evil.test/?q=1) <img src="https://evil.test/2"> [run](command:gnomon.newSession) <https://evil.test/3> https://evil.test/4\u202E',
        },
        { path: 'hostile.txt', line: 2, title: 'Click [here](command:workbench.action.closeWindow)' },
      );
      await rig.press('Review Uncommitted Changes');
      await notification('1 finding (1 info)');
      const sent = JSON.stringify(rig.all.server.requests.at(-1)?.body);
      expect(sent).toContain('+const line1 = value(1);');
      expect(sent).toContain('1 changed file not shown');
      expect(sent).not.toContain(SECRET);
      const told = rig.told();
      expect(told.match(/outside the workspace/g)).toHaveLength(2);
      expect(told).toContain('may not be shown');
      expect(told).toContain('there is no line 999');
      expect(told).toContain('was reported already');
      await rig.untilProblems(1);
      await rig.all.app.workbench.openFile('hostile.txt');
      await rig.openThread(2);
      const thread = rig.thread('Click [here]');
      await thread.getByText('![pixel](https://evil.test/?q=1) <img src="https://evil.test/2">').waitFor(SLOW);
      expect(await thread.locator('.comment-body a, .comment-body img').count()).toBe(0);
    },
  );

  agentsInWorktrees(() => rig);
  // It loads the window anew.
  agentsOnTwoWires(() => ({ rig, otherServer }));
});
