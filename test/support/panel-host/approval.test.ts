import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewApproval, ViewPreview } from '../../../src/protocol/view-state.js';
import { GUARD_MS } from '../../../webview/state/approval/key-guard.js';
import { THEME_NAMES } from './axe.js';
import { everyNth } from '../runs.js';
import { afterGuard, changeCall, delivered, PanelRig, postsOf, showAnswer, sticksOut, sticksOutAt } from './rig.js';
import { says } from '../wording.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** A prompt as a person finds it: by role and name. */
function promptOf(page: Page) {
  const prompt = page.getByRole('group', { name: 'Permission required', exact: true });
  const button = (name: string): Locator => prompt.getByRole('button', { name, exact: true });
  return {
    prompt,
    allow: button('Allow'),
    always: prompt.getByRole('button', { name: /^Always (?:allow |Allow…)/ }),
    more: button('More Options'),
    editRule: button('Edit Rule…'),
    tell: button('Tell Gnomon what to do instead'),
    deny: button('Deny'),
    edit: button('Edit'),
    cancelEdit: button('Cancel Edit'),
    openDiff: button('Open Diff'),
    confirm: button('Always Allow'),
    showEnd: button('Scroll to End'),
    instead: prompt.getByRole('textbox', { name: /instead/ }),
    rules: prompt.getByRole('textbox', { name: /^Rules/ }),
    scope: prompt.getByRole('combobox', { name: 'Scope', exact: true }),
    command: prompt.getByRole('textbox', { name: 'Command', exact: true }),
    shown: prompt.getByRole('group', { name: 'Command', exact: true }),
    parts: prompt.getByRole('group', { name: /^Runs/ }),
  };
}

/** Waits until a button could be pressed, and does not press it. */
function untilUsable(button: Locator): Promise<void> {
  return button.click({ trial: true });
}

/** Opens the rules of "Always allow". */
async function openRules(page: Page): Promise<void> {
  const { more, editRule, rules } = promptOf(page);
  await more.click();
  await editRule.click();
  await rules.waitFor();
}

/** Writes what the model should do instead. */
async function writeInstead(page: Page, words: string): Promise<void> {
  const { tell, instead } = promptOf(page);
  await tell.click();
  await instead.fill(words);
}

/** Waits until as many boxes were on screen to their end. */
async function untilSeen(page: Page, boxes: number): Promise<void> {
  await page.waitForFunction((count) => document.querySelectorAll('.end-mark.seen').length === count, boxes);
}

/** What a button is described by. */
function descriptionOf(button: Locator): Promise<string | undefined> {
  return button.evaluate((element) => document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent);
}

/** Clicks a button in the moment in which it is there and what it is about was on screen. Gives what waits for that. */
async function clickAtOnce(page: Page, name: string): Promise<() => Promise<void>> {
  await page.evaluate((words) => {
    const look = (): void => {
      const button = [...document.querySelectorAll<HTMLButtonElement>('.prompt button')].find((each) => each.firstChild?.textContent?.trim() === words);
      if (button === undefined || document.querySelector('.end-mark.seen') === null) return;
      observer.disconnect();
      button.click();
      document.body.dataset['clicked'] = words;
    };
    // In the task that makes it so: a frame later may be too late on a busy machine.
    const observer = new MutationObserver(look);
    observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    look();
  }, name);
  return async () => {
    await page.waitForFunction((words) => document.body.dataset['clicked'] === words, name);
    await page.evaluate(() => delete document.body.dataset['clicked']);
  };
}

