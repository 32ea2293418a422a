import type { Page } from 'playwright-core';
import { emptyViewState } from '../../src/protocol/view-state.js';
import { endOf } from '../../src/chat/projection/items.js';
import { Panel } from '../../src/chat/pane/panel.js';
import { itemsOf } from '../../src/chat/projection/transcript-items.js';
import { ViewLog } from '../../src/chat/projection/view-log.js';
import type { PanelHost } from '../support/panel-host/page.js';
import { startPanelHost } from '../support/panel-host/server.mjs';
import { type Browser, openBrowser } from '../vscode/browser.mjs';
import { type Figure, medianFigure } from './figure.js';
import { longMessages } from './long-messages.js';
import { NO_LOG, OuterHost } from './outer-host.js';

declare const panelHost: PanelHost;

/** Messages of the session that is opened and scrolled through, and of the one whose memory is measured. */
const OPENED = 5_000;
const KEPT = 10_000;
const WARM_UP = 2;
const RUNS = 7;
/** Pixels in a frame: many times faster than anybody reads, and a fling. */
const SCROLL = 300;
const FLING = 4_000;
/** How often it is scrolled through. */
const SCROLLS = 3;
const DELTAS = 20_000;
const DELTA = 'twelve chars';

/** A long session: how fast its end is there, whether scrolling through it is fluid, what it costs host and page. */
export async function measureLongSession(): Promise<readonly Figure[]> {
  const server = await startPanelHost();
  const browser = await openBrowser();
  try {
    const opened = await openTimes(await browser.newPage(), server.url());
    const scrolled = await scrolling(browser, server.url());
    const heap = await heapOverEmpty(await browser.newPage(), server.url());
    return [opened, ...scrolled, heap, ...hostTimes(), await bytesOverText()];
  } finally {
    await browser.close();
    await server.close();
  }
}

/** From the request to open a session to the frame in which its end is painted. */
async function openTimes(page: Page, url: string): Promise<Figure> {
  const host = await OuterHost.open(page, url);
  const messages = longMessages(OPENED);
  const times: number[] = [];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const painted = page.evaluate(whenPainted, `end of ${OPENED / 4 - 1}`);
    const start = performance.timeOrigin + performance.now();
    host.show(`session-${run}`, messages);
    const time = (await painted) - start;
    if (run >= WARM_UP) times.push(time);
    host.show('empty', []);
    await page.getByText('What are we building?').waitFor();
  }
  await page.close();
  return medianFigure('open_5k_messages_ms', times, { unit: 'ms', goal: 300 });
}

/** Runs in the page: the moment after the frame in which a text is in view, in milliseconds of the machine's clock. */
async function whenPainted(text: string): Promise<number> {
  const isInView = (): boolean => {
    const article = [...document.querySelectorAll('article')].at(-1);
    return (
      article !== undefined &&
      article.textContent.includes(text) &&
      article.getBoundingClientRect().top < innerHeight &&
      article.getBoundingClientRect().bottom > 0
    );
  };
  do await new Promise(requestAnimationFrame);
  while (!isInView());
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  return performance.timeOrigin + performance.now();
}

async function openLong(page: Page, url: string, count: number): Promise<OuterHost> {
  const host = await OuterHost.open(page, url);
  const painted = page.evaluate(whenPainted, `end of ${count / 4 - 1}`);
  host.show('long', longMessages(count));
  await painted;
  return host;
}

