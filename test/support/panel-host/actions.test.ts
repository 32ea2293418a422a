import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { violations } from './axe.js';
import { PanelRig, postsOf } from './rig.js';
import { answerWith, call, state, user } from './scene-parts.js';
import { richConversation } from './transcript-scenes.js';

/** A green picture of 10 × 10. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC';

/** How many pictures the rich conversation has. */
const PICTURES = 3;

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

async function openRich(): Promise<Page> {
  const page = await rig.open({ width: 400, height: 3_000 });
  await page.evaluate((next) => globalThis.panelHost.show(next, 's'), richConversation);
  await page.getByRole('article', { name: 'You' }).first().waitFor();
  return page;
}

/** Answers with a picture, or with none, once all that there are were asked for. */
async function sendImages(page: Page, picture: string | undefined, session = 's'): Promise<void> {
  await page.waitForFunction((count) => globalThis.panelHost.posts.filter(({ type }) => type === 'load_image').length === count, PICTURES);
  await page.evaluate(
    ([text, name]) => {
      const image = text === '' ? {} : { image: { mimeType: 'image/png', data: Uint8Array.from(atob(text ?? ''), (char) => char.charCodeAt(0)) } };
      for (const { type, ...which } of globalThis.panelHost.posts) if (type === 'load_image') globalThis.panelHost.post({ type: 'image', session: name, ...which, ...image });
    },
    [picture ?? '', session],
  );
}

