import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { HostMessage } from '../../../src/protocol/messages.js';
import type { ViewState } from '../../../src/protocol/view-state.js';
import { bundleOf } from '../page-texts.js';
import { violations } from './axe.js';
import { type OpenOptions, PanelRig, postsOf, sticksOut, sticksOutAt } from './rig.js';
import { automatic, explanations } from './routing-scenes.js';
import { scenarios } from './scenarios.js';

const SONNET = 'anthropic/claude-sonnet-4-5';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

function change(page: Page, patch: Partial<Omit<ViewState, 'items'>>): Promise<void> {
  return page.evaluate((next) => globalThis.panelHost.events({ type: 'meta', patch: next }), patch);
}

function say(page: Page, message: HostMessage): Promise<void> {
  return page.evaluate((next) => globalThis.panelHost.post(next), message);
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim());
}

/** The foot of an answer. */
function footOf(page: Page, answer: number): Locator {
  return page.getByRole('article', { name: 'Gnomon' }).nth(answer).getByRole('toolbar', { name: 'Response actions' });
}

describe('the choice of the model', () => {
  const modelButton = (page: Page): Locator => page.getByRole('button', { name: /^Model: / });

  async function openMenu(page: Page): Promise<Locator> {
    await modelButton(page).click();
    const menu = page.getByRole('dialog', { name: 'Model' });
    await menu.getByRole('textbox', { name: 'Search models' }).waitFor();
    return menu;
  }

  test.each([
    ['default', 'Default', 'Claude Sonnet 4.5'],
    ['auto', 'Auto', 'Auto · Claude Sonnet 4.5'],
    ['pinned', 'Pinned', 'Claude Sonnet 4.5'],
  ] as const)('%s: the button says it, the check mark stands there, and the model in use can be recognized', async (modelChoice, name, shown) => {
    const page = await rig.open({ scene: 'routed', width: 400 });
    await change(page, { modelChoice });
    const button = modelButton(page);
    const words = new RegExp(`^Model: ${name} · Claude Sonnet 4.5\\b`);
    await page.getByRole('button', { name: words }).waitFor();
    expect([await button.locator('.label').innerText(), await button.getAttribute('title')]).toEqual([shown, expect.stringMatching(words)]);
    const menu = await openMenu(page);
    const rows = menu.locator('.model');
    const chosen = menu.locator('[aria-current]');
    expect(await chosen.locator('.label').allInnerTexts()).toEqual([modelChoice === 'pinned' ? 'Claude Sonnet 4.5' : name]);
    expect(await rows.filter({ has: page.locator('.mark svg') }).count()).toBe(modelChoice === 'pinned' ? 1 : 2);
    expect(await menu.getByRole('button', { name: /^In use Claude Sonnet 4\.5/ }).count()).toBe(modelChoice === 'pinned' ? 0 : 1);
    for (const { label, description = '' } of automatic) {
      const row = menu.getByRole('list', { name: 'Choice of model' }).getByRole('button', { name: `${label} ${description}`, exact: true });
      expect(await row.getByText(description).isVisible()).toBe(true);
    }
    // The model in use is pinned by choosing it, where it is not.
    await rows.filter({ hasText: 'Claude Sonnet 4.5' }).click();
    await menu.waitFor({ state: 'detached' });
    expect(await postsOf(page)).toEqual(modelChoice === 'pinned' ? [] : [{ type: 'set_model', model: SONNET }]);
  });

  test('before the first answer of a chat, Auto has used no model', async () => {
    const page = await rig.open({ scene: 'auto begins' });
    const button = page.getByRole('button', { name: 'Model: Auto', exact: false });
    await button.waitFor();
    expect([await button.locator('.label').innerText(), await button.getAttribute('title')]).toEqual(['Auto', 'Model: Auto']);
    const menu = await openMenu(page);
    expect(await menu.getByText('In use').count()).toBe(0);
  });

  test('keys choose in it: Enter what is chosen already, arrows begin there, and letters search, also for what is no model', async () => {
    const page = await rig.open({ scene: 'routed' });
    const list = (menu: Locator): Locator => menu.getByRole('list', { name: 'Choice of model' }).getByRole('button');
    await change(page, { modelChoice: 'pinned' });
    const pinned = await openMenu(page);
    const active = await page.getByRole('textbox', { name: 'Search models' }).getAttribute('aria-activedescendant');
    expect(await page.locator(`[id="${active}"] .label`).innerText()).toBe('Claude Sonnet 4.5');
    await page.keyboard.press('Enter');
    await pinned.waitFor({ state: 'detached' });
    expect([await postsOf(page), await focused(page)]).toEqual([[], expect.stringMatching(/^Model: Pinned/)]);
    await change(page, { modelChoice: 'default' });
    await openMenu(page);
    await page.keyboard.press('ArrowUp');
    expect(await focused(page)).toMatch(/^Auto/);
    await page.keyboard.press('Enter');
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'set_model', model: 'auto' }]);
    await change(page, { modelChoice: 'auto' });
    await openMenu(page);
    await page.keyboard.press('ArrowDown');
    expect(await focused(page)).toMatch(/^Default/);
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await postsOf(page)).at(-1)).toEqual({ type: 'set_model', model: 'default' });
    const menu = await openMenu(page);
    // In the middle of their names, letters are those of a model.
    await page.keyboard.type('ul');
    await list(menu).first().waitFor({ state: 'detached' });
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('DEF');
    await menu.getByRole('status').getByText('1 result').waitFor();
    expect(await menu.locator('.model .label').allInnerTexts()).toEqual(['Default']);
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    // The same is not asked for twice where it is chosen already.
    await change(page, { modelChoice: 'default' });
    await openMenu(page);
    await list(menu).nth(1).click();
    await menu.waitFor({ state: 'detached' });
    expect((await postsOf(page)).map((post) => (post.type === 'set_model' ? post.model : post.type))).toEqual(['auto', 'default', 'default']);
  });
});

