import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { violations } from './axe.js';
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
    [
      'in conversations',
      [
        'empty',
        'demo',
        'conversation',
        'running',
        'trouble',
        'retry',
        'question',
        'choices',
        'answered',
        'plan',
        'planned',
        'compaction',
        'instructions',
        'begin',
        'address',
        'websearch',
        'routed',
      ],
    ],
    ['in prompts', ['command', 'hidden', 'diff', 'asked', 'tail', 'spaces', 'steps', 'sequences', 'refused', 'long diff', 'three', 'allowed']],
    [
      'in what stands above the composer',
      ['changes', 'many changes', 'hidden changes', 'changes while running', 'changes of agents', 'queue', 'queue that waits'],
    ],
  ])('%s', async (_, scenes) => {
    const page = await rig.open();
    for (const scene of scenes) {
      await showUnfolded(page, scene);
      // What is long has hundreds of rows of a kind that is in other scenes, too, where it is looked at in every theme.
      expect(await violations(page, ['many changes', 'long diff'].includes(scene) ? ['dark'] : undefined), scene).toEqual([]);
    }
  });

  test('in open lists', async () => {
    const page = await rig.open();
    await page.getByRole('textbox', { name: 'Message' }).pressSequentially('/');
    await page.getByRole('listbox', { name: 'Commands' }).waitFor();
    expect(await violations(page), 'commands').toEqual([]);
    await page.evaluate(() =>
      globalThis.panelHost.events({
        type: 'meta',
        patch: {
          context: {
            used: 160_000,
            limit: 200_000,
            parts: { systemPrompt: 4_000, tools: 5_000, instructions: 6_000, messages: 45_000, images: 10_000, toolResults: 90_000 },
          },
        },
      }),
    );
    for (const [name, role] of [
      [/^Model:/, 'dialog'],
      [/^Permission mode/, 'menu'],
      [/^Context/, 'dialog'],
    ] as const) {
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

describe('with the colors that the system forces', () => {
  const open = (scene: string): Promise<Page> => rig.open({ scene, height: 900, media: { forcedColors: 'active' } });

  /** Whether an element's text, border or outline stands out from the page. */
  const standsOut = (element: Locator, part: 'color' | 'border' | 'outline'): Promise<boolean> =>
    element.first().evaluate((node, name) => {
      const { color, backgroundColor, borderTopColor, borderTopWidth, outlineColor, outlineWidth, outlineStyle } = getComputedStyle(node);
      const [shown, width] = {
        color: [color, '1px'],
        border: [borderTopColor, borderTopWidth],
        outline: [outlineColor, outlineStyle === 'none' ? '0px' : outlineWidth],
      }[name] as [string, string];
      const opaque = /^rgba\(.*, (?<alpha>[\d.]+)\)$/.exec(shown)?.groups?.['alpha'] ?? '1';
      return width !== '0px' && Number(opaque) > 0.3 && shown !== backgroundColor;
    }, part);

  test.each(['empty', 'conversation', 'routed', 'running', 'trouble', 'question', 'asked', 'diff', 'edits', 'changes', 'queue', 'plan'])(
    'axe finds nothing: %s',
    async (scene) => {
      const page = await open(scene);
      await showUnfolded(page, scene);
      expect(await violations(page, ['dark'])).toEqual([]);
    },
  );

  test('the buttons of a prompt, and the signs of a difference, are to be seen', async () => {
    const page = await open('diff');
    const prompt = page.getByRole('group', { name: 'Permission required', exact: true });
    for (const name of ['Deny', 'Open Diff', 'More Options'])
      expect(await standsOut(prompt.getByRole('button', { name, exact: true }), 'border'), name).toBe(true);
    const allow = prompt.getByRole('button', { name: 'Allow', exact: true });
    const [fill, canvas] = await Promise.all(
      [allow, page.locator('body')].map((element) => element.evaluate((node) => getComputedStyle(node).backgroundColor)),
    );
    expect(fill).not.toBe(canvas);
    expect(await standsOut(allow, 'color')).toBe(true);
    const signs = prompt.locator('.sign').filter({ hasText: /\S/ });
    expect(new Set((await signs.allTextContents()).map((sign) => sign.trim()))).toEqual(new Set(['+', '−']));
    for (const sign of ['+', '−']) expect(await standsOut(signs.filter({ hasText: sign }), 'color'), sign).toBe(true);
  });

  test.each(['asked', 'question', 'conversation', 'changes'])('the focus has a ring wherever it goes: %s', async (scene) => {
    const page = await open(scene);
    await page.locator('textarea').focus();
    const without: string[] = [];
    const seen = new Set<string>();
    for (let steps = 0; steps < 40; steps += 1) {
      const { name, ring } = await page.evaluate(() => {
        const element = document.activeElement ?? document.body;
        const rings = [element, element.closest('.box')].flatMap((node) => (node === null ? [] : [getComputedStyle(node)]));
        return {
          name: element.outerHTML.slice(0, 120),
          ring: rings.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px'),
        };
      });
      if (!ring && !name.startsWith('<body')) without.push(name);
      seen.add(name);
      await page.keyboard.press('Tab');
    }
    expect(without).toEqual([]);
    expect(seen.size).toBeGreaterThan(6);
  });

  test('what runs is to be seen, and its words too', async () => {
    const page = await open('running');
    const line = page.getByRole('button', { name: /^Running npm test/ });
    expect(await standsOut(line.locator('.words'), 'color')).toBe(true);
    expect(await standsOut(line.locator('.words .subject'), 'color')).toBe(true);
    const turning = line.locator('svg.spin');
    expect(await turning.isVisible()).toBe(true);
    expect(await standsOut(turning, 'color')).toBe(true);
    expect(await standsOut(page.getByRole('button', { name: 'Stop', exact: true }), 'border')).toBe(true);
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
  await page
    .getByRole('group', { name: callNamed('bash npm test -- --grep median') })
    .getByRole('group', { name: 'Permission required', exact: true })
    .waitFor();
});
