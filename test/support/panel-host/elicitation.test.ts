import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewElicitation } from '../../../src/protocol/elicitation.js';
import { says } from '../wording.js';
import { violations } from './axe.js';
import { afterGuard, postsOf, PanelRig, sticksOutAt } from './rig.js';
import { form, page as webPage } from './servers-scenes.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Opens a page in which a server asks something. */
async function asked(elicitations: readonly ViewElicitation[], options: Parameters<PanelRig['open']>[0] = {}): Promise<Page> {
  const page = await rig.open({ width: 300, height: 1_300, ...options });
  await page.evaluate((list) => globalThis.panelHost.post({ type: 'elicitations', elicitations: list }), elicitations);
  await card(page).waitFor();
  await afterGuard(page);
  return page;
}

function card(page: Page): Locator {
  return page.locator('.elicitations .prompt');
}

/** The answers that were posted. */
async function answers(page: Page): Promise<readonly unknown[]> {
  return (await postsOf(page)).filter(({ type }) => type === 'answer_elicitation');
}

function button(page: Page, name: string): Locator {
  return card(page).getByRole('button', { name, exact: true });
}

describe('M-12: a form of a server', () => {
  test('names its server, has the defaults, and sends nothing before Submit', async () => {
    const page = await asked([form]);
    await card(page).getByText('The MCP server github asks for information').waitFor();
    await card(page).getByText('Where should the release be announced?').waitFor();
    expect(await page.getByRole('textbox', { name: 'Headline' }).inputValue()).toBe('Release 2.0');
    expect(await page.getByRole('textbox', { name: 'Reviewers' }).inputValue()).toBe('2');
    expect(await page.getByRole('checkbox', { name: 'Keep it a draft' }).isChecked()).toBe(true);
    expect(await page.getByRole('checkbox', { name: 'Core' }).isChecked()).toBe(true);
    await page.getByRole('textbox', { name: 'Day' }).fill('2026-01-31');
    await page.getByRole('textbox', { name: 'Day' }).press('Enter');
    await page.getByRole('radio', { name: 'Mail' }).check();
    await page.getByRole('combobox', { name: 'Time zone' }).selectOption('CET');
    await page.getByRole('checkbox', { name: 'Design' }).check();
    await page.getByRole('checkbox', { name: 'Keep it a draft' }).uncheck();
    expect(await answers(page)).toEqual([]);
    await button(page, 'Submit').click();
    const content = { title: 'Release 2.0', day: '2026-01-31', count: 2, draft: false, channel: 'mail', zone: 'CET', teams: ['a', 'b'] };
    expect(await answers(page)).toEqual([{ type: 'answer_elicitation', id: 'e1', action: 'accept', content }]);
    expect(await button(page, 'Decline').isDisabled()).toBe(true);
  });

  test('says what is wrong next to the field, and leads to the first', async () => {
    const page = await asked([form]);
    await page.getByRole('textbox', { name: 'Contact' }).fill('ada');
    await page.getByRole('textbox', { name: 'Tag' }).fill('two');
    await page.getByRole('textbox', { name: 'Reviewers' }).fill('9');
    expect(await card(page).getByRole('alert').count()).toBe(0);
    await button(page, 'Submit').click();
    await expect
      .poll(() => card(page).getByRole('alert').allTextContents())
      .toEqual([
        'Enter an email address, such as name@example.com.',
        says('fieldRequired'),
        String.raw`The value must match this pattern: ^v\d+\.\d+$`,
        'Enter a number of at most 5.',
        says('fieldRequired'),
      ]);
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true');
    expect(await page.getByRole('textbox', { name: 'Contact' }).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByRole('textbox', { name: 'Reviewers' }).fill('5');
    await expect.poll(() => card(page).getByRole('alert').count()).toBe(4);
    expect(await answers(page)).toEqual([]);
  });

  test('warns of a field for a secret', async () => {
    const page = await asked([form]);
    await card(page).getByText(says('looksLikeSecret')).waitFor();
    expect(await card(page).getByText(says('looksLikeSecret')).count()).toBe(1);
  });

  test.each([
    ['Decline', 'decline'],
    ['Cancel', 'cancel'],
  ])('%s is an answer of its own', async (name, action) => {
    const page = await asked([form]);
    await button(page, name).click();
    expect(await answers(page)).toEqual([{ type: 'answer_elicitation', id: 'e1', action }]);
  });

  test.each(['in a field', 'in the empty message box'])('Escape cancels, also %s', async (where) => {
    const page = await asked([form]);
    await page.getByRole('textbox', { name: where === 'in a field' ? 'Headline' : 'Message' }).press('Escape');
    expect(await answers(page)).toEqual([{ type: 'answer_elicitation', id: 'e1', action: 'cancel' }]);
  });

  test('M-11: one that changes is shown again, without what was entered', async () => {
    const page = await asked([form]);
    await page.getByRole('textbox', { name: 'Headline' }).fill('Mine');
    await page.evaluate((same) => globalThis.panelHost.post({ type: 'elicitations', elicitations: [same, { ...same, id: 'e7' }] }), form);
    await page.getByText('1 more request of a server waits.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Headline' }).inputValue()).toBe('Mine');
    await page.evaluate((other) => globalThis.panelHost.post({ type: 'elicitations', elicitations: [other] }), {
      ...form,
      asked: { ...form.asked, message: 'Send it to whom?' },
    });
    await card(page).getByText('Send it to whom?').waitFor();
    expect(await page.getByRole('textbox', { name: 'Headline' }).inputValue()).toBe('Release 2.0');
  });

  test('Ctrl+Enter submits from a field, and not in the moment in which the form appears', async () => {
    const page = await asked([{ ...form, asked: { mode: 'form', message: 'Go?', fields: [] } }]);
    await page.evaluate((next) => globalThis.panelHost.post({ type: 'elicitations', elicitations: [next] }), form);
    await page.getByRole('textbox', { name: 'Day' }).fill('2026-01-31');
    await page.getByRole('radio', { name: 'Mail' }).check();
    await page.getByRole('textbox', { name: 'Day' }).press('Control+Enter');
    await afterGuard(page);
    await page.getByRole('textbox', { name: 'Day' }).press('Control+Enter');
    expect(await answers(page)).toMatchObject([{ id: 'e1', action: 'accept' }]);
  });

  test('one comes after the other, and nothing that was entered stays', async () => {
    const page = await asked([form, { ...form, id: 'e3', server: 'other' }]);
    await card(page).page().getByText('1 more request of a server waits.').waitFor();
    await page.getByRole('textbox', { name: 'API key' }).fill('hunter2');
    await page.evaluate((next) => globalThis.panelHost.post({ type: 'elicitations', elicitations: [next] }), { ...form, id: 'e3', server: 'other' });
    await card(page).getByText('The MCP server other asks for information').waitFor();
    expect(await page.getByRole('textbox', { name: 'API key' }).inputValue()).toBe('');
    await page.evaluate(() => globalThis.panelHost.post({ type: 'elicitations', elicitations: [] }));
    await card(page).waitFor({ state: 'detached' });
  });

  test('fields of strangers have any names, also twice, and nothing hides in their texts', async () => {
    const fields = ['__proto__', 'constructor', 'same', 'same'].map((name) => ({
      name,
      title: `${name}\u200B`,
      type: 'text' as const,
      required: false,
      default: 'x',
    }));
    const page = await asked([{ id: 'e', server: 'a\u202Eb', asked: { mode: 'form', message: '<b>Hi</b>\u200B', fields } }]);
    await card(page)
      .getByText(String.raw`<b>Hi</b>\u200B`)
      .waitFor();
    await card(page)
      .getByText(String.raw`The MCP server a\u202Eb asks`)
      .waitFor();
    expect(await page.getByRole('textbox', { name: String.raw`same\u200B` }).count()).toBe(2);
  });
});

