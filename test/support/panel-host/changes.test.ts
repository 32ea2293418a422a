import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { PanelRig, postsOf, sticksOutAt } from './rig.js';
import { says } from '../wording.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

const ROOT = '/home/ada/statistics';
const RESTORE = 'Restore Files to Before This Message';
const RESTORE_BOTH = 'Restore Files and Chat to Before This Message';

const regionOf = (page: Page): Locator => page.getByRole('region', { name: 'Changed files', exact: true });
const button = (scope: Page | Locator, name: string): Locator => scope.getByRole('button', { name, exact: true });

/** Opens a page and the list of files in it. */
async function openFiles(options: Parameters<PanelRig['open']>[0]): Promise<Page> {
  const page = await rig.open(options);
  await unfold(page);
  return page;
}

async function unfold(page: Page): Promise<void> {
  await regionOf(page).getByRole('button', { expanded: false }).click();
  await regionOf(page).getByRole('list').waitFor();
}

/** Takes a file out of the list, as the host does once it is kept or undone. */
function settle(page: Page, displays: readonly string[]): Promise<void> {
  return page.evaluate((gone) => {
    const host = globalThis.panelHost;
    host.events({ type: 'meta', patch: { changes: host.state.changes.filter(({ display }) => !gone.includes(display)) } });
  }, displays);
}

/** The accessible name of what has the focus, once it is this one. */
async function untilFocused(page: Page, label: string): Promise<void> {
  await page.waitForFunction((name) => document.activeElement?.getAttribute('aria-label') === name, label);
}