/** Whether Allow is switched off in the moment in which a prompt comes to hold some words. */
function disabledAtOnce(page: Page, words: string): Promise<boolean> {
  return page.evaluate(
    (text) =>
      new Promise((resolve) => {
        const observer = new MutationObserver(() => {
          const prompt = document.querySelector('.prompt');
          if (prompt?.textContent.includes(text) !== true) return;
          observer.disconnect();
          const allow = [...prompt.querySelectorAll('button')].find((each) => each.firstChild?.textContent?.trim() === 'Allow');
          resolve(allow?.getAttribute('aria-disabled') === 'true');
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
    words,
  );
}

/** The host asks again about the call of the last answer. */
async function askAgain(page: Page, change: { readonly approval?: Partial<ViewApproval>; readonly preview?: ViewPreview }): Promise<void> {
  await page.evaluate(({ approval, preview }) => {
    const item = globalThis.panelHost.state.items.at(-1);
    const block = item?.kind === 'answer' ? item.blocks[0] : undefined;
    if (item === undefined || block?.type !== 'tool') throw new Error('The scene has no call.');
    const before = block.call.approval ?? { reasons: [], editable: 'command' as const };
    globalThis.panelHost.events({
      type: 'call',
      item: item.id,
      block: 0,
      call: { ...block.call, approval: { ...before, ...approval }, ...(preview === undefined ? {} : { preview }) },
    });
  }, change);
}

describe('a prompt', () => {
  test('the line of what an agent has edited has the file whole, whatever the agent is called', async () => {
    const page = await rig.open({ scene: 'agents ask', width: 300 });
    await changeCall(page, 'by-2', { status: 'done', by: 'documentation-writer: Mend all of the tests that failed since the last release' });
    const line = page.getByRole('group', { name: 'Edited src/slot.js' });
    await line.waitFor();
    const cut = (part: string): Promise<boolean> =>
      line.locator(part).evaluate((element) => {
        const text = document.createRange();
        text.selectNodeContents(element);
        // A share of a pixel is enough to cut a letter.
        return text.getBoundingClientRect().width > element.getBoundingClientRect().width + 0.02;
      });
    expect([await cut('.by'), await cut('.subject')]).toEqual([true, false]);
    expect((await line.locator('.by').boundingBox())?.width).toBeGreaterThan(20);
  });

  test('the line of what an agent has run keeps the command, and the start of its task, in a narrow panel', async () => {
    const page = await rig.open({ scene: 'agents ask', width: 300 });
    const by = 'documentation-writer: Mend all of the tests';
    await changeCall(page, 'by-1', { status: 'failed', by, name: 'bash', subject: 'npm run build -- --all', durationMs: 61_000, exitCode: 127 });
    const line = page.getByRole('group', { name: 'Ran npm run build -- --all' });
    await line.waitFor();
    const widthOf = async (part: string): Promise<number> => (await line.locator(part).boundingBox())?.width ?? 0;
    expect(await widthOf('.words .subject')).toBeGreaterThan(50);
    // Others have an agent of the same name.
    expect(await widthOf('.by .before')).toBe(0);
    expect(await widthOf('.by .work')).toBeGreaterThan(20);
    expect(await line.locator('.by').getAttribute('title')).toBe(by);
    await changeCall(page, 'by-2', { status: 'failed', name: 'agent', subject: 'documentation-writer: Look at part one' });
    const failed = page.getByRole('group', { name: 'The agent documentation-writer: Look at part one failed' });
    await failed.waitFor();
    expect((await failed.locator('.subject .work').boundingBox())?.width).toBeGreaterThan(50);
  });

  test('cmd-42 neither focus nor a key that is down goes to Allow', async () => {
    const page = await rig.open({ scene: 'empty', own: true });
    const box = page.getByRole('textbox', { name: 'Message' });
    const allow = page.getByRole('button', { name: 'Allow', exact: true });
    await box.focus();
    await page.keyboard.down('Enter');
    // The clock of the page stands, so that the keys come in the time in which they count for nothing, however busy the machine is.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate(() => void globalThis.panelHost.scene('command'));
    await delivered(page);
    await page.clock.runFor(100);
    await allow.waitFor();
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    // The person's focus is put onto the button at once, which is worse than what happens.
    await allow.focus();
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Space');
    await page.clock.runFor(GUARD_MS - 110);
    await page.keyboard.press('Enter');
    expect(await postsOf(page)).toEqual([]);
    // It is the time since the prompt appeared that counts.
    await page.clock.runFor(110);
    await page.clock.resume();
    await allow.click({ trial: true });
    await page.keyboard.down('Tab');
    await allow.focus();
    await page.keyboard.press('Enter');
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'allow' }]);
    await page.keyboard.press('Enter');
    expect(await postsOf(page)).toHaveLength(1);
  });

  test('Deny carries the words, Always Allow is only there with a rule for it', async () => {
    const page = await rig.open({ scene: 'command' });
    const { always } = promptOf(page);
    await writeInstead(page, 'use pnpm');
    expect(await always.count()).toBe(1);
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'deny', feedback: 'use pnpm' }]);
    await page.evaluate(() => globalThis.panelHost.scene('hidden'));
    await page.getByText('This contains invisible characters').waitFor();
    expect(await always.count()).toBe(0);
    expect(await page.getByRole('group', { name: 'Command' }).textContent()).toBe('ls \\u202Etxt.exe\\u202C && rm\\u00A0-rf \\u200B~/x\n# end');
  });

  test('a long command and a long diff are there to the last line', async () => {
    const page = await rig.open();
    await page.evaluate(() => {
      const lines = Array.from({ length: 5_000 }, (_, index) => `+line ${index} of the change`).join('\n');
      const approval = { reasons: [] };
      const diff = {
        id: 'd',
        name: 'edit',
        subject: 'a',
        status: 'awaiting_approval' as const,
        output: '',
        approval,
        preview: { kind: 'diff' as const, path: 'a', diff: `@@ -1 +1,5000 @@\n${lines}\n`, created: false },
      };
      const command = {
        id: 'c',
        name: 'bash',
        subject: 'x',
        status: 'awaiting_approval' as const,
        output: '',
        approval,
        preview: { kind: 'command' as const, command: `${'echo something long; '.repeat(2_000)}rm -rf x`, cwd: '/', timeoutMs: 1 },
      };
      const answer = {
        kind: 'answer' as const,
        id: 'a',
        blocks: [
          { type: 'tool' as const, call: diff },
          { type: 'tool' as const, call: command },
        ],
        status: 'streaming' as const,
        time: '',
        summary: '',
      };
      void globalThis.panelHost.show({ title: '', activity: 'waiting', model: 'm', mode: 'default', usage: '', items: [answer] });
    });
    await page.waitForFunction(() => document.querySelectorAll('.line.added').length === 5_000);
    expect((await page.getByRole('group', { name: 'Command' }).textContent())?.endsWith('rm -rf x')).toBe(true);
  });

  test('view-14 after a reload the prompt is there once', async () => {
    const page = await rig.open({ scene: 'command' });
    await page.getByRole('group', { name: 'Permission required' }).waitFor();
    await page.evaluate(() => {
      const state = { ...globalThis.panelHost.state, title: 'again' };
      globalThis.panelHost.post({ type: 'snapshot', session: 'again', epoch: 'epoch-2', seq: 0, state });
    });
    await page.getByRole('heading', { level: 1, name: 'again' }).waitFor();
    expect(await page.getByRole('group', { name: 'Permission required' }).count()).toBe(1);
    expect(await postsOf(page)).toEqual([]);
  });
});

