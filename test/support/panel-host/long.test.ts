import type { Page, Route } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ViewEvent } from '../../../src/protocol/view-event.js';
import type { ViewBlock } from '../../../src/protocol/view-state.js';
import { ALL_RUNS } from '../runs.js';
import { delivered, loaded, PanelRig, settled, sticksOut } from './rig.js';

let rig: PanelRig;

beforeAll(async () => {
  rig = await PanelRig.start();
});
afterEach(() => rig.closePages());

/** Elements that a page may have, however long the conversation is; 60 messages of the kind shown here have 900. */
const MAX_ELEMENTS = 2_000;
/** Messages that may be in the page. */
const MAX_ROWS = 60;

async function openLong(count: number, options: Parameters<PanelRig['open']>[0] = {}): Promise<Page> {
  const page = await rig.open(options);
  await page.evaluate((messages) => globalThis.panelHost.long(messages), count);
  await page
    .getByRole('log')
    .getByText(`Question ${count - 2}`, { exact: true })
    .waitFor();
  await settled(page);
  return page;
}

/** What is to be seen: the places of messages and where they are, and how much is in the page. */
function seen(page: Page) {
  return page.evaluate(() => {
    const log = document.querySelector('[role=log]');
    if (log === null) throw new Error('There is no log.');
    const { top, bottom } = log.getBoundingClientRect();
    const articles = [...log.querySelectorAll('article')].map((article) => ({
      place: Number(article.ariaPosInSet),
      box: article.getBoundingClientRect(),
      text: article.textContent,
    }));
    const inView = articles.filter(({ box }) => box.bottom > top && box.top < bottom);
    return {
      rows: articles.length,
      elements: document.querySelectorAll('*').length,
      places: inView.map(({ place }) => place),
      tops: Object.fromEntries(inView.map(({ place, box }) => [place, box.top])),
      /** Also of those at the edges, which half a pixel takes into view or out of it. */
      allTops: Object.fromEntries(articles.map(({ place, box }) => [place, box.top])),
      wrong: articles.filter(({ place, text }) => !new RegExp(`(Question|Answer) ${place - 1}( |$)`).test(text.trim())).map(({ place }) => place),
      top: log.scrollTop,
      fromEnd: log.scrollHeight - log.clientHeight - log.scrollTop,
    };
  });
}

/** Moves the view with the wheel, one turn after the other; where it is at the end already, it stays. */
async function wheel(page: Page, by: number, times = 1): Promise<void> {
  await page.getByRole('log').hover();
  for (let count = 0; count < times; count += 1) {
    const from = await page.getByRole('log').evaluate(({ scrollTop }) => scrollTop);
    await page.mouse.wheel(0, by);
    await page.waitForFunction(
      ({ before, down }) => {
        const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = document.querySelector('[role=log]') ?? {};
        return scrollTop !== before || (down ? scrollTop + clientHeight > scrollHeight - 2 : scrollTop === 0);
      },
      { before: from, down: by > 0 },
    );
  }
  await settled(page);
}

/** Drags the scroll bar, as far as the page can tell. */
async function scrollTo(page: Page, part: number): Promise<void> {
  await page.getByRole('log').evaluate((log, to) => {
    log.scrollTop = (log.scrollHeight - log.clientHeight) * to;
  }, part);
  await settled(page);
}

/**
 * Waits until the place of the view is stored, once it rests; until then the one stored is where it was before. It is that of
 * the first message to be seen, or of the one before it where there is only its distance to that left.
 */
async function untilRemembered(page: Page, { places: [first = 0] }: Awaited<ReturnType<typeof seen>>): Promise<void> {
  await page.waitForFunction((place) => {
    const { reading } = JSON.parse(sessionStorage.getItem('state') ?? '{}') as { reading?: { item: string; offset: number } | null };
    const stored = Number(reading?.item.slice(1)) + 1;
    // The space above a message belongs to its row, by which places are counted.
    const top = (element?: Element | null): number => element?.getBoundingClientRect().top ?? Number.NaN;
    const row = document.querySelector(`article[aria-posinset="${stored}"]`)?.closest('.row');
    const offset = top(row) - top(document.querySelector('[role=log]'));
    return (stored === place || stored === place - 1) && Math.abs(offset - (reading?.offset ?? Number.NaN)) < 1;
  }, first);
}

