import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { findText } from '../../../src/chat/code/find-text.js';
import { PanelRig } from './rig.js';
import { answerWith, state, user } from './scene-parts.js';
import { richConversation } from './transcript-scenes.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Answers the newest question as the host does. */
async function answerSearch(page: Page, query: string): Promise<void> {
  const asked = await page.waitForFunction((text) => {
    const last = globalThis.panelHost.posts.findLast(({ type }) => type === 'find_text');
    return last?.type === 'find_text' && last.query === text ? last.request : undefined;
  }, query);
  const request = await asked.jsonValue();
  const items = await page.evaluate(() => globalThis.panelHost.state.items);
  await page.evaluate((message) => globalThis.panelHost.post(message), { type: 'found', session: 's', request, ...(await findText(items, query)) });
}

/** The text that stands out most. */
function current(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const [range] = [...(CSS.highlights.get('gnomon-found-current') ?? [])];
    return range instanceof Range
      ? `${range.toString()} in ${range.startContainer.parentElement?.closest('[data-block], article')?.getAttribute('data-block') ?? 'article'}`
      : undefined;
  });
}

async function openWith(page: Page, view: object): Promise<void> {
  await page.evaluate((next) => globalThis.panelHost.show(next, 's'), view);
  await page.getByRole('textbox', { name: 'Message' }).focus();
  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find', exact: true }).waitFor();
}

describe('looking for a text in the conversation', () => {
  test('Ctrl+F opens it, the places are counted, and keys go from one to the next and around', async () => {
    const page = await rig.open({ width: 400 });
    await openWith(page, richConversation);
    const field = page.getByRole('textbox', { name: 'Find', exact: true });
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill('MEDIAN');
    await answerSearch(page, 'MEDIAN');
    const count = page.getByRole('search').getByRole('status');
    await expect.poll(() => count.textContent()).toMatch(/^1 of \d+$/);
    const total = Number((await count.textContent())?.split(' ').at(-1));
    expect(total).toBeGreaterThan(5);
    await expect.poll(() => current(page)).toBe('median in article');
    await field.press('Enter');
    await expect.poll(() => count.textContent()).toBe(`2 of ${total}`);
    await field.press('Shift+Enter');
    await field.press('Shift+Enter');
    await expect.poll(() => count.textContent()).toBe(`${total} of ${total}`);
    await page.getByRole('log').focus();
    await page.keyboard.press('F3');
    await expect.poll(() => count.textContent()).toBe(`1 of ${total}`);
    await page.getByRole('button', { name: 'Next Match' }).click();
    await expect.poll(() => count.textContent()).toBe(`2 of ${total}`);
  });

  test('Escape closes it, nothing stands out any more, and the focus goes back; a turn is not stopped', async () => {
    const page = await rig.open({ width: 400 });
    await openWith(page, { ...richConversation, activity: 'running' });
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('text');
    await answerSearch(page, 'text');
    await expect.poll(() => current(page)).toBeDefined();
    // Only the match stands out, not the message that it is in.
    expect(await page.locator('.row.marked').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.getByRole('search').waitFor({ state: 'detached' });
    expect(await page.evaluate(() => CSS.highlights.size)).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Message' }).evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await page.evaluate(() => globalThis.panelHost.posts.some(({ type }) => type === 'stop'))).toBe(false);
  });

  test('what is folded unfolds: a call, a group of calls, a thought', async () => {
    const page = await rig.open({ width: 400 });
    await openWith(page, richConversation);
    const field = page.getByRole('textbox', { name: 'Find', exact: true });
    for (const [query, block] of [
      ['needle in an output', '8'],
      ['content of test', '3'],
      ['the person wants', '0'],
    ] as const) {
      await field.fill(query);
      await answerSearch(page, query);
      await expect.poll(async () => (await current(page))?.toLowerCase()).toBe(`${query} in ${block}`);
    }
  });

  test('a text that runs across colors and links is found as a whole', async () => {
    const page = await rig.open({ width: 400 });
    await openWith(page, richConversation);
    await page.locator('.hl-keyword').first().waitFor();
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('export function median(numbers');
    await answerSearch(page, 'export function median(numbers');
    await expect.poll(() => current(page)).toBe('export function median(numbers in 0');
  });

  test('a place far away is shown and in view, and others in the same message stand out too', async () => {
    const page = await rig.open({ width: 400 });
    const filler = 'Words that fill the page. '.repeat(40);
    const items = Array.from({ length: 200 }, (_, index) => [
      user(`Question ${index}`, `u${index * 2}`),
      answerWith([{ type: 'text', text: index === 20 ? `${filler}\n\nA zebra and\n\n${filler}\n\na Zebra.` : filler }], { id: `a${index * 2 + 1}` }),
    ]).flat();
    await openWith(page, state(items));
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('zebra');
    await answerSearch(page, 'zebra');
    await expect.poll(() => current(page)).toBe('zebra in 0');
    await page.getByRole('button', { name: 'Next Match' }).click();
    await expect.poll(() => current(page)).toBe('Zebra in 0');
    expect(await page.evaluate(() => CSS.highlights.get('gnomon-found')?.size)).toBe(1);
    const inView = (): Promise<boolean> =>
      page.evaluate(() => {
        const [range] = [...(CSS.highlights.get('gnomon-found-current') ?? [])];
        const box = range instanceof Range ? range.getBoundingClientRect() : undefined;
        const log = document.querySelector('[role=log]')?.getBoundingClientRect();
        return box !== undefined && log !== undefined && box.top >= log.top && box.bottom <= log.bottom;
      });
    await expect.poll(inView).toBe(true);
  });

  test('nothing found says so; answers to older questions and of other conversations are ignored', async () => {
    const page = await rig.open({ width: 220 });
    await openWith(page, richConversation);
    await page.getByRole('textbox', { name: 'Find', exact: true }).fill('xyzzy');
    await answerSearch(page, 'xyzzy');
    await page.getByText('No results').waitFor();
    const places = [{ item: 'u0', count: 1 }];
    await page.evaluate((found) => globalThis.panelHost.post({ type: 'found', session: 's', request: 0, places: found, total: 1, more: false }), places);
    await page.evaluate((found) => globalThis.panelHost.post({ type: 'found', session: 'other', request: 1, places: found, total: 1, more: false }), places);
    await page.getByText('No results').waitFor();
    expect(await page.getByRole('button', { name: 'Next Match' }).isDisabled()).toBe(true);
    expect(await page.getByRole('search').evaluate((bar) => bar.scrollWidth <= bar.clientWidth)).toBe(true);
  });
});
