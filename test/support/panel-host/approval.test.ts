import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewApproval, ViewPreview } from '../../../src/protocol/view-state.js';
import { GUARD_MS } from '../../../webview/state/approval/key-guard.js';
import { afterGuard, delivered, PanelRig, postsOf, sticksOut, sticksOutAt } from './rig.js';
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
    always: button('Always Allow'),
    deny: button('Deny'),
    edit: button('Edit'),
    cancelEdit: button('Cancel Edit'),
    openDiff: button('Open Diff'),
    confirm: button('Allow and Remember'),
    showEnd: button('Scroll to End'),
    instead: prompt.getByRole('textbox', { name: /instead/ }),
    rules: prompt.getByRole('textbox', { name: /^Rules/ }),
    scope: prompt.getByRole('combobox', { name: 'Remember for', exact: true }),
    command: prompt.getByRole('textbox', { name: 'Command', exact: true }),
    shown: prompt.getByRole('group', { name: 'Command', exact: true }),
    parts: prompt.getByRole('group', { name: /^Runs/ }),
  };
}

/** Waits until a button could be pressed, and does not press it. */
function untilUsable(button: Locator): Promise<void> {
  return button.click({ trial: true });
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
      const button = [...document.querySelectorAll<HTMLButtonElement>('.prompt button')].find((each) => each.textContent.trim() === words);
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
  };
}

