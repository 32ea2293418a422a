import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ComposerMessage } from '../../../src/protocol/host/composer-messages.js';
import { violations } from './axe.js';
import { colorOf, delivered, loaded, lookOf, PanelRig, postsOf, sticksOutAt } from './rig.js';
import { MENTION_ICONS } from '../../../webview/state/composer/command-menu.svelte.js';
import { ICONS } from '../../../webview/ui/icons.js';
import { scenarios } from './scenarios.js';
import { bundleOf } from '../page-texts.js';
import { says } from '../wording.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** An image of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const boxOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });
const button = (scope: Page | Locator, name: string): Locator => scope.getByRole('button', { name, exact: true });
const tell = async (page: Page, message: ComposerMessage): Promise<void> => {
  await page.evaluate((value) => globalThis.panelHost.post(value), message);
  await delivered(page);
};

/** Waits until the text is this one. */
async function untilText(page: Page, text: string): Promise<void> {
  await page.waitForFunction((value) => document.querySelector('textarea')?.value === value, text);
}

/** Waits until the panel has been told what was found for a query. */
async function untilFound(page: Page, query: string): Promise<void> {
  await page.waitForFunction((words) => globalThis.panelHost.posts.some((message) => message.type === 'find_mentions' && message.query === words), query);
  await delivered(page);
}

/** Waits until the panel has posted something of a type, and gives the last. */
async function posted(page: Page, type: string): Promise<Readonly<Record<string, unknown>>> {
  const handle = await page.waitForFunction((wanted) => globalThis.panelHost.posts.findLast((message) => message.type === wanted), type);
  return (await handle.jsonValue()) as unknown as Readonly<Record<string, unknown>>;
}