async function push(page: Page, ...events: readonly ViewEvent[]): Promise<void> {
  await page.evaluate((list) => globalThis.panelHost.events(...list), events as ViewEvent[]);
  await delivered(page);
}

const block = (text: string): ViewBlock => ({ type: 'text', text });

describe('view-15 1,000 messages', () => {
  test('the end is there, with its place among all, and few of them are in the page', async () => {
    const page = await openLong(1_000);
    const { rows, elements, places, wrong, fromEnd } = await seen(page);
    expect(places.at(-1)).toBe(1_000);
    expect(wrong).toEqual([]);
    expect(rows).toBeLessThanOrEqual(MAX_ROWS);
    expect(elements).toBeLessThan(MAX_ELEMENTS);
    expect(fromEnd).toBeLessThan(2);
    const last = page.getByRole('log', { name: 'Chat', exact: true }).getByRole('article').last();
    expect(await last.getAttribute('aria-setsize')).toBe('1000');
  });

  test('anywhere that the scroll bar goes, the right messages are there', async () => {
    const page = await openLong(1_000);
    let before = Number.POSITIVE_INFINITY;
    for (const part of ALL_RUNS ? [0.9, 0.75, 0.5, 0.31, 0.1, 0.01] : [0.9, 0.5, 0.01]) {
      await scrollTo(page, part);
      const { places, wrong, rows, elements } = await seen(page);
      expect(places.length, `at ${part}`).toBeGreaterThan(0);
      expect(wrong).toEqual([]);
      expect(places).toEqual(Array.from(places, (_, index) => (places[0] ?? 0) + index));
      expect(places[0]).toBeLessThan(before);
      expect(Math.abs((places[0] ?? 0) - 1_000 * part)).toBeLessThan(150);
      expect(rows).toBeLessThanOrEqual(MAX_ROWS);
      expect(elements).toBeLessThan(MAX_ELEMENTS);
      before = places[0] ?? 0;
    }
  });

  test('Home, End, PageUp, PageDown and the arrows go where they say', async () => {
    const page = await openLong(1_000);
    const log = page.getByRole('log');
    await log.press('Home');
    await settled(page);
    const start = await seen(page);
    expect(start.places[0]).toBe(1);
    expect(start.top).toBe(0);
    expect(start.wrong).toEqual([]);
    expect(start.rows).toBeLessThanOrEqual(MAX_ROWS);
    await log.press('PageDown');
    await page.waitForFunction(() => (document.querySelector('[role=log]')?.scrollTop ?? 0) > 300);
    await settled(page);
    const { top } = await seen(page);
    await log.press('ArrowDown');
    await page.waitForFunction((from) => (document.querySelector('[role=log]')?.scrollTop ?? 0) > from, top);
    await settled(page);
    await log.press('End');
    await settled(page);
    const end = await seen(page);
    expect(end.places.at(-1)).toBe(1_000);
    expect(end.fromEnd).toBeLessThan(2);
    await log.press('PageUp');
    await page.getByRole('button', { name: 'Jump to Latest' }).waitFor();
  });

  test('one place after the other, back and forth, nothing is left out and nothing comes twice', async () => {
    // A high window, so that few turns of the wheel lead beyond the messages that are loaded at first.
    const page = await openLong(1_000, { height: 1_600 });
    const met = new Set((await seen(page)).places);
    const turns = ALL_RUNS ? 16 : 12;
    for (let count = 0; count < turns; count += 1) {
      await wheel(page, -1_200);
      const { places, wrong } = await seen(page);
      expect(wrong).toEqual([]);
      for (const place of places) met.add(place);
    }
    const first = Math.min(...met);
    expect(first).toBeLessThan(960);
    expect([...met].sort((a, b) => a - b)).toEqual(Array.from({ length: 1_001 - first }, (_, index) => first + index));
    for (let count = 0; count < turns + 6; count += 1) await wheel(page, 1_200);
    expect((await seen(page)).places.at(-1)).toBe(1_000);
    await page.getByRole('button', { name: 'Jump to Latest' }).waitFor({ state: 'hidden' });
  });

  test('a message that has come into view does not move while those around it are loaded', async () => {
    // One of its own, as its clock is changed.
    const page = await openLong(1_000, { own: true });
    const moved = await page.evaluate(async () => {
      // Each look at the clock finds the time of a frame used up: one step of work is done in it, however fast the machine is.
      const now = performance.now.bind(performance);
      let ahead = 0;
      performance.now = () => now() + (ahead += 100);
      const log = document.querySelector('[role=log]');
      if (log === null) throw new Error('There is no log.');
      const { top, left, width } = log.getBoundingClientRect();
      const tops: number[] = [];
      let middle: Element | null | undefined;
      let heights = '';
      let still = 0;
      let rowsThen = 0;
      let before = '';
      let unchanged = 0;
      const steps = [0, -12, 12, -24, 24, -48, 48, -96, 96];
      log.scrollTop = (log.scrollHeight - log.clientHeight) * 0.4;
      // The last thing to come is no row, but the heights of all rows, which move the rows unless the browser makes up for it.
      for (let frame = 0; frame < 2_000 && unchanged < 60; frame += 1) {
        await new Promise(requestAnimationFrame);
        const after = [log.querySelectorAll('article').length, log.scrollHeight, tops.at(-1)].join();
        unchanged = middle instanceof Element && after === before ? unchanged + 1 : 0;
        before = after;
        const inView = [...log.querySelectorAll('article')].filter(
          (article) => article.getBoundingClientRect().bottom > top && article.getBoundingClientRect().top < top + log.clientHeight,
        );
        // From when on they are wholly rendered; those around them are not yet there.
        const rendered = inView.every((article) => article.ariaLabel === 'You' || article.querySelector('pre') !== null);
        // A message that begins above the view may still grow there; what one reads is in the middle.
        const now = inView.map((article) => article.clientHeight).join();
        still = rendered && now === heights ? still + 1 : 0;
        heights = now;
        // The very middle may lie between two paragraphs, or in what heads a message.
        if (still > 2)
          middle ??= steps
            .map((step) => document.elementFromPoint(left + width / 2, top + log.clientHeight / 2 + step)?.closest('article :is(p, li, pre, h2, h3)'))
            .find((each) => each instanceof Element);
        if (middle instanceof Element && rowsThen === 0) rowsThen = log.querySelectorAll('article').length;
        if (middle instanceof Element) tops.push(middle.isConnected ? middle.getBoundingClientRect().top : Number.NaN);
      }
      return { rowsThen, frames: tops.length, by: Math.max(...tops) - Math.min(...tops), rows: log.querySelectorAll('article').length };
    });
    expect(moved.frames).toBeGreaterThan(60);
    expect(moved.rows).toBeGreaterThan(moved.rowsThen + 10);
    expect(moved.by).toBeLessThan(4);
  });

  test('what one reads stays where it is while rows above it get their heights', async () => {
    const page = await openLong(1_000);
    await scrollTo(page, 0.4);
    for (let count = 0; count < (ALL_RUNS ? 6 : 3); count += 1) {
      await page.getByRole('log').hover();
      const before = await seen(page);
      await page.mouse.wheel(0, -120);
      await page.waitForFunction((top) => document.querySelector('[role=log]')?.scrollTop !== top, before.top);
      await settled(page);
      const after = await seen(page);
      const both = before.places.filter((place) => after.places.includes(place));
      expect(both.length).toBeGreaterThan(0);
      for (const place of both) expect(Math.abs((after.tops[place] ?? 0) - (before.tops[place] ?? 0) - 120)).toBeLessThan(3);
    }
  });
});