describe('changed files', () => {
  test('there is no region without any, and it says once, politely, that some wait', async () => {
    const page = await rig.open({ scene: 'conversation' });
    const polite = page.locator('main > [aria-live=polite]');
    expect(await regionOf(page).count()).toBe(0);
    const one = { path: '/a.ts', display: 'a.ts', status: 'changed' as const, added: 1, removed: 0 };
    await page.evaluate((file) => globalThis.panelHost.events({ type: 'meta', patch: { changes: [file] } }), one);
    await polite.filter({ hasText: says('filePending') }).waitFor();
    expect((await regionOf(page).getByRole('button', { expanded: false }).textContent())?.replace(/\s+/g, ' ').trim()).toBe('1 file +1 −0');
    await page.evaluate((file) => globalThis.panelHost.events({ type: 'meta', patch: { changes: [file, { ...file, path: '/b.ts', display: 'b.ts' }] } }), one);
    await button(regionOf(page), '2 files +2 −0').waitFor();
    expect(await polite.textContent()).toBe(says('filePending'));
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { changes: [] } }));
    await regionOf(page).waitFor({ state: 'hidden' });
    expect(await polite.textContent()).toBe('');
  });

  test('every button of the region says what it is for to the host', async () => {
    const page = await openFiles({ scene: 'changes' });
    const region = regionOf(page);
    await button(region, '4 files +1,207 −14').waitFor();
    for (const name of ['Keep All', 'Undo All', 'Review']) await button(region, name).click();
    for (const name of ['src/median.js', 'Keep src/median.js', 'Undo old.js']) await button(region, name).click();
    expect(await postsOf(page)).toEqual([
      { type: 'review_all', action: 'keep' },
      { type: 'review_all', action: 'undo' },
      { type: 'review_all', action: 'show' },
      { type: 'review_file', action: 'show', path: `${ROOT}/src/median.js` },
      { type: 'review_file', action: 'keep', path: `${ROOT}/src/median.js` },
      { type: 'review_file', action: 'undo', path: `${ROOT}/old.js` },
    ]);
  });

  test('a file says in words what became of it, and its lines where it has some', async () => {
    const page = await openFiles({ scene: 'changes' });
    const rows = await regionOf(page).getByRole('listitem').allTextContents();
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      'Changed: src/median.js +3 −2',
      'Created: test/unit/statistics/descriptive/median-of-even-counts.test.js +1,204 −0',
      'Deleted: old.js +0 −12',
      'Created: docs/curve.png',
    ]);
  });

  test('it is a line until it is opened, by keyboard too; what acts on all stays', async () => {
    const page = await rig.open({ scene: 'changes' });
    const region = regionOf(page);
    const fold = button(region, '4 files +1,207 −14');
    expect((await region.boundingBox())?.height).toBeLessThanOrEqual(30);
    await fold.press('Enter');
    await region.getByRole('list').waitFor();
    expect(await fold.getAttribute('aria-expanded')).toBe('true');
    await fold.press('Enter');
    await region.getByRole('list').waitFor({ state: 'hidden' });
    expect([await fold.getAttribute('aria-expanded'), await fold.getAttribute('aria-controls')]).toEqual(['false', null]);
    await button(region, 'Keep All').press('Enter');
    expect(await postsOf(page)).toEqual([{ type: 'review_all', action: 'keep' }]);
    await fold.press('Space');
    await region.getByRole('list').waitFor();
  });

  test('all can be done by keyboard while a turn runs, and stands above the composer, below the plan', async () => {
    const page = await openFiles({ scene: 'changes while running' });
    await button(regionOf(page), 'Undo src/median.js').press('Enter');
    expect(await postsOf(page)).toMatchObject([{ type: 'review_file', action: 'undo' }]);
    await page.evaluate(() => globalThis.panelHost.scene('many changes'));
    await regionOf(page).getByRole('list').waitFor();
    const tops = [page.getByRole('region', { name: 'Plan' }), regionOf(page), page.getByRole('textbox', { name: 'Message' })];
    const ys = await Promise.all(tops.map(async (each) => (await each.boundingBox())?.y ?? 0));
    expect(ys).toEqual(ys.toSorted((a, b) => a - b));
  });

  test('many files scroll, and thousands are not made at once', async () => {
    const page = await openFiles({ scene: 'many changes' });
    const region = regionOf(page);
    const rows = region.getByRole('listitem');
    await button(region, '450 files +1,350 −900').waitFor();
    expect(await rows.count()).toBe(200);
    const box = page.locator('.tray');
    expect(await box.evaluate((element) => [element.scrollHeight > element.clientHeight, element.clientHeight <= window.innerHeight / 2])).toEqual([
      true,
      true,
    ]);
    const eight = await page.evaluate(() => globalThis.panelHost.state.changes.slice(8).map(({ display }) => display));
    const more = button(region, 'Show More Files');
    await more.click();
    expect(await rows.count()).toBe(400);
    await more.press('Enter');
    expect(await rows.count()).toBe(450);
    // The button is gone, the focus is not.
    await untilFocused(page, 'src/generated/module-0/index.ts');
    await settle(page, eight);
    await button(region, '8 files +24 −16').waitFor();
    expect(await box.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(true);
  });

  test('nothing hides in a path: what cannot be seen is an escape, in names, too', async () => {
    const page = await openFiles({ scene: 'hidden changes' });
    const region = regionOf(page);
    for (const name of ['src/\\u202Egnp.exe', 'Keep src/\\u202Egnp.exe', 'Undo src\\u200B/a.ts', 'C:\\work\\a.ts']) await button(region, name).waitFor();
    expect(await region.locator('.escape').allTextContents()).toEqual(['\\u202E', '\\u200B']);
    const titles = await region
      .locator('[title], [aria-label]')
      .evaluateAll((all) => all.map((each) => `${each.getAttribute('title')} ${each.getAttribute('aria-label')}`).join('\n'));
    expect(`${titles}\n${await region.textContent()}`).not.toMatch(/[\u202E\u200B]/);
    await button(region, 'Undo src/\\u202Egnp.exe').click();
    // The host gets the path as it is.
    expect(await postsOf(page)).toEqual([{ type: 'review_file', action: 'undo', path: `${ROOT}/src/\u202Egnp.exe` }]);
  });

  test('E-32: changes of agents are below the names of these, and are kept or undone for each', async () => {
    const page = await openFiles({ width: 300, scene: 'changes of agents' });
    const region = regionOf(page);
    const agent = 'general: Have the median of even counts be the mean of the two numbers in the middle';
    const rows = await region.getByRole('listitem').allTextContents();
    expect(rows.map((row) => row.replace(/\s+/g, ' ').trim())).toEqual([
      `${agent} +6 −4`,
      'Changed: src/median.js +1Also changed by This chat +3 −2',
      'Created: test/median.test.js +3 −2',
      'This chat +5 −3',
      `Changed: src/median.js +1Also changed by ${agent} +2 −1`,
      'Changed: package.json +3 −2',
      'docs\\u202E: Describe it +3 −2',
      'Changed: docs/usage.md +3 −2',
    ]);
    const name = button(region, `${agent}, 2 files`);
    expect(await name.getAttribute('title')).toContain(agent);
    expect(await name.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    expect(await sticksOutAt(page, [300])).toEqual([]);
    await name.click();
    for (const words of [
      `Undo All of ${agent}`,
      'Keep All of This chat',
      `Keep src/median.js (${agent})`,
      'Undo src/median.js (This chat)',
      'Undo docs/usage.md',
    ]) {
      await button(region, words).click();
    }
    const path = `${ROOT}/src/median.js`;
    expect(await postsOf(page)).toEqual([
      { type: 'review_all', action: 'show', author: 'session-a' },
      { type: 'review_all', action: 'undo', author: 'session-a' },
      { type: 'review_all', action: 'keep', author: '' },
      { type: 'review_file', action: 'keep', path, author: 'session-a' },
      { type: 'review_file', action: 'undo', path, author: '' },
      { type: 'review_file', action: 'undo', path: `${ROOT}/docs/usage.md`, author: 'session-b' },
    ]);
  });

  test('where there is little room the folder gives way before the name', async () => {
    const page = await openFiles({ width: 300, scene: 'changes' });
    const name = regionOf(page).locator('.file', { hasText: 'median.js' }).first();
    expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  });
});