describe('sending', () => {
  test('Enter sends, Shift+Enter is a new line, the text stays until the host has it', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = page.getByRole('textbox', { name: 'Message' });
    const send = page.getByRole('button', { name: 'Send', exact: true });
    expect(await send.isDisabled()).toBe(true);
    await box.pressSequentially('one');
    await box.press('Shift+Enter');
    await box.pressSequentially('two');
    await box.press('Enter');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    const posts = await postsOf(page);
    expect(posts).toMatchObject([{ type: 'send', text: 'one\ntwo', attachments: [] }]);
  });

  test('a refused message stays, with the reason', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => (globalThis.panelHost.refuses = 'The disk is full.'));
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('precious');
    await box.press('Enter');
    const alert = page.getByRole('alert').filter({ hasText: 'The disk is full.' });
    await alert.waitFor();
    expect(await box.inputValue()).toBe('precious');
    expect(await lookOf(alert)).toEqual({ fill: 'none', border: true, icon: 'warn' });
    await page.evaluate(() => globalThis.panelHost.theme('high-contrast'));
    expect(await lookOf(alert)).toEqual({ fill: 'none', border: true, icon: 'warn' });
    await page.evaluate(() => globalThis.panelHost.theme('dark'));
    expect(await violations(page)).toEqual([]);
  });

  test('the Enter that ends an input method’s composition sends nothing', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('日本');
    await box.evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true })));
    // oxlint-disable-next-line typescript/no-deprecated -- what an input method sends in some browsers
    await box.evaluate((element) => element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true })));
    expect(await postsOf(page)).toEqual([]);
  });

  test('the draft is there again after a reload', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.getByRole('textbox', { name: 'Message' }).fill('half a thought');
    await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('half a thought'));
    await page.reload();
    await loaded(page);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('half a thought');
  });

  test('while a turn runs there is Stop, also by Escape, and Enter queues the text', async () => {
    const page = await rig.open({ scene: 'running' });
    const box = page.getByRole('textbox', { name: 'Message' });
    await box.fill('next');
    await box.press('Enter');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    await box.press('Escape');
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'send', text: 'next' }, { type: 'stop' }, { type: 'stop' }]);
  });

  test('attachments can be removed, suggestions fill the box, the host moves the focus', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => globalThis.panelHost.post({ type: 'attachments', attachments: [{ id: 'x1', name: 'notes.txt', kind: 'file' }] }));
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await page.getByRole('button', { name: 'Attach', exact: true }).click();
    expect(await postsOf(page)).toEqual([{ type: 'remove_attachment', id: 'x1' }, { type: 'pick_attachments' }]);
    await page.getByRole('button', { name: 'Fix the failing test' }).click();
    const box = page.getByRole('textbox', { name: 'Message' });
    expect(await box.inputValue()).toBe('Fix the failing test');
    await page.getByRole('button', { name: 'Attach', exact: true }).focus();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'focus_composer' }));
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  });

  test('modes are chosen by keyboard; Escape closes only the menu', async () => {
    const page = await rig.open({ scene: 'running' });
    const mode = page.getByRole('button', { name: 'Permission mode: Ask before changes' });
    await mode.press('Enter');
    const menu = page.getByRole('menu', { name: 'Permission mode' });
    await expect.poll(() => menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    const current = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null);
    expect(await current()).toBe('Ask before changes');
    const goals: readonly (readonly [string, string])[] = [
      ['End', 'Bypass permissions'],
      ['ArrowDown', 'Ask before changes'],
      ['ArrowUp', 'Bypass permissions'],
      ['Home', 'Ask before changes'],
      ['p', 'Plan'],
      ['Home', 'Ask before changes'],
      ['a', 'Accept edits'],
      ['a', 'Always ask'],
    ];
    for (const [key, label] of goals) {
      await page.keyboard.press(key);
      expect(await current(), key).toBe(label);
    }
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await mode.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await postsOf(page)).toEqual([]);
    await mode.click();
    await page.getByRole('menuitemradio', { name: 'Plan' }).click();
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'set_mode', mode: 'plan' }]);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { mode: 'plan' } }));
    await page.getByRole('button', { name: 'Permission mode: Plan' }).waitFor();
  });

  test('S-25: an agent is chosen below the modes, stands on the button, and can be left again', async () => {
    const page = await rig.open({ scene: 'running' });
    const agents = [{ id: 'reviewer', label: 'reviewer', description: 'Reviews changes · Tools: read, grep · .claude/agents/reviewer.md' }];
    await page.evaluate((choices) => globalThis.panelHost.post({ type: 'choices', ...choices }), {
      models: scenarios.models,
      automatic: scenarios.automatic,
      modes: scenarios.modes,
      agents,
      efforts: scenarios.efforts,
    });
    await page.getByRole('button', { name: 'Permission mode: Ask before changes' }).press('Enter');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect.poll(() => postsOf(page)).toEqual([{ type: 'set_agent', agent: 'reviewer' }]);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { agent: 'reviewer' } }));
    await page.getByRole('button', { name: 'Permission mode: reviewer · Ask before changes' }).click();
    await page.getByRole('menuitemradio', { name: 'reviewer', checked: true }).waitFor();
    // An agent can work in a stricter mode than the user chose.
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { effectiveMode: 'plan' } }));
    await page.getByRole('button', { name: 'Permission mode: reviewer · Plan' }).waitFor();
    await page.getByRole('menuitemradio', { name: 'Ask before changes', checked: true }).waitFor();
    await page.getByRole('menuitemradio', { name: 'Gnomon' }).click();
    await expect.poll(async () => (await postsOf(page)).at(-1)).toEqual({ type: 'set_agent', agent: '' });
  });

  test('each mode says in a line what it does, and the one that asks for nothing looks dangerous', async () => {
    const page = await rig.open({ scene: 'empty', width: 260 });
    const opener = page.getByRole('button', { name: /^Permission mode/ });
    for (const theme of ['dark', 'light', 'high-contrast']) {
      await page.evaluate((name) => globalThis.panelHost.theme(name), theme);
      await opener.click();
      const menu = page.getByRole('menu', { name: 'Permission mode' });
      for (const { label, description = '' } of scenarios.modes) {
        const item = menu.getByRole('menuitemradio', { name: label, exact: true });
        const line = item.getByText(description, { exact: true });
        expect(description).not.toBe('');
        expect(await line.isVisible(), label).toBe(true);
        expect(await item.getAttribute('aria-describedby'), label).toBe(await line.getAttribute('id'));
        // The one with the focus has the colors of a selection.
        if (label !== 'Ask before changes')
          expect(await colorOf(item.locator('.label')), `${theme}: ${label}`).toMatch(label === 'Bypass permissions' ? /\bdanger\b/ : /^fg\b/);
      }
      expect(await colorOf(menu.getByRole('menuitemradio', { name: 'Bypass permissions' }).locator('svg').first()), theme).toContain('danger');
      expect(await colorOf(opener), theme).not.toContain('danger');
      await page.keyboard.press('Escape');
      await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { mode: 'bypassPermissions' } }));
      const bypass = page.getByRole('button', { name: 'Permission mode: Bypass permissions' });
      await expect.poll(() => colorOf(bypass), { message: theme }).toContain('danger');
      expect(await colorOf(bypass.locator('svg').first()), theme).toContain('danger');
      await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { mode: 'default' } }));
      await page.getByRole('button', { name: 'Permission mode: Ask before changes' }).waitFor();
    }
  });

  test('each model says how much it holds and what it costs, and a key can be set from there', async () => {
    const page = await rig.open({ scene: 'empty', width: 300 });
    await page.getByRole('button', { name: /^Model/ }).click();
    const menu = page.getByRole('dialog', { name: 'Model' });
    expect(await menu.getByText('Context · $ per 1M tokens', { exact: true }).isVisible()).toBe(true);
    for (const { label, facts = '' } of scenarios.models) {
      const row = menu.getByRole('button').filter({ has: page.getByText(label, { exact: true }) });
      expect(facts).not.toBe('');
      expect(await row.getByText(facts, { exact: true }).isVisible(), label).toBe(true);
    }
    await menu.getByRole('button', { name: 'Set API Key…' }).click();
    expect(await postsOf(page)).toEqual([{ type: 'notice_action', action: 'set_api_key' }]);
    await menu.waitFor({ state: 'detached' });
  });

  test('the name of a key stands beside the models of a provider that has several, at any width, and another one can be chosen', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { model: 'anthropic/claude-sonnet-4-5' } }));
    await page.getByRole('button', { name: /^Model/ }).click();
    const menu = page.getByRole('dialog', { name: 'Model' });
    const rowOf = (label: string): Locator => menu.getByRole('button').filter({ has: page.getByText(label, { exact: true }) });
    await rowOf('Claude Sonnet 4.5').waitFor();
    const another = menu.getByRole('button', { name: 'Use Another Key…' });
    expect(await another.count()).toBe(0);
    const names = new Map([
      ['anthropic/claude-sonnet-4-5', 'work'],
      ['anthropic/claude-opus-4-5', 'a name as long as one can be'],
    ]);
    const models = scenarios.models.map((model) => ({ ...model, ...(names.has(model.id) ? { key: names.get(model.id) } : {}) }));
    await page.evaluate((choices) => globalThis.panelHost.post({ type: 'choices', ...choices }), {
      models,
      automatic: scenarios.automatic,
      modes: scenarios.modes,
      agents: scenarios.agents,
      efforts: scenarios.efforts,
    });
    await rowOf('Claude Sonnet 4.5').getByText('work', { exact: true }).waitFor();
    expect(await rowOf('GPT-5').locator('.key').count()).toBe(0);
    expect(await sticksOutAt(page, [240, 300, 600])).toEqual([]);
    await another.click();
    expect(await postsOf(page)).toEqual([{ type: 'notice_action', action: 'use_key' }]);
    await menu.waitFor({ state: 'detached' });
  });

  test('Shift+Tab goes through the modes, never to the one that asks for nothing, and says so; another key leads out', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    const modes = ['acceptEdits', 'plan', 'ask', 'default'];
    for (const mode of modes) {
      await box.press('Shift+Tab');
      await expect.poll(async () => (await postsOf(page)).at(-1)).toEqual({ type: 'set_mode', mode });
      await page.evaluate((patch) => globalThis.panelHost.events({ type: 'meta', patch }), { mode });
      // What comes next depends on the mode that the page knows.
      await page.waitForFunction(
        (label) => document.querySelector(`button[aria-label="Permission mode: ${label}"]`) !== null,
        { acceptEdits: 'Accept edits', plan: 'Plan', ask: 'Always ask', default: 'Ask before changes' }[mode],
      );
    }
    await page.getByText('Permission mode: Ask before changes', { exact: true }).and(page.locator('[aria-live]')).waitFor();
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    await box.press('ControlOrMeta+ArrowUp');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('log');
    await box.focus();
    await box.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Attach');
  });

  test('S-02: a mode that settings disable says so in the menu, and does nothing there', async () => {
    const page = await rig.open({ scene: 'empty', width: 300 });
    const modes = scenarios.modes.map((mode) =>
      mode.id === 'bypassPermissions' ? { ...mode, description: 'This mode is disabled in .claude/settings.json.', disabled: true } : mode,
    );
    await page.evaluate(
      ({ models, automatic, agents, efforts, modes: now }) => globalThis.panelHost.post({ type: 'choices', models, automatic, agents, efforts, modes: now }),
      { ...scenarios, modes },
    );
    await page.getByRole('button', { name: /^Permission mode/ }).click();
    const item = page.getByRole('menuitemradio', { name: 'Bypass permissions' });
    await item.getByText('This mode is disabled in .claude/settings.json.').waitFor();
    expect([await item.getAttribute('aria-disabled'), await colorOf(item.locator('.label'))]).toEqual(['true', expect.not.stringMatching(/danger/)]);
    await item.dispatchEvent('click');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    expect([await item.isVisible(), await postsOf(page), await violations(page)]).toEqual([true, [], []]);
  });

  test('a menu fits into a low window and goes away with the focus', async () => {
    const page = await rig.open({ scene: 'empty', width: 400, height: 300, zoom: 2 });
    for (const name of [/^Model/, /^Permission mode/]) {
      const opener = page.getByRole('button', { name });
      await opener.click();
      const popup = page.locator('.popup');
      const box = await popup.boundingBox();
      expect(box?.y ?? -1).toBeGreaterThanOrEqual(0);
      expect((box?.y ?? 0) + (box?.height ?? 999)).toBeLessThanOrEqual(300);
      expect(box?.width ?? 999).toBeLessThanOrEqual(336);
      await popup.getByText('Set API Key…').or(popup.getByText('Bypass permissions')).scrollIntoViewIfNeeded();
      await page.evaluate(() => document.querySelector<HTMLElement>('[role=log]')?.focus());
      await popup.waitFor({ state: 'detached' });
    }
  });

  test('what is mentioned, and the file that is open, are shown above the text', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    await page.evaluate(() => globalThis.panelHost.post({ type: 'current_file', name: 'slot.js', insert: '@src/slot.js' }));
    await box.fill('Compare @src/median.js with');
    await page.getByRole('button', { name: 'Mention slot.js, the current file' }).click();
    await untilText(page, 'Compare @src/median.js with @src/slot.js ');
    await page.getByRole('button', { name: 'Mention slot.js, the current file' }).waitFor({ state: 'detached' });
    const chips = page.getByRole('list', { name: 'Mentioned' });
    expect(await chips.getByRole('listitem').allInnerTexts()).toEqual(['median.js', 'slot.js']);
    await chips.getByRole('button', { name: 'Remove median.js' }).click();
    await untilText(page, 'Compare with @src/slot.js ');
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

describe('mentions', () => {
  test('a list opens at an @, follows what is typed, and keys choose in it while the focus stays', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    const list = page.getByRole('listbox', { name: 'Mentions' });
    await box.pressSequentially('Look at @');
    await list.getByRole('option').nth(5).waitFor();
    expect(await posted(page, 'find_mentions')).toMatchObject({ query: '' });
    expect(await box.getAttribute('aria-activedescendant')).toBe(await list.getByRole('option', { selected: true }).getAttribute('id'));
    await box.pressSequentially('med');
    await untilFound(page, 'med');
    await list.getByRole('option').nth(3).waitFor({ state: 'detached' });
    expect(await posted(page, 'find_mentions')).toMatchObject({ query: 'med' });
    await box.press('ArrowUp');
    await list.getByRole('option', { name: /^median function/, selected: true }).waitFor();
    await box.press('ArrowDown');
    await box.press('Enter');
    await untilText(page, 'Look at @src/median.js ');
    await list.waitFor({ state: 'hidden' });
    expect(await box.evaluate((element: HTMLTextAreaElement) => [document.activeElement === element, element.selectionStart])).toEqual([true, 23]);
  });

  test('each kind has an icon of its own, and stands under a heading that is there once', async () => {
    const page = await rig.open({ scene: 'empty' });
    await boxOf(page).pressSequentially('@');
    const list = page.getByRole('listbox', { name: 'Mentions' });
    await list.getByRole('option').nth(5).waitFor();
    expect(await list.locator('li').evaluateAll((rows) => rows.map((row) => row.querySelector('.name')?.textContent ?? `— ${row.textContent}`))).toEqual([
      ...['— Files', 'median.js', 'src/', 'two words.md', 'median-of-even-counts.test.js'],
      ...['— Symbols', 'median'],
      ...['— Workspace', 'Problems'],
    ]);
    const iconOf = (name: string): Promise<string | null> =>
      list
        .getByRole('option')
        .filter({ has: page.locator('.name', { hasText: new RegExp(`^${name}$`) }) })
        .locator('svg path')
        .getAttribute('d');
    expect(
      await Promise.all(
        [
          ['median.js', 'file'],
          ['src/', 'folder'],
          ['median', 'symbol'],
          ['Problems', 'problems'],
        ].map(async ([name = '', kind = '']) => [kind, await iconOf(name)]),
      ),
    ).toEqual((['file', 'folder', 'symbol', 'problems'] as const).map((kind) => [kind, ICONS[MENTION_ICONS[kind]]]));
    expect(new Set(Object.values(MENTION_ICONS)).size).toBe(Object.keys(MENTION_ICONS).length);
  });

  test('one in the middle of a text takes only its own place; Escape closes the list and stops nothing', async () => {
    const page = await rig.open({ scene: 'running' });
    const box = boxOf(page);
    await box.fill('Compare  and the rest');
    await box.evaluate((element: HTMLTextAreaElement) => element.setSelectionRange(8, 8));
    await box.pressSequentially('@two');
    const list = page.getByRole('listbox', { name: 'Mentions' });
    await untilFound(page, 'two');
    await list.getByRole('option').nth(1).waitFor({ state: 'detached' });
    await list.getByRole('option', { name: /^two words/ }).click();
    await untilText(page, 'Compare @"docs/two words.md" and the rest');
    expect(await box.evaluate((element: HTMLTextAreaElement) => element.value.slice(element.selectionStart))).toBe('and the rest');
    await box.pressSequentially('@');
    await list.waitFor();
    await box.press('Escape');
    await list.waitFor({ state: 'hidden' });
    expect((await postsOf(page)).filter(({ type }) => type === 'stop')).toEqual([]);
  });

  test('a late answer to an earlier search is passed over', async () => {
    const page = await rig.open({ scene: 'empty' });
    await boxOf(page).pressSequentially('@med');
    await untilFound(page, 'med');
    await page.getByRole('option', { name: /^median\.js/ }).waitFor();
    await tell(page, { type: 'mentions', request: 0, offers: [{ insert: '@old', kind: 'file', label: 'old', detail: '' }] });
    await boxOf(page).press('ArrowDown');
    expect(await page.getByRole('option', { name: 'old' }).count()).toBe(0);
  });

  test('Enter takes nothing that was found for something else, and sends where the mention is whole', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    await box.pressSequentially('@');
    await page.getByRole('option').nth(5).waitFor();
    // At once, so that no answer can come in between.
    await box.evaluate((element: HTMLTextAreaElement) => {
      element.value = '@pro';
      element.setSelectionRange(4, 4);
      element.dispatchEvent(new InputEvent('input', { bubbles: true }));
      element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
    });
    await untilFound(page, 'pro');
    await page.getByRole('option').nth(1).waitFor({ state: 'detached' });
    await untilText(page, '@pro');
    await box.press('Enter');
    await untilText(page, '@problems ');
    await box.fill('see @problems');
    await untilFound(page, 'problems');
    await page.getByRole('listbox').waitFor({ state: 'detached' });
    await box.press('Enter');
    await untilText(page, '');
    expect(await posted(page, 'send')).toMatchObject({ text: 'see @problems' });
  });

  test('there is none within an address or a word', async () => {
    const page = await rig.open({ scene: 'empty' });
    await boxOf(page).pressSequentially('ada@src');
    expect(await postsOf(page)).toEqual([]);
    expect(await page.getByRole('listbox').count()).toBe(0);
  });
});