describe('cmd-35 what is asked about is there to the end', () => {
  test('a tail behind thousands of lines is a command of its own, and nothing can be allowed before the end was on screen', async () => {
    const page = await rig.open({ scene: 'tail', width: 260 });
    const { prompt, allow, always, showEnd, shown, parts } = promptOf(page);
    await prompt.getByText(says('reviewRest')).waitFor();
    expect(await prompt.getByText('Run 2 commands?').count()).toBe(1);
    expect(await parts.getByRole('listitem').locator('.mono').allTextContents()).toEqual(['ls', 'touch PWN']);
    await afterGuard(page);
    for (const button of [allow, always]) {
      expect(await button.isDisabled()).toBe(true);
      expect(await descriptionOf(button)).toBe(says('reviewRest'));
      await button.press('Enter');
      await button.press('Space');
      await button.click({ force: true });
    }
    expect(await postsOf(page)).toEqual([]);
    const places = (): Promise<readonly unknown[]> => Promise.all([showEnd, allow].map((button) => button.boundingBox()));
    const before = await places();
    await showEnd.press('Enter');
    await prompt.getByText('All reviewed.').waitFor();
    // The buttons stay where they are: a second press must not hit another one.
    expect(await places()).toEqual(before);
    expect(await showEnd.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await shown.evaluate((box) => box.scrollTop + box.clientHeight >= box.scrollHeight - 10)).toBe(true);
    expect(await descriptionOf(allow)).toBeUndefined();
    await allow.press('Enter');
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', answer: 'allow' }]);
  });

  test('a tail behind thousands of spaces is in sight, and a short command can be allowed at once', async () => {
    const page = await rig.open({ scene: 'spaces' });
    const { prompt, allow, shown, parts } = promptOf(page);
    await untilUsable(allow);
    expect(await parts.getByRole('listitem').locator('.mono').allTextContents()).toEqual(['ls', 'touch PWN']);
    expect(await shown.evaluate((box) => [box.scrollWidth <= box.clientWidth, box.scrollHeight <= box.clientHeight])).toEqual([true, true]);
    expect(await prompt.getByRole('button', { name: 'Scroll to End' }).count()).toBe(0);
  });

  test('the list of commands is shown to its end, too', async () => {
    const page = await rig.open({ scene: 'steps' });
    const { prompt, allow, showEnd, parts } = promptOf(page);
    await prompt.getByText('Run 60 commands?').waitFor();
    expect(await parts.getByRole('listitem').count()).toBe(60);
    await showEnd.click();
    await untilSeen(page, 1);
    expect(await allow.isDisabled()).toBe(true);
    await showEnd.click();
    await untilSeen(page, 2);
    await untilUsable(allow);
  });

  test('a long change is read by scrolling, and what is far to the side is brought near', async () => {
    const page = await rig.open({ scene: 'long diff' });
    const { prompt, allow, always } = promptOf(page);
    await prompt.getByText(says('reviewRest')).waitFor();
    expect([await allow.isDisabled(), await always.isDisabled()]).toEqual([true, true]);
    const box = prompt.getByRole('group', { name: 'Changes', exact: true });
    // A run of blanks is a number, and a line of 2,000 characters goes on below.
    await box.getByText('⋯ 5,000 spaces ⋯').waitFor();
    const widest = await box.evaluate((element) => Math.max(...[...element.querySelectorAll('.text')].map(({ textContent }) => textContent.length)));
    expect(widest).toBeLessThanOrEqual(200);
    expect(await box.evaluate((element) => [...element.querySelectorAll('.text')].map(({ textContent }) => textContent).join(''))).toContain('x'.repeat(2_000));
    await box.focus();
    await page.keyboard.press('End');
    await untilUsable(allow);
    // It was on screen, and stays read.
    await page.keyboard.press('Home');
    await untilUsable(allow);
    await allow.click();
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'allow' }]);
  });

  test('a change of which fewer than ten lines are out of sight can be allowed at once; with ten it cannot', async () => {
    const page = await rig.open({ width: 300, height: 700 });
    const { prompt, allow } = promptOf(page);
    const ask = (lines: number): Promise<void> =>
      page.evaluate((count) => {
        const diff = `@@ -0,0 +1,${count} @@\n${Array.from({ length: count }, (_, index) => `+line ${index}`).join('\n')}\n`;
        const call = {
          id: `asked ${count}`,
          name: 'write',
          subject: 'a',
          status: 'awaiting_approval' as const,
          output: '',
          approval: { reasons: [] },
          preview: { kind: 'diff' as const, path: 'a', diff, created: true },
        };
        const answer = {
          kind: 'answer' as const,
          id: `a ${count}`,
          blocks: [{ type: 'tool' as const, call }],
          status: 'streaming' as const,
          time: '',
          summary: '',
        };
        return globalThis.panelHost.show({ title: '', activity: 'waiting', model: 'm', mode: 'default', usage: '', items: [answer] });
      }, lines);
    await ask(60);
    await prompt.getByText(says('reviewRest')).waitFor();
    const inView = await prompt
      .getByRole('group', { name: 'Changes' })
      .evaluate((box) => Math.floor(box.clientHeight / (box.querySelector('.line')?.getBoundingClientRect().height ?? 0)));
    expect(inView).toBeGreaterThan(10);
    await ask(inView + 9);
    await untilUsable(allow);
    await ask(inView + 11);
    await prompt.getByText(says('reviewRest')).waitFor();
    expect(await allow.isDisabled()).toBe(true);
  });

  test('a change that was on the screen in the diff editor was read', async () => {
    const page = await rig.open({ scene: 'long diff' });
    const { prompt, allow, openDiff } = promptOf(page);
    await page.evaluate(() => globalThis.panelHost.show({ ...globalThis.panelHost.state }, 'here'));
    await prompt.getByText(says('reviewRest')).waitFor();
    await openDiff.click();
    expect(await allow.isDisabled()).toBe(true);
    const shown = (session: string): Promise<void> =>
      page.evaluate((id) => globalThis.panelHost.post({ type: 'proposal_shown', session: id, call: 'asked' }), session);
    await shown('of another conversation');
    await delivered(page);
    expect(await allow.isDisabled()).toBe(true);
    await shown('here');
    await untilUsable(allow);
  });

  test('a prompt that was never on screen cannot be allowed, however short', async () => {
    const page = await rig.open({ scene: 'asked' });
    await page.evaluate(() => {
      const items = globalThis.panelHost.state.items.map((item) => ({ ...item, id: `${item.id} again` }));
      const notice = { kind: 'notice' as const, id: 'n', level: 'info' as const, text: 'more\n'.repeat(200), actions: [] };
      return globalThis.panelHost.show({ activity: 'waiting', items: [...items, notice] });
    });
    const { prompt, allow } = promptOf(page);
    await prompt.getByText(says('reviewRest')).waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await allow.scrollIntoViewIfNeeded();
    await untilUsable(allow);
  });
});