describe('the kind of task under an answer', () => {
  const kindOf = (page: Page, answer: number): Locator => footOf(page, answer).getByRole('button', { name: /^Kind of task: / });

  test('is a word in its actions; a menu corrects it by keyboard, and the host has the last word', async () => {
    const page = await rig.open({ scene: 'routed' });
    await footOf(page, 0).getByRole('button').first().focus();
    await page.keyboard.press('End');
    expect([await focused(page), await kindOf(page, 0).innerText()]).toEqual(['Kind of task: Debug', 'Debug']);
    await page.keyboard.press('Enter');
    const menu = page.getByRole('menu', { name: 'Kind of task' });
    expect(await menu.getByRole('menuitemradio').count()).toBe(10);
    expect(await menu.getByRole('menuitemradio', { checked: true }).allInnerTexts()).toEqual(['Debug']);
    expect(await focused(page)).toBe('Debug');
    // The keys of the menu are no keys of the actions beside it.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('Explain');
    await page.keyboard.type('u');
    expect(await focused(page)).toBe('Unit test');
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    expect([await focused(page), await postsOf(page)]).toEqual(['Kind of task: Debug', [{ type: 'correct_kind', item: 'a1', kind: 'unit_test' }]]);
    await page.evaluate(() => {
      const item = globalThis.panelHost.state.items[1];
      if (item?.kind !== 'answer' || item.facts === undefined) throw new Error('There is no such answer.');
      globalThis.panelHost.events({ type: 'answer_status', item: item.id, status: 'complete', summary: '', facts: { ...item.facts, routedAs: 'unit_test' } });
    });
    await footOf(page, 0).getByRole('button', { name: 'Kind of task: Unit test' }).waitFor();
  });

  test('Escape leaves it, and so does choosing the same', async () => {
    const page = await rig.open({ scene: 'routed' });
    for (const key of ['Escape', 'Enter']) {
      await kindOf(page, 1).press('Enter');
      await page.getByRole('menuitemradio', { name: 'Security review', checked: true }).press(key);
      await page.getByRole('menu').waitFor({ state: 'detached' });
      expect(await focused(page)).toBe('Kind of task: Security review');
    }
    expect(await postsOf(page)).toEqual([]);
  });

  test('its menu goes along when the conversation scrolls', async () => {
    const page = await rig.open({ scene: 'routed', height: 700, width: 220 });
    await footOf(page, 0).getByRole('button', { name: 'Why This Model?' }).click();
    await page.getByRole('table').waitFor();
    await page.getByRole('log').evaluate((log) => (log.scrollTop = 0));
    await kindOf(page, 0).click();
    const gap = (): Promise<number> =>
      page.evaluate(() => {
        const [menu, button] = [document.querySelector('[role=menu]'), document.querySelector('[aria-haspopup=menu][aria-expanded=true]')];
        return Math.round((menu?.getBoundingClientRect().top ?? 0) - (button?.getBoundingClientRect().bottom ?? 0));
      });
    const before = await gap();
    expect(before).toBeLessThan(8);
    expect(
      await page.getByRole('log').evaluate((log) => {
        log.scrollTop = 30;
        return log.scrollTop;
      }),
    ).toBe(30);
    await expect.poll(gap).toBe(before);
  });

  test('is not there for a model that was not chosen so', async () => {
    const page = await rig.open({ scene: 'conversation' });
    await footOf(page, 0).getByRole('button', { name: 'Copy as Markdown' }).waitFor();
    expect(await kindOf(page, 0).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Why This Model?' }).count()).toBe(0);
  });
});

describe('why this model', () => {
  const why = (page: Page, answer: number): Locator => footOf(page, answer).getByRole('button', { name: 'Why This Model?' });
  const told = (page: Page): Locator => page.getByRole('group', { name: 'Why This Model?' });

  test('tells it in sentences and in a table, anew each time', async () => {
    const page = await rig.open({ scene: 'routed' });
    const { a1 } = explanations;
    if (a1 === undefined) throw new Error('There is no explanation.');
    await why(page, 0).press('Enter');
    await told(page).getByRole('status').getByText(a1.chosen).waitFor();
    expect(await why(page, 0).getAttribute('aria-expanded')).toBe('true');
    expect(await told(page).getAttribute('id')).toBe(await why(page, 0).getAttribute('aria-controls'));
    expect(await told(page).getByRole('listitem').allInnerTexts()).toEqual(a1.notes);
    await told(page).getByText('23 more were removed.').waitFor();
    const table = page.getByRole('table', { name: 'Candidates for “Debug”' });
    expect(await table.getByRole('columnheader').allInnerTexts()).toEqual(['Model', 'Expected', 'Cost']);
    for (const { name, expected, cost, basis, isChosen, removed } of a1.candidates) {
      const group = table.locator('tbody').filter({ has: page.getByRole('rowheader', { name: isChosen ? `Chosen ${name}` : name, exact: true }) });
      expect(
        (await group.getByRole('cell').allInnerTexts()).map((text) => text.split('\n')),
        name,
      ).toEqual([[expected], [cost], [basis, ...(removed === undefined ? [] : [removed])]]);
    }
    expect(await table.locator('tbody svg').count()).toBe(1);
    await told(page).getByRole('button', { name: 'Show Model Estimates' }).press('Enter');
    await why(page, 0).press('Enter');
    await told(page).waitFor({ state: 'detached' });
    await why(page, 0).press('Enter');
    await table.waitFor();
    const asks = { type: 'explain_model', item: 'a1' };
    expect([await focused(page), await postsOf(page)]).toEqual(['Why This Model?', [asks, { type: 'show_estimates' }, asks]]);
  });

  test('says that it is loading, and that nothing is stored; what is said of another answer changes nothing', async () => {
    const page = await rig.open();
    await page.evaluate(async () => {
      await globalThis.panelHost.scene('routed');
      const { items, ...rest } = structuredClone(globalThis.panelHost.state);
      await globalThis.panelHost.show({ ...rest, items: items.map((item) => ({ ...item, id: `${item.id}-waits` })) }, 'waits');
    });
    await why(page, 0).press('Enter');
    const status = told(page).getByRole('status');
    expect(await status.innerText()).toBe('Loading…');
    await say(page, { type: 'model_explained', item: 'a3-waits' });
    await say(page, { type: 'model_explained', item: 'a1' });
    await say(page, { type: 'model_explained', item: 'a1-waits' });
    await status.getByText('Nothing is stored about how this model was chosen.').waitFor();
    expect([await told(page).count(), await page.getByRole('table').count()]).toEqual([1, 0]);
    // Another conversation has answers of the same names, of which nothing was asked.
    await page.evaluate(() => globalThis.panelHost.show(structuredClone(globalThis.panelHost.state), 'another'));
    await told(page).waitFor({ state: 'detached' });
    await why(page, 0).press('Enter');
    expect(await status.innerText()).toBe('Loading…');
  });

  test('names that would deceive are written out, and run nothing', async () => {
    const page = await rig.open({ scene: 'routed', width: 220 });
    const evil = `<img src=x onerror=alert(1)>\u202Egpt\u200B${'n'.repeat(300)}`;
    const shown = '<img src=x onerror=alert(1)>\\u202Egpt\\u200Bnnn';
    await why(page, 0).press('Enter');
    await page.getByRole('table').waitFor();
    const candidate = { name: evil, expected: evil, basis: evil, cost: evil, isChosen: true, removed: evil };
    const explanation = { kind: 'debug' as const, chosen: evil, notes: [evil], candidates: [candidate], more: evil };
    await say(page, { type: 'model_explained', item: 'a1', explanation });
    await expect.poll(() => told(page).getByText(shown).count()).toBeGreaterThanOrEqual(6);
    expect(await told(page).evaluate((element) => /[\u202E\u200B]/.test(element.textContent) || element.querySelector('img') !== null)).toBe(false);
    const models = [{ id: SONNET, label: evil, group: evil }];
    await say(page, { type: 'choices', models, automatic: scenarios.automatic, modes: [], agents: [], efforts: [] });
    const button = page.getByRole('button', { name: /^Model: / });
    await expect.poll(() => button.locator('.label').innerText()).toMatch(/^Auto · <img .*\\u202E/);
    expect(await button.evaluate((element) => /[\u202E\u200B]/.test(element.outerHTML))).toBe(false);
    expect(await sticksOutAt(page, [220, 300, 900])).toEqual([]);
  });
});

describe('all of it', () => {
  /** Shows everything there is, the menus one after the other. */
  async function look(
    options: OpenOptions,
    names: { readonly why: string; readonly kind: RegExp; readonly model: RegExp },
    see: (page: Page) => Promise<void>,
  ): Promise<void> {
    const page = await rig.open({ scene: 'routed', ...options });
    const buttons = page.getByRole('button', { name: names.why, exact: true });
    for (const at of [0, 1]) await buttons.nth(at).press('Enter');
    await page.getByRole('table').waitFor();
    await see(page);
    for (const [name, role] of [
      [names.kind, 'menu'],
      [names.model, 'dialog'],
    ] as const) {
      await page.getByRole('button', { name }).first().press('Enter');
      await page.getByRole(role).waitFor();
      await see(page);
      await page.keyboard.press('Escape');
    }
  }
  const english = { why: 'Why This Model?', kind: /^Kind of task/, model: /^Model: / };

  test('has nothing that axe finds, in any theme', async () => {
    await look({ width: 300, height: 1_000 }, english, async (page) => expect(await violations(page)).toEqual([]));
  });

  test('fits at any width, also in the longer words of German', async () => {
    const see = async (page: Page): Promise<void> => {
      expect(await sticksOutAt(page, [220, 300, 900])).toEqual([]);
      const log = page.getByRole('log');
      expect(await log.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    };
    const texts = JSON.stringify(await bundleOf('de'));
    await look({ language: 'de', texts }, { why: 'Warum dieses Modell?', kind: /^Art der Aufgabe: /, model: /^Modell: Auto · / }, see);
  });

  test('fits at 200 % in a small window, and the menus are within it', async () => {
    await look({ width: 220, height: 300, zoom: 2 }, english, async (page) => {
      expect(await sticksOut(page)).toEqual([]);
      const popup = page.locator('.popup');
      if ((await popup.count()) === 0) return;
      const box = await popup.boundingBox();
      expect([(box?.y ?? -1) >= 0, (box?.y ?? 0) + (box?.height ?? 999) <= 300]).toEqual([true, true]);
    });
  });
});
