import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ServersView } from '../../../src/protocol/servers.js';
import { says } from '../wording.js';
import { violations } from './axe.js';
import { afterGuard, colorOf, postsOf, PanelRig, showHistory, showServers, sticksOutAt } from './rig.js';
import { consent, serverRow, servers } from './servers-scenes.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Opens the servers in a page of its own, as narrow as a side bar. */
async function openServers(options: Parameters<PanelRig['open']>[0] = {}): Promise<Page> {
  const page = await rig.open({ width: 300, ...options });
  await showServers(page);
  await row(page, 'github').waitFor();
  return page;
}

function row(page: Page, id: string): Locator {
  return page.locator(`[data-server="${id}"]`);
}

/** What was posted since the list came. */
async function wishes(page: Page): Promise<readonly unknown[]> {
  const posts = await postsOf(page);
  return posts.slice(posts.findLastIndex(({ type }) => type === 'list_servers') + 1);
}

/** Has the list change, as the host does. */
function tell(page: Page, over: Partial<ServersView>): Promise<void> {
  return page.evaluate((view) => globalThis.panelHost.post({ type: 'servers', view }), { ...servers, ...over });
}

async function openGithub(options: Parameters<PanelRig['open']>[0] = {}): Promise<Page> {
  const page = await openServers(options);
  await page.getByRole('button', { name: 'github', exact: true }).click();
  await page.getByRole('list', { name: 'Tools' }).waitFor();
  return page;
}

