import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ConfigurationView } from '../../../src/protocol/configuration.js';
import { violations } from './axe.js';
import { configuration, configurationRow, configurationSection, hookTrial } from './configuration-scenes.js';
import { PanelRig, colorOf, postsOf, showConfiguration, showHistory, sticksOutAt } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Opens the page in one of its own, as narrow as a side bar. */
async function openConfiguration(options: Parameters<PanelRig['open']>[0] & { readonly target?: string } = {}): Promise<Page> {
  const page = await rig.open({ width: 300, scene: 'instructions', ...options });
  await showConfiguration(page, options.target);
  await section(page, 'Hooks').waitFor();
  return page;
}

function section(page: Page, title: string): Locator {
  return page.getByRole('heading', { name: new RegExp(`^${title} \\d`) }).getByRole('button');
}

function row(page: Page, id: string): Locator {
  return page.locator(`[data-row="${id}"]`);
}

async function expand(page: Page, title: string, id: string): Promise<Locator> {
  await section(page, title).click();
  await row(page, id).getByRole('button').first().click();
  return row(page, id).locator('.more');
}

/** Has what is configured change, as the host does. */
function tell(page: Page, over: Partial<ConfigurationView>): Promise<void> {
  return page.evaluate((view) => globalThis.panelHost.post({ type: 'configuration', view, servers: 0 }), { ...configuration, ...over });
}

/** What was posted since the page came. */
async function wishes(page: Page): Promise<readonly unknown[]> {
  const posts = await postsOf(page);
  return posts.slice(posts.findLastIndex(({ type }) => type === 'list_configuration') + 1);
}