describe('M-13: a page that a server wants to open', () => {
  test('is shown whole, with its host, and opened by a press only', async () => {
    const page = await asked([webPage('https://pay.example.com/confirm?order=12')]);
    await card(page).getByRole('group', { name: 'URL' }).locator('strong', { hasText: 'pay.example.com' }).waitFor();
    expect(await answers(page)).toEqual([]);
    await button(page, 'Open in Browser').click();
    expect(await answers(page)).toEqual([{ type: 'answer_elicitation', id: 'e2', action: 'accept' }]);
    expect(rig.strangeRequests).toEqual([]);
  });

  test('what is odd about it is said, and it is not opened from elsewhere', async () => {
    const page = await asked([webPage('http://bank.example.com@xn--pypal-4ve.com/')]);
    for (const text of [says('notEncrypted'), says('textBeforeAt'), 'The name contains letters that can look like others.'])
      await card(page).getByText(text).waitFor();
    await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter');
    expect(await answers(page)).toEqual([]);
    await button(page, 'Decline').click();
    expect(await answers(page)).toMatchObject([{ action: 'decline' }]);
  });

  test.each(['javascript:alert(1)', 'file:///etc/passwd', 'vscode:extension/x'])('%s cannot be opened', async (url) => {
    const page = await asked([webPage(url)]);
    await card(page).getByText(says('notWebPage')).waitFor();
    expect(await button(page, 'Open in Browser').count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await answers(page)).toEqual([{ type: 'answer_elicitation', id: 'e2', action: 'cancel' }]);
  });

  test('a long one is read to its end first', async () => {
    const page = await asked([webPage(`https://example.com/${'a'.repeat(4_000)}`)], { height: 760 });
    expect(await button(page, 'Open in Browser').getAttribute('aria-disabled')).toBe('true');
    await button(page, 'Scroll to End').click();
    await expect.poll(() => button(page, 'Open in Browser').getAttribute('aria-disabled')).toBeNull();
  });
});

test('axe finds nothing, and nothing sticks out', async () => {
  const page = await asked([form]);
  await button(page, 'Submit').click();
  expect(await violations(page), 'form').toEqual([]);
  expect(await sticksOutAt(page, [260, 480]), 'form').toEqual([]);
  await page.evaluate((next) => globalThis.panelHost.post({ type: 'elicitations', elicitations: [next] }), webPage('http://a@127.0.0.1/'));
  await button(page, 'Open in Browser').waitFor();
  expect(await violations(page), 'page').toEqual([]);
  expect(await sticksOutAt(page, [260, 480]), 'page').toEqual([]);
});