/** Which button of the page has the focus, by its name. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim() ?? '');
}

describe('the list of servers', () => {
  test('M-02: says of each server what it is, how it is, where it is configured, and what to do', async () => {
    const page = await openServers();
    const told: Readonly<Record<string, readonly [status: string, line: string, source: string, button: string]>> = {
      github: ['Connected', '1 tool changed since you accepted it.', '~/.claude.json:40', 'Review Tools'],
      postgres: ['Waiting', says('serverWaitsForApproval'), '.mcp.json:12', 'Approve…'],
      files: ['Waiting', says('serverChanged'), '.mcp.json:20', 'Review Change…'],
      linear: ['Needs sign-in', 'Sign in to use it.', '.vscode/mcp.json:8', 'Sign In'],
      browser: ['Failed', 'EADDRINUSE', '.mcp.json:3', 'Restart'],
      jira: ['Waiting', 'It needs a value', '.mcp.json:3', 'Enter Value…'],
      notes: ['Waiting', 'It starts when', '.mcp.json:3', 'Start'],
      sentry: ['Disabled', 'It does not start.', 'gnomon.mcpServers', 'Enable'],
    };
    for (const [id, [status, line, source, button]] of Object.entries(told)) {
      await row(page, id).locator('.status').filter({ hasText: status }).waitFor();
      await row(page, id).getByText(line).waitFor();
      await row(page, id).getByRole('button', { name: source, exact: true }).waitFor();
      await row(page, id)
        .getByRole('button', { name: `${button} ${id}`, exact: true })
        .waitFor();
    }
    await row(page, 'github').getByText('GitHub MCP Server 1.2.0').waitFor();
    await row(page, 'chrome').getByText('It starts when a chat works with its agent.').waitFor();
    await row(page, 'chrome').getByText('Only for the agent tester').waitFor();
    for (const id of ['memory', 'chrome']) expect(await row(page, id).locator('.foot > button').count()).toBe(0);
    expect(await colorOf(row(page, 'browser').locator('p.line'))).toBe('danger');
  });

  test('does what its buttons and its menu say', async () => {
    const page = await openServers();
    await row(page, 'linear')
      .getByRole('button', { name: /^Sign In/ })
      .click();
    await row(page, 'linear').getByRole('button', { name: '.vscode/mcp.json:8' }).click();
    await row(page, 'github').getByRole('button', { name: 'Actions for github' }).click();
    const menu = page.getByRole('menu', { name: 'Actions for github' });
    expect(await menu.getByRole('menuitem').allTextContents()).toEqual([
      'Stop',
      'Restart',
      'Disable',
      'Sign Out',
      'Show Log',
      'Copy Report',
      'Revoke Approval',
      'Open Configuration',
    ]);
    await page.keyboard.press('r');
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe('Actions for github');
    await page.getByRole('button', { name: '.cursor/mcp.json:9' }).click();
    await page.getByRole('combobox', { name: 'When the tools of github are sent' }).selectOption('Defer');
    expect(await wishes(page)).toEqual([
      { type: 'server_action', id: 'linear', action: 'sign_in' },
      { type: 'server_action', id: 'linear', action: 'open_source' },
      { type: 'server_action', id: 'github', action: 'restart' },
      { type: 'open_servers_problem', id: 'p2' },
      { type: 'set_server_budget', id: 'github', budget: 'defer' },
    ]);
  });

  test('M-30: nothing can be approved in a workspace that is not trusted, also where that is said late', async () => {
    const page = await openServers();
    await row(page, 'postgres')
      .getByRole('button', { name: /^Approve…/ })
      .click();
    await page.getByRole('button', { name: 'Approve and Start' }).waitFor();
    await tell(page, { trusted: false });
    await page.getByRole('button', { name: 'Approve and Start' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'All Servers' }).click();
    await row(page, 'postgres').getByText(says('serverNeedsTrust')).waitFor();
    await row(page, 'postgres')
      .getByRole('button', { name: /^Manage Workspace Trust/ })
      .click();
    expect(await page.getByRole('button', { name: /Approve|Review Change/ }).count()).toBe(0);
    expect((await wishes(page)).at(-1)).toEqual({ type: 'notice_action', action: 'manage_trust' });
  });

  test('says what servers are where there are none, and leads to them', async () => {
    const page = await openServers();
    await tell(page, { servers: [], problems: [] });
    await page.getByText('MCP servers give Gnomon more tools').waitFor();
    await page.getByRole('button', { name: 'Add to This Workspace' }).click();
    await page.getByRole('button', { name: 'Add for All Workspaces' }).click();
    expect((await wishes(page)).slice(-2)).toEqual([
      { type: 'add_server', to: 'workspace' },
      { type: 'add_server', to: 'user' },
    ]);
    await page.getByRole('button', { name: 'Import from Other Programs…' }).click();
    await page.getByRole('checkbox', { name: 'figma' }).waitFor();
  });

  test('the names and words of strangers are text, and nothing hides in them', async () => {
    const page = await openServers();
    const problem = 'It said <img src=x onerror=alert(1)> \u202Ereversed';
    await tell(page, { servers: [serverRow('odd', { name: '<b>odd</b>\u200B', status: 'failed', problem, server: { name: '<i>', version: '1' } })] });
    await row(page, 'odd')
      .getByText(String.raw`It said <img src=x onerror=alert(1)> \u202Ereversed`)
      .waitFor();
    await page.getByRole('button', { name: String.raw`<b>odd</b>\u200B`, exact: true }).waitFor();
    expect(await page.locator('.servers :is(img, b)').count()).toBe(0);
  });

  test('icons of servers are bytes that the host sent, and only once asked for', async () => {
    const page = await openServers();
    await tell(page, { servers: [serverRow('pic', { icon: true })] });
    await expect.poll(() => wishes(page)).toEqual([{ type: 'load_server_icon', id: 'pic' }]);
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    await page.evaluate((bytes) => globalThis.panelHost.post({ type: 'server_icon', id: 'pic', mimeType: 'image/png', data: new Uint8Array(bytes) }), [...png]);
    await expect
      .poll(() =>
        row(page, 'pic')
          .locator('img')
          .evaluate((img: HTMLImageElement) => [img.naturalWidth, new URL(img.src).protocol]),
      )
      .toEqual([1, 'blob:']);
    expect(rig.strangeRequests.filter((url) => !url.startsWith('blob:'))).toEqual([]);
  });

  test('300 servers are there at once', async () => {
    const page = await openServers();
    await tell(page, { servers: Array.from({ length: 300 }, (_, index) => serverRow(`s${index}`)), left: { servers: 700, problems: 0 } });
    await page.getByText('700 more servers are not shown.').waitFor();
    await page.locator('[data-server=s0] .name').focus();
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toBe('s299');
  });
});

describe('before a server starts', () => {
  test('M-30: all of it is shown, each argument on its own, and approved as it was shown', async () => {
    const page = await openServers({ height: 900 });
    await row(page, 'postgres')
      .getByRole('button', { name: /^Approve…/ })
      .click();
    const facts = page.getByRole('group', { name: 'What you approve' });
    await facts.getByRole('list', { name: 'Arguments' }).waitFor();
    expect(await facts.getByRole('list', { name: 'Arguments' }).locator('.value').allTextContents()).toEqual([
      '-y',
      '@example/postgres-mcp@latest',
      '(empty)',
      '--connection=postgres://localhost:5432/shop',
      '--title=My shop ',
    ]);
    expect(await facts.getByRole('list', { name: 'Environment variables that it gets' }).locator('.value').allTextContents()).toEqual(['PGPASSWORD', 'PGUSER']);
    for (const text of ['npx', '/home/ada/shop', 'npx downloads a program']) await facts.getByText(text).first().waitFor();
    await facts.getByRole('button', { name: '.mcp.json:12' }).waitFor();
    const approve = page.getByRole('button', { name: 'Approve and Start' });
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBeNull();
    await approve.click();
    expect((await wishes(page)).at(-1)).toEqual({ type: 'approve_server', id: 'postgres', hash: 'hash-1' });
    await page.getByRole('list', { name: 'Servers', exact: true }).waitFor();
    await expect.poll(() => focused(page)).toBe('postgres');
  });

  test('M-30: what does not fit is read to its end first, and not for another content', async () => {
    const page = await openServers({ height: 500 });
    await row(page, 'postgres')
      .getByRole('button', { name: /^Approve…/ })
      .click();
    const approve = page.getByRole('button', { name: 'Approve and Start' });
    await page.getByText(says('reviewRestToApprove')).waitFor();
    await afterGuard(page);
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    await approve.click({ force: true });
    await page.getByRole('button', { name: 'Scroll to End' }).click();
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBeNull();
    await page.evaluate((other) => globalThis.panelHost.post({ type: 'server_consent', id: 'postgres', consent: other }), {
      ...consent,
      hash: 'hash-9',
      args: Array.from({ length: 100 }, (_, index) => `--option-${index}`),
    });
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('true');
    await page.getByText('This changed while it was open. Review it again.').waitFor();
    expect((await wishes(page)).filter((wish) => (wish as { type: string }).type === 'approve_server')).toEqual([]);
  });

  test('M-31: a press that was meant for what was shown before approves nothing', async () => {
    const page = await openServers({ height: 900 });
    await row(page, 'postgres')
      .getByRole('button', { name: /^Approve…/ })
      .click();
    const approve = page.getByRole('button', { name: 'Approve and Start' });
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBeNull();
    const blocked = await page.evaluate(
      async (other) => {
        globalThis.panelHost.post({ type: 'server_consent', id: 'postgres', consent: other });
        while (document.body.textContent.includes('PGUSER')) await new Promise(requestAnimationFrame);
        const button = document.querySelector<HTMLElement>('.foot button');
        button?.click();
        return button?.ariaDisabled;
      },
      { ...consent, hash: 'hash-9', env: ['OTHER'] },
    );
    expect(blocked).toBe('true');
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBeNull();
    expect(await wishes(page)).toEqual([{ type: 'load_server_consent', id: 'postgres' }]);
  });

  test('what would start is asked for again when it changes meanwhile', async () => {
    const page = await openServers();
    await row(page, 'postgres')
      .getByRole('button', { name: /^Approve…/ })
      .click();
    await page.getByText('PGUSER').waitFor();
    await tell(page, { servers: [serverRow('postgres', { waitsFor: 'approval', revision: 2 })] });
    await expect.poll(async () => (await wishes(page)).filter((wish) => (wish as { type: string }).type === 'load_server_consent')).toHaveLength(2);
    await tell(page, { servers: [] });
    await page.getByText('This server is not configured any more.').waitFor();
  });

  test('M-31: a change is shown as old and new, of the entry and of its script, with what hides in it', async () => {
    const page = await openServers({ height: 900 });
    await row(page, 'files')
      .getByRole('button', { name: /^Review Change…/ })
      .click();
    await page.getByRole('heading', { name: 'Review the change of files' }).waitFor();
    const changes = page.getByRole('group', { name: 'Changes', exact: true });
    await expect.poll(() => changes.count()).toBe(2);
    await changes.first().locator('.added', { hasText: '--root=/' }).waitFor();
    await expect.poll(async () => (await changes.last().locator('.added .text').allTextContents()).join('')).toContain(String.raw`https://evil.test/\u202E`);
    await page.getByText('This contains invisible characters').waitFor();
    // Nothing of a long line lies to the side.
    expect(await changes.last().evaluate((box) => box.scrollWidth <= box.clientWidth)).toBe(true);
    const approve = page.getByRole('button', { name: 'Approve and Start' });
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBeNull();
    await approve.click();
    expect((await wishes(page)).at(-1)).toEqual({ type: 'approve_server', id: 'files', hash: 'hash-2' });
  });

  test.each([300, 700])('M-31: what changed is read to its end first, at %d px', async (width) => {
    const page = await openServers({ width, height: 420 });
    await row(page, 'files')
      .getByRole('button', { name: /^Review Change…/ })
      .click();
    await page.getByText(says('reviewRestToApprove')).waitFor();
    await afterGuard(page);
    const approve = page.getByRole('button', { name: 'Approve and Start' });
    expect(await approve.getAttribute('aria-disabled')).toBe('true');
    // Each press leads to the next end that was not seen.
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Scroll to End' }).click();
        return approve.getAttribute('aria-disabled');
      })
      .toBeNull();
    expect(await wishes(page)).toEqual([{ type: 'load_server_consent', id: 'files' }]);
  });

  test('M-31: old and new are side by side where there is room', async () => {
    const page = await openServers({ width: 700, height: 900 });
    await row(page, 'files')
      .getByRole('button', { name: /^Review Change…/ })
      .click();
    const table = page.getByRole('table', { name: 'Changes' }).first();
    await table.getByRole('row', { name: 'env: (none) env: TOKEN' }).waitFor();
    expect(await table.getByRole('columnheader').allTextContents()).toEqual(['Before', 'Now']);
  });

  test('goes back without an answer', async () => {
    const page = await openServers();
    await row(page, 'postgres')
      .getByRole('button', { name: /^Approve…/ })
      .click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('list', { name: 'Servers', exact: true }).waitFor();
    expect(await wishes(page)).toEqual([{ type: 'load_server_consent', id: 'postgres' }]);
  });
});

describe('a server', () => {
  test('M-32: its tools are shown with all that they say, switched, and accepted when they changed', async () => {
    const page = await openGithub({ height: 1_400 });
    const tools = page.getByRole('list', { name: 'Tools' }).getByRole('listitem');
    const changed = tools.filter({ hasText: 'create_issue' });
    await changed.getByText(says('toolChanged')).waitFor();
    expect(await changed.locator('.more').innerText()).toContain(String.raw`~/.ssh/id_rsa\u200B`);
    await tools.filter({ hasText: 'search_code' }).getByText('Its server says: only reads, reaches outside').waitFor();
    await tools.filter({ hasText: 'odd tool' }).getByText('Its name contains a space').waitFor();
    expect(await tools.getByRole('checkbox', { name: /odd tool/ }).isDisabled()).toBe(true);
    await tools.getByRole('checkbox', { name: /delete_repository/ }).check();
    const accept = changed.getByRole('button', { name: /^Accept Change/ });
    await expect.poll(() => accept.getAttribute('aria-disabled')).toBeNull();
    await accept.click();
    expect((await wishes(page)).slice(1)).toEqual([
      { type: 'set_server_tool', id: 'github', tool: 'delete_repository', on: true },
      { type: 'accept_server_tool', id: 'github', tool: 'create_issue', hash: 'h-create' },
    ]);
  });

  test('shows long descriptions in full on demand, and prompts, resources and instructions', async () => {
    const page = await openGithub();
    const long = page.getByRole('listitem').filter({ hasText: 'delete_repository' });
    const height = (): Promise<number> => long.locator('.plain-text').evaluate((text) => text.clientHeight);
    const brief = await height();
    await long.getByRole('button', { name: /^Show All/ }).click();
    expect(await height()).toBeGreaterThan(brief);
    for (const name of ['2 prompts', '1 resource', 'What it tells models']) await page.getByRole('button', { name, exact: true }).click();
    for (const text of ['Triage issues', 'repo://{owner}/{repo}', 'Search before you create anything.', 'The list of tools repeats itself'])
      await page.getByText(text).waitFor();
  });

  test('1,000 tools come in portions', async () => {
    const page = await openServers();
    await page.getByRole('button', { name: 'sentry', exact: true }).click();
    await page.getByRole('button', { name: 'Inspector' }).waitFor();
    const tools = Array.from({ length: 1_000 }, (_, index) => ({ name: `tool_${index}`, description: 'x', on: true, tokens: 1, annotations: {} }));
    await page.evaluate(
      (list) =>
        globalThis.panelHost.post({
          type: 'server_details',
          id: 'sentry',
          revision: 1,
          details: { tools: list, prompts: [], resources: [], left: 0, warnings: [] },
        }),
      tools,
    );
    await page.getByRole('button', { name: 'Show 50 More' }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Tools' }).locator('> li').count()).toBe(100);
  });

  test('is asked for again when it changed, and only then', async () => {
    const page = await openGithub();
    const [github] = servers.servers;
    await tell(page, {});
    await tell(page, { servers: [{ ...serverRow('github'), ...github, revision: 2 }] });
    await expect
      .poll(() => wishes(page))
      .toEqual([
        { type: 'load_server', id: 'github' },
        { type: 'load_server', id: 'github' },
      ]);
  });
});

describe('the inspector', () => {
  test('is loaded when it is opened, and shows the text of a message when that is', async () => {
    const page = await openGithub();
    expect(await wishes(page)).toEqual([{ type: 'load_server', id: 'github' }]);
    await page.getByRole('button', { name: 'Inspector' }).click();
    const messages = page.getByRole('list', { name: 'Messages, newest first' });
    await expect.poll(() => messages.getByRole('button').allTextContents()).toHaveLength(5);
    for (const text of ['2026-07-28 (without sessions)', 'tools, prompts, resources', 'warning: the cache is cold']) await page.getByText(text).waitFor();
    await messages.getByRole('button', { name: /Received tools\/call #2 1,310 ms · 12.4 kB/ }).click();
    await page.getByRole('group', { name: 'Message', exact: true }).getByText('"Authorization":"[secret]"').waitFor();
    await page.getByRole('button', { name: 'Copy Report' }).click();
    await page.getByRole('button', { name: 'Refresh' }).click();
    expect((await wishes(page)).slice(1)).toEqual([
      { type: 'inspect_server', id: 'github' },
      { type: 'load_server_message', id: 'github', seq: 4 },
      { type: 'server_action', id: 'github', action: 'copy_report' },
      { type: 'inspect_server', id: 'github' },
    ]);
  });

  test('says what came of a wish, and what failed', async () => {
    const page = await openServers();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'servers_told', level: 'info', text: 'The report was copied.' }));
    await page.getByRole('status').getByText('The report was copied.').waitFor();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'servers_told', level: 'error', text: 'It changed meanwhile.' }));
    await page.getByRole('alert').getByText('It changed meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('It changed meanwhile.').waitFor({ state: 'detached' });
  });

  test('what was said of one wish goes with the next, and with the place', async () => {
    const page = await openServers();
    const told = page.getByText('You are signed out.');
    const tell = async (): Promise<void> => {
      await page.evaluate(() => globalThis.panelHost.post({ type: 'servers_told', level: 'info', text: 'You are signed out.' }));
      await told.waitFor();
    };
    await tell();
    await page.getByRole('button', { name: 'Actions for github' }).click();
    await page.getByRole('menuitem', { name: 'Restart' }).click();
    await told.waitFor({ state: 'detached' });
    await tell();
    await page.getByRole('button', { name: 'github', exact: true }).click();
    await told.waitFor({ state: 'detached' });
  });
});

describe('importing', () => {
  test('nothing is chosen by itself, and what does not map is said', async () => {
    const page = await openServers();
    await page.getByRole('button', { name: 'Add Servers' }).click();
    await page.getByText('Gnomon does not use “headersHelper”.').waitFor();
    await page.getByText('The entry “ws” has an unknown type.').waitFor();
    const boxes = page.getByRole('checkbox');
    expect(await boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked))).toEqual([false, false, false]);
    expect(await page.getByRole('checkbox', { name: 'github' }).isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isDisabled()).toBe(true);
    await page.getByRole('checkbox', { name: 'figma' }).check();
    await page.getByRole('checkbox', { name: 'memory' }).check();
    await page.getByRole('button', { name: 'Import 2 Servers' }).click();
    expect(await wishes(page)).toEqual([{ type: 'load_server_imports' }, { type: 'import_servers', keys: ['c2', 'a1'] }]);
  });
});

describe('by keyboard', () => {
  test('the whole way: names by arrows, a server and back, its menu, and back to the chat', async () => {
    const page = await openServers();
    await expect.poll(() => focused(page)).toBe('MCP Servers');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('Add Servers');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toBe('github');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('f');
    await expect.poll(() => focused(page)).toBe('files');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'github' }).waitFor();
    await expect.poll(() => focused(page)).toBe('github');
    await page.keyboard.press('Escape');
    await page.getByRole('list', { name: 'Servers', exact: true }).waitFor();
    await expect.poll(() => focused(page)).toBe('github');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await row(page, 'github').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Message');
    expect((await postsOf(page)).at(-1)).toEqual({ type: 'close_servers' });
  });

  test('what is approved is scrolled and approved by keys', async () => {
    const page = await openServers({ height: 500 });
    await row(page, 'postgres')
      .getByRole('button', { name: /^Approve…/ })
      .press('Enter');
    await page.getByText(says('reviewRestToApprove')).waitFor();
    await page.getByRole('group', { name: 'What you approve' }).focus();
    await page.keyboard.press('End');
    const approve = page.getByRole('button', { name: 'Approve and Start' });
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBeNull();
    await approve.press('Enter');
    expect((await wishes(page)).at(-1)).toMatchObject({ type: 'approve_server' });
  });

  test('history and servers take the place of each other', async () => {
    const page = await openServers();
    await showHistory(page);
    await page.getByRole('region', { name: 'MCP Servers' }).waitFor({ state: 'detached' });
    await showServers(page);
    await page.getByRole('searchbox').waitFor({ state: 'detached' });
    expect((await postsOf(page)).map(({ type }) => type)).toEqual(['list_servers', 'close_servers', 'list_history', 'close_history', 'list_servers']);
  });

  test('the context leads to them', async () => {
    const page = await rig.open({ width: 300 });
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { context: { used: 160_000, limit: 200_000 } } }));
    await page.getByRole('button', { name: /^Context/ }).click();
    await page.getByRole('button', { name: 'MCP Servers' }).click();
    await row(page, 'github').waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});

describe('in every look', () => {
  /** Goes through all of the view and does something at each place. */
  async function visit(page: Page, look: (name: string) => Promise<void>): Promise<void> {
    await look('list');
    await page.getByRole('button', { name: 'Actions for files' }).click();
    await look('menu');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'github', exact: true }).click();
    await page.getByRole('list', { name: 'Tools' }).locator('.end-mark').waitFor({ state: 'attached' });
    for (const name of ['2 prompts', '1 resource', 'What it tells models', 'Inspector']) await page.getByRole('button', { name, exact: true }).click();
    await page.getByRole('button', { name: /list_changed/ }).click();
    await look('server');
    await page.keyboard.press('Escape');
    await row(page, 'postgres')
      .getByRole('button', { name: /^Approve…/ })
      .click();
    await page.getByText('PGUSER').waitFor();
    await look('approve');
    await page.keyboard.press('Escape');
    await row(page, 'files')
      .getByRole('button', { name: /^Review Change…/ })
      .click();
    await page.getByRole('group', { name: 'What you approve' }).locator('.end-mark').nth(2).waitFor({ state: 'attached' });
    await look('review');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add Servers' }).click();
    await page.getByRole('checkbox', { name: 'figma' }).waitFor();
    await look('import');
    await page.keyboard.press('Escape');
    await tell(page, { servers: [] });
    await page.getByRole('button', { name: 'Add to This Workspace' }).waitFor();
    await look('empty');
  }

  test('axe finds nothing', async () => {
    const page = await openServers({ height: 900 });
    await visit(page, async (name) => expect(await violations(page), name).toEqual([]));
  });

  test('axe finds nothing side by side', async () => {
    const page = await openServers({ width: 700, height: 900 });
    await row(page, 'files')
      .getByRole('button', { name: /^Review Change…/ })
      .click();
    await page.getByRole('table', { name: 'Changes' }).first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('nothing sticks out from 260 to 480 px', async () => {
    const page = await openServers({ height: 900 });
    await visit(page, async (name) => {
      expect(await sticksOutAt(page, [260, 480]), name).toEqual([]);
      await page.setViewportSize({ width: 300, height: 900 });
    });
  });
});
