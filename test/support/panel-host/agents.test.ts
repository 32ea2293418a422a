import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewElf, ViewElfState, ViewState } from '../../../src/protocol/view-state.js';
import { longestTaskCpu } from '../../bench/cpu-trace.js';
import { agent, agentsScenes, costLimit, manyAgents } from './agents-scenes.js';
import { violations } from './axe.js';
import { changeCall, colorOf, delivered, type OpenOptions, PanelRig, postsOf, sticksOutAt } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Milliseconds of processor time that a frame may take. */
const MAX_FRAME_MS = 33;
const WIDTHS = [260, 300, 480, 800] as const;

const regionOf = (page: Page): Locator => page.getByRole('region', { name: 'Agents', exact: true });
const lineOf = (page: Page): Locator => regionOf(page).locator('[aria-expanded]').first();
const rowOf = (page: Page, id: string): Locator => page.locator(`[data-agent=${id}]`);

/** Has the agents of the chat be these, as the host does. */
async function tell(page: Page, elves: readonly ViewElf[], over: Partial<ViewState> = {}): Promise<void> {
  await page.evaluate((patch) => globalThis.panelHost.events({ type: 'meta', patch }), { elves, ...over });
  await delivered(page);
}

/** Opens a page with agents and the tree of them. */
async function openTree(scene: string, options: OpenOptions = {}): Promise<Page> {
  const page = await rig.open({ width: 300, scene, ...options });
  await lineOf(page).click();
  await page.getByRole('tree', { name: 'Agents' }).waitFor();
  return page;
}

async function lineText(page: Page): Promise<string> {
  return (await lineOf(page).innerText()).replaceAll(/\s+/g, ' ').trim();
}

/** Whether a part of the line about all agents does not fit into it. */
function isCut(part: Locator): Promise<boolean> {
  return part.evaluate((element) => element.getBoundingClientRect().right > (element.closest('button')?.getBoundingClientRect().right ?? 0));
}

/** Which row has the focus. */
function focused(page: Page): Promise<string | undefined> {
  return page.evaluate(() => (document.activeElement instanceof HTMLElement ? document.activeElement.dataset['agent'] : undefined));
}

function hasFocus(place: Locator): Promise<boolean> {
  return place.evaluate((element) => element === document.activeElement);
}

/** Runs in the page: has one agent after the other change, a hundred times. Each change is an event with all agents in it, as the host sends it. */
async function changeAgents(start: readonly ViewElf[]): Promise<void> {
  let elves = start;
  for (let told = 0; told < 100; told += 1) {
    elves = elves.map((elf, index) =>
      index === told % elves.length ? { ...elf, now: `Reading src/part-${told}.js`, tokens: elf.tokens + 321, rounds: told } : elf,
    );
    globalThis.panelHost.events({ type: 'meta', patch: { elves } });
    // Timers follow one another by 4 ms.
    await new Promise((resolve) => setTimeout(resolve));
  }
}