describe('“Always allow”', () => {
  test('says what it remembers, and does so by one press', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { always } = promptOf(page);
    expect(await always.textContent()).toContain('Always allow npm test …, npm run test … in this workspace');
    await always.click();
    expect(await postsOf(page)).toEqual([
      { type: 'answer_approval', callId: 'asked', answer: 'always', rules: ['Bash(npm test:*)', 'Bash(npm run test:*)'], scope: 'workspace' },
    ]);
  });

  test.each([
    ['This chat', 'session'],
    ['All workspaces', 'user'],
  ] as const)('offers other places, with the rules in view: %s', async (name, scope) => {
    const page = await rig.open({ scene: 'asked' });
    const { prompt, more } = promptOf(page);
    expect(await more.getAttribute('aria-expanded')).toBe('false');
    await more.click();
    expect(await more.getAttribute('aria-expanded')).toBe('true');
    expect(await prompt.getByRole('list', { name: 'Rules to remember' }).getByRole('listitem').allTextContents()).toEqual([
      'Bash(npm test:*)',
      'Bash(npm run test:*)',
    ]);
    await prompt.getByRole('button', { name, exact: true }).click();
    expect(await postsOf(page)).toMatchObject([{ answer: 'always', rules: ['Bash(npm test:*)', 'Bash(npm run test:*)'], scope }]);
  });

  test('offers one file outside, its folder in the menu, and shows no double slash', async () => {
    const page = await rig.open({ scene: 'outside' });
    const { prompt, always, more } = promptOf(page);
    expect(await prompt.textContent()).toContain('Read /etc/hostname?');
    expect(await always.textContent()).toContain('Always allow reading /etc/hostname in this workspace');
    await more.click();
    expect(await prompt.getByRole('list', { name: 'Rules to remember' }).getByRole('listitem').allTextContents()).toEqual(['reading /etc/hostname']);
    expect(await prompt.textContent()).not.toContain('//');
    await prompt.getByRole('button', { name: 'Always allow reading in /etc/ in this workspace', exact: true }).click();
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', answer: 'always', rules: ['Read(//etc/**)'], scope: 'workspace' }]);
  });

  test('E-60: says all that the approval of a model binds to, and has no other place for it and nothing to edit', async () => {
    const page = await rig.open({ width: 260, scene: 'dearer model' });
    const { prompt, more } = promptOf(page);
    const button = prompt.getByRole('button', { name: 'Always use Claude Opus 4.8 for reviewer in this project, until its file changes', exact: true });
    expect(await more.count()).toBe(0);
    expect(await prompt.textContent()).not.toContain('Agent(');
    expect(await sticksOutAt(page, [260, 300, 480])).toEqual([]);
    await button.click();
    expect(await postsOf(page)).toMatchObject([{ answer: 'always', rules: [`Agent(reviewer, anthropic/claude-opus-4-8, ${'0'.repeat(64)})`], scope: 'local' }]);
  });

  test('opens the rules, which can be changed, and asks how long they hold', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { rules, scope, confirm } = promptOf(page);
    await openRules(page);
    expect(await postsOf(page)).toEqual([]);
    expect(await rules.inputValue()).toBe('Bash(npm test:*)\nBash(npm run test:*)');
    expect(await scope.inputValue()).toBe('session');
    expect(await scope.getByRole('option').allTextContents()).toEqual(['This chat', 'This workspace, only you', 'This workspace', 'All workspaces']);
    await rules.fill(' \n\n');
    expect(await confirm.isDisabled()).toBe(true);
    expect(await descriptionOf(confirm)).toBe(says('noRuleEntered'));
    await rules.fill('Bash(npm test:*)\n\n  Edit(src/**) \nBash(npm test:*)\n');
    await scope.selectOption({ label: 'This workspace' });
    await confirm.click();
    expect(await postsOf(page)).toEqual([
      { type: 'answer_approval', callId: 'asked', answer: 'always', rules: ['Bash(npm test:*)', 'Edit(src/**)'], scope: 'workspace' },
    ]);
    expect([await rules.isDisabled(), await confirm.isDisabled()]).toEqual([true, true]);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Message');
  });

  test('by keyboard alone, with the rules as proposed', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { more, editRule, rules, confirm } = promptOf(page);
    await untilUsable(more);
    await afterGuard(page);
    await more.press('Enter');
    await editRule.press('Enter');
    await rules.focus();
    await page.keyboard.press('Escape');
    await rules.waitFor({ state: 'hidden' });
    expect(await more.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Space');
    await editRule.press('Space');
    await rules.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await confirm.evaluate((element) => element === document.activeElement)).toBe(true);
    await untilUsable(confirm);
    await page.keyboard.press('Enter');
    // Esc closed the rules, and neither denied nor stopped anything.
    expect(await postsOf(page)).toMatchObject([
      { type: 'answer_approval', answer: 'always', rules: ['Bash(npm test:*)', 'Bash(npm run test:*)'], scope: 'session' },
    ]);
  });

  test('is not offered for what is dangerous', async () => {
    const page = await rig.open({ scene: 'dangerous' });
    const { allow, always } = promptOf(page);
    await allow.waitFor();
    expect(await always.count()).toBe(0);
  });

  test('cmd-36 cmd-37 rules hide nothing, and one with a line break in it does not become others', async () => {
    const page = await rig.open({ scene: 'sequences' });
    const { prompt, always, rules, shown } = promptOf(page);
    expect(await shown.textContent()).toBe('echo "\\u001B[2K\\u001B]52;c;ZXZpbA==\\u0007\\u001B]8;;https://evil.test\\u001B\\\\"');
    await prompt.getByText('This contains invisible characters').waitFor();
    // What hides something is looked at before it is remembered.
    expect(await always.textContent()).toContain('Always Allow…');
    await always.click();
    expect(await rules.inputValue()).toBe('Bash(echo:*)\nBash(echo \u202Ex:*)');
    await prompt.getByText(says('ruleWithLineBreakOmitted')).waitFor();
    expect(await prompt.getByRole('group', { name: 'Rules with escape sequences' }).textContent()).toBe('Bash(echo:*)\nBash(echo \\u202Ex:*)');
  });
});

test('what holds a command is said before it is allowed', async () => {
  const page = await rig.open({ scene: 'asked', width: 300 });
  const { prompt } = promptOf(page);
  const held = says('sandboxedWithHosts', 'registry.example');
  expect(await prompt.getByText('sandbox').count()).toBe(0);
  await askAgain(page, { approval: { held } });
  await prompt.getByText(held).waitFor();
  expect(await sticksOut(page)).toEqual([]);
});