/** The longest frame of each run. A frame that is long by itself is so in all of them; what the machine did beside is not in the least. */
async function scrolling(browser: Browser, url: string): Promise<readonly Figure[]> {
  const [longest, elements, notes]: [number[], number[], string[]] = [[], [], []];
  for (let run = 0; run < SCROLLS; run += 1) {
    const page = await browser.newPage();
    await openLong(page, url, OPENED);
    for (const pixels of [SCROLL, FLING]) {
      const figures = await page.evaluate((step) => panelHost.scrollThrough(step), pixels);
      const { longestTaskMs, longestGapMs, frames, blank } = figures;
      longest[run] = Math.max(longest[run] ?? 0, longestTaskMs, Math.min(longestGapMs, 50));
      elements.push(figures.elements);
      if (run === 0) notes.push(`${frames} frames of ${pixels} px, ${blank} of them without a message`);
    }
    await page.close();
  }
  const note = `least of ${longest.map((ms) => Math.round(ms)).join(', ')}; ${notes.join('; ')}`;
  return [
    { name: 'scroll_5k_longest_frame_ms', value: Math.min(...longest), unit: 'ms', goal: 33, note },
    { name: 'scroll_5k_elements', value: Math.max(...elements), unit: 'elements', goal: 5_000, note: 'the most that the page had' },
  ];
}

async function heapOverEmpty(page: Page, url: string): Promise<Figure> {
  const host = await OuterHost.open(page, url);
  const empty = await heap(page);
  const painted = page.evaluate(whenPainted, `end of ${KEPT / 4 - 1}`);
  host.show('long', longMessages(KEPT));
  await painted;
  await page.evaluate((pixels) => panelHost.scrollThrough(pixels), FLING);
  const full = await heap(page);
  await page.close();
  return {
    name: 'heap_10k_messages_mb',
    value: full - empty,
    unit: 'MB',
    goal: 60,
    note: `over ${Math.round(empty)} MB of an empty one, after scrolling through all of it`,
  };
}

async function heap(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

/** What the extension host is held up by when a session is opened: each is done in one go. */
function hostTimes(): readonly Figure[] {
  const messages = longMessages(OPENED);
  const [items, snapshots]: [number[], number[]] = [[], []];
  for (let run = 0; run < WARM_UP + RUNS; run += 1) {
    const [projection, state] = timed(() => ({ ...emptyViewState('m', 'default'), items: itemsOf(messages, {}) }));
    const [snapshot] = timed(() => JSON.stringify(endOf(state)));
    if (run < WARM_UP) continue;
    items.push(projection);
    snapshots.push(snapshot);
  }
  return [medianFigure('host_items_5k_ms', items, { unit: 'ms', goal: 20 }), medianFigure('host_snapshot_5k_ms', snapshots, { unit: 'ms', goal: 20 })];
}

function timed<T>(act: () => T): readonly [number, T] {
  const start = performance.now();
  const result = act();
  return [performance.now() - start, result];
}

/** Bytes posted to a page for each byte of a long answer, at full speed, and as fast as a fast model writes. */
async function bytesOverText(): Promise<Figure> {
  const full = await bytesPosted(DELTAS, () => undefined);
  const paced = await bytesPosted(DELTAS / 10, (index) => (index % 20 === 0 ? new Promise((resolve) => setTimeout(resolve, 16)) : undefined));
  return { name: 'posted_bytes_ratio', value: full, unit: '×', goal: 2, note: `${DELTAS} deltas at full speed; ${paced.toFixed(2)} × at 1,250 a second` };
}

async function bytesPosted(deltas: number, pause: (index: number) => Promise<unknown> | undefined): Promise<number> {
  let bytes = 0;
  const view = new ViewLog(emptyViewState('m', 'default'), 'epoch');
  const webview = {
    postMessage: (message: { type: string }) => {
      bytes += Buffer.byteLength(JSON.stringify(message));
      setImmediate(() => panel.receive({ type: 'ack', seq: view.seq }));
      return Promise.resolve(true);
    },
  };
  const panel = new Panel(webview, NO_LOG);
  panel.show({ id: '6c84fb90-12c4-11e1-840d-7b25c5ee775a', view });
  panel.attach(undefined);
  view.push({ type: 'item_added', item: { kind: 'answer', id: 'a1', blocks: [{ type: 'text', text: '' }], status: 'streaming', time: '', summary: '' } });
  for (let index = 0; index < deltas; index += 1) {
    view.push({ type: 'delta', item: 'a1', block: 0, delta: DELTA });
    await (pause(index) ?? Promise.resolve());
  }
  view.flush();
  await new Promise(setImmediate);
  return bytes / (deltas * DELTA.length);
}