describe('images and files', () => {
  const paste = (page: Page, what: 'image' | 'page' | 'large' | 'other' | 'text' | 'long'): Promise<void> =>
    boxOf(page).evaluate(
      (element, { kind, pixel }) => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0));
        if (kind === 'image') data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
        if (kind === 'large') data.items.add(new File([new Uint8Array(5_000_000)], 'huge.png', { type: 'image/png' }));
        if (kind === 'other') data.items.add(new File([bytes], 'tool.exe', { type: 'application/octet-stream' }));
        if (kind === 'text') data.items.add(new File(['naïve\nwords\n'], 'notes.md', { type: 'text/markdown' }));
        if (kind === 'long') data.items.add(new File(['x'.repeat(200_001)], 'long.log', { type: '' }));
        if (kind === 'page') {
          data.setData('text/html', '<img src="https://example.com/pixel.png"><img src="file:///etc/passwd">');
          data.setData('text/plain', 'words');
          data.items.add(new File([bytes], 'shot.png', { type: 'image/png' }));
        }
        element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
      },
      { kind: what, pixel: PIXEL },
    );

  test('a pasted image goes to the host, and is shown small once it is attached', async () => {
    const page = await rig.open({ scene: 'empty' });
    await paste(page, 'image');
    expect(await posted(page, 'attach_image')).toMatchObject({ name: 'shot.png' });
    await page.evaluate((pixel) => {
      const data = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0));
      globalThis.panelHost.post({
        type: 'attachments',
        attachments: [
          { id: 'p1', name: 'shot.png', kind: 'image' },
          { id: 'f1', name: 'a.ts', kind: 'file' },
        ],
      });
      globalThis.panelHost.post({ type: 'attached_image', id: 'p1', mimeType: 'image/png', data });
    }, PIXEL);
    expect(await posted(page, 'load_attached_image')).toMatchObject({ id: 'p1' });
    const thumbnail = page.getByRole('list', { name: 'Attached files' }).locator('img');
    await thumbnail.waitFor();
    expect(await thumbnail.evaluate((image: HTMLImageElement) => image.decode().then(() => [image.naturalWidth, image.src.startsWith('blob:')]))).toEqual([
      1,
      true,
    ]);
    await button(page, 'Remove shot.png').press('Enter');
    expect(await posted(page, 'remove_attachment')).toMatchObject({ id: 'p1' });
    await tell(page, { type: 'attachments', attachments: [{ id: 'f1', name: 'a.ts', kind: 'file' }] });
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Remove a.ts');
    await tell(page, { type: 'attachments', attachments: [] });
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  });

  /** Runs in the page: makes an image of a size, in base64. */
  const makeImage = async ({ width, height, type }: { width: number; height: number; type: string }): Promise<string> => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d');
    context?.fillRect(0, 0, width / 2, height);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type })).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCodePoint(byte)).join(''));
  };
  /** Type and size of the image that was posted last. */
  const lastImage = (page: Page, post: 'attach_image' | 'image_scaled'): Promise<readonly unknown[]> =>
    page.evaluate(async (name) => {
      const found = globalThis.panelHost.posts.findLast(({ type }) => type === name);
      const data = found !== undefined && 'data' in found ? found.data : undefined;
      if (data === undefined) return [];
      const { width, height } = await createImageBitmap(new Blob([new Uint8Array(data)]));
      return [data[0] === 0x89 ? 'png' : 'jpeg', width, height];
    }, post);

  test('stream-23 of a large image that is pasted a smaller copy goes to the host', async () => {
    const page = await rig.open({ scene: 'empty' });
    for (const [type, width, height, expected] of [
      ['png', 4_000, 1_000, [2_000, 500]],
      ['jpeg', 500, 3_000, [333, 2_000]],
      ['png', 2_000, 10, [2_000, 10]],
    ] as const) {
      const image = await page.evaluate(makeImage, { width, height, type: `image/${type}` });
      await boxOf(page).evaluate(
        (element, { bytes, mime }) => {
          const data = new DataTransfer();
          data.items.add(new File([Uint8Array.from(atob(bytes), (character) => character.charCodeAt(0))], 'shot', { type: mime }));
          globalThis.panelHost.posts.length = 0;
          element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
        },
        { bytes: image, mime: `image/${type}` },
      );
      await posted(page, 'attach_image');
      expect(await lastImage(page, 'attach_image')).toEqual([type, ...expected]);
    }
  });

  test('stream-23 an image that the host sends is made smaller; of what is none it is told', async () => {
    const page = await rig.open({ scene: 'empty' });
    const image = await page.evaluate(makeImage, { width: 3_000, height: 1_500, type: 'image/png' });
    const ask = (bytes: string, request: number): Promise<void> =>
      page.evaluate(
        ({ base64, number }) => {
          const data = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
          globalThis.panelHost.post({ type: 'scale_image', request: number, mimeType: 'image/png', data });
        },
        { base64: bytes, number: request },
      );
    await ask(image, 4);
    expect(await posted(page, 'image_scaled')).toMatchObject({ request: 4 });
    expect(await lastImage(page, 'image_scaled')).toEqual(['png', 2_000, 1_000]);
    await ask(btoa('no image'), 5);
    await page.waitForFunction(() => globalThis.panelHost.posts.some((post) => post.type === 'image_scaled' && post.request === 5));
    expect((await postsOf(page)).at(-1)).toEqual({ type: 'image_scaled', request: 5 });
    expect((await postsOf(page)).map(({ type }) => type)).not.toContain('report_error');
  });

  test('view-17 of a page that is pasted or dropped only the text counts, and nothing is asked for', async () => {
    const page = await rig.open({ scene: 'empty' });
    await paste(page, 'page');
    await boxOf(page).evaluate((element) => {
      const data = new DataTransfer();
      data.setData('text/html', '<img src="https://example.com/pixel.png">');
      data.setData('text/plain', 'words');
      element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    });
    expect(await postsOf(page)).toEqual([]);
    expect(await page.locator('img').count()).toBe(0);
    // The page makes images that were attached itself.
    expect(rig.strangeRequests.filter((url) => !url.startsWith('blob:'))).toEqual([]);
  });

  test('what is too large or neither image nor text is told at once, quietly, and not sent', async () => {
    const page = await rig.open({ scene: 'empty' });
    for (const [what, told] of [
      ['large', says('imageTooLarge', 'huge.png', '4.8', '3.75')],
      ['other', 'tool.exe is neither text nor an image'],
      ['long', 'long.log is 200 KB; text files from outside VS Code are limited to 200 KB'],
    ] as const) {
      await paste(page, what);
      await page.getByRole('status').filter({ hasText: told }).waitFor();
    }
    expect(await page.locator('.rejection').count()).toBe(0);
    await page.getByRole('button', { name: 'Dismiss', exact: true }).click();
    await page.locator('.hint').waitFor({ state: 'detached' });
    expect(await postsOf(page)).toEqual([]);
  });

  test('a text file that is pasted goes along by its name', async () => {
    const page = await rig.open({ scene: 'empty' });
    await paste(page, 'text');
    expect(await posted(page, 'attach_text')).toEqual({ type: 'attach_text', name: 'notes.md', text: 'naïve\nwords\n' });
  });

  test('files that are dropped go to the host by their addresses; while they are dragged it says how', async () => {
    const page = await rig.open({ scene: 'conversation' });
    const drag = (type: string): Promise<void> =>
      page.locator('main').evaluate((element, kind) => {
        const data = new DataTransfer();
        data.setData('text/uri-list', 'file:///ws/a.ts\r\nfile:///ws/b%20c.ts');
        element.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      }, type);
    await drag('dragover');
    await page.getByText('Hold Shift and drop to attach').waitFor();
    await drag('drop');
    await page.getByText('Hold Shift and drop to attach').waitFor({ state: 'hidden' });
    expect(await posted(page, 'attach_files')).toMatchObject({ uris: ['file:///ws/a.ts', 'file:///ws/b%20c.ts'] });
    await drag('dragover');
    // Where VS Code takes a drag over, nothing tells its end.
    await page.getByText('Hold Shift and drop to attach').waitFor({ state: 'hidden' });
  });

  test('the selection of the editor is a button that is pressed or not', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(page, { type: 'selection', name: 'src/median.js:10-20', on: true });
    const chip = button(page, 'Include selection src/median.js:10-20');
    await chip.waitFor();
    expect(await chip.getAttribute('aria-pressed')).toBe('true');
    await chip.press('Enter');
    expect(await posted(page, 'include_selection')).toEqual({ type: 'include_selection', on: false });
    await tell(page, { type: 'selection', name: 'src/median.js:10-20', on: false });
    await page.getByRole('button', { name: 'Include selection src/median.js:10-20', pressed: false }).click();
    expect(await posted(page, 'include_selection')).toEqual({ type: 'include_selection', on: true });
    await tell(page, { type: 'selection', name: '', on: true });
    await chip.waitFor({ state: 'detached' });
  });
});