describe('view-15 while an answer streams', () => {
  test('text that comes at the end moves nothing above, and the end is followed again after the jump', async () => {
    const page = await openLong(1_000);
    await push(page, { type: 'item_added', item: { kind: 'answer', id: 'live', blocks: [block('')], status: 'streaming', time: '', summary: '' } });
    await scrollTo(page, 0.3);
    const before = await seen(page);
    for (let count = 0; count < 20; count += 1) await push(page, { type: 'delta', item: 'live', block: 0, delta: 'Some more of it.\n\n' });
    await settled(page);
    expect((await seen(page)).tops).toEqual(before.tops);
    await page.getByRole('button', { name: 'Jump to Latest' }).click();
    await settled(page);
    expect((await seen(page)).fromEnd).toBeLessThan(2);
    await push(page, { type: 'delta', item: 'live', block: 0, delta: 'And the end.\n\n'.repeat(50) });
    await page.getByText('And the end.').last().waitFor();
    await settled(page);
    expect((await seen(page)).fromEnd).toBeLessThan(2);
    await page.getByRole('button', { name: 'Jump to Latest' }).waitFor({ state: 'hidden' });
  });

  test('view-14 a reload in the middle comes back to where one was reading, and what was missed is there', async () => {
    const page = await openLong(600);
    await push(page, { type: 'item_added', item: { kind: 'answer', id: 'live', blocks: [block('half')], status: 'streaming', time: '', summary: '' } });
    await scrollTo(page, 0.4);
    await wheel(page, -100);
    const before = await seen(page);
    await untilRemembered(page, before);
    await push(page, { type: 'delta', item: 'live', block: 0, delta: ' and whole' });
    await page.evaluate(() => globalThis.panelHost.keep());
    await page.reload();
    await loaded(page);
    const [place = 0] = before.places;
    await page.locator(`article[aria-posinset="${place}"]`).waitFor();
    await settled(page);
    const after = await seen(page);
    for (const each of before.places) expect(Math.abs((after.allTops[each] ?? Number.NaN) - (before.tops[each] ?? 0))).toBeLessThan(3);
    await page.getByRole('button', { name: 'Jump to Latest' }).click();
    await page.getByText('half and whole').waitFor();
  });

  test('view-14 a reload comes back to where one was reading also when what draws messages is long in coming', async () => {
    const page = await openLong(600, { own: true });
    await scrollTo(page, 0.4);
    await wheel(page, -100);
    const before = await seen(page);
    await untilRemembered(page, before);
    await page.evaluate(() => globalThis.panelHost.keep());
    const held: Route[] = [];
    const late = ({ pathname }: URL): boolean => /\/chunks\/(?:engine|extras)-\w+\.js$/.test(pathname);
    await page.route(late, (route) => held.push(route));
    await page.reload();
    const [place = 0] = before.places;
    await page.locator(`article[aria-posinset="${place}"]`).waitFor();
    await expect.poll(() => held.length).toBe(2);
    await settled(page);
    await Promise.all(held.map((route) => route.continue()));
    // Only answers are drawn: each second message is one. What is below one in the view that is not drawn yet is not at its place yet.
    for (const answer of before.places.filter((each) => each % 2 === 0))
      await page.locator(`article[aria-posinset="${answer}"] :is(strong, code)`).first().waitFor();
    await settled(page);
    const after = await seen(page);
    for (const each of before.places) expect(Math.abs((after.allTops[each] ?? Number.NaN) - (before.tops[each] ?? 0))).toBeLessThan(3);
  });

  test('at the end a reload comes back to the end', async () => {
    const page = await openLong(600);
    await page.evaluate(() => globalThis.panelHost.keep());
    await page.reload();
    await loaded(page);
    await page.getByRole('log').getByText('Question 598', { exact: true }).waitFor();
    await settled(page);
    expect((await seen(page)).fromEnd).toBeLessThan(2);
  });
});

