import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { THEME_NAMES, violations } from './axe.js';
import { manySessions } from './history-scenes.js';
import { lookOf, PanelRig, postsOf, showHistory, sticksOut } from './rig.js';
import { says } from '../wording.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Opens the list in a page of its own, which shows the first of the sessions. */
async function openList(options: Parameters<PanelRig['open']>[0] = {}): Promise<Page> {
  const page = await rig.open({ scene: 'conversation', ...options });
  await goOver(page, 'h1');
  await showHistory(page);
  await sessions(page).getByRole('button').first().waitFor();
  return page;
}

/** Has the page show a session, as the host does. */
function goOver(page: Page, session: string): Promise<void> {
  return page.evaluate((id) => globalThis.panelHost.show(globalThis.panelHost.state, id), session);
}

function sessions(page: Page): Locator {
  return page.getByRole('list', { name: 'Chats' });
}

function row(page: Page, title: string): Locator {
  return sessions(page).getByRole('button', { name: new RegExp(`^${title}`) });
}

/** What the panel posted since the list was opened. */
async function wishes(page: Page): Promise<readonly unknown[]> {
  const posts = await postsOf(page);
  return posts.slice(posts.findLastIndex(({ type }) => type === 'list_history') + 1);
}

/** The name of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent.trim().split(/\s{2,}/)[0] ?? '');
}

describe('the list of sessions', () => {
  test('has groups, and says of each session what is known', async () => {
    const page = await openList();
    await expect.poll(() => sessions(page).getByRole('heading').allInnerTexts()).toEqual(['Pinned', 'Today', 'Yesterday', 'Earlier']);
    expect(await page.getByRole('list', { name: 'Pinned' }).getByRole('listitem').count()).toBe(1);
    // What has just come is not laid out, nor has it a text that can be seen, until a frame later.
    const text = async (title: string): Promise<string> => (await row(page, title).innerText()).replaceAll(/\s+/g, ' ');
    await expect.poll(() => text('Fix the failing')).toContain('8 messages · Claude Sonnet 4.5 · $0.12 · open here');
    await expect.poll(() => text('Move the settings')).toContain('41 messages · fork of “Fix the failing test”');
    await expect.poll(() => text('Elsewhere')).toContain('1 message');
    await row(page, 'Elsewhere at work').getByText('Open in another window').waitFor();
    await expect.poll(() => text('Damaged')).toContain('It was kept as it is.');
    expect(await row(page, 'Damaged').getAttribute('aria-disabled')).toBe('true');
    await row(page, 'Damaged').click({ force: true });
    expect(await wishes(page)).toEqual([]);
  });

  test('opens any session, although it was told when another one was shown', async () => {
    const page = await openList();
    await goOver(page, 'h2');
    await row(page, 'Explain how').and(page.locator('[aria-current=true]')).waitFor();
    expect(await page.locator('[aria-current=true]').count()).toBe(1);
    for (const [title, id] of [
      ['Fix the failing', 'h1'],
      ['Explain how', 'h2'],
    ] as const) {
      await row(page, title).click();
      await sessions(page).waitFor({ state: 'detached' });
      expect((await wishes(page)).slice(-1)).toEqual([{ type: 'open_session', id }]);
      await showHistory(page);
    }
  });

  test('what is written from the choice on is for the session that was chosen, behind what was written there', async () => {
    const page = await openList();
    const box = page.getByRole('textbox', { name: 'Message' });
    await page.evaluate(() => globalThis.panelHost.post({ type: 'draft', session: 'h1', text: 'for one', at: 5 }));
    await row(page, 'Explain how').click();
    await expect.poll(() => box.inputValue()).toBe('for one');
    await box.press('End');
    await box.pressSequentially('more');
    await page.evaluate(() => globalThis.panelHost.post({ type: 'draft', session: 'h2', text: 'for two', at: 6 }));
    await expect.poll(() => box.inputValue()).toBe('for two\n\nmore');
    // What the host was told of each last.
    const drafts = async (): Promise<unknown> =>
      Object.fromEntries((await postsOf(page)).flatMap((message) => (message.type === 'save_draft' ? [[message.session, message.text]] : [])));
    await expect.poll(drafts).toEqual({ h1: 'for one', h2: 'for two\n\nmore' });
  });

  test('shows what sessions do as it changes', async () => {
    const page = await openList();
    const states = [
      { id: 'h2', state: 'waiting' },
      { id: 'h3', state: 'unread' },
      { id: 'h1', state: 'working' },
    ];
    await page.evaluate((list) => globalThis.panelHost.post({ type: 'session_states', states: list }), states);
    await row(page, 'Explain how').getByText('Waiting for you').waitFor();
    await row(page, 'Move the settings').getByText('Finished, unread').waitFor();
    await row(page, 'Fix the failing').getByText('Working').waitFor();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'session_states', states: [] }));
    await page.getByText('Waiting for you').waitFor({ state: 'detached' });
  });

  test('is empty with words, and fails with words', async () => {
    const page = await openList();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'history', sessions: [], trash: [] }));
    await page.getByText('No chats yet.').waitFor();
    await page.evaluate((text) => globalThis.panelHost.post({ type: 'session_problem', text }), says('chatOpenElsewhere'));
    const alert = page.getByRole('alert').filter({ hasText: 'open in another window' });
    await alert.waitFor();
    expect(await lookOf(alert)).toEqual({ fill: 'none', border: true, icon: 'danger' });
    await alert.getByRole('button', { name: 'Dismiss' }).click();
    await alert.waitFor({ state: 'detached' });
  });

  test('2,000 sessions are there, and all can be reached', async () => {
    const page = await openList();
    await page.evaluate((list) => globalThis.panelHost.post({ type: 'history', sessions: list, trash: [] }), manySessions(2_000));
    // Roles and names of thousands of elements take the test's tools long to find.
    await page.locator('[data-session=m0] .entry').focus();
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toContain('Session number 1999');
    expect(await page.locator('[data-session=m1999] .entry').isVisible()).toBe(true);
  });

  test('view-05 a title of anybody’s is text, and what is hidden in it is seen', async () => {
    const page = await openList();
    const title = '<img src=x onerror=alert(1)>\u202Efdp.exe';
    await page.evaluate(
      (text) =>
        globalThis.panelHost.post({ type: 'history', sessions: [{ id: 'x', title: text, updatedAt: new Date().toISOString(), messageCount: 1 }], trash: [] }),
      title,
    );
    await page
      .getByText(String.raw`<img src=x onerror=alert(1)>\u202Efdp.exe`)
      .first()
      .waitFor();
    expect(await page.locator('.history img').count()).toBe(0);
    expect(rig.strangeRequests).toEqual([]);
  });
});

describe('by keyboard', () => {
  test('arrows lead from row to row, Tab leads in and out, Enter opens', async () => {
    const page = await openList();
    await expect.poll(() => focused(page)).toBe('Search chats');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toContain('Release notes');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => focused(page)).toContain('Explain how');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => focused(page)).toBe('Actions for Explain how the parser recovers from a missing bracket');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Shift+Tab');
    await expect.poll(() => focused(page)).toBe('Back to Chat');
    await page.keyboard.press('Tab');
    await expect.poll(() => focused(page)).toContain('Explain how');
    await page.keyboard.press('Home');
    await expect.poll(() => focused(page)).toContain('Release notes');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await wishes(page)).toEqual([{ type: 'close_history' }, { type: 'open_session', id: 'h2' }]);
  });

  test('F2 renames in place: Enter keeps, Escape does not, the focus stays on the row', async () => {
    const page = await openList();
    await row(page, 'Explain how').focus();
    await page.keyboard.press('F2');
    const box = page.getByRole('textbox', { name: 'Title' });
    expect(await box.inputValue()).toBe('Explain how the parser recovers from a missing bracket');
    await page.keyboard.type('Parser');
    await page.keyboard.press('Enter');
    await box.waitFor({ state: 'detached' });
    expect(await wishes(page)).toEqual([{ type: 'rename_session', id: 'h2', title: 'Parser' }]);
    await expect.poll(() => focused(page)).toContain('Explain how');
    await page.keyboard.press('F2');
    await box.waitFor();
    await page.keyboard.type('Other');
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
    expect(await wishes(page)).toHaveLength(1);
    await sessions(page).waitFor();
    await expect.poll(() => focused(page)).toContain('Explain how');
  });

  test('P pins, Delete moves to the trash and the focus to the next row; Undo takes it back', async () => {
    const page = await openList();
    await row(page, 'Explain how').focus();
    await page.keyboard.press('p');
    await page.keyboard.press('Delete');
    await expect.poll(() => focused(page)).toContain('Move the settings');
    await page.evaluate(() => globalThis.panelHost.post({ type: 'session_deleted', id: 'h2', title: 'Explain how' }));
    const undo = page.getByRole('status').filter({ hasText: 'Deleted “Explain how”' });
    await undo.getByRole('button', { name: 'Undo' }).click();
    await undo.waitFor({ state: 'detached' });
    expect(await wishes(page)).toEqual([
      { type: 'pin_session', id: 'h2', pinned: true },
      { type: 'delete_session', id: 'h2' },
      { type: 'restore_session', id: 'h2' },
    ]);
  });

  test('a session that cannot be read can be deleted and nothing else', async () => {
    const page = await openList();
    await row(page, 'Damaged').focus();
    for (const key of ['F2', 'p', 'Enter', 'Delete']) await page.keyboard.press(key);
    expect(await wishes(page)).toEqual([{ type: 'delete_session', id: 'h4' }]);
  });
});

describe('the menu of a session', () => {
  test('is the editor’s own, and tells it which session is meant', async () => {
    const page = await openList();
    await page.evaluate(() => {
      document.addEventListener('contextmenu', (event) => {
        event.preventDefault();
        const holder = event.target instanceof Element ? event.target.closest('[data-vscode-context]') : null;
        Reflect.set(globalThis, 'menu', holder?.getAttribute('data-vscode-context'));
      });
    });
    const menu = (): Promise<unknown> => page.evaluate(() => JSON.parse(Reflect.get(globalThis, 'menu') as string) as unknown);
    await sessions(page).getByRole('button', { name: 'Actions for Release notes' }).click();
    expect(await menu()).toEqual({
      webviewSection: 'gnomonSession',
      preventDefaultContextMenuItems: true,
      sessionId: 'h5',
      sessionShown: false,
      sessionStored: true,
      sessionPinned: true,
      sessionProblem: false,
    });
    await row(page, 'Damaged').click({ button: 'right', force: true });
    expect(await menu()).toMatchObject({ sessionId: 'h4', sessionProblem: true });
    await page.keyboard.press('Escape');
  });

  test('has the title edited in the list', async () => {
    const page = await openList();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'edit_title', id: 'h3' }));
    const box = page.getByRole('textbox', { name: 'Title' });
    await box.fill('Settings');
    await box.press('Enter');
    const renames = (await postsOf(page)).filter(({ type }) => type === 'rename_session');
    expect(renames).toMatchObject([{ id: 'h3', title: 'Settings' }]);
  });
});

describe('searching', () => {
  test('titles are filtered at once, messages as they are found; a hit leads to its message', async () => {
    const page = await openList();
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('the');
    await row(page, 'Release notes').waitFor({ state: 'detached' });
    expect(
      await sessions(page)
        .getByRole('button', { name: /^(?!Actions)/ })
        .count(),
    ).toBe(3);
    await expect.poll(() => wishes(page)).toEqual([{ type: 'search_sessions', query: 'the' }]);
    await page.getByText('Searching messages').waitFor();
    const hit = { id: 'h5', title: 'Release notes for 2.0', updatedAt: new Date().toISOString(), index: 4, excerpt: '… write The notes …' };
    const titleOnly = { id: 'h2', title: 'Explain how the parser', updatedAt: new Date().toISOString(), excerpt: '' };
    await page.evaluate(
      ([one, two]) => {
        globalThis.panelHost.post({ type: 'search_hits', query: 'old', hits: [{ ...one, id: 'stale' }], done: true });
        globalThis.panelHost.post({ type: 'search_hits', query: 'the', hits: [one, two], done: false });
        globalThis.panelHost.post({ type: 'search_hits', query: 'the', hits: [], done: true });
      },
      [hit, titleOnly] as const,
    );
    const hits = page.getByRole('list', { name: 'Found in messages' }).getByRole('button');
    await hits.first().waitFor();
    expect(await hits.count()).toBe(1);
    // What is far from the view is not laid out, nor has it a text that can be seen, until the frame after it came.
    await hits.first().locator('mark').filter({ hasText: /^The$/ }).waitFor();
    await page.getByRole('status').filter({ hasText: '4 results' }).waitFor({ state: 'attached' });
    await page.getByRole('searchbox', { name: 'Search chats' }).fill('zebra');
    await page.getByText('Searching messages').waitFor();
    await page.evaluate((one) => globalThis.panelHost.post({ type: 'search_hits', query: 'zebra', hits: [one], done: true }), hit);
    await page.getByRole('status').filter({ hasText: '1 result' }).waitFor({ state: 'attached' });
    await hits.first().click();
    expect((await wishes(page)).slice(-1)).toEqual([{ type: 'open_session', id: 'h5', index: 4 }]);
  });

  test('says when there is nothing, and Escape brings all back before it closes the list', async () => {
    const page = await openList();
    const box = page.getByRole('searchbox', { name: 'Search chats' });
    await box.fill('zebra');
    await expect.poll(() => wishes(page)).toHaveLength(1);
    await page.evaluate(() => globalThis.panelHost.post({ type: 'search_hits', query: 'zebra', hits: [], done: true }));
    await page.getByText(says('noResultsFor', 'zebra')).waitFor();
    await box.press('Escape');
    await row(page, 'Release notes').waitFor();
    await box.press('Escape');
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });
});

describe('the trash', () => {
  test('says how long, gives back and deletes', async () => {
    const page = await openList();
    await page.getByText('Trash (1)').click();
    const trash = page.getByRole('list', { name: 'Trash' });
    await trash.getByText(/Will be permanently deleted in [67] minutes/).waitFor();
    await trash.getByRole('button', { name: 'Restore' }).click();
    await trash.getByRole('button', { name: 'Delete Now' }).click();
    expect(await wishes(page)).toEqual([
      { type: 'restore_session', id: 't1' },
      { type: 'purge_trash', id: 't1' },
    ]);
  });
});

describe('sess-09 a session in two windows', () => {
  test('offers to take it over, to copy it and to go back', async () => {
    const page = await rig.open({ scene: 'conversation' });
    await page.evaluate(() => globalThis.panelHost.post({ type: 'session_busy', id: 'h6', title: 'Elsewhere at work' }));
    const region = page.getByRole('region', { name: says('chatOpenElsewhere') });
    await region.getByText('Elsewhere at work').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).waitFor({ state: 'hidden' });
    await region.getByRole('button', { name: 'Take Over' }).click();
    await page.evaluate(() => globalThis.panelHost.post({ type: 'session_problem', text: 'Gnomon is working on this chat in another window.' }));
    await region.getByRole('alert').filter({ hasText: 'is working on this chat' }).waitFor();
    await region.getByRole('button', { name: 'Open a Copy' }).click();
    await region.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(await postsOf(page)).toEqual([{ type: 'take_over_session', id: 'h6' }, { type: 'fork_session', id: 'h6' }, { type: 'dismiss_busy' }]);
  });

  test('is only read when another window has taken it over, and can be taken back', async () => {
    const page = await rig.open({ scene: 'conversation' });
    await page.evaluate(() => globalThis.panelHost.events({ type: 'meta', patch: { elsewhere: true } }));
    const region = page.getByRole('region', { name: 'Continued in another window' });
    await region.waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).count()).toBe(0);
    expect(await page.getByRole('article').count()).toBeGreaterThan(0);
    await region.getByRole('button', { name: 'Continue Here' }).click();
    expect(await postsOf(page)).toMatchObject([{ type: 'take_over_session' }]);
  });
});

describe('the state of the conversation', () => {
  test('is said in a line below the title', async () => {
    const page = await rig.open({ scene: 'conversation' });
    await page.locator('header').getByText('Ready').waitFor();
    await page.evaluate(() => globalThis.panelHost.scene('running'));
    await page.locator('header').getByText('Running npm test').waitFor();
    await page.evaluate(() => globalThis.panelHost.scene('diff'));
    await page.locator('header').getByText('Waiting for your permission').waitFor();
    await page.evaluate(() => globalThis.panelHost.scene('question'));
    await page.locator('header').getByText('Waiting for your answer').waitFor();
  });

  test('the page says when the person works in it', async () => {
    const page = await rig.open({ scene: 'conversation' });
    await page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
    await expect.poll(() => page.evaluate(() => globalThis.panelHost.posts.some(({ type }) => type === 'focused'))).toBe(true);
  });
});

describe('the look', () => {
  test.each([220, 400, 900])('nothing sticks out and nothing is hard to use, in any theme: %d px', async (width) => {
    const page = await openList({ width });
    const states = [
      { id: 'h2', state: 'waiting' },
      { id: 'h3', state: 'unread' },
      { id: 'h1', state: 'working' },
    ];
    await page.evaluate((list) => {
      globalThis.panelHost.post({ type: 'session_states', states: list });
      globalThis.panelHost.post({ type: 'session_deleted', id: 'x', title: 'A long title of a session that was deleted' });
    }, states);
    await page.getByText('Trash (1)').click();
    await page.getByText('Waiting for you').waitFor({ state: 'attached' });
    for (const theme of THEME_NAMES) {
      await page.evaluate((name) => globalThis.panelHost.theme(name), theme);
      const folder = process.env['GNOMON_SHOTS'];
      if (folder !== undefined) await page.screenshot({ path: `${folder}/history-${theme}-${width}.png` });
      expect(await sticksOut(page), theme).toEqual([]);
    }
    expect(await violations(page)).toEqual([]);
  });
});