describe('what was said before', () => {
  const answer = async (page: Page, texts: readonly string[]): Promise<void> => {
    const { request } = await posted(page, 'list_said');
    await tell(page, { type: 'said', request: Number(request), texts });
  };

  test('the arrow up goes back, the arrow down forward, to what was being written', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    await box.fill('half a thought');
    await box.press('Home');
    await box.press('ArrowUp');
    await answer(page, ['first', 'second\nline']);
    await untilText(page, 'second\nline');
    await box.press('ArrowUp');
    expect(await box.inputValue()).toBe('second\nline');
    await box.press('ArrowUp');
    await untilText(page, 'first');
    await box.press('ArrowUp');
    expect(await box.inputValue()).toBe('first');
    await box.press('ArrowDown');
    await untilText(page, 'second\nline');
    await box.press('ArrowDown');
    await untilText(page, 'half a thought');
  });

  test('who presses the arrow up again before the answer has come goes back as far', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    for (const key of ['ArrowUp', 'ArrowUp', 'ArrowUp']) await box.press(key);
    const requests = (await postsOf(page)).flatMap((message) => (message.type === 'list_said' ? [message.request] : []));
    for (const request of requests) await tell(page, { type: 'said', request, texts: ['zero', 'first', 'second', 'third'] });
    await untilText(page, 'first');
    await box.press('ArrowDown');
    await untilText(page, 'second');
    // A step that was asked for and then typed over, or left with the cursor, counts no more.
    await box.fill('');
    await box.press('ArrowUp');
    await box.fill('other');
    await box.press('Home');
    await box.press('ArrowUp');
    await box.press('End');
    await answer(page, ['first', 'second']);
    await box.press('Home');
    await box.press('ArrowUp');
    await answer(page, ['first', 'second']);
    await untilText(page, 'second');
  });

  test('sending something said before gives back what was being written', async () => {
    const page = await rig.open({ scene: 'empty' });
    const box = boxOf(page);
    await box.fill('half a thought');
    await box.press('Home');
    await box.press('ArrowUp');
    await answer(page, ['again']);
    await untilText(page, 'again');
    await box.press('Enter');
    await untilText(page, 'half a thought');
    expect(await posted(page, 'send')).toMatchObject({ text: 'again' });
  });

  test('in the middle of a text the arrows move the cursor', async () => {
    const page = await rig.open({ scene: 'empty' });
    await boxOf(page).fill('one\ntwo');
    await boxOf(page).press('ArrowUp');
    await boxOf(page).press('ArrowDown');
    expect(await postsOf(page)).toEqual([]);
  });
});