describe('what is in use stays in the page', () => {
  test('view-14 a prompt is there and told of while one reads far above, once, and takes nothing away', async () => {
    const page = await openLong(1_000);
    await scrollTo(page, 0.2);
    const before = await seen(page);
    const call = {
      id: 'c',
      name: 'bash',
      subject: 'ls',
      status: 'awaiting_approval' as const,
      output: '',
      preview: { kind: 'command' as const, command: 'ls', cwd: '/', timeoutMs: 1 },
      approval: { reasons: ['Commands ask.'] },
    };
    await push(
      page,
      { type: 'item_added', item: { kind: 'answer', id: 'asks', blocks: [{ type: 'tool', call }], status: 'streaming', time: '', summary: '' } },
      { type: 'meta', patch: { activity: 'waiting' } },
    );
    const prompt = page.getByRole('group', { name: 'Permission required' });
    await prompt.waitFor({ state: 'attached' });
    await page.getByRole('alert').filter({ hasText: 'Permission required: Run ls?' }).waitFor();
    await settled(page);
    expect((await seen(page)).tops).toEqual(before.tops);
    expect(await prompt.count()).toBe(1);
    // It stays the same one however far the view goes.
    await prompt.evaluate((element) => Reflect.set(element, 'isTheFirst', true));
    await scrollTo(page, 0.6);
    await page.getByRole('log').press('Home');
    await settled(page);
    await page.getByRole('button', { name: 'Jump to Latest' }).click();
    await settled(page);
    expect(await prompt.evaluate((element) => Reflect.get(element, 'isTheFirst') as unknown)).toBe(true);
  });

  test('view-14 a prompt far above the end is there after a reload', async () => {
    const page = await openLong(100);
    const call = { id: 'c', name: 'bash', subject: 'ls', status: 'awaiting_approval' as const, output: '', approval: { reasons: ['Commands ask.'] } };
    const notes = Array.from({ length: 120 }, (_, index): ViewEvent => ({
      type: 'item_added',
      item: { kind: 'notice', id: `n${index}`, level: 'info', text: `Note ${index}`, actions: [] },
    }));
    await push(
      page,
      { type: 'item_added', item: { kind: 'answer', id: 'asks', blocks: [{ type: 'tool', call }], status: 'streaming', time: '', summary: '' } },
      { type: 'meta', patch: { activity: 'waiting' } },
      ...notes,
    );
    await page.evaluate(() => globalThis.panelHost.keep());
    await page.reload();
    await loaded(page);
    await page.getByText('Note 119').waitFor();
    await settled(page);
    const prompt = page.getByRole('group', { name: 'Permission required' });
    expect(await prompt.count()).toBe(1);
    expect((await seen(page)).rows).toBeLessThanOrEqual(MAX_ROWS);
  });

  test('a selection is the same after the view was far away', async () => {
    const page = await openLong(1_000);
    await scrollTo(page, 0.5);
    const selected = await page.evaluate(() => {
      const log = document.querySelector('[role=log]');
      const middle = (log?.getBoundingClientRect().top ?? 0) + 200;
      const article = [...document.querySelectorAll('article')].find((each) => each.getBoundingClientRect().bottom > middle);
      if (article === undefined) throw new Error('There is nothing to select.');
      getSelection()?.selectAllChildren(article);
      return getSelection()?.toString() ?? '';
    });
    expect(selected).toMatch(/(Question|Answer) \d+/);
    await scrollTo(page, 0.1);
    await scrollTo(page, 0.9);
    expect((await seen(page)).wrong).toEqual([]);
    expect(await page.evaluate(() => getSelection()?.toString())).toBe(selected);
    await page.evaluate(() => getSelection()?.removeAllRanges());
    await scrollTo(page, 0.2);
    expect((await seen(page)).rows).toBeLessThanOrEqual(MAX_ROWS);
  });

  test('the focus is where it was after the view was far away', async () => {
    const page = await openLong(1_000);
    await page.getByRole('button', { name: 'Copy Code' }).last().focus();
    await page.evaluate(() => Reflect.set(document.activeElement ?? {}, 'hadFocus', true));
    await scrollTo(page, 0.2);
    await scrollTo(page, 0.7);
    expect(await page.evaluate(() => Reflect.get(document.activeElement ?? {}, 'hadFocus') as unknown)).toBe(true);
  });
});

