import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { everyNth } from '../runs.js';
import { violations } from './axe.js';
import { PanelRig, sticksOut } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** What a small window has at 200 %: half as many pixels of the page, and two of the device for each. */
const SMALL = { width: 400, height: 300, zoom: 2 };
/** The main states, each with the buttons that the person needs in it. */
const STATES: Readonly<Record<string, readonly string[]>> = {
  empty: [],
  conversation: ['Copy as Markdown', 'Regenerate'],
  running: ['Stop'],
  routed: ['Why This Model?', 'Kind of task: Security review'],
  trouble: [],
  retry: ['Retry Now', 'Cancel'],
  question: ['Skip'],
  plan: [],
  asked: ['Allow', 'Always allow npm test …, npm run test … in this workspace', 'Deny'],
  diff: ['Allow', 'Deny'],
  sequences: ['Allow', 'Always Allow…', 'Deny'],
  changes: ['Keep All', 'Undo All'],
  queue: [],
};

async function show(page: Page, scene: string): Promise<void> {
  await page.evaluate(async (name) => {
    await globalThis.panelHost.scene(name);
    // Two frames: what comes with a state is laid out then.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, scene);
}

/** Whether the page as a whole can be scrolled, in any direction: only the transcript should. */
function pageScrolls(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    const log = document.querySelector('[role=log]');
    return scrollWidth > innerWidth || scrollHeight > innerHeight || (log !== null && log.scrollWidth > log.clientWidth);
  });
}

/** Goes to something as the keyboard does, and says whether it can be seen and hit then. */
async function isReachable(element: Locator): Promise<boolean> {
  return element.evaluate((target: HTMLElement) => {
    target.focus();
    target.scrollIntoView({ block: 'nearest' });
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const inWindow = left >= -0.5 && top >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return inWindow && hit !== null && (target.contains(hit) || hit.contains(target));
  });
}

describe('at 200 % in a small window', () => {
  test('axe finds nothing, and with reduced motion nothing moves', async () => {
    const page = await rig.open({ ...SMALL, media: { reducedMotion: 'reduce' } });
    for (const scene of Object.keys(STATES)) {
      await show(page, scene);
      // In one theme: colors are what they are in a window of any size, where they are looked at in each theme.
      expect(await violations(page, ['dark']), scene).toEqual([]);
      expect(await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length), scene).toBe(0);
    }
  });

  const SIZES = [SMALL, { width: 220, height: 300, zoom: 2 }, { width: 220, height: 760, zoom: 1 }, { width: 1_400, height: 300, zoom: 2 }];
  test.each(SIZES.map((size, column) => ({ ...size, states: everyNth(Object.entries(STATES), 2, column) })))(
    'everything fits and what is needed is within reach: $width × $height',
    async ({ states, ...size }) => {
      const page = await rig.open(size);
      const box = page.getByRole('textbox', { name: 'Message' });
      for (const [scene, buttons] of states) {
        await show(page, scene);
        expect(await sticksOut(page), scene).toEqual([]);
        expect(await pageScrolls(page), `${scene} scrolls`).toBe(false);
        // What comes into the page a moment later, such as a text that is formatted, moves what is below it once more.
        await expect.poll(() => isReachable(box), { message: `${scene}: the message box` }).toBe(true);
        for (const name of buttons)
          await expect.poll(() => isReachable(page.getByRole('button', { name, exact: true }).last()), { message: `${scene}: ${name}` }).toBe(true);
        // Something of the conversation is to be seen beside all else.
        const log = await page.getByRole('log').boundingBox();
        expect(log?.height ?? 0, `${scene}: the conversation`).toBeGreaterThan(40);
      }
    },
  );

  test('a window of 1440 × 900 leaves 300 px of the conversation', async () => {
    // Half of its pixels, less VS Code's title bar, status bar and the title of the view.
    const page = await rig.open({ width: 300, height: 450 - 35 - 22 - 35, zoom: 2, scene: 'conversation' });
    await expect.poll(async () => (await page.getByRole('log').boundingBox())?.height).toBeGreaterThanOrEqual(300);
  });

  test('plan, files and queue share a line in a low panel, until one is opened', async () => {
    const page = await rig.open({ width: 300, height: 450 - 35 - 22 - 35, zoom: 2, scene: 'tray' });
    await page.getByRole('region', { name: 'Queue' }).waitFor();
    const tops = async (): Promise<number> =>
      new Set(await page.locator('.tray [aria-expanded]').evaluateAll((lines) => lines.map((line) => Math.round(line.getBoundingClientRect().top)))).size;
    expect(await tops()).toBe(1);
    expect((await page.getByRole('log').boundingBox())?.height).toBeGreaterThanOrEqual(240);
    await page.getByRole('region', { name: 'Changed files' }).getByRole('button', { expanded: false }).click();
    for (const name of ['Keep All', 'Undo All', 'Review']) expect(await isReachable(page.getByRole('button', { name, exact: true })), name).toBe(true);
    expect(await sticksOut(page)).toEqual([]);
    expect(await pageScrolls(page)).toBe(false);
  });

  test('a long message leaves room for the conversation, and Send stays within reach', async () => {
    const page = await rig.open({ ...SMALL, scene: 'conversation' });
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('a line of it\n'.repeat(40));
    await expect.poll(() => isReachable(page.getByRole('button', { name: 'Send', exact: true }))).toBe(true);
    expect((await page.getByRole('log').boundingBox())?.height ?? 0).toBeGreaterThan(40);
    expect(await pageScrolls(page)).toBe(false);
  });
});