describe('drafts', () => {
  /** Waits until the host was last told this text of a conversation. */
  const untilKept = async (page: Page, session: string, text: string): Promise<void> => {
    await page.waitForFunction(
      (draft) => {
        const last = globalThis.panelHost.posts.findLast((message) => message.type === 'save_draft');
        return last?.type === 'save_draft' && last.session === draft.session && last.text === draft.text;
      },
      { session, text },
    );
  };

  test('each conversation has its own, which the host keeps', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(page, { type: 'draft', session: 'a', text: '', at: 0 });
    await boxOf(page).fill('for a');
    await tell(page, { type: 'draft', session: 'b', text: 'for b', at: 5 });
    await untilText(page, 'for b');
    await untilKept(page, 'a', 'for a');
    await boxOf(page).fill('for b, more');
    await page.waitForFunction(() =>
      globalThis.panelHost.posts.some((message) => message.type === 'save_draft' && message.session === 'b' && message.text === 'for b, more'),
    );
    await tell(page, { type: 'draft', session: 'a', text: 'for a', at: 7 });
    await untilText(page, 'for a');
  });

  test('what is written as soon as another conversation is shown is for that one, although its draft comes later', async () => {
    const page = await rig.open({ scene: 'empty' });
    await page.evaluate(() => globalThis.panelHost.show({ title: 'First' }, 'a'));
    await tell(page, { type: 'draft', session: 'a', text: '', at: 0 });
    await boxOf(page).fill('for the first');
    await page.evaluate(() => globalThis.panelHost.show({ title: 'Second' }, 'b'));
    await untilText(page, '');
    await boxOf(page).fill('for the second');
    await tell(page, { type: 'draft', session: 'b', text: 'written before', at: 5 });
    await untilText(page, 'written before\n\nfor the second');
    await untilKept(page, 'b', 'written before\n\nfor the second');
    // Who types slowly is told of more than once.
    const told = (await postsOf(page)).flatMap((message) => (message.type === 'save_draft' ? [`${message.session}: ${message.text}`] : []));
    expect([...new Set(told)]).toEqual(['a: for the first', 'b: written before\n\nfor the second']);
  });

  test('of two drafts of one conversation the newer counts', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(page, { type: 'draft', session: 'a', text: 'from the host', at: 5 });
    await untilText(page, 'from the host');
    await boxOf(page).fill('typed here');
    await tell(page, { type: 'draft', session: 'a', text: 'older', at: 6 });
    await page.waitForFunction(() => globalThis.panelHost.posts.some((message) => message.type === 'save_draft' && message.text === 'typed here'));
    expect(await boxOf(page).inputValue()).toBe('typed here');
    const later = Date.now() + 60_000;
    await tell(page, { type: 'draft', session: 'a', text: 'written elsewhere', at: later });
    await untilText(page, 'written elsewhere');
  });

  test('what was typed before a reload is newer than what the host has heard of', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(page, { type: 'draft', session: 'a', text: '', at: 0 });
    await boxOf(page).fill('last keys');
    await page.waitForFunction(() => sessionStorage.getItem('state')?.includes('last keys'));
    await page.reload();
    await loaded(page);
    await tell(page, { type: 'draft', session: 'a', text: 'last', at: 5 });
    await untilKept(page, 'a', 'last keys');
    expect(await boxOf(page).inputValue()).toBe('last keys');
  });

  test('a message that is taken back stands in front of what is written', async () => {
    const page = await rig.open({ scene: 'empty' });
    await tell(page, { type: 'draft', session: 'a', text: 'new words', at: 5 });
    await untilText(page, 'new words');
    await tell(page, { type: 'compose', session: 'a', text: 'taken back' });
    await untilText(page, 'taken back\n\nnew words');
    await tell(page, { type: 'compose', session: 'b', text: 'in a branch' });
    await untilText(page, 'in a branch');
    await tell(page, { type: 'draft', session: 'b', text: '', at: 0 });
    await untilKept(page, 'b', 'in a branch');
  });
});