describe('the line about agents', () => {
  test('E-65 and E-69: says who needs the user when it is folded, and never that all is done while one is at work', async () => {
    const page = await rig.open({ width: 480, scene: 'conversation' });
    expect(await regionOf(page).count()).toBe(0);
    const said: readonly (readonly [states: readonly ViewElfState[], line: string])[] = [
      [['queued'], '1 agent 1 queued'],
      [['working', 'queued', 'completed'], '3 agents 1 working · 1 queued · Reading src/median.js'],
      [['working', 'working', 'waiting'], '3 agents 1 needs you Reading src/median.js · 2 working'],
      [['waiting', 'waiting', 'completed'], '3 agents 2 need you Reading src/median.js'],
      [['completed', 'failed', 'queued'], '3 agents 1 queued'],
      [['completed', 'completed', 'working'], '3 agents 1 working · Reading src/median.js'],
      [['completed', 'completed', 'completed'], '3 agents all done'],
      [['failed', 'interrupted', 'cancelled', 'completed'], '4 agents 1 failed · 1 interrupted · 1 stopped'],
    ];
    for (const [states, line] of said) {
      await tell(
        page,
        states.map((state, index) => agent(`s${index}`, { state })),
      );
      await expect.poll(() => lineText(page)).toBe(line);
      const waits = states.includes('waiting');
      expect(await regionOf(page).locator('.waiting').count()).toBe(waits ? 1 : 0);
      if (waits) expect(await colorOf(regionOf(page).locator('.waiting'))).toBe('warn');
      const active = states.some((state) => state === 'queued' || state === 'working' || state === 'waiting');
      expect(await regionOf(page).getByRole('button', { name: 'Stop All Agents' }).count()).toBe(active ? 1 : 0);
      expect(await page.locator('main > [role=status]').textContent()).toBe(active ? 'Gnomon is working.' : 'Gnomon is ready.');
      expect(await page.locator('main > header > p').textContent()).toBe(waits ? 'An agent needs you' : active ? 'Agents are working' : 'Ready');
    }
    await tell(page, []);
    await regionOf(page).waitFor({ state: 'detached' });
  });

  test('stops all of them, with one press at a time', async () => {
    const page = await rig.open({ width: 300, scene: 'agents' });
    await regionOf(page).getByRole('button', { name: 'Stop All Agents' }).dblclick();
    expect(await postsOf(page)).toEqual([{ type: 'stop_elves' }]);
    // Who only reads along stops nothing.
    await tell(page, agentsScenes['agents']?.elves ?? [], { elsewhere: true });
    await regionOf(page).getByRole('button', { name: 'Stop All Agents' }).waitFor({ state: 'detached' });
  });

  test('continues all that were interrupted or have failed, where these are several', async () => {
    const page = await rig.open({ width: 300, scene: 'conversation' });
    const button = regionOf(page).getByRole('button', { name: 'Continue All Agents' });
    const are = (...states: readonly ViewElfState[]): Promise<void> =>
      tell(
        page,
        states.map((state, index) => agent(`s${index}`, { state })),
      );
    await are('interrupted', 'cancelled', 'completed');
    await lineOf(page).waitFor();
    expect(await button.count()).toBe(0);
    await are('interrupted', 'failed', 'working');
    await button.press('Enter');
    expect(await postsOf(page)).toEqual([{ type: 'continue_elf' }]);
    await are('queued', 'queued', 'working');
    await expect.poll(() => hasFocus(lineOf(page))).toBe(true);
    await tell(page, [agent('s0', { state: 'failed' }), agent('s1', { state: 'failed' })], { elsewhere: true });
    await button.waitFor({ state: 'detached' });
  });

  test('is dismissed when all have ended, and comes back with another one, or when one goes on', async () => {
    const page = await rig.open({ width: 300, own: true });
    const ended = [agent('e1', { state: 'completed' }), agent('e2', { state: 'failed' })];
    const show = (session: string): Promise<void> => page.evaluate(([id, elves]) => globalThis.panelHost.show({ elves }, id), [session, ended] as const);
    await show('one');
    await regionOf(page).getByRole('button', { name: 'Dismiss Agents' }).click();
    await regionOf(page).waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
    await show('two');
    await regionOf(page).waitFor();
    await show('one');
    await regionOf(page).waitFor({ state: 'detached' });
    await tell(
      page,
      ended.map((elf) => ({ ...elf, state: 'working' as const, runs: 2 })),
    );
    await regionOf(page).waitFor();
    await tell(
      page,
      ended.map((elf) => ({ ...elf, runs: 2 })),
    );
    await regionOf(page).getByRole('button', { name: 'Dismiss Agents' }).click();
    await tell(page, [...ended.map((elf) => ({ ...elf, runs: 2 })), agent('e3', { state: 'cancelled' })]);
    await regionOf(page).waitFor();
  });

  test('a screen reader is told of an agent that already needs the user when the chat is opened, and of none that ended before', async () => {
    const page = await rig.open({ scene: 'conversation' });
    await tell(page, [agent('p1', { state: 'waiting', task: 'Look' }), agent('p2', { state: 'failed' })]);
    await page.locator('main > [aria-live=polite]').getByText('The agent “explore: Look” needs you.', { exact: true }).waitFor();
  });

  test('a screen reader is told that one needs the user, that one failed, and that all have ended', async () => {
    const page = await rig.open({ scene: 'conversation' });
    const polite = page.locator('main > [aria-live=polite]');
    const is = (state: ViewElfState, other: ViewElfState = 'working'): Promise<void> =>
      tell(page, [agent('p1', { state, task: 'Look' }), agent('p2', { state: other, task: 'Read\u202E' })]);
    await is('working');
    await regionOf(page).waitFor();
    expect(await polite.textContent()).toBe('');
    await is('waiting');
    await polite.filter({ hasText: 'The agent “explore: Look” needs you.' }).waitFor();
    await is('working');
    await expect.poll(() => polite.textContent()).toBe('');
    await is('failed');
    await polite.filter({ hasText: 'The agent “explore: Look” failed.' }).waitFor();
    await is('failed', 'failed');
    await polite.filter({ hasText: String.raw`The agent “explore: Read\u202E” failed. All agents have ended.` }).waitFor();
  });
});

