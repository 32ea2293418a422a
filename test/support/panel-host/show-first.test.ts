import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ModelProposal } from '../../../src/protocol/host/composer-messages.js';
import type { PanelMessage } from '../../../src/protocol/messages.js';
import { bundleOf } from '../page-texts.js';
import { violations } from './axe.js';
import { afterGuard, delivered, type OpenOptions, PanelRig, postsOf, sticksOut, sticksOutAt } from './rig.js';
import { proposals } from './routing-scenes.js';

const WORDS = 'What does this function do?';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

const boxOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Message' });
const cardOf = (page: Page): Locator => page.getByRole('group', { name: 'Model of the message' });
const kindOf = (page: Page): Locator => cardOf(page).getByRole('button', { name: /^Kind of task: / });

/** A page whose host proposes models. */
async function open(options: OpenOptions = {}, proposes: readonly ModelProposal[] = proposals): Promise<Page> {
  const page = await rig.open({ scene: 'routed', ...options });
  await page.evaluate((next) => (globalThis.panelHost.proposes = next), proposes);
  return page;
}

/** A message was written and Enter pressed: what is shown takes keys. */
async function shown(options?: OpenOptions, proposes?: readonly ModelProposal[]): Promise<Page> {
  const page = await open(options, proposes);
  await page.locator('.composer textarea').fill(WORDS);
  await page.keyboard.press('Enter');
  await page.locator('.proposal').waitFor();
  await afterGuard(page);
  return page;
}

/** What was wanted with each `send`. */
async function wishesOf(page: Page): Promise<readonly unknown[]> {
  const sends = (await postsOf(page)).filter((post): post is Extract<PanelMessage, { type: 'send' }> => post.type === 'send');
  return sends.map(({ proposal }) => proposal);
}

async function isInText(page: Page): Promise<boolean> {
  return boxOf(page).evaluate((element) => element === document.activeElement);
}

/** What is read out. */
const spoken = (page: Page): Locator => page.locator('[aria-live=polite]');