describe('the queue', () => {
  test('sending while a turn runs queues, by Enter and by a button that says so', async () => {
    const page = await rig.open({ scene: 'running' });
    expect(await button(page, 'Queue').count()).toBe(0);
    await boxOf(page).fill('next');
    await button(page, 'Queue').click();
    await untilText(page, '');
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    expect(await posted(page, 'send')).toMatchObject({ text: 'next', now: false });
    expect(await button(page, 'Send').count()).toBe(0);
    await button(page, 'Stop').waitFor();
  });

  test('it goes with the turn by Alt+Enter and by a button that says so', async () => {
    for (const send of [(page: Page) => button(page, 'Send Now').click(), (page: Page) => boxOf(page).press('Alt+Enter')]) {
      const page = await rig.open({ scene: 'running', width: 280 });
      await boxOf(page).fill('not that');
      await send(page);
      await untilText(page, '');
      expect(await posted(page, 'send')).toMatchObject({ text: 'not that', now: true });
    }
  });

  test('what goes with the turn says so and stays in front; the first that waits can go with it without opening the list', async () => {
    const page = await rig.open({ scene: 'queue with the turn' });
    const queue = page.getByRole('region', { name: 'Queue' });
    await queue.getByRole('button', { name: /^1 next, 2 queued Then fix what fails/ }).click();
    const rows = queue.getByRole('listitem');
    await rows.first().getByText('Goes with the next step').waitFor();
    const state = async (row: number): Promise<readonly boolean[]> =>
      Promise.all(['Move Up', 'Move Down', 'Send Now'].map((name) => button(rows.nth(row), name).isDisabled()));
    expect([await state(0), await state(1), await state(2)]).toEqual([
      [true, true, true],
      [true, false, false],
      [false, true, false],
    ]);
    const other = await rig.open({ scene: 'queue' });
    await button(other.getByRole('region', { name: 'Queue' }), 'Send Now').click();
    expect(await postsOf(other)).toEqual([{ type: 'queue_send', id: 'q1' }]);
  });

  test('every waiting message can be edited, moved, sent and removed', async () => {
    const page = await rig.open({ scene: 'queue' });
    const queue = page.getByRole('region', { name: 'Queue' });
    const rows = queue.getByRole('listitem');
    await queue.getByRole('button', { name: /^3 queued Then fix what fails/ }).click();
    expect(await rows.first().innerText()).toContain('src/median.js:1-9, Image 1');
    await button(rows.nth(1), 'Move Up').click();
    await button(rows.nth(1), 'Move Down').click();
    await button(rows.nth(1), 'Edit').click();
    await button(rows.nth(1), 'Send Now').click();
    await button(rows.nth(1), 'Remove').press('Enter');
    expect(await postsOf(page)).toEqual([
      { type: 'queue_move', id: 'q2', to: 'up' },
      { type: 'queue_move', id: 'q2', to: 'down' },
      { type: 'queue_edit', id: 'q2' },
      { type: 'queue_send', id: 'q2' },
      { type: 'queue_remove', id: 'q2' },
    ]);
    expect([await button(rows.first(), 'Move Up').isDisabled(), await button(rows.last(), 'Move Down').isDisabled()]).toEqual([true, true]);
    expect(await button(queue, 'Send Next').count()).toBe(0);
  });

  test('messages that wait say why, and go on at the press of a button', async () => {
    const page = await rig.open({ scene: 'queue that waits' });
    const queue = page.getByRole('region', { name: 'Queue' });
    await queue
      .getByRole('status')
      .filter({ hasText: says('queuePausedByStop') })
      .waitFor();
    await button(queue, 'Send Next').click();
    expect(await postsOf(page)).toEqual([{ type: 'queue_send', id: 'q1' }]);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { queue: { messages: [], held: '' } } }));
    await queue.waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
  });
});