describe('the tree of agents', () => {
  test('E-30: has every agent below the one that started it, with all that is known of it', async () => {
    const page = await openTree('nested agents', { own: true });
    const rows = await page.getByRole('treeitem').evaluateAll((items) =>
      items.map((item) => {
        const about = document.querySelector(`[id="${item.getAttribute('aria-describedby')}"]`)?.textContent;
        return [item.ariaLevel, `${item.ariaPosInSet}/${item.ariaSetSize}`, item.ariaExpanded, item.querySelector('.screen-reader-only')?.textContent, about]
          .join(' | ')
          .replaceAll(/4\d s/g, '4x s')
          .replaceAll(/1 min \d s/g, '1 min x s');
      }),
    );
    expect(rows).toEqual([
      '1 | 1/5 | true | Move the statistics into a package of their own, general, Needs you | Waiting for 2 agents, 4x s, $0.22, 3 rounds, 12.3k tokens, Claude Sonnet 4.5 (Anthropic)',
      '2 | 1/2 |  | Find what imports them, explore, Done | 9.4 s, $0.01, 3 rounds, 12.3k tokens, Claude Haiku 4.5 (Anthropic)',
      '2 | 2/2 | true | Move the tests, general, Needs you | Edit test/index.js?, 1 min x s, $0.01, 3 rounds, 12.3k tokens, 2 runs, this run: 4x s, Claude Haiku 4.5 (Anthropic)',
      '3 | 1/1 |  | Find the helpers of the tests, explore, Failed | The server is overloaded., 31 s, $0.01, 3 rounds, 12.3k tokens, Claude Haiku 4.5 (Anthropic)',
      '1 | 2/5 |  | Write the changelog, general, Stopped | 4.2 s, $0.01, 3 rounds, 12.3k tokens, Claude Haiku 4.5 (Anthropic)',
      '1 | 3/5 |  | Look for dead code, explore, Interrupted | The window was closed while it worked., $0.01, 3 rounds, 12.3k tokens, Claude Haiku 4.5 (Anthropic)',
      '1 | 4/5 |  | Compare the speed of both, explore, Queued | next in line, Claude Haiku 4.5 (Anthropic)',
      '1 | 5/5 |  | Check the links, explore, Queued | 2nd in line, in the background, Claude Haiku 4.5 (Anthropic)',
    ]);
    // Each state has an icon of another form.
    const icons = await page
      .getByRole('treeitem')
      .evaluateAll((items) => items.map((item) => [item.classList[0], item.querySelector('.icon path')?.getAttribute('d')].join()));
    expect(new Set(icons).size).toBe(6);
  });

  test('goes from row to row by the keys of a tree', async () => {
    const page = await openTree('nested agents');
    // Two buttons of the line come first.
    for (let press = 0; press < 3; press += 1) await page.keyboard.press('Tab');
    const steps: readonly (readonly [key: string, at: string])[] = [
      ['ArrowUp', 'n1'],
      ['ArrowDown', 'n2'],
      ['ArrowLeft', 'n1'],
      ['ArrowRight', 'n2'],
      ['ArrowRight', 'n2'],
      ['End', 'n8'],
      ['ArrowDown', 'n8'],
      ['ArrowLeft', 'n8'],
      ['Home', 'n1'],
      ['m', 'n3'],
      ['ArrowRight', 'n4'],
      ['l', 'n6'],
    ];
    expect(await focused(page)).toBe('n1');
    for (const [key, at] of steps) {
      await page.keyboard.press(key);
      await expect.poll(() => focused(page), { message: key }).toBe(at);
      expect(await page.locator('[role=treeitem][aria-selected=true]').getAttribute('data-agent')).toBe(at);
      expect(await page.locator('[role=treeitem][tabindex="0"]').count()).toBe(1);
    }
    expect(await postsOf(page)).toEqual([]);
  });

  test('a command leads to them, from a page beside the chat and when they were dismissed, too', async () => {
    const page = await rig.open({ width: 300, scene: 'ended agents' });
    const ask = (): Promise<void> => page.evaluate(() => globalThis.panelHost.post({ type: 'focus_agents' }));
    await ask();
    await expect.poll(() => focused(page)).toBe('a1');
    await page.keyboard.press('End');
    await page.evaluate(() => globalThis.panelHost.post({ type: 'focus_composer' }));
    await ask();
    await expect.poll(() => focused(page)).toBe('a4');
    await regionOf(page).getByRole('button', { name: 'Dismiss Agents' }).click();
    await regionOf(page).waitFor({ state: 'detached' });
    await page.evaluate(() => globalThis.panelHost.post({ type: 'show_history' }));
    await ask();
    await expect.poll(() => focused(page)).toBe('a1');
  });

  test('what is below a row folds, and says how many these are and that one needs the user', async () => {
    const page = await openTree('nested agents');
    await rowOf(page, 'n4').click();
    await rowOf(page, 'n1').locator('.twist').click();
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(5);
    expect(await rowOf(page, 'n1').getAttribute('aria-expanded')).toBe('false');
    await rowOf(page, 'n1').getByText('(+3)').waitFor();
    await rowOf(page, 'n1').getByText('Needs you', { exact: true }).waitFor();
    expect(await colorOf(rowOf(page, 'n1').locator('.icon'))).toBe('warn');
    expect(await focused(page)).toBe('n1');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(8);
    // What has ended works on in those below it.
    await tell(page, [agent('n1', { state: 'completed' }), agent('n2', { parent: 'n1', state: 'queued' })]);
    await page.getByRole('treeitem', { name: 'Look at part n1, explore, Working' }).waitFor();
  });

  test('has a row opened, stopped, and continued, by keys and by the mouse', async () => {
    const page = await openTree('nested agents');
    await rowOf(page, 'n2').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Delete');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Delete');
    await rowOf(page, 'n3').getByRole('button', { name: 'Open' }).click();
    await rowOf(page, 'n3').getByRole('button', { name: 'Stop' }).click();
    for (const id of ['n4', 'n5', 'n6']) {
      await rowOf(page, id).hover();
      await rowOf(page, id).getByRole('button', { name: 'Continue' }).click();
    }
    await rowOf(page, 'n8').hover();
    await rowOf(page, 'n8').getByRole('button', { name: 'Stop' }).dblclick();
    await rowOf(page, 'n5').dblclick();
    await rowOf(page, 'n5').getByRole('button', { name: 'Continue' }).press('Enter');
    expect(await postsOf(page)).toEqual([
      { type: 'open_elf', elf: 'n2' },
      { type: 'stop_elves', elf: 'n3' },
      { type: 'open_elf', elf: 'n3' },
      { type: 'stop_elves', elf: 'n3' },
      ...['n4', 'n5', 'n6'].map((elf) => ({ type: 'continue_elf', elf })),
      { type: 'stop_elves', elf: 'n8' },
      { type: 'open_elf', elf: 'n5' },
      { type: 'continue_elf', elf: 'n5' },
    ]);
    await tell(page, [agent('n2', { state: 'waiting' }), agent('n5', { state: 'failed' })], { elsewhere: true });
    await rowOf(page, 'n2').click();
    await page.keyboard.press('Delete');
    expect(await page.getByRole('treeitem').getByRole('button').allTextContents()).toEqual(['Open']);
    expect((await postsOf(page)).length).toBe(10);
  });

  test('keeps the focus where a button goes away that was pressed', async () => {
    const page = await openTree('nested agents');
    const stopAll = regionOf(page).getByRole('button', { name: 'Stop All Agents' });
    await rowOf(page, 'n8').focus();
    await rowOf(page, 'n8').getByRole('button', { name: 'Stop' }).press('Enter');
    await tell(page, [agent('n1'), agent('n8', { state: 'cancelled' })]);
    await expect.poll(() => focused(page)).toBe('n8');
    await rowOf(page, 'n8').getByRole('button', { name: 'Continue' }).press('Enter');
    await tell(page, [agent('n1'), agent('n8', { state: 'queued' })]);
    await expect.poll(() => focused(page)).toBe('n8');
    await stopAll.press('Enter');
    await tell(page, [agent('n1', { state: 'cancelled' }), agent('n8', { state: 'cancelled' })]);
    await stopAll.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(lineOf(page))).toBe(true);
    // Where the user has clicked beside all controls, nothing takes the focus.
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await tell(page, [agent('n1'), agent('n8', { state: 'cancelled' })]);
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
  });

  test('E-78: has what an agent has changed in its worktree applied', async () => {
    const page = await openTree('ended agents');
    await rowOf(page, 'a1').click();
    await rowOf(page, 'a1').locator('.facts').getByText('3 files changed in a worktree').waitFor();
    await rowOf(page, 'a1').getByRole('button', { name: 'Apply Changes…' }).click();
    expect(await postsOf(page)).toEqual([{ type: 'apply_elf', elf: 'a1' }]);
    const changedThere = { state: 'completed', isolated: true, changed: 3 } as const;
    for (const [applied, words] of [
      [true, '3 files changed in a worktree, applied'],
      [false, '3 files changed in a worktree, not all applied'],
    ] as const) {
      await tell(page, [agent('a1', { ...changedThere, applied })]);
      await rowOf(page, 'a1').locator('.facts').getByText(words).waitFor();
    }
    // What is left to do stands in the line, and in a row that is not selected.
    const ended = { ...changedThere, now: '', durationMs: 72_000 } as const;
    for (const [over, line, row] of [
      [{ changed: 0 }, '1 agent done', ['Done']],
      [{ applied: true }, '1 agent done', ['Done']],
      [{}, '1 agent done changes to apply', ['Done', '3 files to apply']],
      [{ changed: 1 }, '1 agent done changes to apply', ['Done', '1 file to apply']],
      [{ conflicts: 2 }, '1 agent done changes to apply', ['Done', '3 files, 2 to merge']],
      [{ changed: 1, conflicts: 1 }, '1 agent done changes to apply', ['Done', '1 file to merge']],
      [{ applied: false }, '1 agent done changes to apply', ['Done', 'changes to apply']],
      [{ state: 'failed', problem: 'It broke.' }, '1 agent 1 failed changes to apply', ['Failed', '3 files to apply · It broke.']],
      [{ state: 'working', now: 'Reading' }, '1 agent 1 working · Reading', ['Reading']],
    ] as const) {
      await tell(page, [agent('b1', { ...ended, ...over })]);
      await expect.poll(() => lineText(page)).toBe(line);
      await expect.poll(() => rowOf(page, 'b1').locator('.state, .doing').allTextContents()).toEqual(row);
      // However long that is, it is there as a whole.
      if (line.endsWith('apply')) expect(await isCut(regionOf(page).locator('.left'))).toBe(false);
      await page.getByRole('treeitem', { description: new RegExp(row.at(-1) === 'Done' ? '^1 min 12 s' : `^${row.at(-1)}`) }).waitFor();
    }
    await tell(page, [agent('a1', { isolated: true }), agent('a2', { state: 'completed', isolated: true, changed: 0 }), agent('a3', { state: 'completed' })]);
    for (const id of ['a1', 'a2', 'a3']) {
      await rowOf(page, id).click();
      expect(await rowOf(page, id).getByRole('button', { name: 'Apply Changes…' }).count()).toBe(0);
    }
  });

  test('has the last lines of what a set-up printed that failed, and leads to all of them', async () => {
    const page = await openTree('ended agents');
    await rowOf(page, 'a4').click();
    expect(await rowOf(page, 'a4').locator('.output').innerText()).toBe(
      [
        'npm error code ENOTFOUND',
        'npm error network request to https://packages.example.org failed',
        String.raw`\u202Enpm error A complete log of this run is in ~/.npm`,
      ].join('\n'),
    );
    await page
      .getByRole('treeitem', { name: /parser, general, Failed/, description: /failed at “npm ci” \(exit code 1\)\., npm error code ENOTFOUND/ })
      .waitFor();
    // By keys and by the mouse, all of a row comes into view.
    await page.keyboard.press('Home');
    await page.keyboard.press('End');
    const bottom = (place: Locator): Promise<number> => place.evaluate((element) => element.getBoundingClientRect().bottom);
    await expect.poll(async () => (await bottom(rowOf(page, 'a4'))) <= (await bottom(page.getByRole('tree')))).toBe(true);
    await page.keyboard.press('Home');
    await expect.poll(() => page.getByRole('tree').evaluate((tree) => tree.scrollTop)).toBe(0);
    await page.setViewportSize({ width: 300, height: 700 });
    await rowOf(page, 'a4').click();
    await expect.poll(async () => (await bottom(rowOf(page, 'a4'))) <= (await bottom(page.getByRole('tree')))).toBe(true);
    await rowOf(page, 'a4').getByRole('button', { name: 'Show Output' }).click();
    await rowOf(page, 'a4').getByRole('button', { name: 'Continue' }).click();
    expect(await postsOf(page)).toEqual([
      { type: 'open_elf', elf: 'a4' },
      { type: 'continue_elf', elf: 'a4' },
    ]);
  });

  test('shows what changes while it is open, and the time goes on', async () => {
    const page = await rig.open({ width: 480, own: true });
    await page.clock.setFixedTime('2026-01-01T00:01:00Z');
    const at = (over: Partial<ViewElf>): Promise<void> => tell(page, [agent('t1', { since: '2026-01-01T00:00:48Z', ...over })]);
    await at({});
    await lineOf(page).click();
    const figures = async (): Promise<string> => ((await rowOf(page, 't1').locator('.figures').textContent()) ?? '').replaceAll(/\s+/g, ' ').trim();
    await expect.poll(figures).toBe('Claude Haiku 4.5 · 3 rounds · 12.3k tokens · $0.01 · 12 s');
    await page.clock.setFixedTime('2026-01-01T00:01:02Z');
    await expect.poll(figures).toContain('· 14 s');
    const before = await rowOf(page, 't1').elementHandle();
    await at({ now: 'Running npm test', rounds: 4, tokens: 20_000, cost: '$0.02' });
    await rowOf(page, 't1').getByText('Running npm test', { exact: true }).waitFor();
    expect(await figures()).toContain('4 rounds · 20k tokens · $0.02');
    expect(await rowOf(page, 't1').evaluate((row, same) => row === same, before)).toBe(true);
    // The figures are those of all its runs.
    await at({ runs: 2, earlierMs: 30_000 });
    await expect.poll(figures).toContain('· 44 s');
    expect(await rowOf(page, 't1').locator('.time').getAttribute('title')).toBe('this run: 14 s');
    await at({ runs: 2, earlierMs: 30_000, state: 'completed', now: '', durationMs: 20_000 });
    await expect.poll(figures).toContain('· 50 s');
    expect(await rowOf(page, 't1').locator('.time').getAttribute('title')).toBe('last run: 20 s');
    // What is not there leaves no sign behind.
    await at({ model: '', provider: '', rounds: 0, tokens: 0, cost: '', state: 'queued', now: '', position: 1 });
    await expect.poll(figures).toBe('');
    await rowOf(page, 't1').click();
    expect(await rowOf(page, 't1').locator('.facts').textContent()).toBe('explore');
    await at({ model: '', provider: '', cost: '' });
    await expect.poll(figures).toBe('3 rounds · 12.3k tokens · 14 s');
    await at({ state: 'failed', now: '', durationMs: 61_000, problem: 'The budget is used up.' });
    await rowOf(page, 't1').getByText('The budget is used up.', { exact: true }).waitFor();
    expect(await colorOf(rowOf(page, 't1').locator('.state'))).toBe('danger');
    expect(await figures()).toContain('1 min 1 s');
  });

  test('E-11: a hundred of them scroll in a bounded height', async () => {
    const page = await rig.open({ height: 700, scene: 'conversation' });
    const without = await page.evaluate(() => document.querySelectorAll('*').length);
    await tell(page, manyAgents(120, 20));
    await lineOf(page).click();
    const tree = page.getByRole('tree');
    expect((await tree.boundingBox())?.height).toBeLessThanOrEqual(280);
    expect(await page.getByRole('treeitem').count()).toBe(100);
    expect((await page.evaluate(() => document.querySelectorAll('*').length)) - without).toBeLessThan(1_800);
    await page.getByRole('treeitem').first().focus();
    await page.keyboard.press('End');
    await expect.poll(() => focused(page)).toBe('m99');
    await page.getByRole('button', { name: 'Show More Agents (20)' }).click();
    await expect.poll(() => page.getByRole('treeitem').count()).toBe(120);
    await expect.poll(() => focused(page)).toBe('m100');
    await page.getByRole('treeitem', { name: 'Look at part 120, explore, Queued' }).getByText('100th in line', { exact: true }).waitFor();
  });

  test('20 agents that change ten times a second hold up no frame', async () => {
    const page = await openTree('many agents', { height: 900 });
    const runs: number[] = [];
    // A frame that is long by itself is so in all of them; what the machine did beside is not in the least.
    for (let run = 0; run < 3; run += 1) runs.push(await longestTaskCpu(page, () => page.evaluate(changeAgents, manyAgents(20))));
    console.log(`20 agents, a change each 5 ms: the longest tasks took ${runs.map((ms) => ms.toFixed(1)).join(', ')} ms of processor time`);
    expect(Math.min(...runs)).toBeLessThanOrEqual(MAX_FRAME_MS);
    await page.getByText('Reading src/part-99.js', { exact: true }).waitFor();
  });
});