describe('the model of a message, before it is sent', () => {
  test('stands in the composer with the kind, the reason, and the price, and is read out with its keys; Enter sends to it', async () => {
    const page = await shown();
    await cardOf(page).getByText('Claude Haiku 4.5').waitFor();
    expect(await kindOf(page).innerText()).toBe('Explain');
    await cardOf(page).getByText('about $0.04').waitFor();
    await cardOf(page).getByText('Of the models that are good enough, it succeeds most for what it costs.').waitFor();
    await expect
      .poll(() => spoken(page).textContent())
      .toMatch(/^Claude Haiku 4\.5, Explain, about \$0\.04\. Of the models .* Enter sends the message to it\. Tab proposes the next model\. Ctrl\+Up goes to/);
    expect([await isInText(page), await boxOf(page).inputValue(), await wishesOf(page)]).toEqual([true, WORDS, [undefined]]);
    await page.keyboard.press('Enter');
    await cardOf(page).waitFor({ state: 'detached' });
    await expect.poll(() => boxOf(page).inputValue()).toBe('');
    expect(await wishesOf(page)).toEqual([undefined, { id: 'p1' }]);
  });

  test('Tab proposes the next one, in the same place, and Enter sends to that', async () => {
    const page = await shown();
    await page.keyboard.press('Tab');
    await cardOf(page).getByText('Claude Opus 4.5').waitFor();
    await cardOf(page)
      .getByText(/\$0\.09 of that is for 9,800 tokens/)
      .waitFor();
    expect(await isInText(page)).toBe(true);
    await page.keyboard.press('Enter');
    await cardOf(page).waitFor({ state: 'detached' });
    expect(await wishesOf(page)).toEqual([undefined, { id: 'p1', model: 'anthropic/claude-opus-4-5' }, { id: 'p2' }]);
  });

  test('Escape takes it back, and so does everything that it was not chosen for', async () => {
    const page = await shown();
    const again = async (): Promise<void> => {
      await boxOf(page).press('Enter');
      await cardOf(page).waitFor();
    };
    await page.keyboard.press('Escape');
    await cardOf(page).waitFor({ state: 'detached' });
    expect([await isInText(page), await boxOf(page).inputValue()]).toEqual([true, WORDS]);
    await again();
    await page.keyboard.type(' Why');
    await cardOf(page).waitFor({ state: 'detached' });
    for (const patch of [{ mode: 'plan' }, { modelChoice: 'pinned' }, { activity: 'running' }] as const) {
      await again();
      await page.evaluate((next) => globalThis.panelHost.events({ type: 'meta', patch: next }), patch);
      await cardOf(page).waitFor({ state: 'detached' });
    }
    expect((await wishesOf(page)).every((wish) => wish === undefined)).toBe(true);
  });

  test('one click corrects the kind, which keys reach, too: the choice is made for that', async () => {
    const page = await shown();
    await kindOf(page).click();
    await page.getByRole('menuitemradio', { name: 'Debug' }).click();
    await expect.poll(() => kindOf(page).innerText()).toBe('Debug');
    expect(await isInText(page)).toBe(true);
    await page.keyboard.press('Control+ArrowUp');
    expect(await kindOf(page).evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('menuitemradio', { name: 'Debug', checked: true }).press('u');
    await page.keyboard.press('Enter');
    await expect.poll(() => kindOf(page).innerText()).toBe('Unit test');
    expect([await isInText(page), await wishesOf(page)]).toEqual([true, [undefined, { id: 'p1', kind: 'debug' }, { id: 'p1', kind: 'unit_test' }]]);
    // From there, too, it is taken back.
    await page.keyboard.press('Control+ArrowUp');
    await page.keyboard.press('Escape');
    await cardOf(page).waitFor({ state: 'detached' });
    expect(await isInText(page)).toBe(true);
  });

  test('where no model is good enough, it says so; Tab lets one be selected, and Enter tries again', async () => {
    const reason = 'The models that are good enough for this task do not answer, or are too small. Choose a model for this chat, or try again later.';
    const page = await shown({}, [{ id: 'none', kind: 'debug', reason }]);
    await cardOf(page).getByText(reason).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await cardOf(page).getByText(reason).waitFor();
    await cardOf(page).getByRole('button', { name: 'Select Model' }).click();
    const posts = (await postsOf(page)).filter(({ type }) => type === 'send' || type === 'notice_action');
    expect(posts.map(({ type }) => type)).toEqual(['send', 'notice_action', 'send', 'notice_action']);
    expect([await boxOf(page).inputValue(), await isInText(page)]).toEqual([WORDS, true]);
  });

  test('an Enter that was pressed before anyone could see it does not send', async () => {
    const page = await open();
    await boxOf(page).fill(WORDS);
    await page.evaluate(() => {
      const box = document.querySelector('.composer textarea');
      const press = (): boolean => box?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true })) ?? false;
      press();
      new MutationObserver(() => document.querySelector('.proposal') !== null && press()).observe(document.body, { childList: true, subtree: true });
    });
    await cardOf(page).waitFor();
    await delivered(page);
    expect([await boxOf(page).inputValue(), await wishesOf(page)]).toEqual([WORDS, [undefined]]);
  });

  test('while one is chosen, that is said, and Escape stops it; what comes for other words is not shown', async () => {
    const page = await rig.open({ scene: 'routed' });
    await page.evaluate(() => (globalThis.outerHost = (message) => void globalThis.panelHost.posts.push(message)));
    await boxOf(page).fill(WORDS);
    await page.keyboard.press('Enter');
    const sent = async (): Promise<string> => {
      const last = (await postsOf(page)).findLast((post) => post.type === 'send');
      return last?.type === 'send' ? last.sendId : '';
    };
    await expect.poll(sent).not.toBe('');
    const first = await sent();
    await page.evaluate((sendId) => globalThis.panelHost.post({ type: 'send_progress', sendId, text: 'Choosing a model…' }), first);
    await page.getByRole('status').getByText('Choosing a model…').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect.poll(async () => (await postsOf(page)).at(-1)).toEqual({ type: 'cancel_send', sendId: first });
    await page.keyboard.press('Escape');
    expect((await postsOf(page)).slice(-2).map(({ type }) => type)).toEqual(['cancel_send', 'cancel_send']);
    await page.evaluate((sendId) => globalThis.panelHost.post({ type: 'rejected', sendId, reason: '' }), first);
    await page.getByRole('status').getByText('Choosing a model…').waitFor({ state: 'detached' });
    expect(await boxOf(page).inputValue()).toBe(WORDS);
    await page.keyboard.press('Enter');
    await expect.poll(sent).not.toBe(first);
    await page.keyboard.type('!');
    const [sendId, [proposal]] = [await sent(), proposals];
    await page.evaluate((message) => globalThis.panelHost.post(message), { type: 'model_proposed', sendId, proposal });
    await delivered(page);
    expect([await cardOf(page).count(), await boxOf(page).inputValue()]).toEqual([0, `${WORDS}!`]);
  });

  test('has nothing that axe finds, and fits at any width, also in German and at 200 %', async () => {
    const page = await shown({ width: 300 });
    expect(await violations(page)).toEqual([]);
    for (const proposal of [
      proposals[1],
      { id: 'x', model: `gpt\u202E-${'n'.repeat(200)}`, kind: 'security_review', reason: 'r'.repeat(200), cost: 'price unknown' },
    ]) {
      await page.evaluate((next) => (globalThis.panelHost.proposes = next === undefined ? [] : [next]), proposal as ModelProposal | undefined);
      await page.keyboard.press('Escape');
      await boxOf(page).press('Enter');
      await cardOf(page).waitFor();
      expect(await sticksOutAt(page, [220, 300, 900])).toEqual([]);
      expect(await cardOf(page).evaluate((element) => element.textContent.includes('\u202E'))).toBe(false);
    }
    const german = await shown({ language: 'de', texts: JSON.stringify(await bundleOf('de')), width: 220 });
    expect(await sticksOutAt(german, [220, 300])).toEqual([]);
    const small = await shown({ width: 220, height: 300, zoom: 2 });
    expect(await sticksOut(small)).toEqual([]);
  });
});