describe('what can be done with messages', () => {
  test('an answer: copied, asked for again, gone on from', async () => {
    const page = await openRich();
    const tools = page.getByRole('article', { name: 'Gnomon' }).first().getByRole('toolbar', { name: 'Response actions' });
    await tools.getByRole('button', { name: 'Copy as Markdown' }).click();
    // It says so for a while only.
    await Promise.all([tools.getByRole('button', { name: 'Copied' }).waitFor(), page.evaluate(() => globalThis.panelHost.post({ type: 'copied', item: 'a1' }))]);
    await tools.getByRole('button', { name: 'Copy as Markdown' }).waitFor();
    await tools.getByRole('button', { name: 'Ask Again' }).press('Enter');
    await tools.getByRole('button', { name: 'Fork from Here' }).press('Enter');
    expect((await postsOf(page)).filter(({ type }) => type !== 'load_image')).toEqual([
      { type: 'copy_item', item: 'a1' },
      { type: 'retry_item', item: 'a1' },
      { type: 'fork_item', item: 'a1' },
    ]);
  });

  test('the tools are seen with the focus, come after the text, and arrows go through them', async () => {
    const page = await openRich();
    const tools = page.getByRole('article', { name: 'Gnomon' }).last().getByRole('toolbar', { name: 'Response actions' });
    expect(await tools.evaluate((element) => getComputedStyle(element).opacity)).toBe('0');
    await tools.getByRole('button').first().focus();
    expect(await tools.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
    const focused = (): Promise<string | null | undefined> => page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
    for (const [key, name] of [['ArrowRight', 'Ask Again'], ['End', 'Details'], ['ArrowRight', 'Copy as Markdown'], ['ArrowLeft', 'Details']] as const) {
      await page.keyboard.press(key);
      expect(await focused()).toBe(name);
    }
    // The toolbar is one stop of the Tab key: the button that was used last.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Details');
    expect(await tools.getByRole('button').evaluateAll((buttons) => buttons.filter((button) => (button as HTMLButtonElement).tabIndex === 0).length)).toBe(1);
    const order = await page.getByRole('article', { name: 'Gnomon' }).last().evaluate((article) => {
      const all = [...article.querySelectorAll('button, a, [tabindex]')];
      return all.findIndex((element) => element.closest('footer') !== null) > all.findLastIndex((element) => element.closest('pre') !== null);
    });
    expect(order).toBe(true);
  });

  test('what an answer took is told on demand', async () => {
    const page = await openRich();
    const details = page.getByRole('button', { name: 'Details' }).first();
    await details.click();
    expect(await details.getAttribute('aria-expanded')).toBe('true');
    const text = await page.locator('dl').innerText();
    for (const words of ['Claude Sonnet 4.5', '1,204', '9,800', '380', '$0.0214', '18 s']) expect(text).toContain(words);
    await details.click();
    await page.locator('dl').waitFor({ state: 'detached' });
  });

  test('a message is said differently: Enter sends, Shift+Enter is a new line, Escape leaves it as it was', async () => {
    const page = await openRich();
    const mine = page.getByRole('article', { name: 'You' }).first();
    await mine.getByRole('button', { name: 'Edit and Resend' }).click();
    const box = page.getByRole('textbox', { name: 'Edit message' });
    expect(await box.inputValue()).toBe('What is wrong with median?');
    await box.pressSequentially(' No');
    await box.press('Escape');
    await box.waitFor({ state: 'detached' });
    expect((await postsOf(page)).filter(({ type }) => type === 'stop' || type === 'resend_item')).toEqual([]);
    await mine.getByRole('button', { name: 'Edit and Resend' }).press('Enter');
    expect(await box.inputValue()).toBe('What is wrong with median?');
    await box.fill('Why');
    await box.press('Shift+Enter');
    await box.pressSequentially('so?');
    await box.press('Enter');
    await box.waitFor({ state: 'detached' });
    expect(await postsOf(page)).toContainEqual({ type: 'resend_item', item: 'u0', text: 'Why\nso?' });
    await mine.getByRole('button', { name: 'Copy Message' }).click();
    expect(await postsOf(page)).toContainEqual({ type: 'copy_item', item: 'u0' });
  });

  test('nothing is asked again while a turn runs', async () => {
    const page = await rig.open({ width: 400 });
    const view = state([user('one'), answerWith([{ type: 'text', text: 'First.' }]), user('two', 'u2'), answerWith([], { id: 'a3', status: 'streaming' })], { activity: 'running' });
    await page.evaluate((next) => globalThis.panelHost.show(next, 's'), view);
    await page.getByRole('button', { name: 'Ask Again' }).waitFor({ state: 'attached' });
    expect(await page.getByRole('button', { name: 'Ask Again' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Edit and Resend' }).first().isDisabled()).toBe(true);
    expect(await page.getByRole('toolbar', { name: 'Response actions' }).count()).toBe(1);
  });

  test('a branch says where it comes from, and leads back', async () => {
    const page = await openRich();
    await page.getByText('Forked from “The first try at the median”').waitFor();
    await page.getByRole('button', { name: 'Open Original' }).click();
    expect(await postsOf(page)).toContainEqual({ type: 'open_session', id: 'parent' });
  });
});

describe('calls and thoughts', () => {
  test('calls that only read are one row that unfolds; one that failed is not in it', async () => {
    const page = await openRich();
    const group = page.getByRole('group', { name: 'Read 3 files, searched 2 times' });
    await group.waitFor();
    expect(await page.getByRole('group', { name: 'read src/median.js' }).count()).toBe(0);
    await page.getByRole('group', { name: 'bash npm test' }).waitFor();
    await group.getByRole('button').click();
    await group.getByRole('group', { name: 'read src/median.js' }).waitFor();
    expect(await group.getByRole('group').count()).toBe(5);
  });

  test('calls are not folded under the eyes of whoever watches, only when the answer goes on to something else', async () => {
    const page = await rig.open();
    const reads = ['a', 'b', 'c'].map((subject) => call({ name: 'read', subject }));
    await page.evaluate((next) => globalThis.panelHost.show(next, 's'), state([user('x'), answerWith(reads, { id: 'a', status: 'streaming' })], { activity: 'running' }));
    await page.getByRole('group', { name: 'read c' }).waitFor();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'block_added', item: 'a', block: { type: 'text', text: 'So.' } }));
    await page.getByRole('group', { name: 'Read 3 files' }).waitFor();
  });

  test('a thought says how long it took', async () => {
    const page = await openRich();
    await page.getByRole('button', { name: 'Thought for 12 s' }).click();
    await page.getByText('The person wants to know what is wrong.').waitFor();
  });
});

describe('pictures', () => {
  test('are asked for when they are near, shown small, and open large by keyboard', async () => {
    const page = await openRich();
    await expect.poll(async () => (await postsOf(page)).filter(({ type }) => type === 'load_image')).toEqual(
      expect.arrayContaining([
        { type: 'load_image', item: 'u0', index: 0 },
        { type: 'load_image', item: 'a1', call: 'c-read-shot.png', index: 0 },
        { type: 'load_image', item: 'a1', call: 'c-read-shot.png', index: 1 },
      ]),
    );
    await sendImages(page, PNG);
    const small = page.getByRole('list', { name: 'Attached images' }).getByRole('button', { name: 'Open Image 1' });
    await small.press('Enter');
    const large = page.getByRole('dialog', { name: 'Image 1' });
    await large.getByRole('img', { name: 'Image 1' }).waitFor();
    expect(await large.getByRole('img').evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth))).toBe(10);
    await page.keyboard.press('Escape');
    await large.waitFor({ state: 'hidden' });
    expect(await postsOf(page)).not.toContainEqual({ type: 'stop' });
    expect(rig.strangeRequests.filter((url) => !url.startsWith('blob:'))).toEqual([]);
  });

  test('one that cannot be shown says so; one of another conversation or another kind is ignored', async () => {
    const page = await openRich();
    await sendImages(page, PNG, 'another session');
    await page.evaluate(() => {
      const data = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg"/>');
      globalThis.panelHost.post({ type: 'image', session: 's', item: 'u0', index: 0, image: { mimeType: 'image/svg+xml', data } });
    });
    await page.getByText('Image 1 cannot be displayed.').waitFor();
    expect(await page.getByRole('article').getByRole('img').count()).toBe(0);
    await sendImages(page, undefined);
    await page.getByText('Image 2 cannot be displayed.').waitFor();
  });
});

describe('accessibility of all of it', () => {
  test('axe finds nothing, in any theme', async () => {
    const page = await openRich();
    await page.locator('.hl-keyword').first().waitFor();
    await page.evaluate(() => {
      const asked = globalThis.panelHost.posts.flatMap((message) => (message.type === 'find_files' ? message.paths : []));
      globalThis.panelHost.post({ type: 'files', asked, found: asked });
    });
    await sendImages(page, PNG);
    await page.getByRole('button', { name: 'Thought for 12 s' }).click();
    await page.getByRole('group', { name: 'Read 3 files, searched 2 times' }).getByRole('button').first().click();
    for (const details of await page.getByRole('button', { name: 'Details' }).all()) await details.click();
    await page.getByRole('button', { name: 'Edit and Resend' }).last().click();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'open_search' }));
    await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor();
    // What is only seen under the pointer is looked at too.
    await page.evaluate(() => {
      for (const tools of document.querySelectorAll<HTMLElement>('.tools')) tools.style.opacity = '1';
    });
    expect(await violations(page)).toEqual([]);
  });
});