describe('the question at the top of the view', () => {
  test('says what is being answered, and leads there', async () => {
    const page = await openLong(1_000);
    await page.evaluate(() => {
      const answer = {
        kind: 'answer' as const,
        id: 'tall',
        blocks: [{ type: 'text' as const, text: 'A paragraph of it.\n\n'.repeat(200) }],
        status: 'complete' as const,
        time: '',
        summary: '',
      };
      globalThis.panelHost.events(
        { type: 'item_added', item: { kind: 'user', id: 'why', text: 'Why is that?\nReally?', images: [], time: '' } },
        { type: 'item_added', item: answer },
      );
    });
    const question = page.getByRole('button', { name: 'Go to your message: Why is that? Really?' });
    await question.waitFor();
    await settled(page);
    await question.click();
    await question.waitFor({ state: 'hidden' });
    await settled(page);
    const box = await page.getByRole('article', { name: 'You' }).filter({ hasText: 'Really?' }).boundingBox();
    const log = await page.getByRole('log').boundingBox();
    // Above a message is the space between turns.
    expect(Math.abs((box?.y ?? 0) - (log?.y ?? 0) - 16)).toBeLessThan(3);
  });

  test('what gets the focus by keyboard is not covered by it', async () => {
    const page = await openLong(1_000);
    await scrollTo(page, 0.5);
    await page.getByRole('log').focus();
    for (let count = 0; count < (ALL_RUNS ? 12 : 6); count += 1) {
      await page.keyboard.press('Tab');
      await settled(page);
      const looks = (): Promise<'free' | 'covered' | 'out of view'> =>
        page.evaluate(() => {
          const { activeElement } = document;
          const box = activeElement?.getBoundingClientRect();
          if (activeElement === null || box === undefined || activeElement.closest('[role=log] article') === null) return 'free';
          const there = document.elementFromPoint(box.left + box.width / 2, box.top + 3);
          if (there === null) return 'out of view';
          return there.closest('.frame > button') === null ? 'free' : 'covered';
        });
      await expect.poll(looks).toBe('free');
    }
  });
});

