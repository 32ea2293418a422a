import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { everyNth } from '../runs.js';
import { LARGE } from './giant-items.js';
import { type TypingFigures, beginAnswer, comeUponGiant, openGiant, scrollAll, streamCalls, whileTyping } from './giant-visit.js';
import { PanelRig, sticksOut } from './rig.js';
import { callNamed } from '../call-named.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Megabytes that scripts may use, with everything collected that can be. */
const MAX_HEAP_MB = 14;
/** Elements that the page may have for each kind of answer. */
const MAX_ELEMENTS: Readonly<Record<keyof typeof LARGE, number>> = {
  '150 kB of Markdown': 13_000,
  'a block of 4,000 lines': 6_000,
  'a line of 150 kB': 1_000,
  'a table of 150 rows': 2_500,
  '250 calls': 2_000,
  '250 reads': 1_000,
};
const NAMES = Object.keys(LARGE) as (keyof typeof LARGE)[];

/** Does something while somebody types: every letter arrives. */
async function watched(page: Page, does: () => Promise<unknown>): Promise<TypingFigures> {
  const figures = await whileTyping(page, does);
  expect(figures.arrived).toBe(figures.typed);
  return figures;
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

describe('view-15 one giant answer, while somebody types', () => {
  test.each(NAMES)('%s: opened, scrolled through and left', async (name) => {
    const page = await rig.open({ own: true });
    await watched(page, () => openGiant(page, name));
    const figures = await watched(page, () => scrollAll(page, 40));
    expect(figures.blank).toBe(0);
    expect(figures.elements).toBeLessThan(MAX_ELEMENTS[name]);
    expect(await heapMb(page)).toBeLessThan(MAX_HEAP_MB);
    expect(await sticksOut(page)).toEqual([]);
    await page.getByRole('log').press('End');
    await page.getByRole('button', { name: 'Jump to Latest' }).waitFor({ state: 'hidden' });
  });

  test.each(everyNth(NAMES, 2))('%s: in the middle of others, which are where they were', async (name) => {
    const page = await rig.open({ width: 220 });
    await watched(page, () => comeUponGiant(page, name));
    await page.getByRole('log').getByText('Question 0', { exact: true }).first().waitFor();
    expect(await sticksOut(page)).toEqual([]);
  });
});

describe('view-15 an answer of many steps', () => {
  test('shows the newest, and the ones before when they are wanted', async () => {
    const page = await rig.open();
    await openGiant(page, '250 calls');
    const calls = page.getByRole('group', { name: callNamed('bash') });
    expect(await calls.count()).toBeLessThan(80);
    const before = await calls.count();
    await page.getByRole('button', { name: /^Show Earlier Steps \(\d+\)$/ }).press('Enter');
    await expect.poll(() => calls.count()).toBe(before + 60);
    await page.getByRole('button', { name: /^Show Earlier Steps/ }).waitFor();
  });

  test('of reads that are folded some are shown, and more when they are wanted', async () => {
    const page = await rig.open();
    await page.evaluate(() => globalThis.panelHost.giant('250 reads', true));
    await page.getByRole('button', { name: 'Read 250 files' }).click();
    const calls = page.getByRole('group', { name: 'Read 250 files' }).getByRole('group');
    await expect.poll(() => calls.count()).toBe(60);
    await page.getByRole('button', { name: 'Show More Calls (190)' }).click();
    await expect.poll(() => calls.count()).toBe(120);
  });

  test('streams them in while somebody types', async () => {
    const page = await rig.open();
    await beginAnswer(page);
    await watched(page, () => streamCalls(page));
    await page.getByRole('group', { name: callNamed('bash npm test 499') }).waitFor();
    expect(await page.getByRole('group', { name: callNamed('bash') }).count()).toBeLessThan(80);
  });
});