describe('a command that is changed before it runs', () => {
  const changed = 'npm test -- --grep median';

  test('is sent with Allow, and says that it is judged again', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { prompt, allow, always, edit, command, shown } = promptOf(page);
    await edit.click();
    expect(await command.inputValue()).toBe('npm test');
    expect(await command.evaluate((element) => element === document.activeElement)).toBe(true);
    expect([await always.count(), await shown.count()]).toEqual([0, 0]);
    await prompt.getByText('Gnomon checks the edited command again before it runs.').waitFor();
    await command.fill('');
    expect(await allow.isDisabled()).toBe(true);
    expect(await descriptionOf(allow)).toBe(says('noCommandEntered'));
    await command.fill(changed);
    await allow.click();
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', answer: 'allow', command: changed }]);
    await askAgain(page, { preview: { kind: 'command', command: changed, cwd: '/', timeoutMs: 1 } });
    await shown.filter({ hasText: changed }).waitFor();
    expect(await command.count()).toBe(0);
    await allow.click();
    expect((await postsOf(page)).slice(1)).toEqual([{ type: 'answer_approval', callId: 'asked', answer: 'allow' }]);
  });

  test('by keyboard: Esc takes it back and stops nothing, Ctrl+Enter allows', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { edit, cancelEdit, command, shown } = promptOf(page);
    await afterGuard(page);
    await edit.press('Enter');
    await command.fill(changed);
    await command.press('Escape');
    await shown.waitFor();
    expect(await shown.textContent()).toBe('npm test');
    expect(await edit.evaluate((element) => element === document.activeElement)).toBe(true);
    await edit.press('Enter');
    expect(await command.inputValue()).toBe('npm test');
    await cancelEdit.click();
    await shown.waitFor();
    expect(await postsOf(page)).toEqual([]);
    await edit.click();
    await command.fill(changed);
    await command.press('Control+Enter');
    await page.keyboard.press('Control+Enter');
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', answer: 'allow', command: changed }]);
  });

  test('one that was opened and left as it is goes as it was', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { allow, edit } = promptOf(page);
    await edit.click();
    await allow.click();
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', answer: 'allow' }]);
  });

  test('cmd-35 editing is no way around the end', async () => {
    const page = await rig.open({ scene: 'tail' });
    const { prompt, allow, edit, command, showEnd, parts } = promptOf(page);
    await prompt.getByText(says('reviewRest')).waitFor();
    await edit.click();
    await command.waitFor();
    expect(await parts.count()).toBe(0);
    await command.press('Control+Enter');
    expect(await allow.isDisabled()).toBe(true);
    expect(await postsOf(page)).toEqual([]);
    await showEnd.click();
    await untilUsable(allow);
  });

  test('cmd-36 what cannot be seen is shown beside it', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { prompt, edit, command } = promptOf(page);
    await edit.click();
    await command.fill('ls \u202Ex');
    expect(await prompt.getByRole('group', { name: 'Command with escape sequences' }).textContent()).toBe('ls \\u202Ex');
    await prompt.getByText('This contains invisible characters').waitFor();
  });

  test('only a command can be', async () => {
    const page = await rig.open({ scene: 'long diff' });
    const { deny, edit } = promptOf(page);
    await deny.waitFor();
    expect(await edit.count()).toBe(0);
  });
});

describe('C-3 a proposal that is changed in an editor', () => {
  const changedDiff = { kind: 'diff' as const, path: 'src/a.ts', diff: '@@ -1 +1 @@\n-one\n+mine\n', created: false };

  test('is opened from the prompt, which stays open; of a command there is nothing to open', async () => {
    const page = await rig.open({ scene: 'long diff' });
    const { openDiff, deny } = promptOf(page);
    await openDiff.click();
    await openDiff.click();
    const shown = { type: 'show_proposal', callId: 'asked' };
    expect(await postsOf(page)).toEqual([shown, shown]);
    expect(await deny.isDisabled()).toBe(false);
    await page.evaluate(() => globalThis.panelHost.scene('asked'));
    await promptOf(page).edit.waitFor();
    expect(await openDiff.count()).toBe(0);
  });

  test('is shown anew, says so, and the answer names the prompt that was read', async () => {
    const page = await rig.open({ scene: 'changed' });
    const { prompt, allow } = promptOf(page);
    await prompt.getByText(says('proposalChanged')).waitFor();
    await prompt.getByText('TWO, as I want it').waitFor();
    await allow.click();
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', revision: 2, answer: 'allow' }]);
  });

  test('cmd-42 cannot be allowed by a click that was meant for what was there before', async () => {
    const page = await rig.open({ scene: 'changed' });
    const { prompt, allow, openDiff } = promptOf(page);
    await untilUsable(allow);
    await openDiff.focus();
    const [disabled] = await Promise.all([disabledAtOnce(page, 'mine'), askAgain(page, { approval: { revision: 3 }, preview: changedDiff })]);
    expect(disabled).toBe(true);
    await prompt.getByText('mine').waitFor();
    await allow.click();
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', revision: 3, answer: 'allow' }]);
  });

  test('what was written for the model stays when the proposal changes', async () => {
    const page = await rig.open({ scene: 'changed' });
    const { prompt, deny } = promptOf(page);
    await writeInstead(page, 'Use a constant');
    await askAgain(page, { approval: { revision: 3 }, preview: changedDiff });
    await prompt.getByText('mine').waitFor();
    await deny.click();
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', revision: 3, answer: 'deny', feedback: 'Use a constant' }]);
  });

  test('with unsaved text stays open with the reason', async () => {
    const page = await rig.open({ scene: 'changed' });
    const { prompt, allow } = promptOf(page);
    await allow.click();
    await askAgain(page, { approval: { problem: says('proposalUnsaved') } });
    await prompt.getByRole('alert').filter({ hasText: 'unsaved edits' }).waitFor();
    await untilUsable(allow);
  });
});

