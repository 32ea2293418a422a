import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { longestTaskCpu } from './cpu-trace.js';
import { GIANT_END, GIANTS } from './giant-items.js';
import type { Giant } from './giant-items.js';
import type { WatchFigures } from './page.js';
import { PanelRig, sticksOut } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

declare global {
  /** In the page: ends what {@link watched} began. */
  var endWatch: () => WatchFigures;
}

/** Milliseconds of processor time that a task may take: whoever types waits no longer than that for a letter. */
const MAX_TASK_MS = 100;
/** The same for what comes once, when a conversation is opened or an answer has been rendered to its end. */
const MAX_OPEN_TASK_MS = 200;
/** Megabytes that scripts may use, with everything collected that can be. */
const MAX_HEAP_MB = 40;
/** Elements that the page may have for each kind of answer. */
const MAX_ELEMENTS: Readonly<Record<Giant, number>> = {
  '1 MB of Markdown': 80_000,
  'a block of 50,000 lines': 8_000,
  'a line of 1 MB': 2_500,
  'a table of 500 rows': 8_000,
  '500 calls': 2_500,
  '500 reads': 2_500,
};
const NAMES = Object.keys(GIANTS) as Giant[];
/** Keys that are pressed while something is watched, at least. */
const MIN_KEYS = 4;

/** Does something while somebody types, and says what was felt of it. */
async function watched(page: Page, what: string, does: () => Promise<unknown>, limit = MAX_TASK_MS): Promise<WatchFigures> {
  const box = page.getByRole('textbox', { name: 'Message' });
  await box.focus();
  await page.evaluate(() => {
    globalThis.endWatch = globalThis.panelHost.watch();
  });
  const work = { over: false };
  let typed = '';
  const cpu = await longestTaskCpu(page, async () => {
    const done = does().finally(() => (work.over = true));
    while (!work.over || typed.length < MIN_KEYS) {
      await page.keyboard.press('a', { delay: 30 });
      typed += 'a';
    }
    await done;
  });
  const figures = await page.evaluate(() => globalThis.endWatch());
  console.log(`${what}: longest task ${Math.round(cpu)} ms of processor time,`, JSON.stringify(figures));
  expect(cpu, what).toBeLessThan(limit);
  expect(await box.inputValue()).toBe(typed);
  await box.fill('');
  return figures;
}

/** Waits until the end of the giant answer is in the page. Looks at the last texts only: reading all of it costs the page time. */
async function shownWhole(page: Page): Promise<void> {
  await page.waitForFunction((end) => {
    const walker = document.createTreeWalker(document.querySelector('[role=log]') ?? document.body);
    while (walker.lastChild() !== null);
    for (let steps = 0; steps < 200; steps += 1) {
      if (walker.currentNode.nodeType === Node.TEXT_NODE && walker.currentNode.textContent?.includes(end) === true) return true;
      if (walker.previousNode() === null) return false;
    }
    return false;
  }, GIANT_END, { timeout: 80_000, polling: 200 });
}

/** Moves the view by steps that lead through all of the conversation. */
async function scrollAll(page: Page, steps: number): Promise<void> {
  await page.evaluate(async (count) => {
    const log = document.querySelector('[role=log]');
    for (let step = count; step >= 0 && log !== null; step -= 1) {
      log.scrollTop = ((log.scrollHeight - log.clientHeight) * step) / count;
      await new Promise(requestAnimationFrame);
    }
  }, steps);
}

async function heapMb(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

describe('view-15 one giant answer, while somebody types', () => {
  test.each(NAMES)('%s: opened, scrolled through and left', async (name) => {
    const page = await rig.open();
    await watched(page, `${name}, opened`, async () => {
      await page.evaluate((giant) => globalThis.panelHost.giant(giant, true), name);
      await shownWhole(page);
    }, MAX_OPEN_TASK_MS);
    const figures = await watched(page, `${name}, scrolled through`, () => scrollAll(page, 40));
    expect(figures.blank).toBe(0);
    expect(figures.elements).toBeLessThan(MAX_ELEMENTS[name]);
    expect(await heapMb(page)).toBeLessThan(MAX_HEAP_MB);
    expect(await sticksOut(page)).toEqual([]);
    await page.getByRole('log').press('End');
    await page.getByRole('button', { name: 'Jump to latest' }).waitFor({ state: 'hidden' });
  }, 150_000);

  test.each(NAMES)('%s: in the middle of others, which are where they were', async (name) => {
    const page = await rig.open({ width: 220 });
    await watched(page, `${name}, come upon`, async () => {
      await page.evaluate((giant) => globalThis.panelHost.giant(giant, false), name);
      for (const part of [0.9, 0.6, 0.3, 0]) {
        await page.getByRole('log').evaluate((log, to) => {
          log.scrollTop = (log.scrollHeight - log.clientHeight) * to;
        }, part);
        await page.evaluate(() => new Promise(requestAnimationFrame));
      }
    }, MAX_OPEN_TASK_MS);
    await page.getByRole('log').getByText('Question 0', { exact: true }).first().waitFor();
    expect(await sticksOut(page)).toEqual([]);
  }, 150_000);
});

describe('view-15 an answer of 500 steps', () => {
  test('shows the newest, and the ones before when they are wanted', async () => {
    const page = await rig.open();
    await page.evaluate(() => globalThis.panelHost.giant('500 calls', true));
    await shownWhole(page);
    const calls = page.getByRole('group', { name: /^bash/ });
    expect(await calls.count()).toBeLessThan(80);
    const before = await calls.count();
    await page.getByRole('button', { name: /^Show earlier steps \(\d+\)$/ }).press('Enter');
    await expect.poll(() => calls.count()).toBe(before + 60);
    await page.getByRole('button', { name: /^Show earlier steps/ }).waitFor();
  });

  test('of reads that are folded some are shown, and more when they are wanted', async () => {
    const page = await rig.open();
    await page.evaluate(() => globalThis.panelHost.giant('500 reads', true));
    await page.getByRole('button', { name: 'Read 500 files' }).click();
    const calls = page.getByRole('group', { name: /^read/ });
    await expect.poll(() => calls.count()).toBe(60);
    await page.getByRole('button', { name: 'Show more calls (440)' }).click();
    await expect.poll(() => calls.count()).toBe(120);
  });

  test('streams them in without holding up who types', async () => {
    const page = await rig.open();
    await page.evaluate(() => {
      const item = { kind: 'answer' as const, id: 'live', blocks: [], status: 'streaming' as const, time: '', summary: '' };
      return globalThis.panelHost.show({ items: [item], activity: 'running' });
    });
    await watched(page, '500 calls, streamed', () => page.evaluate(async () => {
      for (let index = 0; index < 500; index += 1) {
        const call = { id: `c${index}`, name: 'bash', subject: `npm test ${index}`, status: 'done' as const, output: 'fine\n' };
        globalThis.panelHost.events({ type: 'block_added', item: 'live', block: { type: 'tool', call } });
        if (index % 5 === 0) await new Promise(requestAnimationFrame);
      }
    }));
    await page.getByRole('group', { name: 'bash npm test 499' }).waitFor();
    expect(await page.getByRole('group', { name: /^bash/ }).count()).toBeLessThan(80);
  });
});