/** Whether Allow is switched off in the moment in which a prompt comes to hold some words. */
function disabledAtOnce(page: Page, words: string): Promise<boolean> {
  return page.evaluate((text) => new Promise((resolve) => {
    const observer = new MutationObserver(() => {
      const prompt = document.querySelector('.prompt');
      if (prompt?.textContent.includes(text) !== true) return;
      observer.disconnect();
      const allow = [...prompt.querySelectorAll('button')].find((each) => each.textContent.trim() === 'Allow');
      resolve(allow?.getAttribute('aria-disabled') === 'true');
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  }), words);
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
  test('cmd-42 neither focus nor a key that is down goes to Allow', async () => {
    const page = await rig.open({ scene: 'empty' });
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
    await page.getByRole('textbox', { name: /instead/ }).fill('use pnpm');
    expect(await page.getByRole('button', { name: 'Always Allow' }).count()).toBe(1);
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'deny', feedback: 'use pnpm' }]);
    await page.evaluate(() => globalThis.panelHost.scene('hidden'));
    await page.getByText('This contains invisible characters').waitFor();
    expect(await page.getByRole('button', { name: 'Always Allow' }).count()).toBe(0);
    expect(await page.getByRole('group', { name: 'Command' }).textContent()).toBe('ls \\u202Etxt.exe\\u202C && rm\\u00A0-rf \\u200B~/x\n# end');
  });

  test('a long command and a long diff are there to the last line', async () => {
    const page = await rig.open();
    await page.evaluate(() => {
      const lines = Array.from({ length: 5_000 }, (_, index) => `+line ${index} of the change`).join('\n');
      const approval = { reasons: [] };
      const diff = { id: 'd', name: 'edit', subject: 'a', status: 'awaiting_approval' as const, output: '', approval, preview: { kind: 'diff' as const, path: 'a', diff: `@@ -1 +1,5000 @@\n${lines}\n`, created: false } };
      const command = { id: 'c', name: 'bash', subject: 'x', status: 'awaiting_approval' as const, output: '', approval, preview: { kind: 'command' as const, command: `${'echo something long; '.repeat(2_000)}rm -rf x`, cwd: '/', timeoutMs: 1 } };
      const answer = { kind: 'answer' as const, id: 'a', blocks: [{ type: 'tool' as const, call: diff }, { type: 'tool' as const, call: command }], status: 'streaming' as const, time: '', summary: '' };
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
    const page = await rig.open({ scene: 'tail' });
    const { prompt, allow, always, showEnd, shown, parts } = promptOf(page);
    await prompt.getByText(says('scrollToAllow')).waitFor();
    expect(await prompt.getByText('Runs 2 commands:').count()).toBe(1);
    expect(await parts.getByRole('listitem').allTextContents()).toEqual(['ls', 'touch PWN']);
    await afterGuard(page);
    for (const button of [allow, always]) {
      expect(await button.isDisabled()).toBe(true);
      expect(await descriptionOf(button)).toBe(says('scrollToAllow'));
      await button.press('Enter');
      await button.press('Space');
      await button.click({ force: true });
    }
    expect(await postsOf(page)).toEqual([]);
    expect(await always.getAttribute('aria-expanded')).toBe('false');
    await showEnd.press('Enter');
    await prompt.getByText('End reached.').waitFor();
    // The button stays where it is: a second press must not hit another one.
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
    expect(await parts.getByRole('listitem').allTextContents()).toEqual(['ls', 'touch PWN']);
    expect(await shown.evaluate((box) => [box.scrollWidth <= box.clientWidth, box.scrollHeight <= box.clientHeight])).toEqual([true, true]);
    expect(await prompt.getByRole('button', { name: 'Scroll to End' }).count()).toBe(0);
  });

  test('the list of commands is shown to its end, too', async () => {
    const page = await rig.open({ scene: 'steps' });
    const { prompt, allow, showEnd, parts } = promptOf(page);
    await prompt.getByText('Runs 60 commands:').waitFor();
    expect(await parts.getByRole('listitem').count()).toBe(60);
    await showEnd.click();
    await untilSeen(page, 1);
    expect(await allow.isDisabled()).toBe(true);
    await showEnd.click();
    await untilSeen(page, 2);
    await untilUsable(allow);
  });

  test('a long change is read by scrolling, and no part of it lies to the side', async () => {
    const page = await rig.open({ scene: 'long diff' });
    const { prompt, allow, always } = promptOf(page);
    await prompt.getByText(says('scrollToAllow')).waitFor();
    expect([await allow.isDisabled(), await always.isDisabled()]).toEqual([true, true]);
    const box = prompt.getByRole('group', { name: 'Changes', exact: true });
    expect(await box.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await box.focus();
    await page.keyboard.press('End');
    await untilUsable(allow);
    // It was on screen, and stays read.
    await page.keyboard.press('Home');
    await untilUsable(allow);
    await allow.click();
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'allow' }]);
  });

  test('a prompt that was never on screen cannot be allowed, however short', async () => {
    const page = await rig.open({ scene: 'asked' });
    await page.evaluate(() => {
      const items = globalThis.panelHost.state.items.map((item) => ({ ...item, id: `${item.id} again` }));
      const notice = { kind: 'notice' as const, id: 'n', level: 'info' as const, text: 'more\n'.repeat(200), actions: [] };
      return globalThis.panelHost.show({ activity: 'waiting', items: [...items, notice] });
    });
    const { prompt, allow } = promptOf(page);
    await prompt.getByText(says('scrollToAllow')).waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await allow.scrollIntoViewIfNeeded();
    await untilUsable(allow);
  });
});