describe('the keys of a prompt', () => {
  const answers = async (page: Page): Promise<readonly unknown[]> =>
    (await postsOf(page)).map((post) => (post.type === 'answer_approval' ? [post.callId, post.answer] : post.type));

  test.each([
    ['Control+Enter', 'allow'],
    ['Escape', 'deny'],
  ] as const)('%s answers with %s from the empty message box, and the button says so', async (key, answer) => {
    const page = await rig.open({ scene: 'edit' });
    const { prompt, allow } = promptOf(page);
    expect(
      await prompt
        .getByRole('button')
        .filter({ hasText: /^Allow.*↵$|^Deny.*Esc$/ })
        .count(),
    ).toBe(2);
    await untilUsable(allow);
    await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await page.keyboard.press(key);
    expect(await answers(page)).toEqual([['asked', answer]]);
  });

  test('cmd-42 a key counts for nothing in the time after the prompt appeared, and neither does one that is held down', async () => {
    const page = await rig.open({ scene: 'empty', own: true });
    await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.evaluate(() => void globalThis.panelHost.scene('asked'));
    await delivered(page);
    await page.clock.runFor(100);
    await promptOf(page).allow.waitFor();
    await page.keyboard.press('Control+Enter');
    await page.keyboard.press('Escape');
    await page.clock.runFor(GUARD_MS);
    await page.keyboard.down('Control');
    await page.evaluate(() =>
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, repeat: true, bubbles: true, cancelable: true })),
    );
    await page.keyboard.up('Control');
    expect(await postsOf(page)).toEqual([]);
    await page.clock.resume();
  });

  test('Escape with words in the message box loses neither them nor the turn', async () => {
    const page = await rig.open({ scene: 'asked' });
    await untilUsable(promptOf(page).allow);
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await box.fill('and then');
    await box.press('Escape');
    expect([await box.inputValue(), await answers(page)]).toEqual(['and then', []]);
  });

  test('what is not read to its end is not allowed by the key', async () => {
    const page = await rig.open({ scene: 'tail' });
    await promptOf(page).prompt.getByText(says('reviewRest')).waitFor();
    await afterGuard(page);
    await page.keyboard.press('Control+Enter');
    expect(await answers(page)).toEqual([]);
  });

  test('what is dangerous is allowed by the key only with the focus in the prompt', async () => {
    const page = await rig.open({ scene: 'dangerous', height: 900 });
    const { allow, deny } = promptOf(page);
    await untilUsable(allow);
    await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await page.keyboard.press('Control+Enter');
    expect(await answers(page)).toEqual([]);
    await deny.focus();
    await page.keyboard.press('Control+Enter');
    expect(await answers(page)).toEqual([['asked', 'allow']]);
  });

  test('cmd-43 they are for the first of several prompts', async () => {
    const page = await rig.open({ scene: 'three', height: 1_200 });
    await untilUsable(promptOf(page).allow.first());
    // It alone says which keys these are.
    const keysOf = (): Promise<readonly (readonly string[])[]> =>
      page
        .locator('.prompt')
        .evaluateAll((cards) => cards.map((card) => [...card.querySelectorAll('kbd')].filter((key) => key.checkVisibility()).map((key) => key.textContent)));
    expect(await keysOf()).toEqual([['Ctrl+↵', 'Esc'], [], []]);
    await page.keyboard.press('Control+Enter');
    expect(await answers(page)).toEqual([['one', 'allow']]);
    await changeCall(page, 'one', { status: 'running' });
    await expect.poll(keysOf).toEqual([['Ctrl+↵', 'Esc'], []]);
  });

  test('with words for the model, Enter denies with them, and Escape leaves the field', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { instead, tell } = promptOf(page);
    await untilUsable(tell);
    await tell.click();
    await instead.press('Escape');
    await tell.waitFor();
    expect(await answers(page)).toEqual([]);
    await tell.click();
    await instead.fill('use pnpm');
    await instead.press('Enter');
    expect(await postsOf(page)).toMatchObject([{ answer: 'deny', feedback: 'use pnpm' }]);
  });
});

describe('the keys of a question', () => {
  test.each([
    ['2', 'Control+Enter', { type: 'answer_question', choices: ['pnpm'] }],
    ['3', 'Escape', { type: 'dismiss_question' }],
  ] as const)('%s chooses, %s ends it', async (number, key, post) => {
    const page = await rig.open({ scene: 'question' });
    const group = page.getByRole('group', { name: 'Question from Gnomon', exact: true });
    await afterGuard(page);
    await group.getByRole('radio').first().focus();
    await page.keyboard.press(number);
    expect(
      await group
        .getByRole('radio')
        .nth(Number(number) - 1)
        .isChecked(),
    ).toBe(true);
    await page.getByRole('textbox', { name: 'Message', exact: true }).focus();
    await page.keyboard.press(key);
    expect(await postsOf(page)).toMatchObject([post]);
  });

  test('Escape in its field neither skips it nor ends the turn', async () => {
    const page = await rig.open({ scene: 'question' });
    await afterGuard(page);
    await page.getByRole('textbox', { name: 'Enter your own answer' }).press('Escape');
    expect(await postsOf(page)).toEqual([]);
  });

  test('its controls have the colors of the theme', async () => {
    const page = await rig.open({ scene: 'question' });
    const { scope } = promptOf(page);
    /** How controls look, and which of the theme's colors they should have. */
    const looks = (controls: Locator, colors: Readonly<Record<string, string>>): Promise<readonly unknown[]> =>
      controls.first().evaluate((control, names) => {
        const probe = document.body.appendChild(document.createElement('i'));
        const found = Object.entries(names).map(([property, variable]) => {
          probe.style.setProperty(property, `var(--vscode-${variable})`);
          return [property, getComputedStyle(control).getPropertyValue(property), getComputedStyle(probe).getPropertyValue(property)] as const;
        });
        probe.remove();
        return [getComputedStyle(control).appearance, ...found.filter(([, is, should]) => is !== should || is === '').map((entry) => entry.join(' '))];
      }, colors);
    const tasks = page.locator('.markdown').getByRole('checkbox');
    const open = { 'background-color': 'checkbox-background' };
    const checked = { 'background-color': 'button-background' };
    for (const theme of THEME_NAMES) {
      await page.evaluate((name) => globalThis.panelHost.theme(name), theme);
      for (const [scene, role] of [
        ['question', 'radio'],
        ['choices', 'checkbox'],
      ] as const) {
        await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
        const choices = page.locator('.prompt').getByRole(role);
        expect(await looks(choices.last(), open), `${theme}: ${role}`).toEqual(['none']);
        await choices.first().check();
        expect(await looks(choices, checked), `${theme}: ${role}, checked`).toEqual(['none']);
      }
      await showAnswer(page, '- [ ] open\n- [x] done\n');
      expect(await looks(tasks, open), `${theme}: task`).toEqual(['none']);
      expect(await looks(tasks.nth(1), checked), `${theme}: task, done`).toEqual(['none']);
      await page.evaluate(() => globalThis.panelHost.scene('asked'));
      await openRules(page);
      const dropdown = { 'background-color': 'dropdown-background', color: 'dropdown-foreground' };
      expect(await looks(scope, dropdown), `${theme}: scope`).toEqual(['none']);
    }
  });
});