describe('the tray', () => {
  test('plan, files and queue are a line each: at 300 × 900 and at 260 the conversation has most of the height', async () => {
    const page = await rig.open({ scene: 'tray', width: 300, height: 900 });
    await page.getByRole('region', { name: 'Queue' }).waitFor();
    const heightOf = async (selector: string): Promise<number> => (await page.locator(selector).boundingBox())?.height ?? 0;
    for (const width of [260, 300]) {
      await page.setViewportSize({ width, height: 900 });
      expect((await heightOf('[role=log]')) / 900, `${width}`).toBeGreaterThan(0.8);
      expect(await heightOf('.tray'), `${width}`).toBeLessThanOrEqual(3 * 28 + 3);
      expect(await sticksOutAt(page, [width])).toEqual([]);
    }
    for (const line of await page.locator('.tray [aria-expanded]').all()) await line.click();
    await page.setViewportSize({ width: 300, height: 500 });
    expect(await heightOf('.tray')).toBeLessThanOrEqual(250);
    expect(await page.locator('.tray').evaluate((element) => element.scrollHeight > element.clientHeight)).toBe(true);
  });

  test('the demo is told of once, before anything is said, with the way out', async () => {
    const page = await rig.open({ scene: 'empty', width: 300, height: 600 });
    await button(page.getByRole('region', { name: 'Demo' }), 'Set API Key…').click();
    expect(await postsOf(page)).toEqual([{ type: 'notice_action', action: 'set_api_key' }]);
    expect(await page.getByText(/demo/i).count()).toBe(2); // here, and the name of the model
    await page.evaluate(() => globalThis.panelHost.scene('conversation'));
    await page.getByRole('region', { name: 'Demo' }).waitFor({ state: 'detached' });
  });

  test.each([
    { width: 300, height: 600, zoom: 1 },
    { width: 400, height: 300, zoom: 2 },
  ])('an empty conversation fits without a scroll bar: $width × $height', async (size) => {
    const page = await rig.open({ scene: 'empty', ...size });
    await page.getByRole('heading', { name: 'What are we building?' }).waitFor();
    const log = page.getByRole('log');
    expect(await log.evaluate((element) => element.scrollHeight <= element.clientHeight)).toBe(true);
    const top = (await log.boundingBox())?.y ?? 0;
    expect((await page.getByRole('heading', { name: 'What are we building?' }).boundingBox())?.y).toBeGreaterThanOrEqual(top);
  });
});