describe('the card about a limit of agents', () => {
  const cardOf = (page: Page): Locator => page.getByRole('group', { name: 'Agents reached their cost limit' });
  const atLimit = agentsScenes['agents at their limit']?.elves ?? [];

  test('says what was used and whom it stopped, is raised by keys to what its button says, and the focus is not lost', async () => {
    const page = await rig.open({ width: 300, scene: 'agents at their limit' });
    expect(
      await page
        .getByRole('group', { name: 'Agents reached their cost limit', description: /2\.03 of \$2\.00 used · 2 agents stopped · 5 starts refused/ })
        .count(),
    ).toBe(1);
    expect(await cardOf(page).innerText()).toContain('Raising it applies to this chat only. Stopped agents then continue.');
    // It is an offer: the chat does not say that it needs the user.
    expect(await page.locator('main > header > p').textContent()).toBe('Ready');
    await lineOf(page).focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent.trim())).toBe('Raise to $4.00');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    expect(await postsOf(page)).toEqual([{ type: 'raise_elf_limit', limit: 'money', to: 4 }]);
    await tell(page, atLimit, { elfLimit: null });
    await cardOf(page).waitFor({ state: 'detached' });
    // A key that is pressed once too often sends nothing.
    await expect.poll(() => hasFocus(lineOf(page))).toBe(true);
    // The next one is another offer.
    await tell(page, atLimit, { elfLimit: { ...costLimit, value: '$4.00', used: '$4.10', higher: { value: 8, text: '$8.00' }, stopped: 1, refused: 0 } });
    await cardOf(page).getByRole('button', { name: 'Raise to $8.00' }).click();
    expect((await postsOf(page)).at(-1)).toEqual({ type: 'raise_elf_limit', limit: 'money', to: 8 });
    expect(await cardOf(page).innerText()).toContain('$4.10 of $4.00 used · 1 agent stopped');
  });

  test('is dismissed, or stops all that work, and is only read where the chat is', async () => {
    const page = await rig.open({ width: 300, scene: 'agents at their limit' });
    // None of them works: there is nothing to stop.
    expect(await cardOf(page).getByRole('button', { name: 'Stop All Agents' }).count()).toBe(0);
    await cardOf(page).getByRole('button', { name: 'Dismiss' }).press('Enter');
    await page.keyboard.press('Enter');
    expect(await postsOf(page)).toEqual([{ type: 'dismiss_elf_limit' }]);
    await tell(page, atLimit, { elfLimit: null });
    await expect.poll(() => hasFocus(lineOf(page))).toBe(true);
    await tell(page, [...atLimit, agent('l9')], { elfLimit: { ...costLimit, stopped: 3 } });
    await cardOf(page).getByRole('button', { name: 'Stop All Agents' }).click();
    expect((await postsOf(page)).at(-1)).toEqual({ type: 'stop_at_elf_limit' });
    await tell(page, atLimit, { elsewhere: true });
    await expect.poll(() => cardOf(page).getByRole('button').count()).toBe(0);
  });

  test('is announced once when it appears, and again for another limit', async () => {
    const page = await rig.open({ scene: 'conversation' });
    const polite = page.locator('main > [aria-live=polite]');
    await tell(page, [], {
      elfLimit: { ...costLimit, limit: 'agents', value: '50', used: '50', higher: { value: 100, text: '100' }, stopped: 0, refused: 232 },
    });
    await polite.filter({ hasText: 'This chat reached its limit of agents' }).waitFor();
    const card = page.getByRole('group', { name: 'This chat reached its limit of agents' });
    expect(await card.innerText()).toContain('50 of 50 starts used · 232 starts refused');
    expect(await card.getByRole('button', { name: 'Raise to 100 agents' }).count()).toBe(1);
    // No agent has begun: there is no list of them.
    expect(await lineOf(page).count()).toBe(0);
    await tell(page, atLimit, { elfLimit: costLimit });
    await polite.filter({ hasText: 'Agents reached their cost limit' }).waitFor();
    // Counts that change are not read out again.
    await tell(page, [...atLimit, agent('l9', { state: 'failed', task: 'Last' })], { elfLimit: { ...costLimit, stopped: 3 } });
    await polite.filter({ hasText: 'The agent “explore: Last” failed.' }).waitFor();
    expect(await polite.textContent()).not.toContain('limit');
    // Whom the user wants to go on is told, because nothing else answers the button.
    const [done] = atLimit;
    await tell(page, atLimit, { elfLimit: { ...costLimit, wanted: [done?.id ?? '', 'gone'] } });
    await polite.filter({ hasText: '“Find every caller of median” waits for this to continue.' }).waitFor();
    await cardOf(page).getByText('“Find every caller of median” waits for this to continue.', { exact: true }).waitFor();
    await tell(page, atLimit, { elfLimit: { ...costLimit, wanted: atLimit.slice(0, 2).map(({ id }) => id) } });
    await cardOf(page).getByText('2 agents wait for this to continue.', { exact: true }).waitFor();
  });

  test('offers no more where that would not help', async () => {
    const page = await rig.open({ width: 300, scene: 'agents at their limit' });
    await tell(page, atLimit, { elfLimit: { limit: 'money', value: '$2.00', used: 'n/a', stopped: 1, refused: 0 } });
    await cardOf(page).getByText('n/a of $2.00 used · 1 agent stopped').waitFor();
    expect(await cardOf(page).innerText()).toContain('A price is unknown');
    expect(
      await cardOf(page)
        .getByRole('button')
        .evaluateAll((all) => all.map((each) => each.ariaLabel)),
    ).toEqual(['Dismiss']);
  });
});