describe('what is risky in a command', () => {
  test('is named at the top, and marked in its place', async () => {
    const page = await rig.open({ scene: 'dangerous', height: 900 });
    const { prompt, parts } = promptOf(page);
    await prompt.getByText('Command 4 deletes outside the workspace.').waitFor();
    const marked = parts.getByRole('listitem').filter({ has: page.locator('small') });
    expect(await marked.locator('small').allTextContents()).toEqual(['deletes outside the workspace', 'installs from the network', 'runs what was downloaded']);
    expect(await marked.first().textContent()).toContain('rm -rf ../build');
  });

  test('of a single command is named, too', async () => {
    const page = await rig.open({ scene: 'asked' });
    await askAgain(page, { approval: { risks: [{ part: 0, level: 'caution', text: 'pushes to a remote' }] } });
    await promptOf(page).prompt.getByText('This command pushes to a remote.').waitFor();
  });
});

describe('edits that ask at once', () => {
  const posted = async (page: Page): Promise<readonly unknown[]> =>
    (await postsOf(page)).map((post) => (post.type === 'answer_approval' ? [post.callId, post.answer] : post));
  const allowAll = (page: Page): Locator => page.getByRole('button', { name: 'Allow All 3 Edits', exact: true });

  test('are in one prompt that lists them, and one press allows all', async () => {
    const page = await rig.open({ scene: 'edits', width: 300, height: 900 });
    const { prompt } = promptOf(page);
    await untilUsable(allowAll(page));
    expect(await prompt.count()).toBe(1);
    for (const path of ['src/slot.js', 'src/room.js', 'test/slot.test.js'])
      expect(await prompt.getByRole('group', { name: path, exact: true }).count()).toBe(1);
    await allowAll(page).click();
    expect(await posted(page)).toEqual([
      ['one', 'allow'],
      ['two', 'allow'],
      ['three', 'allow'],
    ]);
    await allowAll(page).waitFor({ state: 'hidden' });
  });

  test('Ctrl+Enter allows all, Escape denies all', async () => {
    for (const [key, answer] of [
      ['Control+Enter', 'allow'],
      ['Escape', 'deny'],
    ]) {
      const page = await rig.open({ scene: 'edits', height: 900 });
      await untilUsable(allowAll(page));
      await page.keyboard.press(key ?? '');
      expect(await posted(page)).toEqual(['one', 'two', 'three'].map((id) => [id, answer]));
    }
  });

  test('can be answered one by one; what is left is asked about alone', async () => {
    const page = await rig.open({ scene: 'edits', height: 900 });
    const { prompt } = promptOf(page);
    await untilUsable(allowAll(page));
    const row = (path: string): Locator => prompt.getByRole('group', { name: path, exact: true });
    await row('src/room.js').getByRole('button', { name: 'Deny', exact: true }).click();
    await row('src/slot.js').getByRole('button', { name: 'Allow', exact: true }).click();
    expect(await posted(page)).toEqual([
      ['two', 'deny'],
      ['one', 'allow'],
    ]);
    expect(await row('src/room.js').getByRole('button', { name: 'Allow', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Allow the Rest', exact: true }).click();
    expect((await posted(page)).slice(2)).toEqual([['three', 'allow']]);
  });

  test('each opens in its place, numbered and in color', async () => {
    const page = await rig.open({ scene: 'edits', width: 300, height: 600 });
    const { prompt } = promptOf(page);
    const name = prompt.getByRole('button', { name: /^slot\.js src/ });
    expect(await name.getAttribute('aria-expanded')).toBe('false');
    await name.click();
    await prompt.locator('.line.added .hl-keyword').first().waitFor();
    expect(await prompt.locator('.line.removed .number').first().textContent()).toBe('23');
  });

  test('cmd-35 that are long together are open, and are allowed when each was read, here or in the diff editor', async () => {
    for (const inEditor of [false, true]) {
      const page = await rig.open({ scene: 'long edits', width: 300, height: 900 });
      await page.evaluate(() => globalThis.panelHost.show({ ...globalThis.panelHost.state }, 'here'));
      const { prompt } = promptOf(page);
      const all = page.getByRole('button', { name: 'Allow All 2 Edits', exact: true });
      const row = (path: string): Locator => prompt.getByRole('group', { name: path, exact: true });
      await prompt.getByText('Review the rest to allow.').waitFor();
      expect(await all.getAttribute('aria-disabled')).toBe('true');
      expect(await all.getAttribute('aria-describedby')).toBeTruthy();
      expect(await row('src/long.js').getByRole('button', { name: 'Allow', exact: true }).isDisabled()).toBe(true);
      // The first one was on screen, so that it can be allowed by itself.
      await expect.poll(() => row('src/slot.js').getByRole('button', { name: 'Allow', exact: true }).isEnabled()).toBe(true);
      await page.keyboard.press('Control+Enter');
      await all.click({ force: true });
      expect(await postsOf(page)).toEqual([]);
      if (inEditor) await page.evaluate(() => globalThis.panelHost.post({ type: 'proposal_shown', session: 'here', call: 'two' }));
      else await prompt.getByRole('button', { name: 'Scroll to End', exact: true }).click();
      await untilUsable(all);
      await all.click();
      expect(await posted(page)).toEqual([
        ['one', 'allow'],
        ['two', 'allow'],
      ]);
      await rig.closePages();
    }
  });

  test('what is remembered for all is what each one offers', async () => {
    const page = await rig.open({ scene: 'edits', height: 900 });
    await untilUsable(allowAll(page));
    await promptOf(page).always.click();
    expect(await postsOf(page)).toMatchObject(
      ['one', 'two', 'three'].map((callId) => ({ callId, answer: 'always', rules: ['Edit(src/**)'], scope: 'workspace' })),
    );
  });
});

test('a difference is never wrapped, and has its numbers and colors', async () => {
  const page = await rig.open({ scene: 'edit', width: 300, height: 900 });
  const { prompt, allow } = promptOf(page);
  await untilUsable(allow);
  const box = prompt.getByRole('group', { name: 'Changes', exact: true });
  const heights = await box
    .locator('.line')
    .evaluateAll((lines) => lines.map((line) => [line.getBoundingClientRect().height, Number.parseFloat(getComputedStyle(line).lineHeight)] as const));
  expect(heights.filter(([height, one]) => height !== one)).toEqual([]);
  expect(heights).toHaveLength(14);
  expect(await box.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
  expect(await box.locator('.number').allTextContents()).toEqual(['21', '22', '23', '23', '24', '25', '26', '27', '28', '', '62', '61', '63', '64']);
  expect(await box.getByText('@@').count()).toBe(0);
  await box.locator('.hl-keyword', { hasText: 'return' }).first().waitFor();
  expect(await prompt.getByText('Edit src/slot.js?').count()).toBe(1);
  expect(await prompt.getByText('/home/ada').count()).toBe(0);
  // The whole prompt is in sight.
  expect(await prompt.evaluate((element) => element.getBoundingClientRect().height / window.innerHeight)).toBeLessThanOrEqual(0.66);
});

describe('an answer', () => {
  test('that cannot be followed comes back with the reason, and what was written is still there', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { prompt, allow, rules, instead, confirm } = promptOf(page);
    await writeInstead(page, 'use pnpm');
    await openRules(page);
    await rules.fill('Bash(npm');
    for (const reason of ['A bracket is not closed.', 'It is still not closed.']) {
      await confirm.click();
      expect([await allow.isDisabled(), await confirm.isDisabled()]).toEqual([true, true]);
      expect(await prompt.getByRole('alert').count()).toBe(0);
      await askAgain(page, { approval: { problem: reason } });
      await prompt.getByRole('alert').filter({ hasText: reason }).waitFor();
      await untilUsable(confirm);
    }
    expect([await rules.inputValue(), await instead.inputValue()]).toEqual(['Bash(npm', 'use pnpm']);
    await allow.click();
    expect((await postsOf(page)).map((post) => (post.type === 'answer_approval' ? post.answer : post.type))).toEqual(['always', 'always', 'allow']);
  });

  test('cmd-43 goes to the prompt that was answered and to no other', async () => {
    const page = await rig.open({ scene: 'three' });
    const prompts = promptOf(page).prompt;
    await prompts.last().waitFor();
    expect(await prompts.count()).toBe(3);
    await prompts.nth(1).scrollIntoViewIfNeeded();
    await prompts.nth(1).getByRole('button', { name: 'Allow', exact: true }).click();
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'two', answer: 'allow' }]);
    const open = await prompts
      .getByRole('button', { name: 'Deny', exact: true })
      .evaluateAll((buttons) => buttons.map((button) => !(button as HTMLButtonElement).disabled));
    expect(open).toEqual([true, false, true]);
  });

  test('cmd-42 the second click of a double click allows nothing, whatever has come to lie under the pointer', async () => {
    const page = await rig.open({ scene: 'empty' });
    const { allow, always, more, editRule, confirm } = promptOf(page);
    for (const name of ['Allow', 'Always allow npm test …, npm run test … in this workspace']) {
      await page.evaluate(() => globalThis.panelHost.scene('empty'));
      const clicked = await clickAtOnce(page, name);
      await page.evaluate(() => globalThis.panelHost.scene('asked'));
      await clicked();
    }
    await untilUsable(always);
    const confirmed = await clickAtOnce(page, 'Always Allow');
    await more.click();
    await editRule.click();
    await confirmed();
    expect(await postsOf(page)).toEqual([]);
    await untilUsable(confirm);
    await untilUsable(allow);
  });

  test('cmd-42 nothing in a prompt takes the focus by itself', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    for (const scene of ['asked', 'tail', 'long diff', 'refused', 'three']) {
      await box.focus();
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      await promptOf(page).allow.first().waitFor();
      expect(await box.evaluate((element) => element === document.activeElement), scene).toBe(true);
    }
  });

  test('what allowed a call is told with what it did', async () => {
    const page = await rig.open({ scene: 'allowed' });
    for (const name of ['Ran npm test', 'Edited a\\u202Eb']) await page.getByRole('group', { name, exact: true }).getByRole('button').click();
    const told = ['Bash(npm test:*) allows it.', String.raw`${says('editsAccepted')} \u202E`];
    expect(await page.locator('.why').allTextContents()).toEqual(told);
  });
});