describe('a press of its own', () => {
  test('the second click of a double click does not undo the file that takes the place', async () => {
    const page = await openFiles({ scene: 'changes' });
    const undo = button(regionOf(page), 'Undo src/median.js');
    const box = await undo.boundingBox();
    const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
    await settle(page, ['src/median.js']);
    await undo.waitFor({ state: 'hidden' });
    // The list got shorter from the top: another row is under the pointer, or nothing.
    const next = await regionOf(page)
      .getByRole('button', { name: /^Undo [^a]/ })
      .first()
      .boundingBox();
    await page.mouse.move((next?.x ?? 0) + 5, (next?.y ?? 0) + 5);
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await postsOf(page)).toEqual([{ type: 'review_file', action: 'undo', path: `${ROOT}/src/median.js` }]);
  });

  test('a key that is held down undoes one file, and the focus goes to what only shows the next', async () => {
    const page = await openFiles({ scene: 'changes' });
    const region = regionOf(page);
    await button(region, 'Undo src/median.js').focus();
    await page.keyboard.down('Enter');
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await postsOf(page)).toHaveLength(1);
    await settle(page, ['src/median.js']);
    await untilFocused(page, 'test/unit/statistics/descriptive/median-of-even-counts.test.js');
    await button(region, 'Keep docs/curve.png').press('Enter');
    await settle(page, ['docs/curve.png']);
    await untilFocused(page, 'old.js');
    await button(region, 'Keep All').focus();
    await settle(page, ['old.js', 'test/unit/statistics/descriptive/median-of-even-counts.test.js']);
    await untilFocused(page, 'Message');
  });

  test('the focus is only brought back where it was', async () => {
    const page = await openFiles({ scene: 'changes' });
    await button(regionOf(page), 'src/median.js').focus();
    const other = button(page, 'Attach');
    await other.focus();
    await settle(page, ['src/median.js']);
    await button(regionOf(page), '3 files +1,204 −12').waitFor();
    expect(await other.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('restoring files', () => {
  test('is offered at each message of the person, once the pointer or the focus is there', async () => {
    const page = await rig.open();
    await page.evaluate(() => {
      const items = ['one', 'two'].map((text) => ({ kind: 'user' as const, id: `id-${text}`, text, images: [], time: '' }));
      return globalThis.panelHost.show({ items });
    });
    const restore = button(page, RESTORE);
    await restore.last().waitFor({ state: 'attached' });
    expect(await restore.count()).toBe(2);
    /** How much shows of the buttons, with all around them. */
    const seen = (index: number): Promise<number> =>
      restore.nth(index).evaluate((element) => {
        let opacity = 1;
        for (let part: Element | null = element; part !== null; part = part.parentElement) opacity *= Number(getComputedStyle(part).opacity);
        return opacity;
      });
    expect([await seen(0), await seen(1)]).toEqual([0, 0]);
    await page.getByRole('article', { name: 'You' }).first().hover();
    await expect.poll(async () => [await seen(0), await seen(1)]).toEqual([1, 0]);
    await restore.first().click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await restore.last().focus();
    await expect.poll(() => seen(1)).toBe(1);
    await page.keyboard.press('Enter');
    await button(page, RESTORE_BOTH).last().click();
    expect(await postsOf(page)).toEqual([
      { type: 'restore_files', item: 'id-one', rewind: false },
      { type: 'restore_files', item: 'id-one', rewind: true },
      { type: 'restore_files', item: 'id-two', rewind: false },
      { type: 'restore_files', item: 'id-two', rewind: true },
    ]);
  });

  test.each([
    ['running', RESTORE, false, RESTORE],
    ['command', RESTORE_BOTH, true, 'Restore files and chat to before this message. You continue in a copy'],
  ] as const)('not while a turn goes on, and it says why: %s, %s', async (scene, name, rewind, title) => {
    const page = await rig.open({ scene });
    const restore = button(page, name);
    await page.getByRole('article', { name: 'You' }).hover();
    expect(await restore.getAttribute('aria-disabled')).toBe('true');
    expect(await restore.getAttribute('title')).toBe(says('restoreWhileWorking'));
    await restore.press('Enter');
    await restore.click({ force: true });
    expect(await postsOf(page)).toEqual([]);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { activity: 'idle' } }));
    await page.waitForFunction((start) => document.querySelector(`[title^="${start}"]`) !== null, title);
    expect(await restore.getAttribute('aria-disabled')).toBeNull();
    await restore.press('Enter');
    expect(await postsOf(page)).toEqual([{ type: 'restore_files', item: 'u0', rewind }]);
  });
});

test('nothing sticks out of the region, at 220, 300 and 900 px', async () => {
  const page = await rig.open();
  for (const scene of ['changes', 'many changes', 'hidden changes', 'changes while running']) {
    await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
    await regionOf(page).waitFor();
    if ((await regionOf(page).getByRole('list').count()) === 0) await unfold(page);
    for (const width of [220, 300, 900]) {
      expect(await sticksOutAt(page, [width]), scene).toEqual([]);
      expect(
        await regionOf(page)
          .locator('.files')
          .evaluate((element) => element.scrollWidth <= element.clientWidth),
        `${scene} at ${width} px`,
      ).toBe(true);
    }
  }
});