describe('agents, whatever they are called,', () => {
  test.each(Object.keys(agentsScenes))('stay within every width: %s', async (scene) => {
    const page = await openTree(scene, { height: 600 });
    expect(await sticksOutAt(page, WIDTHS)).toEqual([]);
    for (const row of await page.getByRole('treeitem').all()) {
      await row.focus();
      const box = await row.boundingBox();
      expect(box?.height).toBeLessThan(300);
    }
    expect(await sticksOutAt(page, WIDTHS)).toEqual([]);
    expect(await page.locator('.tray :is(img, b)').count()).toBe(0);
  });

  test('hide and spoof nothing', async () => {
    const page = await openTree('hostile agents');
    const names = await page.getByRole('treeitem').evaluateAll((rows) => rows.map((row) => row.querySelector('.screen-reader-only')?.textContent ?? ''));
    expect(names[0]).toBe(String.raw`\u202EFinished\u202C <b>Wants you</b> <img src=x onerror=alert(1)>, ex\u200Bplore, Working`);
    expect(names[2]).toBe('First line Finished Wants you, two lines, Needs you');
    for (const name of names) expect(name.length).toBeLessThan(500);
    const texts = await page.locator('.tray').innerText();
    expect(texts).not.toMatch(/[\u200B\u202A-\u202E\u2066-\u2069]/);
    // Letters that are written from the right stay on their side of the figures.
    const [task, figures] = await Promise.all([rowOf(page, 'h5').locator('.doing').boundingBox(), rowOf(page, 'h5').locator('.figures').boundingBox()]);
    expect((task?.x ?? 0) + (task?.width ?? 0)).toBeLessThanOrEqual(figures?.x ?? 0);
  });

  test.each(Object.keys(agentsScenes))('axe finds nothing in any theme: %s', async (scene) => {
    const page = await openTree(scene);
    await page.getByRole('treeitem').nth(1).focus();
    await page.getByRole('treeitem').nth(2).hover();
    expect(await violations(page)).toEqual([]);
  });

  test('axe finds nothing with the colors that the system forces', async () => {
    const page = await openTree('nested agents', { media: { forcedColors: 'active' } });
    await page.getByRole('treeitem').nth(1).focus();
    expect(await violations(page, ['dark'])).toEqual([]);
  });
});