describe('Escape', () => {
  test('closes one layer at a time, and never ends a turn that waits for an answer', async () => {
    const page = await rig.open({ scene: 'asked' });
    const box = boxOf(page);
    await box.focus();
    await box.press('Escape');
    await page.evaluate(() => globalThis.panelHost.post({ type: 'open_search' }));
    const find = page.getByRole('textbox', { name: 'Find', exact: true });
    await find.waitFor();
    await box.focus();
    await box.press('Escape');
    await find.waitFor({ state: 'detached' });
    await box.press('Escape');
    // The last one is for the prompt, where it comes long enough after that has appeared.
    const stops = async (): Promise<number> => (await postsOf(page)).filter(({ type }) => type === 'stop').length;
    expect(await stops()).toBe(0);
    await page.evaluate(() => globalThis.panelHost.scene('running'));
    await box.press('Escape');
    await expect.poll(stops).toBe(1);
  });
});

describe('the look', () => {
  test('the box grows with its text to 40 % of the height and no further', async () => {
    const page = await rig.open({ scene: 'empty' });
    const height = (): Promise<number> => boxOf(page).evaluate((element) => element.getBoundingClientRect().height);
    const before = await height();
    await boxOf(page).fill('line\n'.repeat(5));
    expect(await height()).toBeGreaterThan(before + 50);
    await boxOf(page).fill('line\n'.repeat(200));
    expect(Math.round(await height())).toBe(Math.round(760 * 0.4));
  });

  test.each(['en', 'de'])('what may be written is told as a whole at 260, 300 and 480 px, and names both signs: %s', async (language) => {
    const page = await rig.open({ scene: 'empty', ...(language === 'de' ? { language, texts: JSON.stringify(await bundleOf('de')) } : {}) });
    for (const width of [260, 300, 480]) {
      await page.setViewportSize({ width, height: 700 });
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const { words, needed, room } = await page.locator('textarea').evaluate((box: HTMLTextAreaElement) => {
        const { paddingLeft, paddingRight, fontFamily, fontSize, fontWeight } = getComputedStyle(box);
        const probe = document.body.appendChild(document.createElement('span'));
        Object.assign(probe.style, { position: 'absolute', whiteSpace: 'nowrap', fontFamily, fontSize, fontWeight });
        probe.textContent = box.placeholder;
        const found = {
          words: box.placeholder,
          needed: probe.getBoundingClientRect().width,
          room: box.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight),
        };
        probe.remove();
        return found;
      });
      expect(words).toMatch(/@.+\//);
      expect(needed, `${width}: ${words}`).toBeLessThanOrEqual(room);
    }
  });

  test('the longest message is told', async () => {
    const page = await rig.open({ scene: 'empty' });
    await boxOf(page).fill('x'.repeat(1_000_000));
    await page.getByText(says('messageTooLong', '1,000,000')).waitFor();
  });

  test('nothing sticks out, at 220, 360 and 900 pixels', async () => {
    const page = await rig.open({ scene: 'queue that waits' });
    await page.evaluate(() => {
      globalThis.panelHost.post({
        type: 'attachments',
        attachments: [{ id: 'f1', name: 'a-file-with-a-very-long-name-that-goes-on-and-on-and-on.test.ts', kind: 'file' }],
      });
      globalThis.panelHost.post({ type: 'selection', name: 'test/unit/statistics/descriptive/median-of-even-counts.test.js:1000-2000', on: true });
    });
    await boxOf(page).pressSequentially('@');
    await page.getByRole('listbox', { name: 'Mentions' }).waitFor();
    expect(await sticksOutAt(page, [220, 360, 900])).toEqual([]);
    expect(await page.getByRole('listbox', { name: 'Mentions' }).isVisible()).toBe(true);
  });
});

describe('a chat that has cooled down', () => {
  const COST = 'This chat is no longer in the provider’s cache. The next message costs about $0.42 (84,000 tokens).';

  /** A message was sent that would cost much, with a key that is still down. */
  async function asked(): Promise<Page> {
    const page = await rig.open({ scene: 'conversation', width: 300 });
    await page.evaluate((text) => {
      globalThis.panelHost.cools = text;
    }, COST);
    await boxOf(page).fill('And now the report.');
    await page.keyboard.down('Enter');
    await page.getByRole('alertdialog', { name: COST }).waitFor();
    // As often as it repeats, it is no answer.
    for (let times = 0; times < 3; times += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    return page;
  }

  const sends = async (page: Page): Promise<readonly unknown[]> =>
    (await postsOf(page))
      .filter(({ type }) => type === 'send' || type === 'compact')
      .map((message) => ('anyway' in message ? [message.type, message.anyway] : [message.type]));

  test('is told before anything is sent; the text stays, and Enter again sends it', async () => {
    const page = await asked();
    expect(await boxOf(page).inputValue()).toBe('And now the report.');
    expect(await button(page, 'Continue').evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await violations(page)).toEqual([]);
    expect(await sticksOutAt(page, [220, 260, 300, 900])).toEqual([]);
    await page.keyboard.press('Enter');
    await untilText(page, '');
    expect(await sends(page)).toEqual([['send'], ['send', true]]);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
    expect(await boxOf(page).evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('Enter in the text is Continue, too', async () => {
    const page = await asked();
    expect(await sends(page)).toEqual([['send']]);
    await boxOf(page).press('Enter');
    await untilText(page, '');
    expect(await sends(page)).toEqual([['send'], ['send', true]]);
  });

  test('Escape leads back to the text, which asks again when it is sent', async () => {
    const page = await asked();
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await page.keyboard.type(' Please.');
    await page.keyboard.press('Enter');
    await page.getByRole('alertdialog').waitFor();
    expect(await boxOf(page).inputValue()).toBe('And now the report. Please.');
    expect(await sends(page)).toEqual([['send'], ['send']]);
  });

  test('summarizing first sends the message behind it', async () => {
    const page = await asked();
    await button(page, 'Summarize First').click();
    await untilText(page, '');
    expect(await sends(page)).toEqual([['send'], ['compact'], ['send', true]]);
  });

  test('another model is not what was asked about', async () => {
    const page = await asked();
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { model: 'openai/gpt-5' } }));
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    expect(await boxOf(page).inputValue()).toBe('And now the report.');
  });
});