test('the keys are on the buttons from 240 px on, and at 260 px all that answers at once is in one row', async () => {
  const page = await rig.open({ scene: 'asked', width: 260 });
  const { allow, deny, edit } = promptOf(page);
  await untilUsable(allow);
  const keys = (): Promise<readonly boolean[]> => Promise.all([allow, deny].map((button) => button.locator('kbd').isVisible()));
  const tops = await Promise.all([allow, deny, edit].map(async (button) => (await button.boundingBox())?.y));
  expect(new Set(tops).size).toBe(1);
  expect(await allow.locator('kbd').textContent()).toBe('Ctrl+↵');
  for (const [width, shown] of [
    [239, false],
    [240, true],
    [260, true],
  ] as const) {
    await page.setViewportSize({ width, height: 700 });
    await expect.poll(keys, { message: `${width}` }).toEqual([shown, shown]);
  }
});

const FITTING = [
  'asked',
  'edit',
  'edits',
  'dangerous',
  'tail',
  'spaces',
  'steps',
  'sequences',
  'refused',
  'long diff',
  'changed',
  'several files',
  'three',
  'allowed',
];

test.each([220, 300, 900].map((width, column) => ({ width, scenes: everyNth(FITTING, 2, column) })))(
  'nothing sticks out of a prompt, at $width px',
  async ({ width, scenes }) => {
    const page = await rig.open({ width });
    const { prompt, always, more, edit, rules, command } = promptOf(page);
    for (const scene of scenes) {
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      expect(await sticksOutAt(page, [width]), scene).toEqual([]);
    }
    for (const scene of ['asked', 'sequences', 'refused']) {
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      await prompt.waitFor();
      await always.scrollIntoViewIfNeeded();
      if ((await more.count()) === 0) await always.click();
      else await openRules(page);
      await rules.waitFor();
      expect(await sticksOutAt(page, [width]), `${scene}: rules`).toEqual([]);
      await edit.click();
      await command.waitFor();
      expect(await sticksOutAt(page, [width]), `${scene}: command`).toEqual([]);
    }
  },
);