/** Which element has the focus, by its words. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.replace(/\s+/g, ' ').trim() ?? '');
}

describe('the page about what is configured', () => {
  test('S-05: problems come first, and each section says how many there are and how many need the user', async () => {
    const page = await openConfiguration();
    const headings = await page.getByRole('region', { name: 'Configuration', exact: true }).getByRole('heading', { level: 3 }).allInnerTexts();
    expect(headings.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Problems 2',
      'Settings 2',
      'Settings files 2',
      'Permission rules 2 1 needs you',
      'Hooks 2 1 needs you',
      'Agents 1',
      'Skills 2',
      'Slash commands 1',
      'Output styles 0',
      'Instructions 5',
    ]);
    await page.getByText('The time limit must be a number of seconds').waitFor();
    await section(page, 'Skills').click();
    await page.getByText('The list for models takes about 84 tokens. Not listed, because there are too many: 1.').waitFor();
    await section(page, 'Output styles').click();
    await page.getByText('There are none. They are read from').waitFor();
    await section(page, 'Instructions').click();
    await page.getByText('1,230 tokens').waitFor();
  });

  test('a row says whether it counts and where it is, and leads there; expanded, what lost and what became of its fields', async () => {
    const page = await openConfiguration();
    const model = await expand(page, 'Settings', 'settings:gnomon.model');
    for (const text of ['The model that new chats use.', 'A workspace cannot set this.', '"demo/scripted"', 'workspace settings'])
      await model.getByText(text).waitFor();
    const file = await expand(page, 'Settings files', 'files:/ws/.claude/settings.json');
    for (const text of ['Used: hooks, permissions.deny', 'Refused: env', 'It could lead your keys or programs elsewhere', 'Ignored: cleanupPeriodDays'])
      await file.getByText(text).waitFor();
    expect(await colorOf(file.getByText('Refused: env'))).toBe('warn');
    await file.getByRole('button', { name: '.claude/settings.json:30' }).click();
    await row(page, 'files:/ws/.claude/settings.json')
      .getByRole('button', { name: /^Open File/ })
      .click();
    await page.getByRole('button', { name: '.claude/settings.json:17' }).click();
    const rules = await expand(page, 'Permission rules', 'rules:2');
    await rules.getByRole('button', { name: 'Review…' }).click();
    expect((await wishes(page)).filter((wish) => !JSON.stringify(wish).includes('load_configuration'))).toEqual([
      { type: 'open_configuration_place', id: '/ws/.claude/settings.json:30' },
      { type: 'open_configuration_place', id: '/ws/.claude/settings.json' },
      { type: 'open_configuration_place', id: '/ws/.claude/settings.json:17' },
      { type: 'configuration_action', id: 'rules:2', action: 'review_rules' },
    ]);
  });

  test('the filter looks in names, places, and texts; Escape takes it back, and then leads to the chat', async () => {
    const page = await openConfiguration();
    expect(await focused(page)).toBe('Filter');
    await page.keyboard.type('SETTINGS.json:9 allow');
    await row(page, 'rules:2').waitFor();
    expect(await page.locator('[data-row]').count()).toBe(1);
    await page.getByRole('button', { name: /^Permission rules 1 of 2/ }).waitFor();
    await page.getByRole('searchbox').fill('release notes');
    await row(page, 'skills:release-notes').waitFor();
    await page.getByRole('searchbox').fill('nothing like it');
    await page.getByText('No results for “nothing like it”.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Configuration', exact: true }).waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Message');
    expect((await wishes(page)).at(-1)).toEqual({ type: 'close_configuration' });
  });

  test('what changes while it is open keeps what is expanded, the filter, and the focus', async () => {
    const page = await openConfiguration();
    await expand(page, 'Hooks', 'hooks:guard');
    await page.getByRole('searchbox').fill('pretooluse');
    await row(page, 'hooks:guard').getByRole('button', { name: 'Revoke Approval…' }).focus();
    const hooks = configurationSection('hooks', [
      configurationRow('hooks:new', { name: 'PreToolUse Write', state: 'Waits for approval', tone: 'waits' }),
      ...(configuration.sections[3]?.rows ?? []),
    ]);
    await tell(page, { sections: configuration.sections.map((each) => (each.id === 'hooks' ? hooks : each)) });
    await row(page, 'hooks:new').waitFor();
    expect([await focused(page), await page.getByRole('searchbox').inputValue()]).toEqual(['Revoke Approval…', 'pretooluse']);
    expect((await wishes(page)).filter((wish) => JSON.stringify(wish).includes('load_configuration')).length).toBe(2);
    await row(page, 'hooks:guard').getByText('SHA-256').waitFor();
  });

  test('leads to a section or a row that it is opened for, also behind many, and to one that comes later', async () => {
    const page = await openConfiguration({ target: 'agents:reviewer' });
    await expect.poll(() => focused(page)).toContain('reviewer');
    await row(page, 'agents:reviewer').getByText('This agent is reached as “user:reviewer”.').waitFor();
    await showConfiguration(page, 'hooks');
    await expect.poll(() => focused(page)).toContain('Hooks');
    const many = configurationSection(
      'skills',
      Array.from({ length: 500 }, (_, index) => configurationRow(`skills:s${index}`)),
    );
    await tell(page, { sections: [many] });
    await showConfiguration(page, 'skills:s450');
    await expect.poll(() => focused(page)).toContain('s450');
  });

  test('500 rows of a section are there at once, the first of them until all are wanted', async () => {
    const page = await openConfiguration();
    const many = configurationSection(
      'skills',
      Array.from({ length: 500 }, (_, index) => configurationRow(`skills:s${index}`, { text: 'Does something.' })),
      { left: 20 },
    );
    await tell(page, { sections: [many] });
    const took = await page.evaluate(async () => {
      const heading = [...document.querySelectorAll<HTMLElement>('h3 button')].find(({ textContent }) => textContent.includes('Skills'));
      const start = performance.now();
      heading?.click();
      await new Promise(requestAnimationFrame);
      return performance.now() - start;
    });
    expect(took).toBeLessThan(1_000);
    expect(await page.locator('[data-row]').count()).toBe(100);
    await page.getByText('20 more are not listed.').waitFor();
    await page.getByRole('button', { name: 'Show All 500' }).click();
    await expect.poll(() => page.locator('[data-row]').count()).toBe(500);
  });

  test('S-03: a workspace that is not trusted is named as such, with the way to trust it', async () => {
    const page = await openConfiguration();
    await tell(page, { trusted: false });
    await page.getByText('This workspace is not trusted: its settings, hooks, agents').waitFor();
    await page.getByRole('button', { name: 'Manage Workspace Trust' }).click();
    expect((await wishes(page)).at(-1)).toEqual({ type: 'notice_action', action: 'manage_trust' });
  });

  test('the texts of files are text, and nothing hides in them', async () => {
    const page = await openConfiguration();
    const odd = configurationRow('agents:odd', {
      name: '<img src=x onerror=alert(1)>\u202Egnp',
      value: '<b>v</b>\u200B',
      text: 'x',
      place: { id: '/ws/<i>\u200B', display: '<i>\u200B' },
    });
    await tell(page, { sections: [configurationSection('agents', [odd])], problems: [{ id: 'p', key: '<u>', message: '<script>alert(1)</script>\u2066' }] });
    await section(page, 'Agents').click();
    await row(page, 'agents:odd')
      .getByText(String.raw`<img src=x onerror=alert(1)>\u202Egnp`)
      .waitFor();
    await row(page, 'agents:odd')
      .getByText(String.raw`<b>v</b>\u200B`)
      .waitFor();
    await row(page, 'agents:odd')
      .getByRole('button', { name: String.raw`<i>\u200B` })
      .waitFor();
    await page.getByText(String.raw`<script>alert(1)</script>\u2066`).waitFor();
    expect(await page.locator('.configuration :is(img, b, i, u, script)').count()).toBe(0);
  });

  test('it, the history, and the servers take turns', async () => {
    const page = await openConfiguration();
    await showHistory(page);
    await page.getByRole('region', { name: 'Configuration', exact: true }).waitFor({ state: 'detached' });
    await showConfiguration(page);
    await page.getByRole('button', { name: 'MCP Servers 3' }).click();
    await page.getByRole('region', { name: 'MCP Servers' }).waitFor();
    expect(await page.getByRole('region', { name: 'Configuration', exact: true }).count()).toBe(0);
  });

  test('everything can be reached and used by the keyboard', async () => {
    const page = await openConfiguration();
    await section(page, 'Hooks').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatch(/^PreToolUse Bash/);
    await page.keyboard.press('Space');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('true');
    const reached: string[] = [];
    await row(page, 'hooks:guard').getByRole('button', { name: 'Open Script' }).waitFor();
    for (let press = 0; press < 4; press += 1) {
      await page.keyboard.press('Tab');
      reached.push(await focused(page));
    }
    expect(reached).toEqual(['.claude/settings.json:14', 'Revoke Approval…', 'Open Script', 'Run Against the Last Call']);
  });

  test('axe finds nothing at 300 px in any theme, and nothing sticks out at any width', async () => {
    const page = await openConfiguration({ height: 900 });
    expect(await violations(page)).toEqual([]);
    for (const [title, id] of [
      ['Settings', 'settings:gnomon.model'],
      ['Settings files', 'files:/ws/.claude/settings.json'],
      ['Permission rules', 'rules:2'],
      ['Hooks', 'hooks:guard'],
      ['Agents', 'agents:reviewer'],
      ['Skills', 'skills:release-notes'],
    ] as const)
      await expand(page, title, id);
    await row(page, 'hooks:changed').getByRole('button').first().click();
    await page.evaluate((trial) => globalThis.panelHost.post({ type: 'hook_trial', id: 'hooks:guard', trial }), hookTrial);
    await page.getByText('It would block.').waitFor();
    await section(page, 'Instructions').click();
    expect(await violations(page)).toEqual([]);
    expect(await sticksOutAt(page, [240, 260, 300, 480, 900])).toEqual([]);
  });
});

describe('the bench of a hook', () => {
  test('H-41: shows all that decides what it does, for a changed one the difference, and lets VS Code ask', async () => {
    const page = await openConfiguration();
    const guard = await expand(page, 'Hooks', 'hooks:guard');
    for (const text of ['"Bash"', String.raw`"node \"$CLAUDE_PROJECT_DIR\"/.claude/hooks/guard.mjs"`, '60000 ms', 'SHA-256 9f86d0', 'blocks'])
      await guard.getByText(text).waitFor();
    await row(page, 'hooks:changed').getByRole('button').first().click();
    const changed = row(page, 'hooks:changed').locator('.more');
    await changed.getByText('What changed since you approved it').waitFor();
    await changed.getByText('60303ae22', { exact: false }).first().waitFor();
    expect(await changed.getByRole('button', { name: 'Run Against the Last Call' }).count()).toBe(0);
    await changed.getByRole('button', { name: 'Approve…' }).click();
    await guard.getByRole('button', { name: 'Open Script' }).click();
    expect((await wishes(page)).slice(-2)).toEqual([
      { type: 'configuration_action', id: 'hooks:changed', action: 'approve_hook' },
      { type: 'configuration_action', id: 'hooks:guard', action: 'open_scripts' },
    ]);
  });

  test('runs a hook, says so, can be stopped, and shows what came of it', async () => {
    const page = await openConfiguration();
    const guard = await expand(page, 'Hooks', 'hooks:guard');
    await guard.getByRole('button', { name: 'Run Against the Last Call' }).click();
    await guard.getByText('Running the hook…').waitFor();
    await guard.getByRole('button', { name: 'Stop' }).click();
    expect((await wishes(page)).slice(-2)).toEqual([
      { type: 'try_hook', id: 'hooks:guard' },
      { type: 'stop_hook', id: 'hooks:guard' },
    ]);
    await page.evaluate(() => globalThis.panelHost.post({ type: 'hook_trial', id: 'hooks:guard' }));
    await guard.getByRole('button', { name: 'Run Against the Last Call' }).click();
    await page.evaluate((trial) => globalThis.panelHost.post({ type: 'hook_trial', id: 'hooks:guard', trial }), { ...hookTrial, stdout: 'a\u202Eb' });
    for (const text of [
      'It matches.',
      'Ended: it answered, exit code 2 · 41 ms',
      'Decision: block: nothing is touched here',
      'It would block.',
      String.raw`a\u202Eb`,
      '"command": "touch canary.txt"',
    ])
      await guard.getByText(text).first().waitFor();
    await guard.getByRole('button', { name: 'Run Against the Last Call' }).click();
    await page.evaluate(() =>
      globalThis.panelHost.post({ type: 'hook_trial', id: 'hooks:guard', problem: 'Nothing has happened at the event PreToolUse in this window yet.' }),
    );
    await guard.getByText('Nothing has happened at the event').waitFor();
    expect(await guard.getByText('It would block.').count()).toBe(0);
  });
});