describe('an item that is sought', () => {
  const find = (page: Page, item: string): Promise<void> =>
    page.evaluate((id) => {
      const { posts } = globalThis.panelHost;
      const asked = posts.findLast((message) => message.type === 'find_text');
      if (asked?.type !== 'find_text') throw new Error('Nothing was looked for.');
      globalThis.panelHost.post({
        type: 'found',
        session: 'long-1000',
        request: asked.request,
        places: [{ item: id, block: 0, count: 1 }],
        total: 1,
        more: false,
      });
    }, item);

  test('is loaded, comes into view and stands out, wherever it is', async () => {
    const page = await openLong(1_000);
    await page.keyboard.press('Control+f');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Find');
    await page.keyboard.type('Answer 235');
    await page.waitForFunction(() => globalThis.panelHost.posts.some((message) => message.type === 'find_text' && message.query === 'Answer 235'));
    await find(page, 'a235');
    const found = (): Promise<string> => page.evaluate(() => [...(CSS.highlights.get('gnomon-found-current') ?? [])].map(String).join());
    await expect.poll(found).toBe('Answer 235');
    await settled(page);
    // The match, and not all of what it is in.
    expect(await page.locator('.row.marked').count()).toBe(0);
    const { tops, wrong } = await seen(page);
    const log = await page.getByRole('log').boundingBox();
    expect(tops[236]).toBeGreaterThan((log?.y ?? 0) - 3);
    expect(tops[236]).toBeLessThan((log?.y ?? 0) + 400);
    expect(wrong).toEqual([]);
    expect(await page.getByText('Answer 235 to what').evaluate((text) => text.getBoundingClientRect().top)).toBeGreaterThan(log?.y ?? 0);
    await page.keyboard.press('Escape');
    await expect.poll(found).toBe('');
  });
});

describe('in little room', () => {
  test.each([
    { name: '220 px', width: 220, zoom: 1 },
    { name: '200 %', width: 220, zoom: 2 },
    { name: 'a fraction', width: 300, zoom: 1.5 },
  ])('nothing sticks out and nothing jumps: $name', async ({ width, zoom }) => {
    const page = await openLong(1_000, { width, zoom });
    await scrollTo(page, 0.5);
    expect(await sticksOut(page)).toEqual([]);
    const { wrong, places } = await seen(page);
    expect(wrong).toEqual([]);
    expect(places.length).toBeGreaterThan(0);
    const before = await seen(page);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    await settled(page);
    expect((await seen(page)).tops).toEqual(before.tops);
    await page.getByRole('log').press('End');
    await settled(page);
    expect((await seen(page)).fromEnd).toBeLessThan(2);
  });

  test('a width that changes keeps the place', async () => {
    const page = await openLong(1_000, { width: 600 });
    await scrollTo(page, 0.5);
    const { places } = await seen(page);
    await page.setViewportSize({ width: 260, height: 760 });
    await settled(page);
    const after = await seen(page);
    expect(after.places.some((place) => places.includes(place))).toBe(true);
    expect(after.wrong).toEqual([]);
  });

  test('with reduced motion nothing moves by itself', async () => {
    const page = await openLong(500, { media: { reducedMotion: 'reduce' } });
    await scrollTo(page, 0.5);
    await page.getByRole('log').press('Home');
    await settled(page);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });
});
