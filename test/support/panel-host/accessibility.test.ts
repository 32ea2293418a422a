import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { THEME_NAMES, violations } from './axe.js';
import { PanelRig } from './rig.js';
import { callNamed } from '../call-named.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Shows a scene with all of its rows unfolded. */
async function showUnfolded(page: Page, scene: string): Promise<void> {
  await page.evaluate(async (name) => {
    await globalThis.panelHost.scene(name);
    const isThere = (): boolean => document.querySelector('.blocks, section, .prompt, .output, .compaction, .call') !== null;
    const folded = (): HTMLElement | null => document.querySelector('button:is(.row, .tray *)[aria-expanded="false"]');
    // A row that unfolds may have others in it.
    for (let row = folded(); !isThere() || row !== null; row = folded()) {
      row?.click();
      await new Promise((resolve) => setTimeout(resolve));
    }
  }, scene);
}

describe('axe finds nothing, in any theme,', () => {
  test.each([
    ['in conversations', ['empty', 'demo', 'conversation', 'running', 'trouble', 'retry', 'question', 'choices', 'answered', 'plan', 'planned', 'compaction', 'instructions', 'begin', 'address']],
    ['in prompts', ['command', 'hidden', 'diff', 'asked', 'tail', 'spaces', 'steps', 'sequences', 'refused', 'long diff', 'three', 'allowed']],
    ['in what stands above the composer', ['changes', 'many changes', 'hidden changes', 'changes while running', 'queue', 'queue that waits']],
  ])('%s', async (_, scenes) => {
    const page = await rig.open();
    for (const scene of scenes) {
      await showUnfolded(page, scene);
      // What is long has hundreds of rows of a kind that is in other scenes, too, where it is looked at in every theme.
      expect(await violations(page, ['many changes', 'long diff'].includes(scene) ? ['dark'] : THEME_NAMES), scene).toEqual([]);
    }
  });

  test('in open lists', async () => {
    const page = await rig.open();
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially('/');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor();
    expect(await violations(page), 'commands').toEqual([]);
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { context: { used: 160_000, limit: 200_000, parts: { prefix: 9_000, messages: 51_000, files: 100_000 } } } }));
    for (const [name, role] of [[/^Model:/, 'dialog'], [/^Permission mode/, 'menu'], [/^Context/, 'dialog']] as const) {
      await page.getByRole('button', { name }).click();
      await page.locator(`.popup[role=${role}]`).waitFor();
      expect(await violations(page), String(name)).toEqual([]);
      await page.keyboard.press('Escape');
    }
  });

  test('where rules are chosen or a command is edited', async () => {
    const page = await rig.open();
    for (const scene of ['asked', 'sequences', 'refused']) {
      await page.evaluate((name) => globalThis.panelHost.scene(name), scene);
      const more = page.getByRole('button', { name: 'More Options' });
      if ((await more.count()) > 0) {
        await more.click();
        expect(await violations(page), `${scene}: places`).toEqual([]);
        await page.getByRole('button', { name: 'Edit Rule…' }).click();
      } else await page.getByRole('button', { name: 'Always Allow…' }).click();
      const rules = page.getByRole('textbox', { name: /^Rules/ });
      await rules.waitFor();
      expect(await violations(page), `${scene}: rules`).toEqual([]);
      await rules.fill('');
      expect(await violations(page), `${scene}: no rules`).toEqual([]);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      const command = page.getByRole('textbox', { name: 'Command', exact: true });
      await command.waitFor();
      expect(await violations(page), `${scene}: command`).toEqual([]);
      await command.fill('');
      expect(await violations(page), `${scene}: no command`).toEqual([]);
    }
  });
});

test('everything is there under its role and name', async () => {
  const page = await rig.open({ scene: 'command' });
  await page.getByRole('log', { name: 'Chat', exact: true }).waitFor();
  for (const name of ['You', 'Gnomon']) await page.getByRole('article', { name, exact: true }).waitFor();
  for (const name of ['Stop', 'Attach', 'Allow', 'Deny', 'Edit', 'Thinking']) await page.getByRole('button', { name, exact: true }).waitFor();
  for (const name of [/^Model: /, /^Permission mode: /]) await page.getByRole('button', { name }).waitFor();
  await page.getByRole('textbox', { name: 'Message', exact: true }).waitFor();
  await page.getByRole('group', { name: 'Read 1 file, searched once', exact: true }).waitFor();
  await page.getByRole('group', { name: callNamed('bash npm test -- --grep median') }).getByRole('group', { name: 'Permission required', exact: true }).waitFor();
});