describe('“Always Allow”', () => {
  test('opens the rules, which can be changed, and asks how long they hold', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { always, rules, scope, confirm } = promptOf(page);
    expect(await always.getAttribute('aria-expanded')).toBe('false');
    await always.click();
    expect(await always.getAttribute('aria-expanded')).toBe('true');
    expect(await postsOf(page)).toEqual([]);
    expect(await rules.inputValue()).toBe('Bash(npm test:*)\nBash(npm run test:*)');
    expect(await scope.inputValue()).toBe('session');
    expect(await scope.getByRole('option').allTextContents()).toEqual(['This chat', 'This workspace', 'All workspaces']);
    await rules.fill(' \n\n');
    expect(await confirm.isDisabled()).toBe(true);
    expect(await descriptionOf(confirm)).toBe(says('noRuleEntered'));
    await rules.fill('Bash(npm test:*)\n\n  Edit(src/**) \nBash(npm test:*)\n');
    await scope.selectOption({ label: 'This workspace' });
    await confirm.click();
    expect(await postsOf(page)).toEqual([{ type: 'answer_approval', callId: 'asked', answer: 'always', rules: ['Bash(npm test:*)', 'Edit(src/**)'], scope: 'workspace' }]);
    expect([await rules.isDisabled(), await confirm.isDisabled()]).toEqual([true, true]);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Message');
  });

  test('by keyboard alone, with the rules as proposed', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { always, rules, confirm } = promptOf(page);
    await untilUsable(always);
    await afterGuard(page);
    await always.press('Enter');
    await rules.focus();
    await page.keyboard.press('Escape');
    await rules.waitFor({ state: 'hidden' });
    expect(await always.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Space');
    await rules.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await confirm.evaluate((element) => element === document.activeElement)).toBe(true);
    await untilUsable(confirm);
    await page.keyboard.press('Enter');
    // Esc closed the rules and stopped nothing.
    expect(await postsOf(page)).toMatchObject([{ type: 'answer_approval', answer: 'always', rules: ['Bash(npm test:*)', 'Bash(npm run test:*)'], scope: 'session' }]);
  });

  test('cmd-36 cmd-37 rules hide nothing, and one with a line break in it does not become others', async () => {
    const page = await rig.open({ scene: 'sequences' });
    const { prompt, always, rules, shown } = promptOf(page);
    expect(await shown.textContent()).toBe('echo "\\u001B[2K\\u001B]52;c;ZXZpbA==\\u0007\\u001B]8;;https://evil.test\\u001B\\\\"');
    await prompt.getByText('This contains invisible characters').waitFor();
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
    await prompt.getByText(says('scrollToAllow')).waitFor();
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
    await prompt.getByRole('textbox', { name: 'What Gnomon should do instead' }).fill('Use a constant');
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

describe('an answer', () => {
  test('that cannot be followed comes back with the reason, and what was written is still there', async () => {
    const page = await rig.open({ scene: 'asked' });
    const { prompt, allow, always, rules, instead, confirm } = promptOf(page);
    await instead.fill('use pnpm');
    await always.click();
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
    const open = await prompts.getByRole('button', { name: 'Deny', exact: true }).evaluateAll((buttons) => buttons.map((button) => !(button as HTMLButtonElement).disabled));
    expect(open).toEqual([true, false, true]);
  });

  test('cmd-42 the second click of a double click allows nothing, whatever has come to lie under the pointer', async () => {
    const page = await rig.open({ scene: 'empty' });
    const { allow, always, confirm } = promptOf(page);
    const allowed = await clickAtOnce(page, 'Allow');
    await page.evaluate(() => globalThis.panelHost.scene('asked'));
    await allowed();
    await untilUsable(always);
    const confirmed = await clickAtOnce(page, 'Allow and Remember');
    await always.click();
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
    const told = ['Allowed. the rule “Bash(npm test:*)” for this chat', 'Allowed. editing inside of the workspace \\u202E'];
    expect(await page.locator('.why').allTextContents()).toEqual(told);
  });
});

test('nothing sticks out of a prompt, at 220, 300 and 900 px', async () => {
  const page = await rig.open();
  const widths = [220, 300, 900];
  const { prompt, always, edit, rules, command } = promptOf(page);
  for (const scene of ['asked', 'tail', 'spaces', 'steps', 'sequences', 'refused', 'long diff', 'changed', 'three', 'allowed']) {
    await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
    expect(await sticksOutAt(page, widths), scene).toEqual([]);
  }
  for (const scene of ['asked', 'sequences', 'refused']) {
    await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
    await prompt.waitFor();
    await always.scrollIntoViewIfNeeded();
    await always.click();
    await rules.waitFor();
    expect(await sticksOutAt(page, widths), `${scene}: rules`).toEqual([]);
    await edit.click();
    await command.waitFor();
    expect(await sticksOutAt(page, widths), `${scene}: command`).toEqual([]);
  }
});