describe('the call that started an agent', () => {
  test('says how that is in words, and leads to it', async () => {
    const page = await rig.open({ width: 480, scene: 'agents' });
    const call = (task: string): Locator => page.getByRole('group', { name: task });
    await call('Update the docs').getByText('Needs you', { exact: true }).waitFor();
    await call('Update the docs').getByText('Run npm run docs -- --check? · in the background · 3 rounds').waitFor();
    // The call has an end at once, and the agent has not.
    const heading = call('Update the docs').locator('[aria-expanded]').first();
    await changeCall(page, 'call-a3', { status: 'done' });
    await expect.poll(() => heading.textContent()).toContain(', started in the background');
    expect(await call('Find every caller').locator('[aria-expanded]').first().textContent()).toContain(', done');
    await call('Find every caller').getByText('9 rounds · 48.1k tokens · $0.01').waitFor();
    // What it reported line by line is in its tab.
    expect(await call('Rewrite the tests').getByRole('group', { name: 'Output' }).count()).toBe(0);
    await call('Rewrite the tests').getByRole('button', { name: 'Open', exact: true }).click();
    expect(await postsOf(page)).toEqual([{ type: 'open_elf', elf: 'a2' }]);
    await tell(page, [agent('a2', { state: 'completed' }), agent('deep', { parent: 'a2', state: 'waiting' })]);
    await call('Rewrite the tests').getByText('Needs you', { exact: true }).waitFor();
    await call('Update the docs').getByText('Needs you', { exact: true }).waitFor({ state: 'detached' });
  });
});
